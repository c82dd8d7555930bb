"""Versions and names that a text mentions, in English and Chinese."""

import re
from collections.abc import Iterator

from codeblue.model.config.document import Mention
from codeblue.model.config.place import Source

LEAST = (
    r"(?:>=|≥|⩾|>|at least|minimum(?: version)?(?: of)?|min\.?|newer than|"
    r"至少(?:需要|为)?|最低(?:需要|要求|版本)?(?:为|是)?|不低于|高于|大于等于?)"
)
MOST = (
    r"(?:<=|≤|<|up to|at most|older than|lower than|below|prior to|before|until|"
    r"最高(?:支持)?|不高于|低于|小于|早于)"
)
BEFORE = re.compile(
    rf"(?:(?P<least>{LEAST})|(?P<most>{MOST}))[\s`'\"(（:：v]*(?:version|版本)?\s*$", re.IGNORECASE
)
AFTER_LEAST = re.compile(
    r"\+(?!cu)|\s\+(?!\s*\w)|\s*\([^()]{0,12}\)\s*\+|"
    r"\s*\(?,?\s*(?:or|and|及|或|和)\s*"
    r"(?:newer|later|higher|above|greater|up(?:wards?)?|more recent|any|以上|更高|更新|之后)|"
    r"\s*(?:及|或|和)?(?:其)?(?:以上|更高|更新|之后|以后)|\s*(?:版本|版|驱动)(?:及|或)?(?:以上|更高|更新)|"
    r"\s*(?:series )?onwards?|\s*~|\s*-\s*\d",
    re.IGNORECASE,
)
AFTER_MOST = re.compile(
    r"\s*\(?,?\s*(?:(?:or|and)\s*(?:older|earlier|lower|below|before|prior)|"
    r"(?:及|或|和)?(?:以下|更低|更早|之前|以前))",
    re.IGNORECASE,
)
DRIVER = re.compile(
    r"(?<![\w.])(?:[vVrR]\s?)?((?:3[0-9]|4[0-9]|5[0-9]|6[0-4])\d\.\d{2,3}(?:\.\d{2})?)(?![\w.]*\d)"
)
BRANCH = re.compile(
    r"(?:\bR|drivers?(?: branch| version| series)?|驱动(?:版本|程序)?(?:为|是)?|nvidia-driver-)\s*"
    r"(?:>=|≥|at least|最低|至少)?\s*((?:3[49]|4[0-9]|5[0-9]|6[0-4])[05])(?![\w.]*\d)(?:\.xx?)?",
    re.IGNORECASE,
)
CUDA = re.compile(
    r"\bCUDA(?:[- ]?(?:toolkit|runtime|sdk|version|版本|工具包))*"
    r"\s*(?:>=|≥|=+|:|：|version|v|at least|至少|为|是|最低)?\s*"
    r"(?:v)?((?:[89]|1[0-3])\.\d{1,2})(?:\.\d+)?(?![\w.]*\d)",
    re.IGNORECASE,
)
TOOLKIT = re.compile(
    r"\bCUDA[- ]toolkit(?:[- ]version)?\s*v?(1[0-3]\.\d{1,2})(?![\w]*\d)|"
    r"\bCUDA\s*v?(1[0-3]\.\d{1,2})(?:\.\d+)?\s*(?:toolkit|工具包)|"
    r"\bcuda-toolkit-(1[0-3]-\d{1,2})\b",
    re.IGNORECASE,
)
JOINED = r"\s*(?:==|>=|≥|=|v|version|为)?\s*v?"
TORCH = re.compile(
    rf"(?<![\w/.-])(?:py)?torch(?:\s*版本)?{JOINED}(\d\.\d{{1,2}}(?:\.\d)?(?:\+cu\d{{2,3}})?)(?![\w]|\.\d)",
    re.IGNORECASE,
)
COMPANION = re.compile(
    rf"(?<![\w/.-])(torchvision|torchaudio){JOINED}(\d\.\d{{1,2}}(?:\.\d)?)(?![\w]|\.\d)", re.IGNORECASE
)
SERIES = r"(?:RTX|GTX)[- ]?(?:20|30|40|50|16|10)\s?(?:xx\b|-?series|系列?)"
CARD = (
    r"(?:RTX|GTX)[- ]?(?:PRO[- ])?A?\d{4}(?:[- ]?(?:Ti|SUPER|Ada|Blackwell|D))*|TITAN (?:V|RTX|Xp)|"
    r"(?:A100|A800|A30|A40|A10G?|A16|A2|H100|H200|H800|H20|GH200|B100|B200|B300|GB200|GB300|L40S?|L4|"
    r"L20|V100S?|"
    r"P100|P40|T4|K80|M60)"
)
ARCHITECTURE = r"(?:Blackwell|Hopper|Ada(?: Lovelace)?|Ampere|Turing|Volta|Pascal|Maxwell|Kepler|Rubin)"
GPU = re.compile(
    rf"(?<![\w-])(?:NVIDIA |GeForce |Tesla )*({SERIES}|{CARD}|{ARCHITECTURE})(?![\w-]|\.\d)", re.IGNORECASE
)
CAPABILITY = re.compile(
    r"\b(?:sm|compute)_?(\d{2,3})[af]?(?![\w])|"
    r"(?:compute[- ]capabilit(?:y|ies)|\bCC|计算能力|算力)(?:\s*(?:version|版本))?"
    r"\s*(?:is|of|>=|≥|=|:|：|为|是)?\s*(\d{1,2}\.\d)(?![\w]|\.\d)|"
    r"(?<![\w.])(\d{1,2}\.\d)\s*(?:compute[- ]capability|的?计算能力)",
    re.IGNORECASE,
)
CUDNN = re.compile(
    r"\bcuDNN\s*(?:>=|≥|=+|version|v|版本)?\s*v?([89]\.\d{1,2})(?:\.\d+)*(?![\w])", re.IGNORECASE
)
CONTAINER = re.compile(
    r"(?:nvidia[- ])?container[- ]toolkit\s*(?:>=|≥|=+|version|v|版本)*\s*v?(1\.\d{1,2}\.\d{1,2})(?![\w])",
    re.IGNORECASE,
)
IMAGE = re.compile(
    r"(?<![\w./-])((?:docker\.io/)?nvidia/cuda(?::[\w.-]+)?|"
    r"nvcr\.io/nvidia/(?:pytorch|tensorflow|cuda)(?::[\w.-]+)?)"
)
WHEEL = re.compile(
    r"(?<![\w.-])(torch-\d+\.\d+\.\d+(?:(?:\+|%2B)cu\d+)?-cp\d+-cp\d+t?-[\w.]+\.whl)", re.IGNORECASE
)
INDEX = re.compile(r"download(?:-r2)?\.pytorch\.org/whl/(?:nightly/|test/)?(cu\d{2,3})(?![\w])")
SIMPLE = (
    ("cuda", CUDA),
    ("torch", TORCH),
    ("gpu", GPU),
    ("cudnn", CUDNN),
    ("container-toolkit", CONTAINER),
)
NAMES = (("image", IMAGE), ("wheel", WHEEL), ("index", INDEX))
ABOUT_DRIVERS = re.compile(r"driver|驱动|NVIDIA-Linux|nvidia-smi", re.IGNORECASE)


def mentions(source: Source) -> Iterator[Mention]:
    """Yield what a sentence mentions, in no order."""
    text = source.text.replace("\n", " ")
    for kind, pattern in SIMPLE:
        for found in pattern.finditer(text):
            yield _mention(source, text, kind, found[1], found.span(1), found.start())
    for found in COMPANION.finditer(text):
        yield _mention(source, text, found[1].lower(), found[2], found.span(2), found.start())
    for found in CAPABILITY.finditer(text):
        yield _capability(source, text, found)
    for found in TOOLKIT.finditer(text):
        value = next(part for part in found.groups() if part).replace("-", ".")
        yield _mention(source, text, "toolkit", value, found.span(), found.start())
    if ABOUT_DRIVERS.search(text):
        yield from _drivers(source, text)


def names(source: Source) -> Iterator[Mention]:
    """Yield images, wheels and indexes, also from code."""
    for kind, pattern in NAMES:
        for found in pattern.finditer(source.text):
            yield _mention(source, source.text, kind, found[1], found.span(1), found.start(1))


def _drivers(source: Source, text: str) -> Iterator[Mention]:
    whole = list(DRIVER.finditer(text))
    for found in whole:
        yield _mention(source, text, "driver", found[1], found.span(1), found.start())
    for found in BRANCH.finditer(text):
        yield _mention(source, text, "branch", found[1], found.span(1), found.start())


def _capability(source: Source, text: str, found: re.Match[str]) -> Mention:
    number = next(n for n in (1, 2, 3) if found[n])
    value = found[number] if number > 1 else f"{found[1][:-1]}.{found[1][-1]}"
    return _mention(source, text, "capability", value, found.span(), found.start())


def _mention(source: Source, text: str, kind: str, value: str, span: tuple[int, int], begin: int) -> Mention:
    return Mention(
        kind=kind,
        value=value,
        bound=bound(text, begin, *span),
        start=begin,
        end=span[1],
        place=source.place(*span),
    )


def bound(text: str, begin: int, start: int, end: int) -> str:
    """Return whether the words around a version make it a least or a most."""
    before = BEFORE.search(text[max(0, begin - 40) : begin]) or BEFORE.search(
        text[max(0, start - 40) : start]
    )
    if AFTER_LEAST.match(text, end) or (before and before["least"]):
        return "least"
    if AFTER_MOST.match(text, end) or (before and before["most"]):
        return "most"
    return ""
