"""Put a result where the user wants it: on the terminal, or into a file."""

from collections.abc import Iterable

from codeblue import patience
from codeblue.sources.failures import cannot
from codeblue.sources.target import Unusable, no_answer


def write(path: str, content: bytes) -> None:
    """Write the content. Raises Unusable with one line if the file cannot be written."""
    if not patience.answers(path):
        raise Unusable(no_answer(path))
    try:
        with open(path, "wb") as stream:
            stream.write(content)
    except OSError as error:
        raise Unusable(
            cannot("{path}: cannot write: {why}", "{path}：无法写入：{why}", error, path=path)
        ) from None


def show(lines: Iterable[tuple[str, str]]) -> None:
    """Print styled lines, with this machine's pseudonyms turned back into names."""
    from rich.console import Console
    from rich.text import Text

    from codeblue.state import Pseudonyms, salt

    reveal = Pseudonyms(salt()).reveal
    console = Console(highlight=False, emoji=False)
    for line, style in lines:
        console.print(Text(reveal(line), style), soft_wrap=True)
