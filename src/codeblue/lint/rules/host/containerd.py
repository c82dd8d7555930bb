"""Does containerd's CRI plugin get what its config.toml says?"""

from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.model.config.files import ContainerdConfig
from codeblue.model.config.node import Node
from codeblue.model.fault import Certainty, Severity
from codeblue.model.lint import Problem
from codeblue.model.text import message

OLDEST, OLD, NEW = "cri", "io.containerd.grpc.v1.cri", "io.containerd.cri.v1.runtime"
READ = {"1": (OLDEST,), "2": (OLD,), "3": (NEW,)}
"""By the version of the file: the plugin that holds the runtimes."""


def _runtimes(config: ContainerdConfig) -> Iterator[Node]:
    """Yield the ``containerd`` tables that hold runtimes, of plugins that the file's version reads."""
    for plugin in READ.get(_version(config), ()):
        table = config.root.get("plugins", plugin, "containerd")
        if table is not None:
            yield table


def _version(config: ContainerdConfig) -> str:
    return config.root.say("version") or "1"


@rule("containerd-plugin-key-of-other-version")
def plugins_belong_to_the_version(config: ContainerdConfig) -> Iterator[Problem]:
    """A table under another version's name for the plugin is skipped without a word."""
    version = _version(config)
    plugins = config.root.get("plugins")
    for name in (OLDEST, OLD, NEW):
        key = plugins.key(name) if plugins else None
        # Only the tables of runtimes moved; others under the old name are still read.
        if (
            key is None
            or name in READ.get(version, (name,))
            or config.root.get("plugins", name, "containerd") is None
        ):
            continue
        yield Problem(
            place=key.place,
            certainty=Certainty.CERTAIN if version != "1" else Certainty.LIKELY,
            message=message(
                "with version {version} the runtimes stand under {right}; this table is not read",
                "version 为 {version} 时，运行时应写在 {right} 之下；这个表不会被读取",
                version=version if config.root.get("version") else "1 (not given)",
                right=READ[version][0],
            ),
        )


@rule("containerd-runtime-undefined")
def default_runtime_is_defined(config: ContainerdConfig) -> Iterator[Problem]:
    """The default runtime is one of ``runtimes``; files that are imported may define it."""
    for table in _runtimes(config):
        default = table.get("default_runtime_name")
        runtimes = table.get("runtimes")
        if default is None or default.text in ("runc", *(runtimes.keys() if runtimes else ())):
            continue
        yield Problem(
            place=default.place,
            certainty=Certainty.POSSIBLE if config.root.get("imports") else Certainty.CERTAIN,
            message=message(
                "default_runtime_name is {name}, which runtimes does not define: CRI is not loaded",
                "default_runtime_name 为 {name}，但 runtimes 里没有定义它：CRI 插件无法加载",
                name=default.text,
            ),
        )


@rule("containerd-runtime-lacks-binary")
def nvidia_runtime_has_its_program(config: ContainerdConfig) -> Iterator[Problem]:
    """Without ``BinaryName`` the runtime of that name is plain runc."""
    for table in _runtimes(config):
        runtimes = table.get("runtimes")
        for key, value in runtimes.pairs if runtimes else ():
            runc = value.say("runtime_type").startswith("io.containerd.runc")
            if key.text.startswith("nvidia") and runc and not value.say("options", "BinaryName"):
                yield Problem(
                    place=key.place,
                    message=message(
                        "{name} has no options.BinaryName, so it is plain runc and containers get no GPU",
                        "{name} 没有 options.BinaryName，实际就是 runc，容器拿不到 GPU",
                        name=key.text,
                    ),
                )


@rule("cgroup-driver-mismatch")
def runtimes_share_a_cgroup_driver(config: ContainerdConfig) -> Iterator[Problem]:
    """All runtimes of one kubelet have to use the same cgroup driver."""
    for table in _runtimes(config):
        runc = table.get("runtimes", "runc", "options", "SystemdCgroup")
        runtimes = table.get("runtimes")
        for key, value in runtimes.pairs if runtimes else ():
            if runc is None or runc.text != "true" or not key.text.startswith("nvidia"):
                continue
            own = value.get("options", "SystemdCgroup")
            if own is None or own.text != "true":
                yield Problem(
                    place=own.place if own else key.place,
                    message=message(
                        "{name} uses cgroupfs while runc uses systemd: its pods fail",
                        "{name} 使用 cgroupfs，而 runc 使用 systemd：用它的 pod 会失败",
                        name=key.text,
                    ),
                )


@rule("containerd-cri-disabled")
def cri_is_not_disabled(config: ContainerdConfig) -> Iterator[Problem]:
    """A file that configures the CRI plugin and disables it contradicts itself."""
    plugins = config.root.get("plugins")
    configured = plugins is not None and any(plugins.get(name) is not None for name in (OLDEST, OLD, NEW))
    for node in config.root.each("disabled_plugins"):
        if configured and node.text in (OLDEST, OLD, NEW):
            yield Problem(
                place=node.place,
                severity=Severity.ERROR,
                message=message(
                    "the CRI plugin is configured below, but disabled here: kubelet gets no answer",
                    "下面配置了 CRI 插件，这里却禁用了它：kubelet 得不到应答",
                ),
            )


RULES = (
    plugins_belong_to_the_version,
    default_runtime_is_defined,
    nvidia_runtime_has_its_program,
    runtimes_share_a_cgroup_driver,
    cri_is_not_disabled,
)
