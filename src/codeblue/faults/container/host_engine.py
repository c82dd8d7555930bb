"""What rules about container engines ask of the facts, on the machine that the engine runs on."""

from codeblue.model.facts import Container, ContainerRun, Engine

GPU_KIND = "nvidia.com/"
LEFT_OUT = ("", "void", "none")
WISH = "NVIDIA_VISIBLE_DEVICES"


def docker_here(engine: Engine, container: Container | None) -> bool:
    """True if docker's daemon answered and runs on this machine, whose files are then the ones it uses."""
    return container is None and not engine.remote and engine.reachable and not engine.desktop


def gpu_specs(engine: Engine) -> list[str]:
    """Return the paths of the CDI specifications that describe NVIDIA GPUs."""
    return [path for path, spec in engine.cdi_specs.items() if (spec.kind or "").startswith(GPU_KIND)]


def requests_gpus(run: ContainerRun) -> bool:
    """True if the container was created with a request for GPUs of any form."""
    asked = any(
        request.driver == "nvidia"
        or "gpu" in request.capabilities
        or any(device.startswith(GPU_KIND) for device in request.devices)
        for request in run.device_requests
    )
    return asked or "nvidia" in (run.runtime or "")


def setting(engine: Engine, key: str) -> str | None:
    """Return a setting of the toolkit's config.toml."""
    return (engine.toolkit_config or {}).get(key)


def through_cdi(engine: Engine) -> bool:
    """True if the toolkit's runtime is told to use CDI only, which needs no rules for cgroups."""
    return setting(engine, "nvidia-container-runtime.mode") == "cdi"
