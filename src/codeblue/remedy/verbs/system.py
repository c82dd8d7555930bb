"""The verbs that change more than files."""

from codeblue.model.remedy import Verb
from codeblue.remedy.actions import Action
from codeblue.remedy.verbs.cache import CacheClean
from codeblue.remedy.verbs.cdi import CdiGenerate
from codeblue.remedy.verbs.container_flags import ContainerFlags
from codeblue.remedy.verbs.groups import GroupJoin
from codeblue.remedy.verbs.initramfs import InitramfsRebuild
from codeblue.remedy.verbs.instruct import Instruct
from codeblue.remedy.verbs.ldconfig import Ldconfig
from codeblue.remedy.verbs.modules import ModuleLoad
from codeblue.remedy.verbs.nodes import NodesCreate
from codeblue.remedy.verbs.packages import PackageHold, PackageInstall, PackageUnhold
from codeblue.remedy.verbs.pip import PipInstall, PipReinstall, PipUninstall
from codeblue.remedy.verbs.pod_patch import PodPatch
from codeblue.remedy.verbs.processes import ProcessStop
from codeblue.remedy.verbs.reboot import Reboot
from codeblue.remedy.verbs.services import ServiceEnable, ServiceReload, ServiceRestart, ServiceStart
from codeblue.remedy.verbs.shm import ShmResize
from codeblue.remedy.verbs.sysctl import SysctlSet

ACTIONS: dict[Verb, Action] = {
    Verb.CACHE_CLEAN: CacheClean(),
    Verb.CDI_GENERATE: CdiGenerate(),
    Verb.CONTAINER_FLAGS: ContainerFlags(),
    Verb.GROUP_JOIN: GroupJoin(),
    Verb.INITRAMFS_REBUILD: InitramfsRebuild(),
    Verb.INSTRUCT: Instruct(),
    Verb.LDCONFIG: Ldconfig(),
    Verb.MODULE_LOAD: ModuleLoad(),
    Verb.NODES_CREATE: NodesCreate(),
    Verb.PACKAGE_HOLD: PackageHold(),
    Verb.PACKAGE_INSTALL: PackageInstall(),
    Verb.PACKAGE_UNHOLD: PackageUnhold(),
    Verb.PIP_INSTALL: PipInstall(),
    Verb.PIP_REINSTALL: PipReinstall(),
    Verb.PIP_UNINSTALL: PipUninstall(),
    Verb.POD_PATCH: PodPatch(),
    Verb.PROCESS_STOP: ProcessStop(),
    Verb.REBOOT: Reboot(),
    Verb.SERVICE_ENABLE: ServiceEnable(),
    Verb.SERVICE_RELOAD: ServiceReload(),
    Verb.SERVICE_RESTART: ServiceRestart(),
    Verb.SERVICE_START: ServiceStart(),
    Verb.SHM_RESIZE: ShmResize(),
    Verb.SYSCTL_SET: SysctlSet(),
}
