"""What pip itself makes of requirement files: run by the tests, in a process of its own."""

import json
import re
import sys
import warnings

Row = tuple[str, list[str], int]


def rows(path: str) -> list[Row] | str:
    """Return name, specifiers and line of everything that applies here, or pip's refusal."""
    from pip._internal.exceptions import PipError
    from pip._internal.network.session import PipSession
    from pip._internal.req.constructors import install_req_from_parsed_requirement
    from pip._internal.req.req_file import parse_requirements

    found: list[Row] = []
    try:
        for one in parse_requirements(path, PipSession()):
            made = install_req_from_parsed_requirement(one)
            if made.req is not None and made.match_markers():
                line = int(re.findall(r"line (\d+)", one.comes_from)[-1])
                name = re.sub("[-_.]+", "-", made.req.name).lower()
                found.append((name, sorted(str(part) for part in made.req.specifier), line))
    except PipError as refused:
        return str(refused)
    return found


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    sys.stdout.write(json.dumps({path: rows(path) for path in sys.argv[1:]}))
