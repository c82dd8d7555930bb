"""Docker's daemon.json."""

from tests.lint.case import clear, fires

CASES = (
    fires(
        "docker-runtime-undefined",
        "etc/docker/daemon.json",
        '{"default-runtime": «"nvidia"», "runtimes": {"other": {"path": "x"}}}\n',
    ),
    clear(
        "docker-runtime-undefined",
        "daemon.json",
        """
        {
        \t"default-runtime": "nvidia",
        \t"runtimes": {"nvidia": {"path": "nvidia-container-runtime"}}
        }
        """,
    ),
    fires(
        "daemon-json-invalid",
        "daemon.json",
        """
        {
          "default-runtime": "runc"«,»
        }
        """,
        fixed="""
        {
          "default-runtime": "runc"
        }
        """,
    ),
    clear("daemon-json-invalid", "daemon.json", "{}\n"),
)
