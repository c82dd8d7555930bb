"""The layers of a GPU training environment, from the ground up."""

from enum import Enum

from codeblue.model.text import Text


class Layer(str, Enum):
    """Where a fault lives."""

    HARDWARE = "hardware"
    DRIVER = "driver"
    DEVICE_ACCESS = "device-access"
    CONTAINER = "container"
    LIBRARIES = "libraries"
    PYTHON = "python"
    FRAMEWORK = "framework"
    COMMUNICATION = "communication"
    ORCHESTRATION = "orchestration"
    APPLICATION = "application"
    NETWORK = "network"
    REMOTE_ACCESS = "remote-access"


NAMES = {
    Layer.HARDWARE: Text("hardware", "硬件"),
    Layer.DRIVER: Text("driver", "驱动"),
    Layer.DEVICE_ACCESS: Text("device access", "设备访问"),
    Layer.CONTAINER: Text("container", "容器"),
    Layer.LIBRARIES: Text("libraries", "库"),
    Layer.PYTHON: Text("python", "Python 环境"),
    Layer.FRAMEWORK: Text("framework", "框架"),
    Layer.COMMUNICATION: Text("communication", "通信"),
    Layer.ORCHESTRATION: Text("orchestration", "编排"),
    Layer.APPLICATION: Text("application", "应用"),
    Layer.NETWORK: Text("network", "网络"),
    Layer.REMOTE_ACCESS: Text("remote access", "远程访问"),
}

DEPTH = {layer: depth for depth, layer in enumerate(Layer)}
