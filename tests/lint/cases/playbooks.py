"""Ansible playbooks and roles."""

from tests.lint.case import clear, fires

PLAY = """
- hosts: gpu
  tasks:
{tasks}
  handlers:
    - name: restart docker
      ansible.builtin.service: {{name: docker, state: restarted}}
"""


def _play(tasks: str) -> str:
    lines = "\n".join(f"    {line}" for line in tasks.strip("\n").split("\n"))
    return PLAY.format(tasks=lines)


CASES = (
    fires(
        "playbook-sets-device-node-mode",
        "site.yml",
        _play('- name: nodes\n  file: {path: /dev/nvidiactl, mode: «"0644"»}'),
    ),
    fires(
        "playbook-sets-device-node-mode",
        "site.yml",
        _play(
            """
- name: nodes
  ansible.builtin.file:
    path: "/dev/{{ item }}"
    group: «video»
  loop: [/dev/nvidia0, /dev/nvidiactl]
"""
        ),
    ),
    fires(
        "playbook-sets-device-node-mode",
        "roles/gpu/tasks/main.yml",
        "- name: nodes\n  file: path=/dev/nvidia0 mode=«0666»\n",
    ),
    clear(
        "playbook-sets-device-node-mode",
        "site.yml",
        _play('- name: options\n  copy: {dest: /etc/modprobe.d/nvidia.conf, content: "x", mode: "0644"}'),
    ),
    fires(
        "ansible-mode-not-octal",
        "site.yml",
        _play("- name: file\n  copy: {dest: /etc/a, content: x, mode: «644»}"),
        fixed=_play('- name: file\n  copy: {dest: /etc/a, content: x, mode: "0644"}'),
    ),
    clear(
        "ansible-mode-not-octal",
        "site.yml",
        _play(
            "- name: file\n  copy: {dest: /etc/a, content: x, mode: 0644}\n"
            "- name: other\n  copy: {dest: /etc/b, content: x, mode: '644'}\n"
            "- name: old\n  file: path=/etc/c mode=644\n"
        ),
    ),
    fires(
        "ansible-handler-missing",
        "site.yml",
        _play(
            "- name: f\n  template: {src: a, dest: /etc/docker/daemon.json, validate: x %s}\n"
            "  notify: «Restart docker»"
        ),
        fixed=_play(
            "- name: f\n  template: {src: a, dest: /etc/docker/daemon.json, validate: x %s}\n"
            "  notify: restart docker"
        ),
    ),
    clear(
        "ansible-handler-missing",
        "site.yml",
        _play("- name: f\n  template: {src: a, dest: /etc/docker/daemon.json}\n  notify: [restart docker]"),
    ),
    clear(
        "ansible-handler-missing",
        "site.yml",
        "- hosts: all\n  roles: [docker]\n  tasks:\n"
        "    - copy: {dest: /etc/a, content: x}\n      notify: of the role\n",
    ),
    fires(
        "grub-config-edited-unsafely",
        "site.yml",
        _play("- lineinfile: {path: «/boot/grub/grub.cfg», line: x}"),
    ),
    fires(
        "grub-config-edited-unsafely",
        "roles/boot/tasks/main.yml",
        "- name: x\n  lineinfile: {path: /etc/default/grub, line: x, unsafe_writes: «true»}\n  notify: x\n",
    ),
    fires(
        "grub-config-edited-unsafely",
        "site.yml",
        _play("- lineinfile: {path: «/etc/default/grub», regexp: ^GRUB_CMDLINE_LINUX=, line: x}"),
    ),
    clear(
        "grub-config-edited-unsafely",
        "site.yml",
        _play(
            "- lineinfile: {path: /etc/default/grub, regexp: ^GRUB_CMDLINE_LINUX=, line: x}\n"
            "- command: update-grub"
        ),
    ),
    clear(
        "grub-config-edited-unsafely",
        "roles/boot/tasks/main.yml",
        "- name: x\n  lineinfile: {path: /etc/default/grub, line: x}\n  notify: update grub\n",
    ),
    fires(
        "initramfs-not-rebuilt",
        "site.yml",
        _play("- copy: {dest: «/etc/modprobe.d/blacklist-nouveau.conf», content: blacklist nouveau}"),
    ),
    clear(
        "initramfs-not-rebuilt",
        "site.yml",
        _play("- copy: {dest: /etc/modprobe.d/blacklist-usb.conf, content: blacklist usb_storage}"),
    ),
    clear(
        "initramfs-not-rebuilt",
        "site.yml",
        _play(
            "- copy: {dest: /etc/modprobe.d/blacklist-nouveau.conf, content: blacklist nouveau}\n"
            "- command: update-initramfs -u"
        ),
    ),
    fires(
        "daemon-json-overwritten",
        "site.yml",
        _play(
            "- command: nvidia-ctk runtime configure --runtime=docker\n"
            "- copy: {dest: «/etc/docker/daemon.json», content: '{}'}\n  notify: restart docker"
        ),
    ),
    clear(
        "daemon-json-overwritten",
        "site.yml",
        _play("- copy: {dest: /etc/docker/daemon.json, content: '{}'}\n  notify: restart docker"),
    ),
    fires(
        "docker-daemon-not-restarted",
        "site.yml",
        "- hosts: gpu\n  tasks:\n    - «template»: {src: daemon.json.j2, dest: /etc/docker/daemon.json}\n",
    ),
    clear(
        "docker-daemon-not-restarted",
        "site.yml",
        "- hosts: gpu\n  tasks:\n    - template: {src: daemon.json.j2, dest: /etc/docker/daemon.json}\n"
        "    - systemd: {name: docker, state: restarted}\n",
    ),
    clear(
        "docker-daemon-not-restarted",
        "site.yml",
        "- hosts: gpu\n  tasks:\n    - template: {src: daemon.json.j2, dest: /etc/docker/daemon.json}\n"
        "      notify: again\n  handlers:\n    - name: again\n"
        "      service: {name: '{{ engine }}', state: restarted}\n",
    ),
    fires(
        "daemon-json-invalid",
        "roles/docker/tasks/main.yml",
        "- name: x\n  «template»: {src: daemon.json.j2, dest: /etc/docker/daemon.json}\n  notify: restart\n",
    ),
    fires(
        "driver-packages-upgrade-unattended",
        "roles/gpu/tasks/main.yml",
        "- name: x\n  apt: {name: [nvidia-driver-570-server], state: «latest»}\n  notify: reboot\n",
        fixed="- name: x\n  apt: {name: [nvidia-driver-570-server], state: present}\n  notify: reboot\n",
    ),
    clear(
        "driver-packages-upgrade-unattended",
        "roles/gpu/tasks/main.yml",
        "- name: x\n  apt: {name: nvidia-driver-570-server=570.1, state: present}\n"
        "- name: y\n  apt: {name: curl, state: latest}\n",
    ),
    fires(
        "driver-packages-upgrade-unattended",
        "roles/gpu/tasks/main.yml",
        "- apt: {name: nvidia-driver-570}\n- name: y\n  apt: {upgrade: «dist»}\n",
    ),
    clear(
        "driver-packages-upgrade-unattended",
        "roles/gpu/tasks/main.yml",
        "- apt: {name: nvidia-driver-570}\n- shell: apt-mark hold nvidia-driver\n- apt: {upgrade: dist}\n",
    ),
    fires(
        "driver-upgraded-without-reboot",
        "site.yml",
        "- hosts: gpu\n  tasks:\n    - «dnf»: {name: cuda-drivers, state: latest}\n",
        also=("driver-packages-upgrade-unattended",),
    ),
    clear(
        "driver-upgraded-without-reboot",
        "site.yml",
        "- hosts: gpu\n  tasks:\n    - dnf: {name: cuda-drivers, state: latest}\n    - reboot:\n",
        also=("driver-packages-upgrade-unattended",),
    ),
    fires(
        "playbook-appends-every-run",
        "site.yml",
        _play('- shell: |\n    set -e\n    echo "export A=1" >> «/etc/profile.d/cuda.sh»'),
    ),
    clear(
        "playbook-appends-every-run",
        "site.yml",
        _play(
            "- shell: grep -q A= /etc/environment || echo A=1 >> /etc/environment\n"
            "- shell: echo {{ x }} >> /tmp/a"
        ),
    ),
    fires(
        "gpu-check-result-ignored",
        "site.yml",
        _play("- name: check\n  «command»: nvidia-smi\n  register: smi\n  failed_when: false"),
    ),
    clear(
        "gpu-check-result-ignored",
        "site.yml",
        _play(
            "- name: check\n  command: nvidia-smi\n  register: smi\n  failed_when: false\n"
            "- name: stop\n  fail: {msg: no GPU}\n  when: smi.rc != 0"
        ),
    ),
    clear(
        "gpu-check-result-ignored",
        "site.yml",
        _play(
            "- name: load\n  command: nvidia-smi -L\n  ignore_errors: true\n"
            "- name: look\n  stat: {path: /dev/nvidia0}\n  register: node"
        ),
    ),
    fires(
        "config-syntax-error",
        "site.yml",
        "- hosts: gpu\n  tasks:\n    - debug:\n        msg: «{{ gpus }}»\n",
        fixed='- hosts: gpu\n  tasks:\n    - debug:\n        msg: "{{ gpus }}"\n',
    ),
    fires(
        "config-syntax-error",
        "site.yml",
        "- hosts: gpu\n  tasks:\n    - copy:\n        src: «{{ here }}/a»\n        dest: /b\n",
        fixed='- hosts: gpu\n  tasks:\n    - copy:\n        src: "{{ here }}/a"\n        dest: /b\n',
    ),
)
