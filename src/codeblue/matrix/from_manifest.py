"""Files as parts of a combination: what pip, uv or conda would install from them today."""

import re
from collections.abc import Iterator, Sequence

from packaging.specifiers import InvalidSpecifier, SpecifierSet

from codeblue.knowledge.wheels import local, plain, release
from codeblue.matrix import builds
from codeblue.matrix.images import of_image
from codeblue.matrix.indexes import companion_taken, newest_companion, taken, variant_of
from codeblue.model.combination import Combination, Part
from codeblue.model.manifest import Left, Manifest, Requirement, Said
from codeblue.model.text import Message, message

COMPANIONS = ("torchvision", "torchaudio")
EXACT = re.compile(r"===?\s*([^,*\s]+?)(?=[,\s]|$)")
LIBRARY = re.compile(r"(?:nvidia-)?(cudnn|nccl)(?:-cu\d+)?|(tensorrt)(?:-(cu\d+))?|(triton)")
WHEEL = re.compile(r"[^/]+\.whl$")
CONDA_CUDA = re.compile(r"(?:cuda_?|cu)(\d{2})\.?(\d)")


class Contradiction(Exception):
    """Files that ask for two things at once. Carries one line."""

    def __init__(self, line: Message) -> None:
        super().__init__(line.say("en"))
        self.line = line


def combination(manifest: Manifest, besides: Combination) -> tuple[Combination, tuple[Message, ...]]:
    """Return what the files ask for, and what was taken for granted where they leave a choice.

    ``besides`` says what else is known, the Python among it. Raises Contradiction.
    """
    image = of_image(manifest.image, manifest.environment)
    python = besides.python or _python(manifest) or image.python
    machine = besides.machine or _said(manifest.machine)
    known = Combination(machine=machine, python=python).over(image)
    torch, notes = _torch(manifest, known)
    found = Combination(torch=torch).over(known) if torch else known
    parts = dict(_libraries(manifest))
    if found.torch is not None:
        parts.update(_companions(manifest, found.torch))
    extensions = tuple(
        Part(name[0], one.origin) for one in manifest.requirements if (name := WHEEL.search(one.url or ""))
    )
    cuda = _conda_cuda(manifest)
    if cuda is not None and torch is not None and torch.distribution == "conda" and not local(torch.value):
        parts["torch_cuda"] = cuda
    return Combination(extensions=extensions).having(parts).over(found), notes


def left_out(manifest: Manifest) -> tuple[list[Message], list[Message]]:
    """Return what was not understood: parts that may ask for what the tables know, and others."""
    hiding = [one for one in manifest.left if one.file or _is_known(one.package)]
    return [_placed(one) for one in hiding], [_placed(one) for one in manifest.left if one not in hiding]


def _is_known(name: str) -> bool:
    return name in ("torch", *COMPANIONS) or LIBRARY.fullmatch(name) is not None


def _placed(left: Left) -> Message:
    text, values = left.why.text, left.why.values
    return message(f"{{origin}}: {text.en}", f"{{origin}}：{text.zh}", **values, origin=left.origin)


def _said(value: Said | None) -> Part | None:
    return Part(value.value, value.origin) if value is not None else None


def _python(manifest: Manifest) -> Part | None:
    """Return the Python that the files name; a range names none."""
    said = manifest.python
    if said is None:
        return None
    found = re.fullmatch(r"(?:={1,3}|~=)?\s*(\d\.\d+)(?:\.[\d*]+)?", said.value)
    return Part(found[1], said.origin) if found else None


def _torch(manifest: Manifest, known: Combination) -> tuple[Part | None, tuple[Message, ...]]:
    """Return the torch that would be installed."""
    asked = [one for one in manifest.requirements if one.name == "torch"]
    if not asked:
        return None, ()
    named = next((one for one in asked if one.url and WHEEL.search(one.url)), None)
    if named is not None:
        return _of_wheel(named), ()
    specifier = _together("torch", asked)
    if asked[-1].conda:
        chosen = _of_conda(manifest, asked[-1], specifier)
        return (chosen if chosen.value[:1].isdigit() else None), ()
    return _of_pip(manifest, asked[-1], specifier, known)


def _together(name: str, asked: Sequence[Requirement]) -> str:
    """Return one specifier for several requirements. Raises Contradiction if no version meets it."""
    exact = {found[1]: one.origin for one in asked for found in EXACT.finditer(one.specifier)}
    specifier = ",".join(one.specifier for one in asked if one.specifier)
    try:
        versions = SpecifierSet(specifier)
    except InvalidSpecifier:
        versions = None
    refused = [one for one in exact if versions is not None and not versions.contains(one, prereleases=True)]
    if versions is None or refused:
        raise Contradiction(
            message(
                "{name}: contradictory pins: {pins}; keep one of them",
                "{name}：版本要求互相矛盾：{pins}；请只保留一个",
                name=name,
                pins=", ".join(f"{one.specifier or '*'} ({one.origin})" for one in asked),
            )
        )
    return specifier


def _of_wheel(one: Requirement) -> Part | None:
    name = WHEEL.search(one.url or "")
    version = name[0].split("-")[1].replace("%2B", "+") if name else ""
    return Part(version, one.origin, "torch") if version else None


def _of_conda(manifest: Manifest, one: Requirement, specifier: str) -> Part:
    """Return what conda would take: the variant is told by the build, or by pytorch-cuda beside it."""
    found = EXACT.search(specifier) or re.search(r"(\d+\.\d+(?:\.\d+)?)", specifier)
    version = found[1] if found else ""
    whole = version + ".0" * max(0, 2 - version.count(".")) if version else ""
    built = CONDA_CUDA.search(one.build or "")
    meta = next((other for other in manifest.requirements if other.name == "pytorch-cuda"), None)
    cuda = re.search(r"(\d+)\.(\d+)", meta.specifier) if meta else None
    if any(other.name == "cpuonly" for other in manifest.requirements) or "cpu" in (one.build or ""):
        return Part(f"{whole}+cpu", one.origin, "conda")
    official = cuda or (built if _official_channel(manifest) else None)
    return Part(f"{whole}+cu{official[1]}{official[2]}" if official else whole, one.origin, "conda")


def _official_channel(manifest: Manifest) -> bool:
    return any(re.search(r"(?:^|/)pytorch/?$", index.url) for index in manifest.indexes)


def _conda_cuda(manifest: Manifest) -> Part | None:
    """Return the CUDA that conda-forge's build is made for: told by the build or by cuda-version."""
    for one in manifest.requirements:
        if one.name == "torch" and (found := CONDA_CUDA.search(one.build or "")):
            return Part(f"{found[1]}.{found[2]}", one.origin)
        if one.name == "cuda-version" and (found := re.search(r"(\d+)\.(\d+)", one.specifier)):
            return Part(f"{found[1]}.{found[2]}", one.origin)
    return None


def _of_pip(
    manifest: Manifest, one: Requirement, specifier: str, known: Combination
) -> tuple[Part | None, tuple[Message, ...]]:
    """Return the newest that the indexes offer; a pin that none of them has stays what was asked for."""
    machine = builds.machine(known)
    python = known.python.value if known.python else None
    urls = _indexes(manifest, one)
    offer = taken(urls, specifier, machine, python)
    pinned = EXACT.search(specifier)
    if offer is None:
        version = _whole(pinned[1]) if pinned else ""
        only = next((variant for url in urls if url and (variant := variant_of(url))), None)
        if version and only and "+" not in version:
            version = f"{version}+{only}"
        return (Part(version, one.origin, "torch") if version else None), ()
    name = f"{plain(offer.version)}+{offer.variant}"
    if pinned and ("+" in pinned[1] or urls == [None]):
        return Part(offer.version, one.origin, "torch"), ()
    note = message(
        "{origin}: today {name} would be installed",
        "{origin}：按目前的索引会安装 {name}",
        origin=one.origin,
        name=f"torch {name}",
    )
    return Part(name, one.origin, "torch"), (note,)


def _whole(version: str) -> str:
    """Return ``2.11.0`` for ``2.11``, which means the same."""
    return f"{version}.0" if re.fullmatch(r"\d+\.\d+", version) else version


def _indexes(manifest: Manifest, one: Requirement) -> list[str | None]:
    """Return where the requirement is looked for; None stands for PyPI."""
    if one.index is not None:
        return [one.index]
    main = [index.url for index in manifest.indexes if index.kind == "index"]
    more = [index.url for index in manifest.indexes if index.kind in ("extra-index", "find-links")]
    return [main[-1] if main else None, *more]


def _companions(manifest: Manifest, torch: Part) -> Iterator[tuple[str, Part]]:
    """Yield torchvision and torchaudio as pip would take them beside this torch."""
    for name in COMPANIONS:
        asked = [one for one in manifest.requirements if one.name == name]
        if not asked or release(torch.value) is None:
            continue
        specifier = _together(name, asked)
        pinned = EXACT.search(specifier)
        version = pinned[1] if pinned else companion_taken(name, specifier, torch.value)
        # Where nothing that is allowed fits, an installer refuses; the newest of it says why.
        version = version or newest_companion(name, specifier)
        if version is not None:
            yield name, Part(version, asked[-1].origin, name)


def _libraries(manifest: Manifest) -> Iterator[tuple[str, Part]]:
    """Yield what is pinned of cuDNN, NCCL, TensorRT and triton."""
    for one in manifest.requirements:
        found, pinned = LIBRARY.fullmatch(one.name), EXACT.search(one.specifier)
        if found is None or pinned is None:
            continue
        name = found[1] or found[2] or found[4]
        flavour = f"+{found[3]}" if found[3] else ""
        yield name, Part(f"{plain(pinned[1])}{flavour}", one.origin, one.name)
