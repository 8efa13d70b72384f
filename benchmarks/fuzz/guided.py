"""``python -m benchmarks.fuzz.guided TARGET [--minutes N]``: inputs that follow what code they reach, by atheris.

Needs ``pip install atheris``. Begins from the corpus of the target in ``benchmarks/fuzz/corpus``; what reaches more is
kept in a temporary folder while it runs. A finding is printed as the bytes that make it, and becomes a file of the
corpus when it is mended: ``tests/fuzz`` tries all of these.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

CORPUS = Path(__file__).with_name("corpus")
LONGEST = 4_096
LOOK = 50
"""Inputs between two looks at the clock."""


def main() -> None:
    """Fuzz one target for so much processor time; the exit code is 1 where something was found."""
    import atheris  # type: ignore[import-untyped]

    parser = argparse.ArgumentParser(prog="python -m benchmarks.fuzz.guided", description=str(__doc__).split("\n\n")[0])
    parser.add_argument("target")
    parser.add_argument("--minutes", type=float, default=5.0, help="processor minutes (default: 5)")
    given = parser.parse_args()
    with atheris.instrument_imports(include=["fourfold"]):
        from benchmarks.fuzz.targets import TARGETS, timely
        from fourfold.model.errors import FourfoldError

        target = TARGETS[given.target]
        check = timely(target.check)
        folder = tempfile.mkdtemp(prefix="ff")
        for path in sorted((CORPUS / given.target).glob("*")):
            shutil.copy(path, folder)
        with contextlib.suppress(FourfoldError):
            target.check(target.of_bytes(b""))  # what is made once is no input's time
        count, began = 0, time.process_time()

        def end(finding: str = "") -> None:
            seconds = time.process_time() - began
            kept = len(list(Path(folder).iterdir()))
            told = f"{count:9,} inputs {seconds:7.1f} s of CPU, {kept:,} kept, {bool(finding):d} findings"
            print(f"{given.target:10} {told}")
            if finding:
                print(f"    {finding}")
            sys.stdout.flush()
            shutil.rmtree(folder, ignore_errors=True)
            os._exit(bool(finding))

        def one(data: bytes) -> None:
            nonlocal count
            count += 1
            try:
                check(target.of_bytes(data))
            except Exception as error:
                end(f"{type(error).__name__}: {str(error)[:300]} for {data!r}")
            if count % LOOK == 0 and time.process_time() - began > given.minutes * 60:
                end()

        options: list[Any] = [sys.argv[0], f"-max_len={LONGEST}", "-verbosity=0", f"-artifact_prefix={folder}/", folder]
        atheris.Setup(options, one)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
