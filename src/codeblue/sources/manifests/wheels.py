"""The name of a wheel, given as a file: what it is, and which Python and processor it was built for."""

import re

from codeblue.model.manifest import Requirement
from codeblue.sources.manifests import pip_specs
from codeblue.sources.manifests.files import refuse
from codeblue.sources.manifests.gathered import Gathered, public

CPYTHON = re.compile(r"cp(\d)(\d+)$")
MACHINE = re.compile(r"linux.*_(x86_64|aarch64)$")


def read(path: str, into: Gathered) -> None:
    """Read the name; the file itself need not exist. Raises Unusable if it is no name of a wheel."""
    found = pip_specs.wheel(path)
    if found is None:
        refuse(
            path,
            "not the name of a wheel; it is NAME-VERSION-PYTHON-ABI-PLATFORM.whl, do not rename it",
            "不是 wheel 的文件名；应为 名称-版本-PYTHON-ABI-平台.whl，请勿改名",
        )
    url = public(path)
    into.add(Requirement(name=found.name, specifier=f"=={found.version}", origin=url, url=url))
    pythons = [tag for tag in map(CPYTHON.match, found.pythons) if tag]
    if len(pythons) == 1:
        version = f"{pythons[0][1]}.{pythons[0][2]}"
        into.python(f">={version}" if found.stable else version, url)
    machines = {tag[1] for tag in map(MACHINE.search, found.platforms) if tag}
    if len(machines) == 1:
        into.for_machine(machines.pop(), url)
    elif not machines and "any" not in found.platforms:
        into.left(
            url,
            "built for {platform}: it does not install on Linux of x86_64 or aarch64",
            "为 {platform} 构建：无法安装到 x86_64 或 aarch64 的 Linux 上",
            platform=", ".join(found.platforms),
        )
