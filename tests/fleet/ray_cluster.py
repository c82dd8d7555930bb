"""Start a Ray cluster of several raylets on this machine; run by the interpreter that has Ray.

Prints the address, then ``NODE-ID PID`` of each raylet, and ends with its standard input.
"""

import sys

from ray.cluster_utils import Cluster

STORE = 80 << 20
"""Bytes of shared memory of each node: the least that Ray accepts."""


def main(count: int) -> None:
    """Start one head and ``count - 1`` other nodes, each with one CPU."""
    settings = {"num_cpus": 1, "object_store_memory": STORE}
    cluster = Cluster(initialize_head=True, head_node_args={**settings, "include_dashboard": False})
    try:
        others = [cluster.add_node(**settings, wait=False) for _ in range(count - 1)]
        cluster.wait_for_nodes()
        print(cluster.address, flush=True)  # noqa: T201 - the answer
        for node in (cluster.head_node, *others):
            pid = node.all_processes["raylet"][0].process.pid
            print(node.node_id, pid, flush=True)  # noqa: T201 - the answer
        sys.stdin.read()
    finally:
        cluster.shutdown()


if __name__ == "__main__":
    main(int(sys.argv[1]))
