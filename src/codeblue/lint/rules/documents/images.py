"""Do the images that a document names exist?"""

import re
from collections.abc import Iterator
from datetime import datetime, timezone

from codeblue.knowledge.tables import by_key
from codeblue.knowledge.versions import older, parts
from codeblue.lint.rule import rule
from codeblue.model.config.document import Claim, Mention
from codeblue.model.fault import Certainty
from codeblue.model.lint import Problem
from codeblue.model.text import Message, message

CUDA_TAG = re.compile(r"(?:^|/)nvidia/cuda:((\d+\.\d+)(?:\.\d+)?)(-[\w.-]+)?$")
NGC = re.compile(r"nvcr\.io/nvidia/(pytorch|tensorflow):(\d\d)\.(\d\d)(-[\w.-]+)?$")
TWO_NUMBERS_UNTIL = "12.0"
"""From this CUDA on, every tag of nvidia/cuda has three numbers."""


@rule("document-version-impossible")
def images_exist(claim: Claim) -> Iterator[Problem]:
    """NVIDIA's CUDA images and its monthly ones are named by rules that tell what cannot exist."""
    for one in claim.all("image"):
        why = _cuda(one) or _monthly(one)
        if why is not None:
            yield Problem(place=one.place, variant="image", message=why, certainty=Certainty.LIKELY)


def _cuda(one: Mention) -> Message | None:
    found = CUDA_TAG.search(one.value)
    known = by_key("cuda_toolkits", "version")
    if found is None or not older(found[2], max(known, key=parts)):
        return None
    if found[2] not in known and older("10.2", found[2]):
        return message(
            "there is no CUDA {cuda}, so no image of it",
            "不存在 CUDA {cuda}，也就没有它的镜像",
            cuda=found[2],
        )
    if found[1] == found[2] and not older(found[2], TWO_NUMBERS_UNTIL) and found[3]:
        return message(
            "nvidia/cuda has no tag {cuda} with two numbers: from 12.0 on there are three, as 12.4.1",
            "nvidia/cuda 没有 {cuda} 这样两段数字的标签：自 12.0 起都是三段，例如 12.4.1",
            cuda=f"{found[1]}{found[3]}",
        )
    return None


def _monthly(one: Mention) -> Message | None:
    found = NGC.search(one.value)
    if found is None:
        return None
    today = datetime.now(timezone.utc)
    if not 1 <= int(found[3]) <= 12 or (int(found[2]), int(found[3])) > (today.year % 100, today.month):
        return message(
            "there is no release {release} of this image",
            "该镜像没有 {release} 这个版本",
            release=f"{found[2]}.{found[3]}",
        )
    if not found[4]:
        return message(
            "tags of this image end with -py3: {release}-py3, as the bare one does not exist",
            "该镜像的标签以 -py3 结尾：应为 {release}-py3，不带后缀的并不存在",
            release=f"{found[2]}.{found[3]}",
        )
    return None


RULES = (images_exist,)
