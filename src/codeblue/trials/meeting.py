"""Where the ranks meet: told by the conductor, set by the launcher, or derived from what it says."""

import os
import re
import socket

ONE_HOST = (
    ("LOCAL_WORLD_SIZE", "WORLD_SIZE"),
    ("OMPI_COMM_WORLD_LOCAL_SIZE", "OMPI_COMM_WORLD_SIZE"),
    ("MPI_LOCALNRANKS", "PMI_SIZE"),
)
"""Ranks of this host and of all; where both are the same, everybody is here."""
NODES = ("SLURM_STEP_NUM_NODES", "SLURM_NNODES")
NODE_LISTS = ("SLURM_STEP_NODELIST", "SLURM_JOB_NODELIST", "SLURM_NODELIST")


def join(dist, order, backend, rank, world, patience):
    """Meet the other ranks. Raises what torch.distributed raises if they do not come in time."""
    method, environment = place(order, os.environ)
    os.environ.update(environment)
    named = {} if method == "env://" else {"rank": rank, "world_size": world}
    dist.init_process_group(backend, init_method=method, timeout=patience, **named)


def place(order, environment):
    """Return the method of torch.distributed, and variables that it needs beside what is set."""
    if order.get("port") and "address" not in order:
        return "tcp://127.0.0.1:%d" % order["port"], {}
    if all(environment.get(name) for name in ("MASTER_ADDR", "MASTER_PORT", "RANK", "WORLD_SIZE")):
        return "env://", {}  # torchrun; its agent may hold the store
    port = environment.get("MASTER_PORT") or order["port"]
    return "tcp://%s:%s" % (bracketed(first_host(order, environment)), port), {}


def first_host(order, environment):
    """Return a name or address of the host of rank 0."""
    if environment.get("MASTER_ADDR"):
        return environment["MASTER_ADDR"]
    if any(environment.get(name) == "1" for name in NODES):
        return "127.0.0.1"
    if any(environment.get(a) and environment[a] == environment.get(b) for a, b in ONE_HOST):
        return "127.0.0.1"
    lists = [environment[name] for name in NODE_LISTS if environment.get(name)]
    if lists:
        return first_of(lists[0])
    return "127.0.0.1" if order["address"] == socket.gethostname() else order["address"]


def first_of(nodes):
    """Return the first name of a list in the short form of Slurm, such as ``gpu[003-010,12],login``."""
    cut = re.match(r"([^\[,]*)(?:\[([^\],-]*)[^\]]*\]([^,\[]*))?", nodes)
    return "".join(part or "" for part in cut.groups())


def bracketed(host):
    """Return the host as it stands in a URL."""
    return "[%s]" % host if ":" in host else host
