"""OpenSSH servers of a test: keys, known hosts and configuration are private, each has a port of its own."""

import os
import shutil
from pathlib import Path

from tests.fleet.private import Daemons, free_ports, script, until

SSHD = "/usr/sbin/sshd"
SERVER = """Port {port}
ListenAddress {address}
HostKey {folder}/{name}.key
PidFile {folder}/{name}.pid
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
MaxStartups 600
{more}
AuthorizedKeysFile {folder}/key.pub
"""
CLIENT = """Host *
  HostName 127.0.0.1
  IdentityFile {folder}/key
  IdentitiesOnly yes
  UserKnownHostsFile {folder}/known
  GlobalKnownHostsFile /dev/null
"""


def lacking() -> str | None:
    """Return why no server can be started here."""
    missing = [name for name in (SSHD, "ssh", "ssh-keygen") if not shutil.which(name)]
    if missing:
        return f"not installed: {', '.join(missing)}"
    return None if os.geteuid() == 0 else "needs root: sshd lets its user in"


class Hosts(Daemons):
    """Servers, and the configuration with which ssh finds them by name."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        Path("/run/sshd").mkdir(exist_ok=True)  # sshd wants it to be there
        self.config = folder / "config"
        self._hosts = ""
        self._key("key")
        wrapper = folder / "bin"
        wrapper.mkdir()
        # The user's own configuration, as far as the real ssh is concerned.
        script(wrapper / "ssh", f'exec {shutil.which("ssh")} -F {self.config} "$@"')
        self.environment["PATH"] = f"{wrapper}:{self.environment['PATH']}"

    def host(self, name: str, more: str = "", *, known: bool = True, listens: bool = True) -> None:
        """Add a host, whose key is known or not."""
        [port] = free_ports(1)
        self._introduce(name, f"[127.0.0.1]:{port}", f"Port {port}", known=known)
        settings = self._settings(name, "127.0.0.1", port, more)
        if listens:
            self._serve(name, SSHD, "-D", "-e", "-f", settings)

    def _introduce(self, name: str, place: str, *client: str, known: bool = True) -> None:
        """Tell ssh of a host: the lines of its configuration, and its key, if that is to be known."""
        self._key(f"{name}.key")
        self._hosts += f"Host {name}\n" + "".join(f"  {line}\n" for line in client)
        self.config.write_text(self._hosts + CLIENT.format(folder=self.folder), encoding="utf-8")
        if known:
            kind, key, *_ = (self.folder / f"{name}.key.pub").read_text(encoding="utf-8").split()
            with (self.folder / "known").open("a", encoding="utf-8") as stream:
                stream.write(f"{place} {kind} {key}\n")

    def _settings(self, name: str, address: str, port: int, more: str = "") -> str:
        """Write the server's configuration; return its path."""
        text = SERVER.format(address=address, port=port, folder=self.folder, name=name, more=more)
        settings = self.folder / f"{name}.conf"
        settings.write_text(text, encoding="utf-8")
        return str(settings)

    def _serve(self, name: str, *command: str) -> None:
        self.start(name, *command)
        until((self.folder / f"{name}.pid").exists)

    def _key(self, name: str) -> None:
        self.done("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(self.folder / name))
