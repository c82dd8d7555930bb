"""Manifests against the types of the API: fields, values, keys, versions."""

from tests.lint.case import clear, fires

MISPLACED, REFUSED, MISSING = "manifest-field-misplaced", "manifest-value-refused", "manifest-field-missing"
TWICE, SERVED, NEW = "manifest-key-duplicate", "manifest-api-version-wrong", "manifest-field-too-new"

POD = """
    apiVersion: v1
    kind: Pod
    metadata: {name: x}
    spec:
      containers:
      - name: main
        image: registry.example/train:1
"""
SLID = """
    apiVersion: v1
    kind: Pod
    metadata: {name: x}
    spec:
      containers:
      - name: main
        image: registry.example/train:1
        volumeMounts:
        - name: data
          mountPath: /data
          «env:
          # for the loader

          - name: A
            value: |
              one

              two
      volumes:
      - name: data
        emptyDir: {}
"""
IN_PLACE = """
    apiVersion: v1
    kind: Pod
    metadata: {name: x}
    spec:
      containers:
      - name: main
        image: registry.example/train:1
        volumeMounts:
        - name: data
          mountPath: /data
        env:
        # for the loader

        - name: A
          value: |
            one

            two
      volumes:
      - name: data
        emptyDir: {}
"""
VOLUME = """
    apiVersion: v1
    kind: Pod
    metadata: {name: x}
    spec:
      containers:
      - {name: main, image: registry.example/train:1}
      volumes:
      - name: shm
"""
JOB_OF_MANY = """
    apiVersion: kubeflow.org/v1
    kind: PyTorchJob
    metadata: {name: x}
    spec:
      elasticPolicy: {any: thing}
      pytorchReplicaSpecs:
        Worker:
          replicas: "two"
          template:
            spec:
              containers:
              - name: pytorch
                image: registry.example/train:1
"""
DEPLOYMENT = """
    apiVersion: {api}
    kind: {kind}
    metadata: {{name: x}}
    spec:
      template:
        metadata: {{labels: {{app: x}}}}
        spec:
          containers:
          - {{name: main, image: registry.example/train:1}}
"""
LIST = """
    apiVersion: v1
    kind: List
    items:
    - apiVersion: v1
      kind: Pod
      metadata: {{name: x}}
      spec:
        containers:
        - name: main
          image: registry.example/train:1
          ports:
          - containerPort: 1
          {}: [a]
    - apiVersion: v1
      kind: Namespace
      metadata: {{name: x}}
"""
TABLE = """
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: x}
    data: {a: b}
"""


def _pod(more: str) -> str:
    """Return the pod with lines of its container."""
    return POD + "".join(f"        {line}\n" for line in more.splitlines())


MISPLACED_CASES = (
    fires("config-syntax-error", "pod.yaml", "apiVersion: v1\nkind: Pod\nspec: «{name}/x:latest\n"),
    fires(MISPLACED, "pod.yaml", SLID, fixed=IN_PLACE),
    clear(MISPLACED, "pod.yaml", IN_PLACE),
    # Not the end of the mount: a move would tear it apart.
    fires(MISPLACED, "pod.yaml", _pod("volumeMounts:\n- name: a\n  «env: []\n  mountPath: /a")),
    fires(MISPLACED, "pod.yaml", _pod("«hostIPC: true\nworkingDir: /w")),
    fires(
        MISPLACED,
        "pod.yaml",
        POD + "      «env:\n      - {name: A, value: b}\n",
        fixed=POD + "        env:\n        - {name: A, value: b}\n",
    ),
    clear(MISPLACED, "pod.yaml", POD + "      hostIPC: true\n"),
    fires(MISPLACED, "pod.yaml", POD + "      securityContext:\n        «capabilities: {add: [IPC_LOCK]}\n"),
    clear(MISPLACED, "pod.yaml", _pod("securityContext:\n  capabilities: {add: [IPC_LOCK]}")),
    fires(MISPLACED, "pod.yaml", _pod("securityContext: {«fsGroup: 1000}")),
    fires(
        MISPLACED,
        "pod.yaml",
        VOLUME + "        emptyDir:\n        «sizeLimit: 1Gi\n",
        fixed=VOLUME + "        emptyDir:\n          sizeLimit: 1Gi\n",
    ),
    fires(MISPLACED, "pod.yaml", VOLUME + "        emptyDir: {}\n        «sizeLimit: 1Gi\n"),
    fires(
        MISPLACED,
        "pod.yaml",
        _pod("resources:\n  «limit: {memory: 1Gi}"),
        fixed=_pod("resources:\n  limits: {memory: 1Gi}"),
    ),
    fires(
        MISPLACED,
        "pod.yaml",
        _pod("resources:\n  limits:\n    cpu: 1\n  «memory: 1Gi"),
        fixed=_pod("resources:\n  limits:\n    cpu: 1\n    memory: 1Gi"),
    ),
    fires(MISPLACED, "pod.yaml", _pod('«"Args": [a]'), fixed=_pod('"args": [a]')),
    fires(
        MISPLACED,
        "pod.yaml",
        POD + "      «runtimeClass: nvidia\n",
        fixed=POD + "      runtimeClassName: nvidia\n",
    ),
    fires(MISPLACED, "pod.yaml", POD + "      «shmSize: 1Gi\n"),
    fires(MISPLACED, "job.yaml", JOB_OF_MANY + "                «gpus: 1\n"),
    fires(
        MISPLACED,
        "job.yaml",
        JOB_OF_MANY
        + "                ports:\n                - containerPort: 1\n                  «args: [a]\n",
        fixed=JOB_OF_MANY
        + "                ports:\n                - containerPort: 1\n                args: [a]\n",
    ),
    # What an object must have is not missing besides.
    fires(
        MISPLACED,
        "pod.yaml",
        _pod("volumeMounts:\n- name: a\n  «path: /a\nports:\n- «port: 80"),
        fixed=_pod("volumeMounts:\n- name: a\n  mountPath: /a\nports:\n- containerPort: 80"),
    ),
    fires(MISPLACED, "pod.yaml", _pod("lifecycle:\n  preStop:\n    «command: [a]")),
    clear(MISPLACED, "job.yaml", JOB_OF_MANY),
    fires(MISPLACED, "pod.yaml", POD + "      resources:\n        limits: {cpu: 1, «gpu.example/one: 1}\n"),
    clear(MISPLACED, "pod.yaml", POD + "      resources:\n        limits: {cpu: 1, hugepages-2Mi: 2Mi}\n"),
    # A kind of its own with a template of its own.
    clear(
        MISPLACED,
        "service.yaml",
        "apiVersion: serving.knative.dev/v1\nkind: Service\nmetadata: {name: x}\nspec:\n  template:\n"
        "    spec:\n      containerConcurrency: 1\n      containers: [{image: a}]\n",
    ),
    # A directive of a patch, and a chart that happens to be YAML.
    clear(MISPLACED, "pod.yaml", _pod("env:\n- $patch: delete\n  name: A\n{{ .Values.more }}: 1")),
    fires(MISPLACED, "list.yaml", LIST.format("  «args"), fixed=LIST.format("args")),
    fires(MISPLACED, "pod.json", '{"apiVersion": "v1", "kind": "Pod", «"Spec": {"containers": []}}'),
)

VALUE_CASES = (
    fires(
        REFUSED,
        "pod.yaml",
        _pod("env:\n- {name: A, value: «1}\n- name: B\n  value: «true # on\n- {name: C, value: «y}"),
        fixed=_pod('env:\n- {name: A, value: "1"}\n- name: B\n  value: "true" # on\n- {name: C, value: "y"}'),
    ),
    clear(
        REFUSED,
        "pod.yaml",
        _pod("env:\n- {name: A, value: '1'}\n- {name: B, value: }\n- {name: C, value: x}"),
    ),
    fires(
        REFUSED,
        "pod.yaml",
        POD + "      nodeSelector:\n        gpu.example/present: «yes\n",
        fixed=POD + '      nodeSelector:\n        gpu.example/present: "yes"\n',
    ),
    fires(
        REFUSED,
        "pod.yaml",
        _pod("ports:\n- containerPort: «'8080'\ntty: «\"true\"\nstdin: «'yes'"),
    ),
    fires(
        REFUSED,
        "pod.yaml",
        _pod("ports:\n- containerPort: «'8080'"),
        fixed=_pod("ports:\n- containerPort: 8080"),
    ),
    fires(REFUSED, "pod.yaml", _pod("command: «python train.py")),
    fires(REFUSED, "pod.yaml", _pod("«env:\n  A: b")),
    fires(REFUSED, "pod.yaml", _pod("«resources:\n- limits")),
    fires(REFUSED, "pod.yaml", _pod("args: [a, «1]"), fixed=_pod('args: [a, "1"]')),
    fires(REFUSED, "pod.yaml", _pod("resources:\n  limits: {memory: «16GB}")),
    clear(
        REFUSED, "pod.yaml", _pod("resources:\n  limits: {memory: 16Gi, cpu: 0.5}\n  requests: {cpu: 500m}")
    ),
    fires(
        REFUSED, "pod.yaml", POD + "      restartPolicy: «never\n", fixed=POD + "      restartPolicy: Never\n"
    ),
    fires(REFUSED, "pod.yaml", POD + "      restartPolicy: «Sometimes\n"),
    clear(REFUSED, "pod.yaml", POD + "      restartPolicy: Never\n"),
    # What somebody else fills in.
    clear(
        REFUSED,
        "pod.yaml",
        POD + "      priority: PRIORITY\n      hostIPC: ${IPC}\n      restartPolicy: {{ .Values.again }}\n",
    ),
    fires(REFUSED, "map.yaml", TABLE.replace("a: b", "a: «1"), fixed=TABLE.replace("a: b", 'a: "1"')),
)

MISSING_CASES = (
    fires(MISSING, "pod.yaml", _pod("volumeMounts:\n- «name: data")),
    fires(
        MISSING,
        "app.yaml",
        DEPLOYMENT.format(api="apps/v1", kind="Deployment").replace("  template", "  «template"),
    ),
    clear(MISSING, "job.yaml", DEPLOYMENT.format(api="batch/v1", kind="Job")),
    # A patch: no labels, no image.
    clear(
        MISSING,
        "app.yaml",
        DEPLOYMENT.format(api="apps/v1", kind="Deployment").replace("metadata: {labels: {app: x}}", ""),
    ),
    clear(
        MISSING,
        "app.yaml",
        DEPLOYMENT.format(api="apps/v1", kind="Deployment").replace(", image: registry.example/train:1", ""),
    ),
    # What a merge brings is there.
    clear(
        MISSING,
        "pod.yaml",
        _pod(
            "volumeMounts:\n- &a {name: data, mountPath: /a}\n- <<: [*a]\n  subPath: b\n"
            "- <<: *a\n  mountPath: /b"
        ),
    ),
)

KEY_CASES = (
    fires(TWICE, "pod.yaml", _pod("env: [{name: A}]\nworkingDir: /w\n«env: [{name: B}]")),
    fires(
        TWICE,
        "pod.yaml",
        _pod("workingDir: /w\ntty: true\n«workingDir: /w"),
        fixed=_pod("workingDir: /w\ntty: true"),
    ),
    fires(TWICE, "any.yaml", "apiVersion: example.org/v1\nkind: Any\nspec: {a: 1, «a: 2}\n"),
    clear(TWICE, "pod.yaml", _pod("env:\n- &a {name: A, value: b}\n- <<: *a\n  name: B")),
)

VERSION_CASES = (
    fires(
        SERVED,
        "cron.yaml",
        "apiVersion: «batch/v1beta1\nkind: CronJob\nmetadata: {name: x}\n",
        fixed="apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: x}\n",
    ),
    fires(SERVED, "app.yaml", DEPLOYMENT.format(api="«extensions/v1beta1", kind="Deployment")),
    fires(SERVED, "policy.yaml", "apiVersion: «policy/v1beta1\nkind: PodSecurityPolicy\n"),
    fires(
        SERVED,
        "app.yaml",
        "apiVersion: «v1\nkind: Deployment\nmetadata: {name: x}\n",
        fixed="apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: x}\n",
    ),
    clear(SERVED, "job.yaml", "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {name: x}\n"),
    clear(SERVED, "cron.yaml", "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: x}\n"),
    fires(NEW, "pod.yaml", POD + "      «resources: {limits: {cpu: 1}}\n"),
    clear(NEW, "pod.yaml", POD),
)

CASES = (*MISPLACED_CASES, *VALUE_CASES, *MISSING_CASES, *KEY_CASES, *VERSION_CASES)
