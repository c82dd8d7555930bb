"""A launcher: starts one rank for each name of a list, all of them on this machine."""

import os
import socket
import subprocess
import sys


def main() -> int:
    """Start the ranks, wait for all, and fail if one has failed."""
    names, argv = sys.argv[1].split(","), sys.argv[2:]
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    ranks = []
    for number, name in enumerate(names):
        told = {
            "RANK": str(number),
            "WORLD_SIZE": str(len(names)),
            "LOCAL_RANK": str(number),
            "LOCAL_WORLD_SIZE": str(len(names)),
        }
        told |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port), "NODE_OF_RANK": name}
        ranks.append(subprocess.Popen(argv, env=os.environ | told))
    return max(rank.wait() for rank in ranks)


if __name__ == "__main__":
    sys.exit(main())
