"""Scripts that set up a machine."""

from tests.lint.case import clear, fires

DROP_IN = "echo 'GRUB_CMDLINE_LINUX=\"iommu=pt\"' > «/etc/default/grub.d/50-gpu.cfg»\n"

CASES = (
    fires("playbook-sets-device-node-mode", "fix.sh", "sudo chmod 666 «/dev/nvidia*»\n"),
    fires("playbook-sets-device-node-mode", "fix.sh", "chown root:video «/dev/nvidiactl» /dev/nvidia0\n"),
    clear("playbook-sets-device-node-mode", "fix.sh", "chmod 600 /dev/nvme0\nls -l /dev/nvidia*\n"),
    fires("gpu-processes-killed-blindly", "free.sh", "sudo «fuser» -k /dev/nvidia*\n"),
    fires(
        "gpu-processes-killed-blindly",
        "free.sh",
        "«kill» -9 $(nvidia-smi --query-compute-apps=pid --format=csv,noheader)\n",
    ),
    fires(
        "gpu-processes-killed-blindly",
        "free.sh",
        "nvidia-smi --query-compute-apps=pid --format=csv,noheader | sort -u | «xargs» -r kill\n",
    ),
    clear(
        "gpu-processes-killed-blindly",
        "free.sh",
        "fuser -v /dev/nvidia*\nkill -9 $PID\n"
        "nvidia-smi --query-compute-apps=pid --format=csv | xargs -n1 ps -p\n",
    ),
    fires(
        "two-torch-installs-mixed",
        "env.sh",
        "conda install -y -c conda-forge pytorch=2.7\npip install numpy «torch==2.8.0»\n",
    ),
    clear(
        "two-torch-installs-mixed",
        "env.sh",
        "conda create -y -n a -c pytorch python=3.12\nconda activate a\npip install torch==2.8.0\n",
    ),
    clear(
        "two-torch-installs-mixed",
        "env.sh",
        "conda install -n a pytorch\nconda activate a\nls\nconda activate b\npip install torch==2.8.0\n",
    ),
    fires("driver-module-forced-out", "unload.sh", "«rmmod» -f nvidia_uvm\n"),
    fires("driver-module-forced-out", "unload.sh", "«nvidia-smi» --gpu-reset -i 0\n"),
    clear(
        "driver-module-forced-out",
        "unload.sh",
        "rmmod nvidia_uvm nvidia\nmodprobe -f nvidia\nnvidia-smi -q\n",
    ),
    fires(
        "grub-config-edited-unsafely",
        "boot.sh",
        "sed -i 's/quiet/quiet iommu=pt/' «/boot/grub/grub.cfg»\n",
    ),
    fires("grub-config-edited-unsafely", "boot.sh", DROP_IN),
    fires(
        "grub-config-edited-unsafely",
        "boot.sh",
        "echo 'GRUB_CMDLINE_LINUX=\"iommu=pt\"' > «/etc/default/grub»\nupdate-grub\n",
    ),
    clear(
        "grub-config-edited-unsafely",
        "boot.sh",
        "echo 'GRUB_TIMEOUT=1' >> /etc/default/grub\ncp grub.new /etc/default/grub\nupdate-grub\n",
    ),
    clear(
        "grub-config-edited-unsafely", "boot.sh", DROP_IN.replace("«", "").replace("»", "") + "update-grub\n"
    ),
    clear("grub-config-edited-unsafely", "boot.sh", "grub2-mkconfig -o /boot/grub2/grub.cfg\n"),
    fires(
        "initramfs-not-rebuilt",
        "boot.sh",
        "printf 'blacklist nouveau\\n' | sudo tee «/etc/modprobe.d/blacklist-nouveau.conf»\nreboot\n",
    ),
    clear(
        "initramfs-not-rebuilt",
        "boot.sh",
        "printf 'blacklist nouveau\\n' > /etc/modprobe.d/blacklist-nouveau.conf\nupdate-initramfs -u\n",
    ),
    clear(
        "initramfs-not-rebuilt",
        "boot.sh",
        "echo 'blacklist nouveau' > /etc/modprobe.d/blacklist-nouveau.conf\n"
        "apt-get install -y nvidia-driver-570\n",
    ),
    fires(
        "daemon-json-overwritten",
        "docker.sh",
        """
        nvidia-ctk runtime configure --runtime=docker
        cat > «/etc/docker/daemon.json» <<EOF
        {"data-root": "/data"}
        EOF
        systemctl restart docker
        """,
    ),
    fires(
        "daemon-json-overwritten",
        "docker.sh",
        "echo '{}' | sudo tee «/etc/docker/daemon.json»\nsystemctl restart docker\n",
    ),
    clear(
        "daemon-json-overwritten",
        "docker.sh",
        "nvidia-ctk runtime configure --runtime=docker\n"
        "cat /etc/docker/daemon.json\nsystemctl restart docker\n",
    ),
    fires(
        "docker-daemon-not-restarted",
        "docker.sh",
        "sudo «nvidia-ctk» runtime configure --runtime=docker\ndocker run --gpus all a/b:1 nvidia-smi\n",
    ),
    clear(
        "docker-daemon-not-restarted",
        "docker.sh",
        "nvidia-ctk runtime configure --runtime=docker && sudo systemctl restart docker\n",
    ),
    clear(
        "docker-daemon-not-restarted",
        "docker.sh",
        "nvidia-ctk runtime configure --runtime=containerd\nsystemctl restart containerd\n",
    ),
    fires(
        "driver-packages-upgrade-unattended",
        "driver.sh",
        "apt-get install -y nvidia-driver-570\nmodprobe nvidia\n«apt-get» dist-upgrade -y\nreboot\n",
    ),
    clear(
        "driver-packages-upgrade-unattended",
        "driver.sh",
        "apt-get upgrade -y\napt-get install -y nvidia-driver-570\nreboot\n",
    ),
    clear(
        "driver-packages-upgrade-unattended",
        "driver.sh",
        "apt-get install -y nvidia-driver-570\napt-mark hold nvidia-driver-570\napt-get upgrade -y\nreboot\n",
    ),
    fires(
        "driver-upgraded-without-reboot", "driver.sh", "«apt-get» install -y nvidia-driver-570\nnvidia-smi\n"
    ),
    clear("driver-upgraded-without-reboot", "driver.sh", "apt-get install -y nvidia-driver-570\nreboot\n"),
)
