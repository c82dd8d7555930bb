"""Names of environment variables."""

from tests.lint.case import clear, fires

POD = """
    apiVersion: v1
    kind: Pod
    metadata: {{name: x}}
    spec:
      containers:
      - name: main
        image: registry.example/train:1
        env:
        - name: {name}
          value: "1"
"""

CASES = (
    fires(
        "env-name-misspelt",
        "pod.yaml",
        POD.format(name="«Nccl_ib_disable»"),
        fixed=POD.format(name="NCCL_IB_DISABLE"),
    ),
    fires("env-name-misspelt", "pod.yaml", POD.format(name="«NCCL_SOKET_IFNAME»")),
    clear(
        "env-name-misspelt",
        "pod.yaml",
        POD.format(name="NCCL_IB_DISABLE"),
    ),
    fires("env-name-misspelt", "pod.yaml", POD.format(name="«NCCL_VENDOR_PLUGIN_LEVEL»")),
    clear("env-name-misspelt", "pod.yaml", POD.format(name="NCCL_FASTRAK_CTRL_DEV")),
)
