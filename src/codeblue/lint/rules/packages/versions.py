"""Do the versions exist, and do they belong together? The version matrix knows."""

import re
from collections.abc import Iterator

from msgspec import structs

from codeblue.knowledge.wheels import plain
from codeblue.lint.rule import rule
from codeblue.lint.rules.packages.judged import asked, pinned, refused
from codeblue.matrix.indexes import companion_taken, variant_of
from codeblue.matrix.judge import judge
from codeblue.model.combination import Combination
from codeblue.model.config.installs import Installs
from codeblue.model.config.place import Place
from codeblue.model.facts import Driver
from codeblue.model.fault import Certainty, Severity
from codeblue.model.judgement import Answer
from codeblue.model.lint import Edit, Fix, Problem
from codeblue.model.text import Message, message

EXISTS = "torch-build-exists"


def _problem(installs: Installs, place: Place, text: Message, fix: Fix | None = None) -> Problem:
    """Return what the matrix says as a problem; a requirements file may be meant for another index."""
    sure = installs.kind in ("image", "command") and not installs.files
    return Problem(
        place=place, message=text, certainty=Certainty.CERTAIN if sure else Certainty.LIKELY, fix=fix
    )


@rule("torch-version-nonexistent", in_documents=True)
def release_exists(installs: Installs) -> Iterator[Problem]:
    """A release of torch that was never published."""
    for one, place in refused(installs, EXISTS):
        if "near" in one.text.values:
            near = str(one.text.values["near"]).split(", ")
            version = str(one.text.values["version"])
            fix = _another(installs, place, version, near[0]) if len(near) == 1 else None
            yield Problem(place=place, message=one.text, fix=fix)


def _another(installs: Installs, place: Place, version: str, near: str) -> Fix | None:
    line = installs.source.text.split("\n")
    text = line[place.line - 1][place.column - 1 : place.end_column - 1] if place.line <= len(line) else ""
    if version not in text:
        return None
    return Fix(message("take {near}", "改用 {near}", near=near), (Edit(place, text.replace(version, near)),))


@rule("cuda-index-does-not-exist", in_documents=True)
def variant_exists(installs: Installs) -> Iterator[Problem]:
    """The release was not built for this CUDA."""
    found = asked(installs)
    for one, place in refused(installs, EXISTS):
        if "offered" not in one.text.values or found is None or found.torch is None:
            continue
        if found.torch.distribution == "conda":
            continue
        if any("pytorch" not in url for url, _ in _indexes(installs)):
            # An index of somebody else has builds of its own.
            continue
        variant = str(one.text.values["variant"])
        index = next(
            (
                index
                for index in _indexes(installs)
                if variant_of(index[0]) == variant and installs.holds(index[1])
            ),
            None,
        )
        at = (
            installs.place(index[1], index[0], variant)
            if index and variant not in _words(installs, place)
            else place
        )
        yield _problem(installs, at, one.text)


def _indexes(installs: Installs) -> Iterator[tuple[str, str]]:
    for index in installs.manifest.indexes:
        yield index.url, index.origin
    for one in installs.manifest.requirements:
        if one.index is not None:
            yield one.index, one.origin


def _words(installs: Installs, place: Place) -> str:
    lines = installs.source.text.split("\n")
    return lines[place.line - 1][place.column - 1 : place.end_column - 1] if place.line <= len(lines) else ""


@rule("wheel-not-built-for-python-version", in_documents=True)
def python_has_a_wheel(installs: Installs) -> Iterator[Problem]:
    """The Python of the image or project is too new or too old for the release."""
    for one, place in refused(installs, "python-has-wheel"):
        if "first" in one.text.values and any(pinned(installs, name) for name in one.parts):
            yield _problem(installs, place, one.text)


@rule("torch-torchvision-version-mismatch", in_documents=True)
def companions_belong_to_torch(installs: Installs) -> Iterator[Problem]:
    """torchvision and torchaudio are built for one release of torch each."""
    rules = ("torchvision-fits", "torchaudio-fits", "torchvision-same-cuda", "torchaudio-same-cuda")
    found = asked(installs)
    for one, place in refused(installs, *rules):
        name = one.parts[0]
        if found is None or found.torch is None or _taken_all_the_same(name, found):
            continue
        wanted = str(one.text.values.get("wanted", ""))
        version = getattr(found, name).value.partition("+")[0]
        fix = _another(installs, place, version, wanted.rpartition(", ")[2]) if wanted else None
        yield _problem(installs, place, one.text, fix)


def _taken_all_the_same(name: str, found: Combination) -> bool:
    """Tell whether the release itself asks for no certain torch: later ones of torchaudio fit several."""
    version = plain(getattr(found, name).value)
    assert found.torch is not None
    return companion_taken(name, f"=={version}", found.torch.value) == version


@rule("glibc-too-old-for-torch", in_documents=True)
def wheels_run_on_the_c_library(installs: Installs) -> Iterator[Problem]:
    """Alpine has no glibc, and old distributions have an old one."""
    for one, place in refused(installs, "glibc-is-new-enough"):
        if installs.kind == "image" and pinned(installs, "torch"):
            yield _problem(installs, place, one.text)


@rule("extension-abi-mismatch", in_documents=True)
def extensions_are_for_this_torch(installs: Installs) -> Iterator[Problem]:
    """The name of a wheel says for which torch it was compiled."""
    found = asked(installs)
    if found is None:
        return
    for part in found.extensions:
        alone = structs.replace(found, extensions=(part,))
        for one in judge(alone).judgements:
            if one.rule == "extension-fits-torch" and one.answer is Answer.NO and installs.holds(part.origin):
                yield _problem(installs, installs.place(part.origin, part.value), one.text)


@rule("driver-too-old-for-cuda", in_documents=True)
def driver_runs_the_build(installs: Installs, driver: Driver) -> Iterator[Problem]:
    """The driver of the machine is too old for the build of torch, or for the CUDA of the image."""
    for one, place in refused(installs, "driver-runs-cuda", driver=driver.module_version):
        if "torch" in one.parts:
            yield Problem(place=place, message=one.text, certainty=Certainty.LIKELY)


@rule("numpy2-with-older-torch", in_documents=True)
def numpy_is_of_the_same_age(installs: Installs) -> Iterator[Problem]:
    """Releases of torch before 2.3 were compiled against NumPy 1."""
    found = asked(installs)
    torch = found.torch.value if found and found.torch else ""
    numbers = re.match(r"(\d+)\.(\d+)", torch)
    numpy = next((one for one in installs.manifest.requirements if one.name == "numpy"), None)
    if numbers is None or (int(numbers[1]), int(numbers[2])) >= (2, 3) or numpy is None or numpy.conda:
        return
    if re.search(r"[=>]=\s*2\b", numpy.specifier) and installs.holds(numpy.origin):
        yield Problem(
            place=installs.place(numpy.origin, "numpy"),
            message=message(
                "torch {torch} was compiled against NumPy 1, and this asks for NumPy {numpy}",
                "torch {torch} 是针对 NumPy 1 编译的，而这里要求 NumPy {numpy}",
                torch=torch,
                numpy=numpy.specifier,
            ),
            severity=Severity.WARNING,
        )


RULES = (
    release_exists,
    variant_exists,
    python_has_a_wheel,
    companions_belong_to_torch,
    wheels_run_on_the_c_library,
    extensions_are_for_this_torch,
    driver_runs_the_build,
    numpy_is_of_the_same_age,
)
