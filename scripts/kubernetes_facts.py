"""What the schemas of the Kubernetes API do not say as data: which kinds matter, values, and what is gone."""

KINDS = (
    ("v1", "Pod"),
    ("v1", "PodTemplate"),
    ("v1", "ReplicationController"),
    ("apps/v1", "Deployment"),
    ("apps/v1", "StatefulSet"),
    ("apps/v1", "DaemonSet"),
    ("apps/v1", "ReplicaSet"),
    ("batch/v1", "Job"),
    ("batch/v1", "CronJob"),
    ("v1", "Service"),
    ("v1", "ConfigMap"),
    ("v1", "Secret"),
    ("v1", "ServiceAccount"),
    ("v1", "PersistentVolume"),
    ("v1", "PersistentVolumeClaim"),
    ("v1", "ResourceQuota"),
    ("v1", "LimitRange"),
    ("v1", "Namespace"),
    ("scheduling.k8s.io/v1", "PriorityClass"),
    ("node.k8s.io/v1", "RuntimeClass"),
    ("networking.k8s.io/v1", "NetworkPolicy"),
    ("storage.k8s.io/v1", "StorageClass"),
    ("policy/v1", "PodDisruptionBudget"),
    ("rbac.authorization.k8s.io/v1", "Role"),
    ("rbac.authorization.k8s.io/v1", "RoleBinding"),
    ("rbac.authorization.k8s.io/v1", "ClusterRole"),
    ("rbac.authorization.k8s.io/v1", "ClusterRoleBinding"),
)
"""Kinds whose types the table has."""

ACCEPTED_EMPTY = frozenset(
    {
        ("ISCSIVolumeSource", "lun"),
        ("ISCSIPersistentVolumeSource", "lun"),
        ("PreferredSchedulingTerm", "weight"),
        ("WeightedPodAffinityTerm", "weight"),
        ("HTTPHeader", "value"),
        ("Sysctl", "value"),
        ("RoleRef", "apiGroup"),
        ("PriorityClass", "value"),
        ("NetworkPolicySpec", "podSelector"),
    }
)
"""Required by the schema, but the server takes the empty value, or says something clearer itself."""

VALUES = {
    ("PodSpec", "restartPolicy"): "Always OnFailure Never",
    ("PodSpec", "dnsPolicy"): "ClusterFirstWithHostNet ClusterFirst Default None",
    ("PodSpec", "preemptionPolicy"): "Never PreemptLowerPriority",
    ("Container", "imagePullPolicy"): "Always Never IfNotPresent",
    ("Container", "terminationMessagePolicy"): "File FallbackToLogsOnError",
    ("ContainerPort", "protocol"): "TCP UDP SCTP",
    ("ServicePort", "protocol"): "TCP UDP SCTP",
    ("ServiceSpec", "type"): "ExternalName ClusterIP NodePort LoadBalancer",
    ("Toleration", "operator"): "Exists Equal Lt Gt",
    ("Toleration", "effect"): "NoSchedule PreferNoSchedule NoExecute",
    ("NodeSelectorRequirement", "operator"): "In NotIn Exists DoesNotExist Gt Lt",
    ("LabelSelectorRequirement", "operator"): "In NotIn Exists DoesNotExist",
    ("TopologySpreadConstraint", "whenUnsatisfiable"): "DoNotSchedule ScheduleAnyway",
    ("SeccompProfile", "type"): "Localhost RuntimeDefault Unconfined",
    ("JobSpec", "completionMode"): "NonIndexed Indexed",
    ("CronJobSpec", "concurrencyPolicy"): "Allow Forbid Replace",
    ("DeploymentStrategy", "type"): "Recreate RollingUpdate",
    ("DaemonSetUpdateStrategy", "type"): "RollingUpdate OnDelete",
    ("StatefulSetSpec", "podManagementPolicy"): "OrderedReady Parallel",
    ("PersistentVolumeSpec", "persistentVolumeReclaimPolicy"): "Retain Delete Recycle",
}
"""Values that a field may have; building the table checks each against the field's description."""

WORKLOADS = ("Deployment", "DaemonSet", "ReplicaSet", "StatefulSet")
REMOVED = (
    *(("extensions/v1beta1", kind, "1.16", "apps/v1") for kind in WORKLOADS[:3]),
    *(("apps/v1beta1", kind, "1.16", "apps/v1") for kind in ("Deployment", "ReplicaSet", "StatefulSet")),
    *(("apps/v1beta2", kind, "1.16", "apps/v1") for kind in WORKLOADS),
    ("extensions/v1beta1", "NetworkPolicy", "1.16", "networking.k8s.io/v1"),
    ("extensions/v1beta1", "PodSecurityPolicy", "1.16", ""),
    ("batch/v2alpha1", "CronJob", "1.21", "batch/v1"),
    ("extensions/v1beta1", "Ingress", "1.22", "networking.k8s.io/v1"),
    ("networking.k8s.io/v1beta1", "Ingress", "1.22", "networking.k8s.io/v1"),
    ("networking.k8s.io/v1beta1", "IngressClass", "1.22", "networking.k8s.io/v1"),
    ("apiextensions.k8s.io/v1beta1", "CustomResourceDefinition", "1.22", "apiextensions.k8s.io/v1"),
    ("apiregistration.k8s.io/v1beta1", "APIService", "1.22", "apiregistration.k8s.io/v1"),
    *(
        ("admissionregistration.k8s.io/v1beta1", kind, "1.22", "admissionregistration.k8s.io/v1")
        for kind in ("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration")
    ),
    *(
        ("rbac.authorization.k8s.io/v1beta1", kind, "1.22", "rbac.authorization.k8s.io/v1")
        for kind in ("Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding")
    ),
    ("scheduling.k8s.io/v1beta1", "PriorityClass", "1.22", "scheduling.k8s.io/v1"),
    ("storage.k8s.io/v1beta1", "StorageClass", "1.22", "storage.k8s.io/v1"),
    ("storage.k8s.io/v1beta1", "CSIDriver", "1.22", "storage.k8s.io/v1"),
    ("coordination.k8s.io/v1beta1", "Lease", "1.22", "coordination.k8s.io/v1"),
    ("batch/v1beta1", "CronJob", "1.25", "batch/v1"),
    ("policy/v1beta1", "PodDisruptionBudget", "1.25", "policy/v1"),
    ("policy/v1beta1", "PodSecurityPolicy", "1.25", ""),
    ("node.k8s.io/v1beta1", "RuntimeClass", "1.25", "node.k8s.io/v1"),
    ("discovery.k8s.io/v1beta1", "EndpointSlice", "1.25", "discovery.k8s.io/v1"),
    ("autoscaling/v2beta1", "HorizontalPodAutoscaler", "1.25", "autoscaling/v2"),
    ("autoscaling/v2beta2", "HorizontalPodAutoscaler", "1.26", "autoscaling/v2"),
)
"""Kinds that are no longer served under an ``apiVersion``: since when, and under which instead."""
