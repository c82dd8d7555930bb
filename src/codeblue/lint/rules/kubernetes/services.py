"""Names of Services that become variables."""

from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.model.config.kubernetes import Manifest
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


@rule("service-link-env-collides")
def names_are_nobodys_settings(service: Manifest) -> Iterator[Problem]:
    """Pods of the namespace get ``NAME_PORT=tcp://…``; a Service without an address of its own makes none."""
    variable = READ.get(service.name)
    if service.kind != "Service" or service.api != "v1" or variable is None:
        return
    if service.root.say("spec", "clusterIP") == "None" or service.root.say("spec", "type") == "ExternalName":
        return
    name = service.root.get("metadata", "name")
    assert name is not None
    yield Problem(
        place=name.place,
        message=message(
            "Service {name} makes {variable}=tcp://… in the pods of its namespace, where a number is read",
            "Service {name} 会让同命名空间的 pod 得到 {variable}=tcp://…，而程序要读的是数字",
            name=service.name,
            variable=variable,
        ),
        certainty=Certainty.LIKELY,
        kind=Kind.RISK,
        severity=Severity.WARNING,
    )


RULES = (names_are_nobodys_settings,)
