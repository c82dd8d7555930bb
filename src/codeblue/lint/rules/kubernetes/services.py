"""Services beside the pods that use them: their names become variables, their ports have to be met."""

from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.model.config.kubernetes import Manifest, Pod, Together
from codeblue.model.fault import Certainty, Kind, Severity
from codeblue.model.lint import Problem
from codeblue.model.text import message

READ = {
    "vllm": "VLLM_PORT",
    "master": "MASTER_PORT",
    "mlflow": "MLFLOW_PORT",
    "jupyter": "JUPYTER_PORT",
}
"""Programs that read the variable which a Service of this name makes."""


def _services(together: Together) -> Iterator[Manifest]:
    """Yield the Services with an address of their own: the others make no variables and map no ports."""
    for one in together.manifests:
        headless = one.root.say("spec", "clusterIP") == "None"
        elsewhere = one.root.say("spec", "type") == "ExternalName"
        if one.kind == "Service" and one.api == "v1" and not headless and not elsewhere:
            yield one


@rule("service-link-env-collides")
def names_are_nobodys_settings(together: Together) -> Iterator[Problem]:
    """Pods of the namespace get ``NAME_PORT=tcp://…``, unless they refuse it or set the variable."""
    for service in _services(together):
        name, variable = service.root.get("metadata", "name"), READ.get(service.name)
        if variable is None or name is None:
            continue
        if together.pods and all(_refuses(pod, variable) for pod in together.pods):
            continue
        yield Problem(
            place=name.place,
            message=message(
                "Service {name} makes {variable}=tcp://… in pods of its namespace; a number is read there",
                "Service {name} 会让同命名空间的 pod 得到 {variable}=tcp://…，而程序要读的是数字",
                name=service.name,
                variable=variable,
            ),
            certainty=Certainty.LIKELY,
            kind=Kind.RISK,
            severity=Severity.WARNING,
        )


def _refuses(pod: Pod, variable: str) -> bool:
    own = all(container.settings.last(variable) is not None for container in pod.running)
    return own or pod.spec.say("enableServiceLinks") == "false"


@rule("rendezvous-port-not-in-service")
def ports_are_offered(together: Together) -> Iterator[Problem]:
    """``MASTER_ADDR`` is a Service of this file, and ``MASTER_PORT`` none of its ports."""
    services = {one.name: one for one in _services(together)}
    for pod in together.pods:
        for container in pod.running:
            address, port = (container.settings.last(name) for name in ("MASTER_ADDR", "MASTER_PORT"))
            if address is None or port is None or not (port.value or "").isdigit():
                continue
            service = services.get((address.value or "").split(".")[0])
            offered = service.root.each("spec", "ports") if service else []
            if service and offered and port.value not in {one.say("port") for one in offered}:
                yield Problem(
                    place=port.value_place or port.place,
                    message=message(
                        "MASTER_PORT is {port}, and Service {service} passes on {offered} only",
                        "MASTER_PORT 是 {port}，而 Service {service} 只转发 {offered}",
                        port=port.value,
                        service=service.name,
                        offered=", ".join(one.say("port") for one in offered),
                    ),
                    certainty=Certainty.CERTAIN,
                )


RULES = (names_are_nobodys_settings, ports_are_offered)
