"""Manifests in which a case changes one thing."""


def pod(
    *,
    env: str = "",
    container: str = "",
    spec: str = "",
    before: str = "",
    resources: str = "limits: {nvidia.com/gpu: 2}",
    image: str = "registry.example/train:1",
    after: str = "",
) -> str:
    """Return a Pod with two GPUs and enough shared memory; further lines are indented as they must be."""
    return (
        "apiVersion: v1\nkind: Pod\nmetadata: {name: x}\nspec:\n  restartPolicy: Never\n"
        + _lines(spec, 2)
        + _lines(before, 2)
        + f"  containers:\n  - name: main\n    image: {image}\n"
        + (f"    resources: {{{resources}}}\n" if resources else "")
        + _lines(container, 4)
        + (f"    env:\n{_lines(env, 4)}" if env else "")
        + "    volumeMounts:\n    - {name: shm, mountPath: /dev/shm}\n"
        + "  volumes:\n  - name: shm\n    emptyDir: {medium: Memory, sizeLimit: 8Gi}\n"
        + _lines(after, 2)
    )


def controlled(kind: str, *, head: str = "", labels: str = "", **more: str) -> str:
    """Return the same pod as the template of a controller."""
    api = "batch/v1" if kind == "Job" else "apps/v1"
    spec = pod(**more).split("spec:\n", 1)[1]
    if kind != "Job":
        spec = spec.replace("  restartPolicy: Never\n", "")
    return (
        f"apiVersion: {api}\nkind: {kind}\nmetadata: {{name: x}}\nspec:\n{_lines(head, 2)}  template:\n"
        + f"    metadata: {{{labels}}}\n    spec:\n"
        + _lines(spec, 4)
    )


def env(name: str, value: str) -> str:
    """Return one entry of the list of variables."""
    return f"- name: {name}\n  value: {value}\n"


def _lines(text: str, indent: int) -> str:
    return "".join(f"{' ' * indent}{line}\n" for line in text.strip("\n").split("\n") if line.strip())
