"""Write docs/openapi.json anew: `python tests/functions/openapi.py`."""

from __future__ import annotations

import json
from pathlib import Path

from glassbox.adapters.aws.openapi import document

PLACE = Path(__file__).resolve().parents[2] / "docs" / "openapi.json"


def main() -> None:
    """Write the document as it is served."""
    PLACE.write_text(json.dumps(document(), indent=1, ensure_ascii=False) + "\n", "utf-8")
    print(f"{PLACE.name}: {PLACE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
