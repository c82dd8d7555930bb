"""What the rules say of one candidate, or of two together; each question is judged once."""

from codeblue.matrix import builds
from codeblue.matrix.judge import judge
from codeblue.matrix.solve.candidates import Candidate
from codeblue.model.combination import Combination
from codeblue.model.judgement import Answer, Judgement

REFUSES = frozenset({Answer.NO, Answer.UNKNOWN})


class Weighing:
    """Judges candidates on a machine, and remembers."""

    def __init__(self, have: Combination) -> None:
        named = Combination(machine=have.machine, glibc=have.glibc)
        self._release = named
        """A release alone is no build yet: nothing that asks for its CUDA is judged of it."""
        self._machine = named.over(
            Combination(
                gpus=have.gpus,
                cuda=have.cuda,
                nvcc=have.nvcc,
                toolkit=have.toolkit,
                require_cuda=have.require_cuda,
            )
        )
        self._known: dict[tuple[Candidate | None, Candidate], tuple[Judgement, ...]] = {}

    def judged(self, candidate: Candidate, beside: Candidate | None = None) -> tuple[Judgement, ...]:
        """Return all that the rules say of a candidate on this machine, beside another one."""
        found = self._known.get((beside, candidate))
        if found is None:
            found = judge(self._together(candidate, beside)).judgements
            self._known[beside, candidate] = found
        return found

    def _together(self, candidate: Candidate, beside: Candidate | None) -> Combination:
        bare = {"torch", "python"}
        base = self._release if candidate.name in bare else self._machine
        return candidate.over(beside.over(base) if beside else base)

    def refusals(self, candidate: Candidate, beside: Candidate | None = None) -> tuple[Judgement, ...]:
        """Return what speaks against a candidate; none if it may be taken."""
        return tuple(one for one in self.judged(candidate, beside) if one.answer in REFUSES)

    def conditions(self, candidate: Candidate, beside: Candidate | None) -> int:
        """Return under how many conditions a candidate works."""
        return sum(one.answer is Answer.IF for one in self.judged(candidate, beside))

    def needs_jit(self, build: Candidate, beside: Candidate | None) -> bool:
        """Return whether a GPU runs a build only after the driver has compiled it."""
        return any(one.rule == "ptx-is-compiled-by-driver" for one in self.judged(build, beside))

    def is_sound(self, build: Candidate) -> bool:
        """Return whether nothing in a build is known to be bad, and what it brings is known at all."""
        return not any(is_defect(one) for one in self.judged(build)) and self._is_known(build)

    def _is_known(self, build: Candidate) -> bool:
        made = builds.of(build.over(self._machine))
        return made is None or made.cuda is None or bool(made.cudnn and made.nccl)


def is_defect(one: Judgement) -> bool:
    """Return whether a judgement names a defect that no condition limits."""
    return one.rule == "known-bad-version" and not one.text.values.get("when")
