"""What rules about the loader's search path share: whose folder it is, and how to drop it."""

from codeblue.model.facts import Loader
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import message


def folder(path: str) -> str:
    """Return the folder of a file, without a trailing slash."""
    return path.rpartition("/")[0].rstrip("/")


def under(path: str, word: str) -> bool:
    """True if one of the folders above the file has ``word`` in its name."""
    return any(word in part for part in path.split("/")[:-1])


def drop(guilty: str, loader: Loader) -> Remedy:
    """Take the folder ``guilty`` out of LD_LIBRARY_PATH, or out of the loader's cache."""
    kept = [entry for entry in loader.search_path if entry.rstrip("/") != guilty]
    if len(kept) == len(loader.search_path):
        return _out_of_cache(guilty)
    return Remedy(
        message("take {folder} out of LD_LIBRARY_PATH", "从 LD_LIBRARY_PATH 中去掉 {folder}", folder=guilty),
        (_shorter_path(kept),),
        Automation.APPROVAL,
        Undo.EXACT,
    )


def _shorter_path(kept: list[str]) -> Step:
    why = message("this folder is searched before the right one", "这个目录排在正确的目录之前，会先被搜索到")
    if not any(kept):
        return Step(Verb.ENV_UNSET, why, {"name": "LD_LIBRARY_PATH"})
    return Step(Verb.ENV_SET, why, {"name": "LD_LIBRARY_PATH", "value": ":".join(kept)})


def _out_of_cache(guilty: str) -> Remedy:
    find = message(
        "remove the line {folder} from the file under /etc/ld.so.conf.d that names it",
        "在 /etc/ld.so.conf.d 下找到写着 {folder} 的文件，删去这一行",
        folder=guilty,
    )
    rebuild = message("rebuild the cache of the loader", "重建加载器缓存")
    return Remedy(
        message("take {folder} out of the loader's cache", "从加载器缓存中去掉 {folder}", folder=guilty),
        (Step(Verb.INSTRUCT, find), Step(Verb.LDCONFIG, rebuild)),
        Automation.APPROVAL,
        Undo.COMPENSATING,
    )
