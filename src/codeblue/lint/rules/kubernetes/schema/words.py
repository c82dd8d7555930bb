"""How objects of the API are called when people speak of them."""

from codeblue.knowledge.kubernetes import Type

NAMES = {
    "Container": ("a container", "容器"),
    "EphemeralContainer": ("an ephemeral container", "临时容器"),
    "VolumeMount": ("a volume mount", "卷挂载"),
    "Volume": ("a volume", "卷"),
    "EmptyDirVolumeSource": ("emptyDir", "emptyDir"),
    "EnvVar": ("an environment variable", "环境变量"),
    "EnvVarSource": ("valueFrom", "valueFrom"),
    "ContainerPort": ("a container's port", "容器端口"),
    "ResourceRequirements": ("resources", "resources"),
    "SecurityContext": ("a container's securityContext", "容器的 securityContext"),
    "PodSecurityContext": ("the pod's securityContext", "pod 的 securityContext"),
    "PodSpec": ("the pod's spec", "pod 的 spec"),
    "PodTemplateSpec": ("the pod template", "pod 模板"),
    "ObjectMeta": ("metadata", "metadata"),
    "Probe": ("a probe", "探针"),
    "Toleration": ("a toleration", "容忍"),
    "LabelSelector": ("a label selector", "标签选择器"),
    "Affinity": ("affinity", "affinity"),
}


def called(kind: Type) -> tuple[str, str]:
    """Return the English and Chinese name of a type."""
    name = kind.name
    if name in NAMES:
        return NAMES[name]
    if name.endswith("Spec"):
        owner = name.removesuffix("Spec")
        return f"the spec of a {owner}", f"{owner} 的 spec"
    return name, name
