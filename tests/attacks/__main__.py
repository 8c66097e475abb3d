"""Print the table of attacks and defences: `python -m tests.attacks`; `--survivors` names what passes everything."""

from __future__ import annotations

import sys

from tests.attacks.table import as_markdown, effective, measured


def main(arguments: list[str]) -> None:
    """Measure and print."""
    runs = measured()
    print(as_markdown(runs))
    if "--survivors" in arguments:
        for name in ("full, outside", "full, inside"):
            passing = [attack for attack in effective(runs) if runs[name][attack][True].passed]
            print(f"\n{name}: {len(passing)} pass\n{' '.join(passing)}")
    if "--stopped" in arguments:
        for name in ("cover", "quotes"):
            held = [attack for attack in effective(runs) if not runs[name][attack][False].passed]
            print(f"\n{name}: {len(held)} stopped")
            for attack in held:
                print(attack, runs[name][attack][False])
        print("\nwithout effect:", *(name for name in runs["none"] if name not in effective(runs)))


if __name__ == "__main__":
    main(sys.argv[1:])
