"""
## What it means
The kernel log has an Xid 31, a page fault on the GPU, but the process named in it is a desktop program
such as a browser or the display server. It made an invalid access, and only it was affected.

## Why it happens
Graphics programs and their drivers have bugs as well; often after waking from sleep or at the moment
when a window closes.

## When it is not a fault
For compute jobs it means nothing: the GPU keeps no trace of it and needs no reset. If a training
process is named, codeblue reports that separately.

## What to do
Nothing. If the desktop freezes again and again, update the driver or the program that is named.

## How safe the fix is
There is nothing to fix.
"""

from collections.abc import Iterator

from codeblue.faults.application.desktop_programs import DESKTOP
from codeblue.faults.hardware.xids import slot
from codeblue.model.facts import KernelLog
from codeblue.model.fault import Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.text import Text, message

MMU_FAULT = 31


@fault(
    "benign-xid31-from-graphics-app",
    title=Text("A desktop program made an invalid GPU access", "桌面程序的一次无效 GPU 访问"),
    layer=None,
    kind=Kind.HARMLESS,
    severity=Severity.NOTE,
    references=(
        Reference(
            "NVIDIA: analyzing Xid errors with the Xid catalog",
            "https://docs.nvidia.com/deploy/xid-errors/analyzing-xid-catalog.html",
            "2026-11-30",
        ),
    ),
    clues=(
        Clue(
            all=(
                r"Xid.{0,40}\b31\b",
                r"Xorg|gnome|firefox|chrom|kwin|desktop (?:program|app)|browser|\bgame\b|compositor|"
                r"桌面|浏览器|游戏",
            ),
            none=(
                r"python|train|vllm|torch|cuda error|illegal memory",
                r"\b(?:79|48|74|63|64|94|95|119)\b,",
            ),
        ),
    ),
    signatures=(
        Signature(
            "): 31, pid=",
            r"NVRM: Xid \((?:PCI:)?(?P<pci>[0-9a-fA-F:.]+)\): 31, pid='?(?P<pid>\d+)'?, "
            r"name=(?P<process>Xorg|Xwayland|gnome-shell|kwin_x11|kwin_wayland|plasmashell|cinnamon|"
            r"firefox|chrome|chromium|electron|steam)\b",
        ),
        Signature(
            "): 31, ",
            r"Xid \((?:PCI:)?(?P<pci>[0-9a-fA-F:.]+)\): 31, (?:pid='?(?P<pid>\d+)'?, )?name=(?P<process>Xorg|"
            r"Xwayland|gnome[-\w]*|kwin\w*|plasmashell|cinnamon|compiz|mutter|firefox|chrome|"
            r"chromium|[Ee]lectron|steam\w*|brave|msedge|opera|vivaldi|[Dd]iscord\w*|[Ss]lack|obs|vlc|mpv|"
            r"blender|vkcube|glxgears|picom|sway|hyprland|xfwm4|marco|muffin|budgie\w*|WebKit\w*|"
            r"GPU Process|Isolated Web Co|Web Content|RDD Process|CrGpuMain|[Tt]eams\S*|[Zz]oom|wine\S*|"
            r"[\w. -]+\.exe|csgo\w*|dota2?|UnrealEditor|kitty|alacritty|[Cc]ode|[Cc]ursor|[Tt]elegram\S*|"
            r"[Ss]ignal-desktop|[Ee]lement(?:-desktop)?|[Ss]kype\w*|[Ww]e[Cc]hat\w*|QQ|[Tt]hunderbird|[Oo]bsidian|QtWebEngine\w*|"
            r"nautilus|dolphin|[Ss]potify|kdenlive|gamescope|lutris|heroic|minecraft|java)\b",
        ),
    ),
)
def benign_xid31_from_graphics_app(kernel_log: KernelLog) -> Iterator[Hit]:
    seen: set[tuple[str, str | None]] = set()
    for position, xid in enumerate(kernel_log.xids):
        if xid.code != MMU_FAULT or xid.process not in DESKTOP or (xid.device, xid.process) in seen:
            continue
        seen.add((xid.device, xid.process))
        yield Hit(
            subject=f"gpu:{slot(xid.device)}",
            summary=message(
                "Xid 31 on GPU {device} came from {process}, a desktop program",
                "GPU {device} 上的 Xid 31 来自桌面程序 {process}",
                device=xid.device,
                process=xid.process,
            ),
            because=cite(f"kernel_log.xids[{position}].text"),
        )
