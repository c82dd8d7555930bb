"""OpenSSH servers that each have a network namespace of their own, with cables that can be pulled.

codeblue runs in a namespace too, so that nothing of the machine's own network is touched. Namespaces have no
names: they end with the processes inside.
"""

import shutil
from pathlib import Path

from tests.fleet.hosts import SSHD, Hosts
from tests.fleet.hosts import lacking as lacking_ssh
from tests.fleet.private import until

OURS = "198.18.0.1"
"""The address of the machine that runs codeblue; these networks are for tests of networks, RFC 2544."""
STREET = "198.18.0.{number}"
BEHIND = "198.19.{number}.{end}"
"""A cable from a jump host to a host behind it."""


def lacking() -> str | None:
    """Return why there can be no such network here."""
    missing = [name for name in ("ip", "unshare", "nsenter") if not shutil.which(name)]
    return lacking_ssh() or (f"not installed: {', '.join(missing)}" if missing else None)


class Network(Hosts):
    """A bridge, codeblue at one port of it and hosts at the others."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.addresses: dict[str, str] = {}
        self.start("codeblue", "unshare", "--net", "sleep", "infinity")
        self._born("codeblue")
        self.ip("codeblue", "link add name street type bridge")
        self.ip("codeblue", f"address add {OURS}/24 dev street")
        self.ip("codeblue", "link set street up")
        self.prefix = self._into("codeblue")

    def machine(self, name: str, *client: str, known: bool = True) -> None:
        """Add a host to the street, with further lines for the configuration of ssh."""
        address = self.addresses[name] = STREET.format(number=self._number())
        self._introduce(name, address, f"HostName {address}", *client, known=known)
        self._boot(name)
        self.ip("codeblue", f"link add name {name} type veth peer name eth0 netns {self.pid(name)}")
        self.ip("codeblue", f"link set {name} master street up")
        self._plug(name, "eth0", address)
        until(lambda: "LOWER_UP" in self.ip("codeblue", f"-o link show {name}"))

    def behind(self, name: str, jump: str) -> None:
        """Add a host that only its jump host has a cable to."""
        near, far = (BEHIND.format(number=self._number(), end=end) for end in (1, 2))
        self.addresses[name] = far
        self._introduce(name, far, f"HostName {far}", f"ProxyJump {jump}")
        self._boot(name)
        self.ip(jump, f"link add name {name} type veth peer name eth0 netns {self.pid(name)}")
        self._plug(jump, name, near)
        self._plug(name, "eth0", far)

    def nowhere(self, name: str, address: str) -> None:
        """Add a host at an address to which no route leads."""
        self._introduce(name, address, f"HostName {address}")

    def pull(self, name: str) -> None:
        """Pull the cable of a host."""
        self.ip(name, "link set eth0 down")

    def plug(self, name: str) -> None:
        """Put it in again."""
        self.ip(name, "link set eth0 up")

    def swallow(self, name: str) -> None:
        """Have a host drop all packets to us, as a firewall does."""
        self.ip(name, f"route add blackhole {OURS}/32")

    def ip(self, name: str, words: str) -> str:
        """Run ``ip`` in the network of a host."""
        return self.done(*self._into(name), "ip", *words.split())

    def _boot(self, name: str) -> None:
        settings = self._settings(name, "0.0.0.0", 22)
        self._serve(name, "unshare", "--net", SSHD, "-D", "-e", "-f", settings)
        self._born(name)

    def _born(self, name: str) -> None:
        until(lambda: self._space(name) != self._space("self"))

    def _space(self, name: str) -> str:
        pid = name if name == "self" else self.pid(name)
        return str(Path(f"/proc/{pid}/ns/net").readlink())

    def _into(self, name: str) -> tuple[str, ...]:
        return ("nsenter", f"--net=/proc/{self.pid(name)}/ns/net", "--")

    def _plug(self, name: str, device: str, address: str) -> None:
        self.ip(name, f"address add {address}/24 dev {device}")
        self.ip(name, f"link set {device} up")

    def _number(self) -> int:
        return len(self.addresses) + 2
