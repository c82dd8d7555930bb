"""The catalogue: everything codeblue can say, one fault per file, one line each here.

A fault with a check is a module; one that is known by its log line alone is a Markdown
file with metadata in front. ``make index`` builds ``index.json`` from this list.
"""

CATALOGUE = (
    "device_access/device_node_permissions",
    "libraries/cuda_init_failed",
    "application/index_out_of_range_on_gpu",
)
