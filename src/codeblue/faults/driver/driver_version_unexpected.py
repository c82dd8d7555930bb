"""
## What it means
The loaded driver, or the CUDA version that it offers, is not the one that the site's codeblue.toml asks
for. What works on the other nodes may fail on this one. Where the expectation comes from is in the
evidence: the file behind `expectations`. Without a codeblue.toml nothing is expected and this is never
said.

## Why it happens
The node missed an update or was updated too early, was installed from another image, or has not been
rebooted since the package changed: the running module counts, not the package. The CUDA version can also
differ because a compat libcuda of an image or of the environment is loaded instead of the driver's own.

## When it is not a fault
During a rolling update some nodes are ahead: allow a range (`>=580.65`) or waive it with an end date. `580`
means every release of that branch. The CUDA version is what the job's libcuda reports; that of torch or of
a toolkit is another matter.

## What to do
Compare `cat /proc/driver/nvidia/version` with `nvidia-smi`. Bring the node to the site's version the way
the site does it, in a window, with a reboot; or correct the file.

## How safe the fix is
Changing the driver needs an idle machine and a reboot, and the old packages at hand. Correcting the file
changes nothing on the machine.
"""

from collections.abc import Iterator

from codeblue.knowledge.versions import cuda_text, satisfies
from codeblue.model.facts import Cuda, Driver, Expectations, Nvml
from codeblue.model.fault import Hit, Kind, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

CHANGE = Remedy(
    message(
        "bring the driver to the site's version, or correct the expectation",
        "把驱动换到站点要求的版本，或改正期望值",
    ),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "drain the node, install the version the way the site does it, reboot, check again",
                "排空节点，按站点的做法安装该版本，重启，然后再检查",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.COMPENSATING,
)


@fault(
    "driver-version-unexpected",
    title=Text("The driver is not the version that the site expects", "驱动版本与站点的期望不符"),
    layer=Layer.DRIVER,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    remedy=CHANGE,
    next_command="cat /proc/driver/nvidia/version; nvidia-smi",
)
def driver_version_unexpected(
    expectations: Expectations, driver: Driver | None, nvml: Nvml | None = None, cuda: Cuda | None = None
) -> Iterator[Hit]:
    rule, cuda_rule = expectations.driver, expectations.cuda
    if rule is not None:
        yield from _driver(rule, driver, nvml)
    if cuda_rule is not None and cuda is not None and cuda.init == 0 and cuda.driver_version:
        yield from _cuda(cuda_rule, cuda_text(cuda.driver_version))


def _driver(rule: str, driver: Driver | None, nvml: Nvml | None) -> Iterator[Hit]:
    version, path = None, "driver.state"
    if driver is not None:
        version, path = driver.module_version, "driver.module_version"
    elif nvml is not None and nvml.init == 0:  # in WSL the module is Windows' own
        version, path = nvml.driver_version, "nvml.driver_version"
    if version is None:
        summary = message(
            "no driver is loaded, the site expects {rule}", "没有加载驱动，站点期望 {rule}", rule=rule
        )
        yield Hit(
            subject="driver", variant="none", summary=summary, because=cite(path, "expectations.driver")
        )
    elif not satisfies(version, rule):
        summary = message(
            "driver {version} is loaded, the site expects {rule}",
            "已加载的驱动是 {version}，站点期望 {rule}",
            version=version,
            rule=rule,
        )
        yield Hit(subject="driver", summary=summary, because=cite(path, "expectations.driver"))


def _cuda(rule: str, version: str) -> Iterator[Hit]:
    if not satisfies(version, rule):
        yield Hit(
            subject="cuda",
            variant="cuda",
            summary=message(
                "the driver offers CUDA {version}, the site expects {rule}",
                "驱动提供 CUDA {version}，站点期望 {rule}",
                version=version,
                rule=rule,
            ),
            because=cite("cuda.driver_version", "expectations.cuda"),
        )
