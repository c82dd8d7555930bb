"""Text that exists in every language codeblue speaks."""

from msgspec import Struct


class Text(Struct, frozen=True):
    """One message in English and Chinese, with ``{name}`` places for values."""

    en: str
    zh: str

    def say(self, lang: str, **values: object) -> str:
        """Return the message in ``lang`` with its places filled.

        Only this template is expanded; braces inside the values stay as they are.
        """
        template = self.zh if lang == "zh" else self.en
        return template.format(**values) if values else template


class Message(Struct, frozen=True):
    """A text together with the values that fill it."""

    text: Text
    values: dict[str, str] = {}

    def say(self, lang: str) -> str:
        """Return the filled message in ``lang``."""
        return self.text.say(lang, **self.values) if self.values else self.text.say(lang)


def message(en: str, zh: str, /, **values: object) -> Message:
    """Build a message from both templates and its values."""
    return Message(Text(en, zh), {name: str(value) for name, value in values.items()})
