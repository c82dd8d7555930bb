"""Container images that a file names."""

from msgspec import Struct

from codeblue.model.config.place import Place


class Image(Struct, frozen=True, kw_only=True):
    """One reference to an image, variables filled in where they are known."""

    text: str
    place: Place
    owner: str = ""
    builds: bool = False
    """True if it is the base of another image."""
    always_pulled: bool = False

    @property
    def repository(self) -> str:
        """The name without tag and digest."""
        name = self.text.split("@", 1)[0]
        head, _, tail = name.rpartition(":")
        return head if head and "/" not in tail else name

    @property
    def tag(self) -> str:
        """The tag; empty if there is none."""
        name = self.text.split("@", 1)[0]
        return name[len(self.repository) + 1 :]

    @property
    def digest(self) -> str:
        """The digest; empty if there is none."""
        return self.text.partition("@")[2]
