"""Why a given file was not searched, or not to its end."""

from codeblue.model.text import Message, Text

REASONS = {
    "unreadable": Text("cannot be read: {detail}", "无法读取：{detail}"),
    "binary": Text("not a text", "不是文本文件"),
    "not-regular": Text("not a regular file", "不是普通文件"),
    "damaged": Text("damaged, read as far as it goes: {detail}", "文件已损坏，只读到损坏处：{detail}"),
    "zstd": Text(
        "compressed with zstd: pip install zstandard, or zstd -d first",
        "由 zstd 压缩：请先 pip install zstandard，或用 zstd -d 解压",
    ),
    "too-many": Text("only the first {detail} files were read", "只读了前 {detail} 个文件"),
}
"""What ``Skipped.why`` stands for; ``detail`` is in the words of the system."""


def words(why: str, detail: str) -> Message:
    """Return the reason as a sentence."""
    return Message(REASONS[why], {"detail": detail})
