"""Tables with source and date for every row, and the questions rules ask of them."""

from codeblue.knowledge.codes import cuda_error, nvml_error, sxid, xid
from codeblue.knowledge.tables import DATE, table

__all__ = ["DATE", "cuda_error", "nvml_error", "sxid", "table", "xid"]
