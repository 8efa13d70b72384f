"""The progress line: drawn on a terminal only, fitted, replaced by a summary."""

from __future__ import annotations

import io

from fourfold.interfaces.cli.progress import REDRAW_S, ProgressLine, progress_text
from fourfold.interfaces.cli.terminal import Terminal
from fourfold.model.report import Progress

MIDDLE = Progress("index", 1240, 2818, chunks=9812, lines=93_000, seconds=3.0)
END = Progress("index", 2818, 2818, chunks=22_000, lines=210_000, seconds=6.8)


def line_on(tty: bool, columns: int = 100, quiet: bool = False) -> tuple[ProgressLine, io.StringIO, list[float]]:
    stream, now = io.StringIO(), [0.0]
    terminal = Terminal(stream, columns=columns if tty else None, tty=tty)
    return ProgressLine(terminal, "django", quiet=quiet, clock=lambda: now[0]), stream, now


def test_the_line_says_counts_speed_and_time_left() -> None:
    expected = "indexing  django  1,240/2,818 files · 9,812 chunks · 31,000 lines/s · 4 s left"
    assert progress_text(MIDDLE, "django") == expected


def test_a_scan_of_unknown_length() -> None:
    assert progress_text(Progress("scan", 12, 0), "x") == "scanning  x  12 files"


def test_on_a_terminal_the_line_is_rewritten_and_fits() -> None:
    progress, stream, _ = line_on(tty=True, columns=40)
    progress(MIDDLE)
    text = stream.getvalue()
    assert text.startswith("\rindexing  django")
    assert len(text.removeprefix("\r").removesuffix("\x1b[K")) < 40
    assert "\n" not in text


def test_on_a_pipe_nothing_is_drawn_but_the_summary() -> None:
    progress, stream, _ = line_on(tty=False)
    progress(MIDDLE)
    progress(END)
    assert stream.getvalue() == ""
    progress.finish()
    assert stream.getvalue() == "indexed django: 2,818 files · 22,000 chunks · 210,000 lines in 6.8 s\n"


def test_short_work_leaves_no_trace() -> None:
    progress, stream, _ = line_on(tty=True)
    progress(Progress("index", 1, 2, seconds=0.01))
    progress(Progress("index", 2, 2, seconds=0.02))
    progress.finish()
    assert stream.getvalue() == ""


def test_work_without_a_file_to_index_has_no_summary() -> None:
    progress, stream, _ = line_on(tty=False)
    progress(Progress("scan", 9000, 9000, seconds=2.0))
    progress.finish()
    assert stream.getvalue() == ""


def test_the_line_is_redrawn_at_most_so_often_but_the_end_is_shown() -> None:
    progress, stream, now = line_on(tty=True)
    for _ in range(50):
        progress(MIDDLE)
    assert stream.getvalue().count("\r") == 1
    progress(END)
    assert stream.getvalue().count("\r") == 2
    now[0] += REDRAW_S
    progress(MIDDLE)
    assert stream.getvalue().count("\r") == 3


def test_the_line_is_removed_before_the_summary_and_quiet_is_quiet() -> None:
    progress, stream, _ = line_on(tty=True)
    progress(MIDDLE)
    progress.finish()
    assert stream.getvalue().split("\r")[-1].startswith("\x1b[Kindexed django")
    progress, stream, _ = line_on(tty=True, quiet=True)
    progress(MIDDLE)
    progress.finish()
    assert stream.getvalue() == ""


def test_a_hostile_folder_name_cannot_steer_the_terminal() -> None:
    stream = io.StringIO()
    ProgressLine(Terminal(stream, columns=80, tty=True), "x\x1b[31m\n")(MIDDLE)
    assert "x\\x1b[31m\\n" in stream.getvalue()
