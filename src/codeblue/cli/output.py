"""Write a result to the file that the user named."""

from codeblue.model.text import message
from codeblue.sources.target import Unusable


def write(path: str, content: bytes) -> None:
    """Write the content. Raises Unusable with one line if the file cannot be written."""
    try:
        with open(path, "wb") as stream:
            stream.write(content)
    except OSError as error:
        raise Unusable(
            message(
                "{path}: cannot write: {why}",
                "{path}：无法写入：{why}",
                path=path,
                why=error.strerror or error,
            )
        ) from None
