"""The words of rows of the knowledge tables, in every language: labels, fixed values, what nothing means."""

from codeblue.model.text import Text

TOPIC = {
    "torch": Text("PyTorch release", "PyTorch 版本"),
    "driver": Text("NVIDIA driver", "NVIDIA 驱动"),
    "cuda": Text("CUDA toolkit", "CUDA 工具包"),
    "cudnn": Text("cuDNN release", "cuDNN 版本"),
    "nccl": Text("NCCL release", "NCCL 版本"),
    "tensorrt": Text("TensorRT release", "TensorRT 版本"),
    "gpu": Text("GPU", "GPU"),
    "xid": Text("Xid", "Xid"),
    "sxid": Text("SXid", "SXid"),
    "error": Text("error", "错误码"),
    "env": Text("environment variable", "环境变量"),
    "toolkit": Text("NVIDIA Container Toolkit", "NVIDIA Container Toolkit"),
    "bad": Text("known defect", "已知缺陷"),
}

TABLE = {
    "cuda_errors": Text("CUDA error", "CUDA 错误码"),
    "nvml_errors": Text("NVML error", "NVML 错误码"),
}
"""Titles of rows by table, where the topic has several."""

LABEL = {
    "action": Text("what to do", "处理"),
    "added": Text("added", "新增"),
    "affected": Text("affected", "受影响版本"),
    "alias": Text("other name", "别名"),
    "aliases": Text("other names", "别名"),
    "app_can_cause": Text("can a program cause it", "程序能否引起"),
    "arch": Text("architecture", "架构"),
    "archs": Text("architectures", "架构"),
    "arch_min": Text("oldest architecture", "最老架构"),
    "below_security_floor": Text("below the security floor", "低于安全下限"),
    "bf16": Text("bf16", "bf16"),
    "block": Text("unit", "单元"),
    "branch": Text("branch", "分支"),
    "bulletin": Text("bulletin", "公告编号"),
    "capabilities": Text("GPU capabilities", "GPU 计算能力"),
    "cause": Text("cause", "原因"),
    "causes": Text("causes", "原因"),
    "cc": Text("compute capability", "计算能力"),
    "cc_max": Text("highest capability", "最高计算能力"),
    "cc_min": Text("lowest capability", "最低计算能力"),
    "check": Text("where to look", "排查"),
    "clang_max": Text("newest clang", "最高 clang"),
    "checked": Text("checked", "核对日期"),
    "class": Text("class", "分类"),
    "code": Text("code", "代码"),
    "compat_base_branches": Text("cuda-compat runs on branches", "cuda-compat 支持的分支"),
    "condition": Text("when", "条件"),
    "confidence": Text("confidence", "可信度"),
    "cuda": Text("CUDA", "CUDA"),
    "cuda_max": Text("highest CUDA (native)", "原生支持的最高 CUDA"),
    "cuda_minor_compat": Text("also, by minor-version compatibility", "经次版本兼容还可运行"),
    "cuda_toolkit_pin": Text("cuda-toolkit pin", "cuda-toolkit 固定版本"),
    "cudnn": Text("cuDNN", "cuDNN"),
    "cve_count": Text("open CVEs", "未修复 CVE 数"),
    "cves": Text("CVEs", "CVE"),
    "cvss": Text("CVSS", "CVSS"),
    "cxx11_abi": Text("C++11 ABI", "C++11 ABI"),
    "date": Text("date", "日期"),
    "default": Text("default", "默认值"),
    "default_history": Text("changes of the default", "默认值变化"),
    "deprecated": Text("old name", "旧名称"),
    "deprecated_since": Text("old since", "弃用自"),
    "driver": Text("driver", "驱动"),
    "driver_min": Text("driver at least", "驱动最低"),
    "driver_min_minor_compat": Text("lowest driver (minor-version compatibility)", "最低驱动（次版本兼容）"),
    "driver_native": Text("driver, native", "驱动（原生）"),
    "eol": Text("end of support", "支持截止"),
    "eol_past": Text("support has ended", "支持已结束"),
    "facts": Text("facts", "要点"),
    "fatality": Text("fatality", "致命程度"),
    "first_driver_listed": Text("first driver that lists it", "首个列出它的驱动"),
    "fix": Text("fix", "修复"),
    "fixed_in": Text("fixed in", "修复版本"),
    "fp4": Text("fp4", "fp4"),
    "fp8": Text("fp8", "fp8"),
    "gcc_max": Text("newest gcc", "最高 gcc"),
    "gcc_min": Text("oldest gcc", "最低 gcc"),
    "glibc_min": Text("lowest glibc", "最低 glibc"),
    "glibc_symbols_max": Text("newest GLIBC symbol", "最新 GLIBC 符号"),
    "glibcxx_symbols_max": Text("newest GLIBCXX symbol", "最新 GLIBCXX 符号"),
    "gpu_operator_fixed_in": Text("GPU Operator fixed in", "GPU Operator 修复版本"),
    "id": Text("id", "编号"),
    "kind": Text("kind", "类别"),
    "last": Text("last version that reads it", "最后读取它的版本"),
    "last_affected": Text("last affected", "最后受影响版本"),
    "last_cuda": Text("last CUDA", "最后支持的 CUDA"),
    "last_driver_branch": Text("last driver branch", "最后支持的驱动分支"),
    "legacy_code": Text("code before CUDA 10.1", "CUDA 10.1 之前的代码"),
    "lib": Text("library", "库"),
    "look_at": Text("where to look", "排查"),
    "machine": Text("processor", "处理器"),
    "max_cvss": Text("highest CVSS", "最高 CVSS"),
    "meaning": Text("meaning", "含义"),
    "mem_gb": Text("memory, GB", "显存（GB）"),
    "mem_gbs": Text("memory bandwidth, GB/s", "显存带宽（GB/s）"),
    "min_cuda": Text("first CUDA", "最低 CUDA"),
    "min_driver_branch": Text("first driver branch", "最低驱动分支"),
    "name": Text("name", "名称"),
    "native_driver_branch": Text("driver branch of the release", "对应驱动分支"),
    "native_of": Text("driver of CUDA", "对应的 CUDA"),
    "nccl": Text("NCCL", "NCCL"),
    "newest_release": Text("newest release listed", "表中最新版本"),
    "also": Text("variants of unknown content", "内容未知的变体"),
    "note": Text("note", "备注"),
    "nvlink_gbs": Text("NVLink, GB/s", "NVLink（GB/s）"),
    "nvlink_gen": Text("NVLink generation", "NVLink 代次"),
    "open_modules": Text("open kernel modules", "开源内核模块"),
    "packages": Text("packages", "软件包"),
    "pci_ids": Text("PCI device ids", "PCI 设备号"),
    "pcie_gen": Text("PCIe generation", "PCIe 代次"),
    "pcie_width": Text("PCIe lanes", "PCIe 通道数"),
    "plain": Text("plain pip install", "pip 默认安装"),
    "ptx": Text("PTX", "PTX"),
    "purpose": Text("purpose", "用途"),
    "pypi": Text("on PyPI for", "PyPI 提供"),
    "pypi_aarch64_variant": Text("plain aarch64 wheel", "默认 aarch64 wheel"),
    "pypi_variant": Text("plain x86_64 wheel", "默认 x86_64 wheel"),
    "python": Text("Python", "Python"),
    "python_aarch64": Text("Python (aarch64)", "Python（aarch64）"),
    "release_date": Text("date of this release", "此版本日期"),
    "release_listed": Text("this release is in the table", "表中有此版本"),
    "removed": Text("removed", "移除"),
    "replaced_by": Text("new name", "新名称"),
    "requires_python": Text("requires Python", "要求的 Python"),
    "risk": Text("risk", "风险"),
    "runtime": Text("runtime name", "运行时名称"),
    "security_floor": Text("security floor", "安全下限"),
    "severity": Text("severity", "严重程度"),
    "since": Text("since", "起始版本"),
    "sm_unsure": Text("compiled for, not settled", "编译目标（未确定）"),
    "sms": Text("SMs", "SM 数"),
    "sticky": Text("the process must restart", "进程必须重启"),
    "symptom": Text("symptom", "症状"),
    "targets": Text("GPU targets", "GPU 目标"),
    "text": Text("text", "报错文本"),
    "tf32": Text("tf32", "tf32"),
    "tflops": Text("peak TFLOPS, dense", "峰值 TFLOPS（稠密）"),
    "title": Text("title", "标题"),
    "torch": Text("in torch", "所在 torch"),
    "torch_first": Text("first torch with code for it", "最早含其代码的 torch"),
    "torch_last": Text("last torch with code for it", "最新含其代码的 torch"),
    "torchaudio": Text("torchaudio", "torchaudio"),
    "torchvision": Text("torchvision", "torchvision"),
    "triton": Text("triton", "triton"),
    "type": Text("type", "类型"),
    "v": Text("release", "版本"),
    "values": Text("values", "取值"),
    "variant": Text("variant", "变体"),
    "vendor_action": Text("vendor action", "厂商建议"),
    "vendor_followup": Text("vendor follow-up", "厂商后续建议"),
    "what": Text("what", "内容"),
    "wheel_tag": Text("wheel tag", "wheel 标签"),
    "yanked": Text("withdrawn from PyPI", "已从 PyPI 撤回"),
}

LABEL_OF = {
    ("error", "driver"): Text("driver API name", "驱动 API 名称"),
    ("error", "name"): Text("NVML name", "NVML 名称"),
    ("table", "torch"): Text("PyTorch", "PyTorch"),
    ("table", "driver_min"): Text("driver at least (minor-version compatibility)", "驱动最低（次版本兼容）"),
}
"""Labels that a topic has for itself."""

GRID = {
    "variants": Text("CUDA variants (x86_64)", "CUDA 变体（x86_64）"),
    "aarch64_variants": Text("CUDA variants (aarch64)", "CUDA 变体（aarch64）"),
    "known_bad": Text("known defects", "已知缺陷"),
    "releases": Text("releases", "发布版本"),
    "updates": Text("updates", "更新版本"),
    "security": Text("security fixes in later releases", "后续版本中的安全修复"),
    "cves": Text("open CVEs", "未修复的 CVE"),
}

NONE = {
    "eol": Text("none published", "未公布"),
    "pypi_aarch64_variant": Text("CPU only", "仅 CPU"),
    "driver_min_minor_compat": Text(
        "not available; use the driver of the toolkit", "不支持；须用工具包对应的驱动"
    ),
    "compat_base_branches": Text("not checked", "未核对"),
    "ptx": Text("not examined", "未检查"),
    "last_driver_branch": Text("still current", "仍受支持"),
    "last_cuda": Text("still current", "仍受支持"),
    "fixed_in": Text("none known", "暂无"),
    "security_floor": Text("not known", "未知"),
    "below_security_floor": Text("not known", "未知"),
    "torch_first": Text("none", "无"),
    "torch_last": Text("none", "无"),
    "condition": Text("always", "始终"),
    "cudnn": Text("none or not known", "无或未知"),
}
"""What it means that there is no value; else a dash."""

VALUE = {
    "action": {
        "none": Text("nothing", "无需处理"),
        "restart_app": Text("restart the program", "重启程序"),
        "reset_gpu": Text("reset the GPU", "复位 GPU"),
        "reboot": Text("reboot", "重启机器"),
        "restart_vm": Text("restart the virtual machine", "重启虚拟机"),
        "update_sw": Text("update the software", "更新软件"),
        "check_mechanical": Text("check seat, cables and power", "检查插接、线缆和供电"),
        "report": Text("report to the vendor", "报告厂商"),
        "follow_other": Text("follow the Xid beside it", "以同时出现的其他 Xid 为准"),
        "workflow": Text("follow the steps given", "按所列步骤处理"),
        "reset_all": Text("reset all GPUs and NVSwitches of the node", "复位本机全部 GPU 和 NVSwitch"),
    },
    "app_can_cause": {
        "yes": Text("yes", "能"),
        "maybe": Text("perhaps", "可能"),
        "no": Text("no, not on healthy hardware", "不能（硬件正常时）"),
    },
    "severity": {
        "info": Text("information", "信息"),
        "warning": Text("warning", "警告"),
        "error": Text("error: one program", "错误：影响单个程序"),
        "fatal": Text("fatal: GPU or node", "致命：影响 GPU 或整机"),
    },
    "fatality": {
        "non_fatal": Text("not fatal", "非致命"),
        "potential_fatal": Text("may be fatal: the log line says so", "可能致命：以日志行所写为准"),
        "always_fatal": Text("always fatal", "总是致命"),
    },
    "class": {
        "app": Text("program", "程序"),
        "env": Text("environment", "环境"),
        "build": Text("build", "构建"),
        "resource": Text("resources", "资源"),
        "driver": Text("driver", "驱动"),
        "hw": Text("hardware", "硬件"),
        "memory": Text("memory", "显存"),
        "nvlink": Text("NVLink", "NVLink"),
        "pcie": Text("PCIe", "PCIe"),
        "power": Text("power", "供电"),
        "thermal": Text("temperature", "温度"),
        "datacenter": Text("data centre", "数据中心"),
        "superchip": Text("superchip", "超级芯片"),
        "workstation": Text("workstation", "工作站"),
        "consumer": Text("consumer", "消费级"),
        "jetson": Text("Jetson", "Jetson"),
    },
    "kind": {
        "release": Text("release", "版本"),
        "cve": Text("CVE", "CVE"),
        "failure": Text("failure", "故障"),
        "requirement": Text("requirement", "要求"),
    },
    "open_modules": {
        "none": Text("none", "无"),
        "optional": Text("optional", "可选"),
        "default": Text("default", "默认"),
        "required": Text("required", "必须"),
        "supported": Text("supported", "支持"),
        "unsupported": Text("not supported", "不支持"),
    },
    "confidence": {
        "verified": Text("verified", "已核实"),
        "medium": Text("medium", "中"),
        "low": Text("low", "低"),
    },
}
"""Values from a fixed set; all other data stay as they are."""

CONFIDENCE = {
    "verified": Text("read in a source", "已从来源核实"),
    "medium": Text("partly inferred, or sources differ", "部分为推断，或来源不一致"),
    "low": Text("from memory: take it as a hint", "凭记忆整理：仅供参考"),
}
YES, NO = Text("yes", "是"), Text("no", "否")
DASH = "–"
HINT = Text("hint", "仅供参考")
HINTED = Text("{value} ({hint})", "{value}（{hint}）")
HINTS = Text("values marked as a hint rest on memory or assumption", "标注为“仅供参考”的值来自记忆或推断")
SOURCES = Text("sources", "来源")
DATA = Text("data of", "数据日期")
PAGES = Text("more", "详情")
PAIR = Text("{name}: {what}", "{name}：{what}")
COUNT = Text("{n} rows", "共 {n} 条")


def label(topic: str, key: str, lang: str) -> str:
    """Return what a field is called; its key if it has no label."""
    known = LABEL_OF.get((topic, key)) or LABEL.get(key)
    return known.say(lang) if known else key


def pair(name: str, what: str, lang: str) -> str:
    """Return a name and what is said of it, e.g. ``date: 2025-06-04``."""
    return PAIR.say(lang, name=name, what=what)
