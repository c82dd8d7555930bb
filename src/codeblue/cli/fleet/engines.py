"""Which engine reaches the nodes, and where runs are kept: options that the verbs of ``fleet`` share."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click
from msgspec import Struct

from codeblue.cli.fleet.kubernetes import Kubernetes, of_kubernetes
from codeblue.cli.fleet.ray import of_ray
from codeblue.cli.fleet.slurm import Slurm, of_slurm
from codeblue.cli.language import say

if TYPE_CHECKING:
    from codeblue.fleet.engines.base import Engine
    from codeblue.fleet.store import Store
    from codeblue.sources.launch import Options as Look

F = TypeVar("F", bound=Callable[..., Any])
Options = TypeVar("Options", Slurm, Kubernetes)

OF_ALL = ("ssh", "ssh_config", "ray", "ray_python", "python", "limit")
"""Options that are handed over as they are."""


class Chosen(Struct, frozen=True, kw_only=True):
    """What the user named."""

    ssh: tuple[str, ...] = ()
    ssh_config: str | None = None
    slurm: Slurm | None = None
    kubernetes: Kubernetes | None = None
    ray: str | None = None
    ray_python: str | None = None
    python: str | None = None
    limit: int = 64

    @property
    def asked(self) -> tuple[str, ...]:
        """What the user wrote, for the record of the run."""
        if self.kubernetes:
            return self.kubernetes.asked
        return (*self.ssh, *(self.slurm.asked if self.slurm else ()), *((self.ray,) if self.ray else ()))

    @property
    def renders(self) -> bool:
        """True if nothing is to be run, only shown."""
        return self.kubernetes is not None and self.kubernetes.render

    def engine(self) -> "Engine":
        """Return the engine. Raises UsageError unless one was named."""
        if sum(map(bool, (self.ssh, self.slurm, self.kubernetes, self.ray))) > 1:
            raise click.UsageError(say("name one engine, not two", "只能指定一个引擎"))
        if self.slurm:
            return self.slurm.engine(self.python)
        if self.kubernetes:
            return self.kubernetes.engine(self.python)
        if self.ray:
            from codeblue.fleet.engines.ray import Ray

            return Ray(self.ray, self.ray_python)
        if self.ssh:
            from codeblue.fleet.engines.ssh import Ssh

            return Ssh(self.ssh, self.ssh_config, self.python)
        raise click.UsageError(
            say(
                "name the nodes: --ssh HOSTS, --slurm, --kubernetes or --ray auto",
                "请指定节点：--ssh 主机、--slurm、--kubernetes 或 --ray auto",
            )
        )


def chosen(function: F) -> F:
    """Accept the options of all engines, and hand them over as one ``chosen``."""

    def together(*, slurm: bool, kubernetes: bool, without_gpu: bool, **given: Any) -> Any:
        named = {name: given.pop(name) for name in OF_ALL}
        pods = _given(Kubernetes, given, without_gpu=without_gpu and kubernetes)
        steps = _given(Slurm, given, without_gpu=without_gpu and not kubernetes)
        named["slurm"] = steps if steps.named(slurm) else None
        named["kubernetes"] = pods if pods.named(kubernetes) else None
        return function(chosen=Chosen(**named), **given)

    together.__name__, together.__doc__ = function.__name__, function.__doc__
    together.__dict__.update(function.__dict__)
    ssh = click.option(
        "--ssh",
        multiple=True,
        metavar="HOSTS",
        help=say(
            "A file with a host a line, an Ansible inventory (INI), or a pattern such as user@gpu[001-128].",
            "每行一个主机的文件、Ansible inventory（INI），或 user@gpu[001-128] 这样的写法。",
        ),
    )
    limit = click.option(
        "--limit",
        type=click.IntRange(1, 4096),
        default=64,
        show_default=True,
        help=say("Nodes that are asked at the same moment.", "同时询问的节点数。"),
    )
    config = click.option(
        "--ssh-config",
        metavar="FILE",
        help=say("OpenSSH configuration to use in place of the user's.", "代替用户配置的 OpenSSH 配置文件。"),
    )
    python = click.option(
        "--python",
        metavar="PATH",
        help=say(
            "Python on the nodes, 3.6 or later; else the first that will do.",
            "节点上的 Python（3.6 或更高）；缺省取第一个可用的。",
        ),
    )
    return cast(F, ssh(config(of_slurm(of_kubernetes(of_ray(limit(python(together))))))))


def _given(kind: type[Options], given: dict[str, Any], **more: Any) -> Options:
    """Return an engine's options, taken out of all."""
    return kind(**{name: given.pop(name) for name in kind.__struct_fields__ if name not in more}, **more)


def stored(function: F) -> F:
    """Accept where runs are kept."""
    return click.option(
        "--store",
        metavar="PLACE",
        help=say(
            "Where runs are kept: a folder, or a URL that fsspec opens, such as s3://bucket/fleet; "
            "default is fleet in the state directory.",
            "运行结果的保存位置：目录，或 fsspec 能打开的 URL，例如 s3://bucket/fleet；"
            "缺省为状态目录下的 fleet。",
        ),
    )(function)


def store_at(place: str | None) -> "Store":
    """Return the store at this place, or in the state directory. Raises Unusable."""
    from codeblue.fleet.store import Store
    from codeblue.state import directory

    return Store(place or directory() / "fleet")


def show(chosen: Chosen, look: "Look", output: str | None) -> int:
    """Print what the engine would make, and run nothing."""
    from codeblue.cli.output import write
    from codeblue.fleet.asking import order_of

    assert chosen.kubernetes is not None
    engine = chosen.kubernetes.engine(chosen.python)
    nodes = [node for node in engine.nodes() if node.state is None]
    text = engine.render(order_of(look, chosen.limit), nodes)
    if output is None:
        click.echo(text, nl=False)
    else:
        write(output, text.encode())
    return 0
