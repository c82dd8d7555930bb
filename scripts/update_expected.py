"""Write ``tests/expected`` anew; read the difference before you commit it."""

from pathlib import Path

from tests.test_reports import EXPECTED, rendered


def main() -> None:
    """Write every expected report."""
    folder = Path(__file__).parent.parent / "tests" / "expected"
    for name in EXPECTED:
        (folder / name).write_text(rendered(name), encoding="utf-8")


if __name__ == "__main__":
    main()
