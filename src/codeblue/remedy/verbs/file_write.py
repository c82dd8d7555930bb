"""FILE_WRITE: a whole small file, as a drop-in is."""

from collections.abc import Iterable, Sequence

from codeblue.model.plan import Args
from codeblue.remedy.files.place import real
from codeblue.remedy.files.refusals import refused
from codeblue.remedy.verbs.file_edit import given, octal
from codeblue.remedy.verbs.filing import FileVerb, Wanted, wanted


class FileWrite(FileVerb):
    """Arguments: ``path``, ``content``, ``mode`` (octal; 0644 for a new file, else as it is)."""

    def files(self, args: Args) -> Sequence[Wanted]:
        """Return the file with the given content."""
        mode = octal(args) if "mode" in args else None
        content = args["content"] if "content" in args else given(args, "content")
        try:
            written = content.encode()
        except UnicodeEncodeError:
            raise refused("the content is not text", "内容不是文本") from None
        return [wanted(given(args, "path"), written, mode)]

    def places(self, args: Args) -> Iterable[str]:
        """Return the file."""
        return [real(given(args, "path"))]
