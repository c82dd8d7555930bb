"""Facts about the interpreter, its distributions and PyTorch."""

from typing import ClassVar

from codeblue.model.section import UNREAD, Fact, Row, Section


class Distribution(Row, frozen=True, kw_only=True):
    """One installed distribution that GPU work depends on."""

    version: Fact[str] = UNREAD
    location: Fact[str] = UNREAD
    installer: Fact[str | None] = UNREAD
    missing_files: Fact[list[str]] = UNREAD
    """Files of its RECORD that are gone or have another size, at most ten."""


class Python(Section, frozen=True, kw_only=True):
    """The job's interpreter, as a process started like the job sees it."""

    NAME: ClassVar[str] = "python"
    TABLE: ClassVar[str] = "distributions"

    executable: Fact[str] = UNREAD
    version: Fact[str] = UNREAD
    """``major.minor.micro``."""
    implementation: Fact[str] = UNREAD
    bits: Fact[int] = UNREAD
    prefix: Fact[str] = UNREAD
    base_prefix: Fact[str] = UNREAD
    environment: Fact[str] = UNREAD
    """``venv``, ``conda``, ``system`` or ``other``."""
    path: Fact[list[str]] = UNREAD
    """sys.path in order, the working directory written as ``.``."""
    user_site: Fact[str | None] = UNREAD
    """The user site directory when it is on the path, else None."""
    distributions: Fact[dict[str, Distribution]] = UNREAD
    """By normalised name, the copy that is imported."""
    duplicates: Fact[dict[str, list[str]]] = UNREAD
    """Name to ``version at location`` where one distribution is found more than once."""
    shadows: Fact[dict[str, str]] = UNREAD
    """Import name to a local file or folder that is found before the real module."""
    other_torches: Fact[list[str]] = UNREAD
    """Other interpreters at hand that have torch."""


class Torch(Section, frozen=True, kw_only=True):
    """PyTorch from its files, without importing it. Absent: this interpreter finds none."""

    NAME: ClassVar[str] = "torch"

    version: Fact[str] = UNREAD
    """With its local part, e.g. ``2.11.0+cu130``."""
    cuda: Fact[str | None] = UNREAD
    """CUDA version it was built with; None for CPU builds."""
    location: Fact[str] = UNREAD
    hip: Fact[str | None] = UNREAD
    namespace_only: Fact[bool] = UNREAD
    """True if ``torch`` resolves to a folder without an __init__.py."""


class Nvcc(Section, frozen=True, kw_only=True):
    """The CUDA compiler that torch would take to build an extension. Absent: there is none."""

    NAME: ClassVar[str] = "nvcc"

    path: Fact[str] = UNREAD
    told_by: Fact[str] = UNREAD
    """``CUDA_HOME``, ``CUDA_PATH``, ``PATH`` or ``default``: /usr/local/cuda."""
    version: Fact[str | None] = UNREAD
    """Release of the compiler or its toolkit, ``12.4.131`` or ``12.4``; None if its files do not tell."""


class TorchDevice(Row, frozen=True, kw_only=True):
    """What happened on one device of the trial."""

    name: Fact[str] = UNREAD
    capability: Fact[str] = UNREAD
    ok: Fact[bool] = UNREAD
    error: Fact[str | None] = UNREAD


class TorchTrial(Section, frozen=True, kw_only=True):
    """One child that imports torch and runs a small kernel on each visible GPU."""

    NAME: ClassVar[str] = "torch_trial"
    TABLE: ClassVar[str] = "devices"

    imported: Fact[bool] = UNREAD
    available: Fact[bool] = UNREAD
    """torch.cuda.is_available()."""
    count: Fact[int] = UNREAD
    cuda: Fact[str | None] = UNREAD
    cudnn: Fact[int | None] = UNREAD
    arch_list: Fact[list[str]] = UNREAD
    """``sm_*`` and ``compute_*`` targets of the build."""
    devices: Fact[dict[str, TorchDevice]] = UNREAD
    error: Fact[str | None] = UNREAD
    """Type and text of the exception that ended it."""
    signal: Fact[str | None] = UNREAD
    """Name of the signal that killed it."""
    words: Fact[str] = UNREAD
    """Warnings and the end of its standard error, at most 4000 characters."""
    libraries: Fact[dict[str, str]] = UNREAD
    """Soname to the file that was really mapped."""
    import_seconds: Fact[float] = UNREAD
    kernel_seconds: Fact[float] = UNREAD


class Kernel(Row, frozen=True, kw_only=True):
    """One Jupyter kernel for Python."""

    interpreter: Fact[str] = UNREAD
    """First word of its command; a bare ``python`` means that of the Jupyter server."""
    exists: Fact[bool] = UNREAD
    own: Fact[bool] = UNREAD
    """It belongs to the environment of the job's interpreter."""
    torch: Fact[bool] = UNREAD
    """Its environment has torch; not read where that cannot be told from its files."""


class Jupyter(Section, frozen=True, kw_only=True):
    """Kernels that a Jupyter server of this user or of the job's environment offers."""

    NAME: ClassVar[str] = "jupyter"
    TABLE: ClassVar[str] = "kernels"

    kernels: Fact[dict[str, Kernel]] = UNREAD
    """By name."""
