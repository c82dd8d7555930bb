"""Which engine reaches the nodes, and where runs are kept: options that the verbs of ``fleet`` share."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click
from msgspec import Struct

from codeblue.cli.fleet.slurm import Slurm, of_slurm
from codeblue.cli.language import say

if TYPE_CHECKING:
    from codeblue.fleet.engines.base import Engine
    from codeblue.fleet.store import Store

F = TypeVar("F", bound=Callable[..., Any])


class Chosen(Struct, frozen=True, kw_only=True):
    """What the user named."""

    ssh: tuple[str, ...] = ()
    ssh_config: str | None = None
    slurm: Slurm | None = None
    python: str | None = None
    limit: int = 64

    @property
    def asked(self) -> tuple[str, ...]:
        """What the user wrote, for the record of the run."""
        return (*self.ssh, *(self.slurm.asked if self.slurm else ()))

    def engine(self) -> "Engine":
        """Return the engine. Raises UsageError unless one was named."""
        if self.ssh and self.slurm:
            raise click.UsageError(say("name one engine, not two", "只能指定一个引擎"))
        if self.slurm:
            return self.slurm.engine(self.python)
        if self.ssh:
            from codeblue.fleet.engines.ssh import Ssh

            return Ssh(self.ssh, self.ssh_config, self.python)
        raise click.UsageError(
            say("name the nodes: --ssh HOSTS, or --slurm", "请指定节点：--ssh 主机，或 --slurm")
        )


def chosen(function: F) -> F:
    """Accept the options of all engines, and hand them over as one ``chosen``."""

    def together(*, slurm: bool, **given: Any) -> Any:
        named = {name: given.pop(name) for name in ("ssh", "ssh_config", "python", "limit")}
        asked = Slurm(**{name: given.pop(name) for name in Slurm.__struct_fields__})
        return function(chosen=Chosen(slurm=asked if asked.named(slurm) else None, **named), **given)

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
        help=say("Hosts that are asked at the same moment over ssh.", "通过 ssh 同时询问的主机数。"),
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
    return cast(F, ssh(config(of_slurm(limit(python(together))))))


def stored(function: F) -> F:
    """Accept where runs are kept."""
    return click.option(
        "--store",
        metavar="DIR",
        help=say(
            "Where runs are kept; default is fleet in the state directory.",
            "运行结果的保存位置；缺省为状态目录下的 fleet。",
        ),
    )(function)


def store_at(folder: str | None) -> "Store":
    """Return the store in this folder, or in the state directory."""
    from codeblue.fleet.store import Store
    from codeblue.state import directory

    return Store(Path(folder) if folder else directory() / "fleet")
