"""GRUB's defaults, the kernel's command line, modprobe.d, udev."""

from tests.lint.case import clear, fires

GRUB = "etc/default/grub"
GOOD = """
    # comment
    GRUB_DEFAULT=0
    GRUB_DISTRIBUTOR=`lsb_release -i -s 2> /dev/null || echo Debian`
    GRUB_CMDLINE_LINUX_DEFAULT="quiet splash iommu=pt intel_iommu=on"
    GRUB_CMDLINE_LINUX='modprobe.blacklist=nouveau rd.driver.blacklist=nouveau pci=realloc' # ours
    GRUB_CMDLINE_LINUX="$GRUB_CMDLINE_LINUX console=ttyS0,115200n8"
    #GRUB_TERMINAL=console
"""
MODPROBE = """
    # comment
    blacklist nouveau
    blacklist lbm-nouveau
    options nouveau modeset=0
    alias nouveau off
    install nova_core /bin/false
    options nvidia NVreg_DeviceFileMode=0660 NVreg_DeviceFileGID=44 NVreg_PreserveVideoMemoryAllocations=1
    options nvidia "NVreg_RegistryDwords=PeerMappingOverride=1;"
    options nvidia_drm modeset=1 fbdev=1
    options nvidia-uvm uvm_disable_hmm=1
    softdep nvidia pre: i2c_core
"""
CONF = "etc/modprobe.d/gpu.conf"
RULES = """
    ACTION=="add|bind", DEVPATH=="/module/nvidia", SUBSYSTEM=="module", RUN+="/usr/bin/nvidia-modprobe"
    KERNEL=="nvidia", RUN+="/usr/bin/nvidia-modprobe -c0 -u"
    ACTION=="add", KERNEL=="nvidia_uvm", SUBSYSTEM=="module", RUN+="/usr/bin/nvidia-modprobe -u"
    SUBSYSTEM=="infiniband", ATTR{vendor}=="0x10de", ENV{ID}="1", MODE="0666", \\
      GROUP="video"
    SUBSYSTEM!="net", GOTO="end"
    LABEL="end"
"""


def line(words: str) -> str:
    """Return a file of GRUB with these words for the kernel."""
    return f'GRUB_CMDLINE_LINUX="{words}"\n'


CASES = (
    *(
        clear(fault, GRUB, GOOD)
        for fault in (
            "grub-cmdline-typo",
            "config-key-repeated",
            "p2p-broken-by-acs-or-iommu",
            "nvidia-module-blacklisted",
        )
    ),
    fires("grub-cmdline-typo", GRUB, line("quiet «iommmu=pt»"), fixed=line("quiet iommu=pt")),
    clear("grub-cmdline-typo", GRUB, line("quiet hugepages=8 hugepagesz=1G nomodeset mitigations=off")),
    fires(
        "grub-cmdline-typo",
        GRUB,
        line("quiet «modprob.blacklist=nouveau» ro"),
        fixed=line("quiet modprobe.blacklist=nouveau ro"),
    ),
    fires(
        "grub-cmdline-typo",
        GRUB,
        line("«nouveau.modset=0»"),
        fixed=line("nouveau.modeset=0"),
    ),
    fires(
        "grub-cmdline-typo",
        "etc/kernel/cmdline",
        "root=UUID=1 ro «modprobe.blacklist=noveau»\n",
        fixed="root=UUID=1 ro modprobe.blacklist=nouveau\n",
    ),
    fires(
        "grub-cmdline-typo",
        GRUB,
        "GRUB_CMDLINE_LINUX=quiet «splash iommu=pt # ours\n",
        fixed='GRUB_CMDLINE_LINUX="quiet splash iommu=pt" # ours\n',
    ),
    fires("grub-cmdline-typo", GRUB, 'GRUB_CMDLINE_LINUX="quiet" «"splash"\n'),
    fires(
        "grub-cmdline-typo",
        GRUB,
        'GRUB_CMDLINE_LINUX« »="iommu=pt"\n',
        fixed='GRUB_CMDLINE_LINUX="iommu=pt"\n',
    ),
    fires(
        "grub-cmdline-typo",
        GRUB,
        "GRUB_CMDLINE_LINUX='quiet' «modprobe.blacklist=nouveau»\n",
        fixed="GRUB_CMDLINE_LINUX='quiet modprobe.blacklist=nouveau'\n",
    ),
    fires("grub-cmdline-typo", GRUB, 'GRUB_TIMEOUT=0\nGRUB_CMDLINE_LINUX=«"quiet splash\nGRUB_X=1\n'),
    fires(
        "grub-cmdline-typo",
        GRUB,
        "GRUB_CMDLINE_LINUX=«“iommu=pt”\n",
        fixed='GRUB_CMDLINE_LINUX="iommu=pt"\n',
    ),
    fires("config-key-repeated", GRUB, line("a=1 b=2") + "«" + line("iommu=pt")),
    fires(
        "p2p-broken-by-acs-or-iommu",
        GRUB,
        line("modprobe.blacklist=nouveau «intel_iommu=on»"),
        fixed=line("modprobe.blacklist=nouveau intel_iommu=on iommu=pt"),
    ),
    clear("p2p-broken-by-acs-or-iommu", GRUB, line("intel_iommu=on")),
    clear(
        "p2p-broken-by-acs-or-iommu",
        GRUB,
        line("intel_iommu=on vfio-pci.ids=10de:2330 modprobe.blacklist=nouveau"),
    ),
    fires("nvidia-module-blacklisted", GRUB, line("«modprobe.blacklist=nouveau,nvidia»")),
    clear("nvidia-module-blacklisted", GRUB, line("modprobe.blacklist=nvidia vfio-pci.ids=10de:2330")),
    *(
        clear(fault, CONF, MODPROBE)
        for fault in (
            "modprobe-config-ignored",
            "module-option-misspelt",
            "device-node-permissions",
            "nvidia-module-blacklisted",
        )
    ),
    fires("nvidia-module-blacklisted", CONF, "blacklist «nvidia»\n"),
    fires("nvidia-module-blacklisted", CONF, "install «nvidia» /bin/false\n"),
    clear("nvidia-module-blacklisted", CONF, "blacklist nvidia\noptions vfio-pci ids=10de:2330\n"),
    fires("modprobe-config-ignored", "etc/modprobe.d/blacklist-nouveau", "«blacklist» nouveau\n"),
    clear("modprobe-config-ignored", "etc/modprobe.d/gpu.conf.bak", "blacklist nouveau\n"),
    fires(
        "modprobe-config-ignored",
        CONF,
        "blacklist nouveau\n«option» nvidia NVreg_EnableMSI=1\n",
        fixed="blacklist nouveau\noptions nvidia NVreg_EnableMSI=1\n",
    ),
    fires("modprobe-config-ignored", CONF, "blacklist nouveau\n«nouveau.modeset=0»\n"),
    fires("modprobe-config-ignored", CONF, "blacklist «noveau»\n", fixed="blacklist nouveau\n"),
    fires(
        "module-option-misspelt",
        CONF,
        "options nvidia «NVreg_PreserveVideoMemoryAllocation=1»\n",
        fixed="options nvidia NVreg_PreserveVideoMemoryAllocations=1\n",
    ),
    fires(
        "module-option-misspelt",
        CONF,
        "options nvidia «RestrictProfilingToAdminUsers=0»\n",
        fixed="options nvidia NVreg_RestrictProfilingToAdminUsers=0\n",
    ),
    fires(
        "module-option-misspelt",
        CONF,
        "options nvidia-drm «modset=1»\noptions nouveau «mode_set=0»\n",
        fixed="options nvidia-drm modeset=1\noptions nouveau modeset=0\n",
    ),
    fires(
        "device-node-permissions",
        CONF,
        "options nvidia «NVreg_DeviceFileMode=666»\n",
        fixed="options nvidia NVreg_DeviceFileMode=0666\n",
    ),
    clear("device-node-permissions", CONF, "options nvidia NVreg_DeviceFileMode=432\n"),
    clear("udev-rule-ineffective", "etc/udev/rules.d/71-nvidia.rules", RULES),
    fires(
        "udev-rule-ineffective",
        "etc/udev/rules.d/71-nvidia.rules",
        'SUBSYSTEM«=»"module", KERNEL=="nvidia", RUN«==»"/bin/x"\n',
        fixed='SUBSYSTEM=="module", KERNEL=="nvidia", RUN+="/bin/x"\n',
    ),
    fires("udev-rule-ineffective", "99-gpu.rules", 'KERNEL=="nvidia*", «MODE="0660", GROUP="video"\n'),
    fires("config-syntax-error", "99-gpu.rules", 'SUBSYSTEM=="module", «MODE=0666\n'),
    fires("config-syntax-error", "99-gpu.rules", 'SUBSYSTEM=="module"\nKERNEL=="x", «run thing\n'),
)
