"""Are the values of known variables of the right kind?"""

from collections.abc import Iterator

from codeblue.knowledge import env_values
from codeblue.lint.rule import rule
from codeblue.model.config.setting import Setting, Settings
from codeblue.model.fault import Certainty
from codeblue.model.lint import Edit, Fix, Problem
from codeblue.model.text import Message, message

YES = ("true", "yes", "on", "y")
NO = ("false", "no", "off", "n")


@rule("env-value-invalid")
def values_fit(settings: Settings) -> Iterator[Problem]:
    """Numbers where numbers are read, words from the list where one of a list is read."""
    for one in settings.settings:
        if one.value and not env_values.placeholder(one.value):
            yield from _number(one, one.value)
            yield from _word(one, one.value)


def _number(one: Setting, value: str) -> Iterator[Problem]:
    numbers = env_values.numbers(one.name)
    if numbers is None:
        return
    if not env_values.INTEGER.fullmatch(value):
        yield _problem(
            one,
            "not-a-number",
            message(
                "{name}={value}: NCCL wants a number and takes this for {read}",
                "{name}={value}：NCCL 要读一个数字，会把它当作 {read}",
                name=one.name,
                value=value,
                read=env_values.read_as(value),
            )
            if numbers.lenient
            else message(
                "{name}={value} is no whole number",
                "{name}={value} 不是整数",
                name=one.name,
                value=value,
            ),
            Certainty.CERTAIN,
            _switched(one, value, numbers),
        )
    elif not numbers.holds(env_values.read_as(value)):
        yield _problem(
            one,
            "out-of-range",
            message(
                "{name}={value}: only {legal} are known",
                "{name}={value}：只认 {legal}",
                name=one.name,
                value=value,
                legal=numbers.legal,
            ),
            Certainty.LIKELY,
            None,
        )


def _switched(one: Setting, value: str, numbers: env_values.Numbers) -> Fix | None:
    number = "1" if value.lower() in YES else "0" if value.lower() in NO else None
    if number is None or not numbers.switch or one.value_place is None:
        return None
    return _write(one, number)


def _word(one: Setting, value: str) -> Iterator[Problem]:
    wrong = env_values.wrong_word(one.name, value)
    if wrong is None:
        return
    near = env_values.near_word(one.name, wrong)
    yield _problem(
        one,
        "unknown-word",
        message(
            "{name}: {value} is none of {legal}",
            "{name}：{value} 不在 {legal} 之中",
            name=one.name,
            value=wrong,
            legal=", ".join(env_values.WORDS[one.name].words),
        ),
        Certainty.CERTAIN,
        _write(one, near) if near and wrong == value and one.value_place is not None else None,
    )


def _write(one: Setting, value: str) -> Fix:
    assert one.value_place is not None
    return Fix(message("write {value}", "改为 {value}", value=value), (Edit(one.value_place, f'"{value}"'),))


def _problem(one: Setting, variant: str, line: Message, certainty: Certainty, fix: Fix | None) -> Problem:
    return Problem(
        place=one.value_place or one.place, variant=variant, message=line, certainty=certainty, fix=fix
    )


RULES = (values_fit,)
