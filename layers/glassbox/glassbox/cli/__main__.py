"""`python -m glassbox.cli` is the `glassbox` command."""

from __future__ import annotations

from glassbox.cli.main import main

if __name__ == "__main__":
    main()
