"""The helper: one background process a user and cache folder that answers the command line's questions.

A whole ``fourfold search`` is mostly Python starting and an index being opened. The helper has done both: the command
(:mod:`client`) hands over its arguments, its folder, its environment and what its terminal can show, and prints what
comes back. Who asks counts, never the helper's own surroundings (:mod:`world`).

It is never needed. The client runs the program itself, as if there were no helper, wherever one is missing, busy, of
other code, silent, or killed at whatever moment: nothing is printed before the whole answer is there.

::

    client                          helper
      hello (identity of the code)
      arguments, environment, folder, terminal
                                      ready | no | leaving
      go
                                      output, errors ... (and a tick each second)
      interrupt (Ctrl-C)
                                      exit code

Modules that the client loads (:mod:`place`, :mod:`wire`, :mod:`commands`, :mod:`client`) import next to nothing: that
they start quickly is what they are for.
"""
