"""How fast the devices compute."""

from collections.abc import Iterator

from codeblue.knowledge import ceilings
from codeblue.model.measure import Better, Measure
from codeblue.model.section import NotRead, State, was_read
from codeblue.model.snapshot import View
from codeblue.model.text import message


def measures(view: View) -> Iterator[Measure]:
    """Yield speed and error of each type of product."""
    trial = view.gpu_trial
    for index, device in trial.devices.items() if trial.state is State.READ else ():
        if not was_read(device, "products"):
            continue
        name = device_name(view, index)
        for kind, product in device.products.items():
            if product.error is not None:
                continue
            yield Measure(
                trial="gpu",
                subject=subject(view, index),
                key=f"{kind}-tflops",
                name=message("matrix product {kind}", "矩阵乘 {kind}", kind=kind),
                value=product.tflops,
                unit="TFLOP/s",
                ceiling=ceilings.tflops(name, kind) if name else None,
            )
            yield Measure(
                trial="gpu",
                subject=subject(view, index),
                key=f"{kind}-error",
                name=message("error of {kind}", "{kind} 的误差", kind=kind),
                value=product.relative_error,
                unit="",
                better=Better.LOWER,
            )


def device_name(view: View, index: str) -> str | None:
    """Return what the driver calls the device; None for the processor or where it was not read."""
    try:
        return view.cuda.devices[index].name
    except (NotRead, AttributeError, KeyError):
        return None


def subject(view: View, index: str) -> str:
    """Return the device as reports name it."""
    return f"gpu:{index}" if device_name(view, index) else f"cpu:{index}"
