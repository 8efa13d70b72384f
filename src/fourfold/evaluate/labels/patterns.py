"""What documentation sentences look like: what to strip, what to refuse, which verbs they begin with. Data only."""

from __future__ import annotations

import re

MARKED_LINES = re.compile(
    r"^\s*[@\\](?:function|struct|enum|macro|union|functypedef|file|fn|internal|class)\b.*\n?", re.M
)
BRIEF = re.compile(r"[@\\](?:brief|short|abstract)\b\s*")
REFERENCE = re.compile(r"<(?:see|seealso|paramref|typeparamref)\s+\w+=\"(?:\w:)?(?:[^\"]*[.])?([^\".]+)\"\s*/>")
CODE_MARKS = re.compile(r"[@\\][cpa]\s+(?=\w)")
HASKELL_QUOTES = re.compile(r"(?<!\w)[tvm]?['\"]([\w.]+)['\"](?!\w)|@([^@\n]+)@")
THING = (
    r"(?:package|module|file|header|header file|class|interface|struct|structure|type|trait|object|method|function|"
    r"macro|namespace|protocol|annotation|behaviour|exception|command|enum|helper|utility|widget|rule|component|"
    r"hook)"
)
SAYS = (
    r"(?:is an?|is the|is|provides|contains|defines|implements|declares|describes|represents|holds|can be used to|"
    r"is used to|is used for|is responsible for|will|exposes|encapsulates|lets you|allows you to|allows to)"
)
SELF = re.compile(
    rf"^(?:package [\w/.]+ (?:{SAYS} )?"
    rf"|(?:an? |the |this )?(?:[\w.:]+ )?{THING} (?:(?:that|which) (?:{SAYS} )?|{SAYS} )"
    rf"|this {THING} (?=\w+s )|it {SAYS} )",
    re.I,
)
"""How a documentation speaks of what it documents before it says anything."""
FILE_NAME = re.compile(r"^(?:frozen_string_literal: \w+ |[\w./-]+\.\w{1,4}\s*[:-]+\s*|[A-Z]\w+:\s+(?=[A-Z]))")
DULL = re.compile(
    r"^(?:(?:public |default |the |copy |move )*constructor|(?:no-?op|stub)\b|getters?\b|setters?\b|"
    r"construct an instance|creates? (?:an? )?(?:new )?(?:empty )?instance|gets? or sets?|(?:set|get|"
    r"return)s? the \w+(?: property| value| field)?$)|^(?:not?|if|when|otherwise|but|see|for|because|since|only|same|"
    r"as|like|similar|below|above|also|needed|now|then|here|unlike|instead|most|used|on|in|with|these|that|it|there|"
    r"they|what|must|should|can|may|copied|taken|based|adapted|version|variant|alternative|currently|temporary|"
    r"deprecated|todo|called|invoked|triggered|so|and|or|to be|assumes?|safety|panics|due|unfortunately|ok|okay|yes|"
    r"hack|workaround|maybe|default:?)\b|\b(?:lorem|xxx|hack|workaround|actually|we|we're|i|i'm|our|let's|ugly|"
    r"stackoverflow|was introduced|this file was)\b|not (?:part of|intended)|do not use|https?://|^\W|"
    r"\bfor (?:testing|internal)\b|\boverride[sd]?\b",
    re.I,
)
HANGING = re.compile(
    r"\b(?:and|or|the|an?|of|to|for|with|by|in|on|from|that|which|is|are|e\.g|i\.e|etc|vs|if|as|only|given)$",
    re.I,
)
"""A last word that shows the sentence to be torn."""
NEXT_SENTENCE = re.compile(
    r"\.\s+[A-Z].*$|\s[A-Z]\w+:\s.*$|(?<=[a-z]) (?:If|The|This|For|It|When|To|In|Note|Returns?|We|You|Also|See|Each|"
    r"By)\s.*$"
)
GIVEN = re.compile(r"\b(the|an?) (?:given|specified|provided|supplied) (?=\w)", re.I)
DULL_OPENING = re.compile(
    r"^(?:returns?|gets?|sets?|represents?|provides?|defines?|holds?|contains?|takes?|describes?|responsible for|"
    r"keeps? track of)\s+",
    re.I,
)
FILLERS = frozenset(
    "than so any given should each all they because no but only some must may might also could would being been was "
    "were which whose whether such other own same just even still until while since between both either neither new "
    "will cannot can't don't doesn't isn't true false null nil otherwise specified provided represented called one "
    "two between about after before over under where when instead like etc let lets allow allows actual "
    "well".split()
)
"""Words that a keyword query leaves out, beside the stop words."""
SIGNATURE_LIKE = re.compile(r"[{}=;|]|::\s*\w|=>|\(\s*\w+\s*,")
VERBS = dict(
    pair.split(":")
    for pair in (
        "adds:add appends:append applies:apply builds:build calculates:calculate checks:check clears:clear "
        "closes:close collects:collect compares:compare compiles:compile computes:compute configures:configure "
        "connects:connect converts:convert copies:copy creates:create decodes:decode deletes:delete "
        "determines:determine disables:disable emits:emit enables:enable encodes:encode ensures:ensure "
        "evaluates:evaluate executes:execute extracts:extract fetches:fetch fills:fill filters:filter finds:find "
        "flushes:flush formats:format generates:generate handles:handle inserts:insert installs:install "
        "invokes:invoke joins:join loads:load maps:map matches:match merges:merge modifies:modify moves:move "
        "normalizes:normalize notifies:notify opens:open parses:parse performs:perform prints:print "
        "processes:process reads:read receives:receive records:record registers:register releases:release "
        "removes:remove renders:render replaces:replace resets:reset resolves:resolve restores:restore runs:run "
        "saves:save schedules:schedule scrolls:scroll searches:search selects:select sends:send "
        "serializes:serialize skips:skip sorts:sort splits:split starts:start stops:stop stores:store "
        "strips:strip transforms:transform translates:translate traverses:traverse updates:update "
        "validates:validate verifies:verify waits:wait walks:walk wraps:wrap writes:write"
    ).split()
)
"""Verbs that open a documentation sentence, with the form that a question has."""
BARE_VERBS = frozenset(VERBS.values())
