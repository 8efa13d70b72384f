"""Makes shared test helpers importable (``from tests.contract.batches import ...``) by plain ``pytest``."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = str(Path(__file__).resolve().parent.parent)
if ROOT not in sys.path:
    sys.path.insert(0, ROOT)
