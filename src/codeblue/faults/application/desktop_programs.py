"""Programs that draw on the GPU and do not compute: what they break concerns only themselves."""

DESKTOP = frozenset(
    (
        "Xorg",
        "X",
        "Xwayland",
        "gnome-shell",
        "gnome-control-c",
        "mutter",
        "kwin_x11",
        "kwin_wayland",
        "plasmashell",
        "cinnamon",
        "compiz",
        "xfwm4",
        "firefox",
        "firefox-bin",
        "chrome",
        "chromium",
        "chromium-browse",
        "brave",
        "msedge",
        "electron",
        "steam",
        "steamwebhelper",
        "mpv",
        "vlc",
    )
)
"""Names as the kernel logs them, cut to fifteen characters."""


def computes(process: str | None) -> bool:
    """True if the kernel log names a program and it is none of the desktop."""
    return bool(process) and process not in DESKTOP and process != "<unknown>"
