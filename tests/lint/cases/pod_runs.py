"""How pods start, meet, end and are updated."""

from codeblue.lint.run import Against
from codeblue.model.facts import Driver, ProcGpu
from codeblue.model.section import State
from codeblue.model.snapshot import View
from tests.lint.case import clear, fires
from tests.lint.cases.manifest import controlled, env, pod

TWO = {"0000:01:00.0": ProcGpu(), "0000:02:00.0": ProcGpu()}
OLD = Against(
    machine=View(
        kind="probe", name="node1", driver=Driver(state=State.READ, module_version="470.82.01", gpus=TWO)
    )
)
WITHOUT = Against(machine=View(kind="probe", name="node1", driver=Driver(state=State.ABSENT)))
TORCHRUN = "command: [torchrun, --nproc_per_node={ranks}, train.py]"
PROBE = "livenessProbe:\n  httpGet: {{path: /health, port: 8000}}\n  initialDelaySeconds: {delay}\n"
SERVICE = "apiVersion: v1\nkind: Service\nmetadata: {{name: {name}}}\nspec: {{{spec}}}\n"
TRAINING = """
    apiVersion: kubeflow.org/v1
    kind: PyTorchJob
    metadata: {name: x}
    spec:
      nprocPerNode: RANKS
      pytorchReplicaSpecs:
        Worker:
          template:
            metadata: {}
            spec:
              containers:
              - name: pytorch
                image: registry.example/train:TAG
                resources: {limits: {nvidia.com/gpu: 1}}
"""
INDEXED = "completionMode: Indexed\ncompletions: 2\nparallelism: 2"
MASTER = env("MASTER_ADDR", "x-0.x")


def _training(ranks: str = '"1"', tag: str = "1") -> str:
    return TRAINING.replace("RANKS", ranks).replace("TAG", tag)


CASES = (
    fires(
        "command-not-split",
        "pod.yaml",
        pod(container='command: [«"python train.py --lr 1"»]'),
        fixed=pod(container='command: ["python", "train.py", "--lr", "1"]'),
    ),
    fires(
        "command-not-split",
        "pod.yaml",
        pod(container="command:\n- «python train.py»\nargs: [x]"),
        fixed=pod(container='command:\n- "python"\n- "train.py"\nargs: [x]'),
    ),
    fires("command-not-split", "pod.yaml", pod(container="command: [python, a.py, «'&&'», python, b.py]")),
    fires(
        "command-not-split",
        "pod.yaml",
        pod(container='command: [python, a.py, «"--out=${OUT}"»]', env=env("OUT", "/data")),
        fixed=pod(container='command: [python, a.py, "--out=$(OUT)"]', env=env("OUT", "/data")),
    ),
    clear(
        "command-not-split",
        "pod.yaml",
        pod(
            container='command: [bash, -c, "python a.py --out=$OUT && python b.py"]', env=env("OUT", "/data")
        ),
    ),
    clear("command-not-split", "pod.yaml", pod(container='args: ["python train.py", "&&"]')),
    fires(
        "more-ranks-than-gpus",
        "pod.yaml",
        pod(container=TORCHRUN.format(ranks=4)).replace("nvidia.com/gpu", "«nvidia.com/gpu»"),
    ),
    fires(
        "more-ranks-than-gpus",
        "pod.yaml",
        pod(container="args: [--model, x, --tensor-parallel-size, '4']").replace(
            "nvidia.com/gpu", "«nvidia.com/gpu»"
        ),
    ),
    fires("more-ranks-than-gpus", "job.yaml", _training(ranks='«"4"»')),
    clear("more-ranks-than-gpus", "job.yaml", _training()),
    clear("more-ranks-than-gpus", "pod.yaml", pod(container=TORCHRUN.format(ranks=2))),
    clear(
        "more-ranks-than-gpus",
        "pod.yaml",
        pod(container="args: [ray start --head, --tensor-parallel-size=16]"),
    ),
    fires(
        "gpus-left-idle",
        "pod.yaml",
        pod(container=TORCHRUN.format(ranks=1)).replace("nvidia.com/gpu", "«nvidia.com/gpu»"),
    ),
    clear("gpus-left-idle", "pod.yaml", pod(container=TORCHRUN.format(ranks=2))),
    fires("image-tag-mutable", "job.yaml", _training(tag="latest").replace("registry", "««registry")),
    clear("image-tag-mutable", "job.yaml", _training(tag="25.01")),
    fires(
        "image-tag-mutable",
        "app.yaml",
        controlled("Deployment", head="replicas: 2", image="««registry.example/serve»"),
    ),
    clear(
        "image-tag-mutable",
        "app.yaml",
        controlled("Deployment", head="replicas: 2", image="registry.example/serve:25.01"),
    ),
    fires(
        "driver-too-old-for-cuda",
        "pod.yaml",
        pod(image="«nvidia/cuda:12.8.0-devel-ubuntu22.04»"),
        on=OLD,
    ),
    fires(
        "driver-too-old-for-cuda",
        "pod.yaml",
        pod(image="«pytorch/pytorch:2.5.1-cuda12.4-cudnn9-runtime»"),
        on=OLD,
    ),
    clear("driver-too-old-for-cuda", "pod.yaml", pod(image="nvidia/cuda:11.4.3-base-ubuntu20.04"), on=OLD),
    clear(
        "driver-too-old-for-cuda", "pod.yaml", pod(image="nvidia/cuda:12.8.0-base-ubuntu22.04"), on=WITHOUT
    ),
    fires(
        "liveness-probe-kills-slow-start",
        "app.yaml",
        controlled(
            "Deployment", container=PROBE.format(delay=15).replace("livenessProbe", "«livenessProbe»")
        ),
    ),
    fires(
        "liveness-probe-kills-slow-start",
        "app.yaml",
        controlled(
            "Deployment", container=PROBE.format(delay=100).replace("livenessProbe", "«livenessProbe»")
        ),
    ),
    clear(
        "liveness-probe-kills-slow-start",
        "app.yaml",
        controlled(
            "Deployment",
            container=PROBE.format(delay=15) + PROBE.format(delay=15).replace("liveness", "startup"),
        ),
    ),
    clear(
        "liveness-probe-kills-slow-start",
        "app.yaml",
        controlled("Deployment", container=PROBE.format(delay=600)),
    ),
    fires(
        "logs-not-persistent",
        "job.yaml",
        controlled("Job").replace("nvidia.com/gpu", "«nvidia.com/gpu»"),
    ),
    fires(
        "logs-not-persistent",
        "job.yaml",
        controlled(
            "Job",
            container="command: [torchrun, --nproc_per_node=2, train.py, «--output_dir», /out]",
            after="- name: data\n  persistentVolumeClaim: {claimName: data}\n",
        ),
    ),
    clear(
        "logs-not-persistent",
        "job.yaml",
        controlled(
            "Job",
            container="command: [torchrun, --nproc_per_node=2, train.py, --output_dir=/dev/shm/x]",
            after="- name: data\n  persistentVolumeClaim: {claimName: data}\n",
        ),
    ),
    fires(
        "restart-policy-repeats-finished-program",
        "pod.yaml",
        pod(container="«command»: [nvidia-smi]").replace("  restartPolicy: Never\n", ""),
    ),
    fires(
        "restart-policy-repeats-finished-program",
        "app.yaml",
        controlled("Deployment", container="«command»: [nvidia-smi, -L]"),
    ),
    clear("restart-policy-repeats-finished-program", "pod.yaml", pod(container="command: [nvidia-smi]")),
    clear(
        "restart-policy-repeats-finished-program",
        "pod.yaml",
        pod(container="command: [sh, -c, nvidia-smi && sleep inf]").replace("  restartPolicy: Never\n", ""),
    ),
    fires("job-retries-hide-failure", "job.yaml", controlled("Job", head="backoffLimit: «50»")),
    fires(
        "job-retries-hide-failure",
        "job.yaml",
        controlled("Job").replace("restartPolicy: Never", "restartPolicy: «OnFailure»"),
    ),
    clear("job-retries-hide-failure", "job.yaml", controlled("Job", head="backoffLimit: 3")),
    fires(
        "gpu-node-taint-not-tolerated",
        "pod.yaml",
        pod(spec="nodeSelector: {«nvidia.com/gpu.present»: 'true'}", resources="limits: {cpu: 1}"),
    ),
    clear(
        "gpu-node-taint-not-tolerated",
        "pod.yaml",
        pod(
            spec="nodeSelector: {nvidia.com/gpu.present: 'true'}\ntolerations: [{operator: Exists}]",
            resources="limits: {cpu: 1}",
        ),
    ),
    fires(
        "rendezvous-host-not-resolvable",
        "pod.yaml",
        pod(spec="«hostNetwork»: true", env=env("MASTER_ADDR", "trainer-0.trainer")),
        fixed=pod(
            spec="dnsPolicy: ClusterFirstWithHostNet\nhostNetwork: true",
            env=env("MASTER_ADDR", "trainer-0.trainer"),
        ),
    ),
    clear(
        "rendezvous-host-not-resolvable",
        "pod.yaml",
        pod(spec="hostNetwork: true", env=env("MASTER_ADDR", "10.0.0.4")),
    ),
    clear(
        "rendezvous-host-not-resolvable",
        "pod.yaml",
        pod(
            spec="hostNetwork: true\ndnsPolicy: ClusterFirstWithHostNet",
            container="command: [torchrun, --rdzv_endpoint, 'trainer-0:29400', train.py]",
        ),
    ),
    fires(
        "rendezvous-host-not-resolvable",
        "job.yaml",
        controlled("Job", head=INDEXED, env=MASTER).replace("containers:", "«containers»:"),
    ),
    clear(
        "rendezvous-host-not-resolvable",
        "job.yaml",
        controlled("Job", head=INDEXED, env=MASTER, spec="subdomain: x"),
    ),
    fires(
        "rolling-update-needs-spare-gpus",
        "app.yaml",
        controlled("Deployment", head="replicas: 1").replace("nvidia.com/gpu", "«nvidia.com/gpu»"),
    ),
    clear(
        "rolling-update-needs-spare-gpus",
        "app.yaml",
        controlled("Deployment", head="strategy: {type: Recreate}"),
    ),
    fires(
        "service-mesh-sidecar-breaks-job",
        "job.yaml",
        controlled("Job", labels='annotations: {sidecar.istio.io/inject: «"true"»}'),
        fixed=controlled("Job", labels='annotations: {sidecar.istio.io/inject: "false"}'),
    ),
    fires(
        "service-mesh-sidecar-breaks-job",
        "job.yaml",
        controlled("Job").replace(
            "{name: x}", "{name: x, annotations: {«sidecar.istio.io/inject»: 'false'}}"
        ),
    ),
    clear(
        "service-mesh-sidecar-breaks-job",
        "job.yaml",
        controlled("Job", labels="labels: {sidecar.istio.io/inject: 'false'}"),
    ),
    fires("service-link-env-collides", "svc.yaml", SERVICE.format(name="«vllm»", spec="ports: [{port: 80}]")),
    clear(
        "service-link-env-collides",
        "svc.yaml",
        SERVICE.format(name="vllm-server", spec="ports: [{port: 80}]"),
    ),
    clear("service-link-env-collides", "svc.yaml", SERVICE.format(name="vllm", spec="clusterIP: None")),
    clear(
        "service-link-env-collides",
        "svc.yaml",
        SERVICE.format(name="vllm", spec="ports: [{port: 80}]")
        + "---\n"
        + pod(spec="enableServiceLinks: false"),
    ),
    fires(
        "rendezvous-port-not-in-service",
        "pod.yaml",
        SERVICE.format(name="trainer", spec="ports: [{port: 29400}]")
        + "---\n"
        + pod(env=env("MASTER_ADDR", "trainer.jobs.svc") + env("MASTER_PORT", '«"29500"»')),
    ),
    clear(
        "rendezvous-port-not-in-service",
        "pod.yaml",
        SERVICE.format(name="trainer", spec="clusterIP: None, ports: [{port: 29400}]")
        + "---\n"
        + pod(env=env("MASTER_ADDR", "trainer") + env("MASTER_PORT", '"29500"')),
    ),
    clear(
        "rendezvous-port-not-in-service",
        "pod.yaml",
        SERVICE.format(name="trainer", spec="ports: [{port: 29500}]")
        + "---\n"
        + pod(env=env("MASTER_ADDR", "trainer") + env("MASTER_PORT", '"29500"')),
    ),
    fires(
        "pod-gpu-request-invalid",
        "pod.yaml",
        pod(resources="limits: {nvidia.com/gpu: 4}").replace("nvidia.com/gpu", "«nvidia.com/gpu»"),
        on=OLD,
    ),
    clear("pod-gpu-request-invalid", "pod.yaml", pod(), on=OLD),
)
