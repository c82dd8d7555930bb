"""What codeblue never does itself: instructions, reboots, launch commands, manifests"""

import pytest

from codeblue.model.plan import Refused
from codeblue.model.remedy import Risk, Undo, Verb
from codeblue.remedy.verbs.system import ACTIONS
from tests.fix.verbs.acting import Folder
from tests.fix.verbs.machine import Here

ARGS = {
    Verb.INSTRUCT: {},
    Verb.REBOOT: {},
    Verb.CONTAINER_FLAGS: {"flags": "--gpus all --shm-size 16g -e 'A=b c'"},
    Verb.POD_PATCH: {"patch": '{"hostIPC": true}'},
}
WORDS = {
    Verb.INSTRUCT: "person",
    Verb.REBOOT: "never reboots",
    Verb.CONTAINER_FLAGS: "--render sh",
    Verb.POD_PATCH: "--render kubectl-patch",
}


@pytest.mark.parametrize("verb", ARGS)
def test_it_is_a_human_s_and_applying_is_refused(verb: Verb, here: Here) -> None:
    action = ACTIONS[verb]

    assert action.risk is Risk.HUMAN and action.undo is Undo.NONE
    assert action.look(ARGS[verb]).needed and not action.verify(ARGS[verb])
    with pytest.raises(Refused, match=WORDS[verb]):
        action.apply(ARGS[verb], {}, "x", Folder(here.keep))
    with pytest.raises(Refused, match="cannot be taken back"):
        action.back(ARGS[verb], {}, "x", Folder(here.keep))


def test_the_preview_is_the_text() -> None:
    flags, patch = (ACTIONS[verb].look(ARGS[verb]).shows for verb in (Verb.CONTAINER_FLAGS, Verb.POD_PATCH))

    assert flags == ("--gpus all --shm-size 16g -e 'A=b c'",)
    assert patch == ("hostIPC: true",)


@pytest.mark.parametrize("flags", ["", "image", "'", "; reboot"])
def test_flags_that_are_none(flags: str) -> None:
    with pytest.raises(Refused, match="no options"):
        ACTIONS[Verb.CONTAINER_FLAGS].look({"flags": flags})


@pytest.mark.parametrize(
    "patch", ["", "[]", "a", "{", "a: 2020-01-01", "!!python/object:os.system {}", "[" * 5000]
)
def test_patches_that_are_none(patch: str) -> None:
    with pytest.raises(Refused, match="no mapping"):
        ACTIONS[Verb.POD_PATCH].look({"patch": patch})


def test_every_refusal_speaks_both_languages(here: Here) -> None:
    for verb, args in ARGS.items():
        answer = here.ask(verb, "apply", args)
        assert answer["refused"] != answer["zh"]


def test_a_module_that_cannot_be_loaded(here: Here) -> None:
    answer = here.ask(Verb.MODULE_LOAD, "look", {"module": "no-such-module"})

    # Without modules in the kernel, without modprobe, or by modprobe's own word: refused, and why.
    assert any(words in answer["refused"] for words in ("cannot load modules", "package kmod", "not found"))
