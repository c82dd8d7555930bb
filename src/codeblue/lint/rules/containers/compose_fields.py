"""Do the keys of a Compose file stand where Compose knows them?

Source: the schema of the Compose specification, compose-spec.json.
"""

import re
from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.model.config.compose import Compose, Service
from codeblue.model.config.node import Node
from codeblue.model.lint import Problem
from codeblue.model.text import message

SERVICE = frozenset(
    {
        "annotations", "attach", "blkio_config", "build", "cap_add", "cap_drop", "cgroup",
        "cgroup_parent", "command", "configs", "container_name", "cpu_count", "cpu_percent",
        "cpu_period", "cpu_quota", "cpu_rt_period", "cpu_rt_runtime", "cpu_shares", "cpus",
        "cpuset", "credential_spec", "depends_on", "deploy", "develop", "device_cgroup_rules",
        "devices", "dns", "dns_opt", "dns_search", "domainname", "entrypoint", "env_file",
        "environment", "expose", "extends", "external_links", "extra_hosts", "gpus", "group_add",
        "healthcheck", "hostname", "image", "init", "ipc", "isolation", "label_file", "labels",
        "links", "logging", "mac_address", "mem_limit", "mem_reservation", "mem_swappiness",
        "memswap_limit", "models", "network_mode", "networks", "oom_kill_disable", "oom_score_adj",
        "pid", "pids_limit", "platform", "ports", "post_start", "pre_stop", "privileged",
        "profiles", "provider", "pull_policy", "pull_refresh_after", "read_only", "restart",
        "runtime", "scale", "secrets", "security_opt", "shm_size", "stdin_open",
        "stop_grace_period", "stop_signal", "storage_opt", "sysctls", "tmpfs", "tty", "ulimits",
        "use_api_socket", "user", "userns_mode", "uts", "volumes", "volumes_from", "working_dir",
    }
)  # fmt: skip
BELOW: dict[tuple[str, ...], frozenset[str]] = {
    ("deploy",): frozenset(
        {
            "endpoint_mode", "labels", "mode", "placement", "replicas", "resources", "restart_policy",
            "rollback_config", "update_config",
        }
    ),
    ("deploy", "resources"): frozenset({"limits", "reservations"}),
    ("deploy", "resources", "limits"): frozenset({"cpus", "memory", "pids"}),
    ("deploy", "resources", "reservations"): frozenset({"cpus", "memory", "generic_resources", "devices"}),
}  # fmt: skip
DEVICE = frozenset(("capabilities", "count", "device_ids", "driver", "options"))
QUOTED = re.compile(r"([\"']).*\1$")


@rule("manifest-field-misplaced")
def keys_are_known(compose: Compose) -> Iterator[Problem]:
    """Compose refuses a file with a key that it does not know at this place."""
    for service in compose.services:
        yield from _below(service, service.own, (), SERVICE)
        for path, known in BELOW.items():
            table = service.own.get(*path)
            if table is not None and table.kind == "map":
                yield from _below(service, table, path, known)
        for one in service.own.each("deploy", "resources", "reservations", "devices"):
            yield from _below(service, one, ("devices",), DEVICE)


def _below(service: Service, table: Node, path: tuple[str, ...], known: frozenset[str]) -> Iterator[Problem]:
    for key, _ in table.pairs:
        if key.text not in known and not key.text.startswith("x-") and key.text != "<<":
            yield Problem(
                place=key.place,
                message=message(
                    "service {name}: {where} has no key {key}{hint}; Compose refuses the file",
                    "服务 {name}：{where_zh} 没有 {key} 这个键{hint_zh}；Compose 会拒绝该文件",
                    name=service.name,
                    where=".".join(path) or "a service",
                    where_zh=".".join(path) or "服务下",
                    key=key.text,
                    **_hint(key.text),
                ),
            )


def _hint(key: str) -> dict[str, str]:
    """Tell where a key belongs that stands at the wrong place."""
    right = ""
    if key in SERVICE:
        right = "services.NAME"
    elif key in DEVICE:
        right = "deploy.resources.reservations.devices[]"
    else:
        right = next((".".join(path) for path, known in BELOW.items() if key in known), "")
    if not right:
        return {"hint": "", "hint_zh": ""}
    return {"hint": f" (it belongs to {right})", "hint_zh": f"（它属于 {right}）"}


@rule("manifest-field-misplaced")
def variables_are_texts(compose: Compose) -> Iterator[Problem]:
    """An element ``- NAME: value`` of a list of variables is a table, which Compose refuses."""
    for service in compose.services:
        for item in service.own.each("environment"):
            if item.kind == "map" and item.pairs:
                key = item.pairs[0][0]
                yield Problem(
                    place=key.place,
                    variant="table-in-list",
                    message=message(
                        "service {name}: an element of environment is NAME=value, and {key} is a table; "
                        "Compose refuses the file",
                        "服务 {name}：environment 列表的元素应写成 NAME=value，而 {key} 是映射；"
                        "Compose 会拒绝该文件",
                        name=service.name,
                        key=key.text,
                    ),
                )


@rule("env-value-quotes-literal")
def quotes_are_not_part_of_values(compose: Compose) -> Iterator[Problem]:
    """In ``- NAME="value"`` the quotes are part of the value."""
    for service in compose.services:
        for item in service.own.each("environment"):
            name, sep, value = item.text.partition("=")
            if item.style or not sep or not QUOTED.match(value) or not _matters(name):
                continue
            yield Problem(
                place=item.place,
                message=message(
                    "service {name}: the quotes are part of the value of {variable}: Compose takes none away "
                    "here",
                    "服务 {name}：引号会成为 {variable} 的值的一部分：Compose 在这里不会去掉引号",
                    name=service.name,
                    variable=name,
                ),
            )


def _matters(name: str) -> bool:
    """Tell whether a variable is one whose reader takes no quotes."""
    return name.startswith(("NVIDIA_", "CUDA_", "NCCL_", "TORCH_", "PYTORCH_", "OMP_", "LD_"))


RULES = (keys_are_known, variables_are_texts, quotes_are_not_part_of_values)
