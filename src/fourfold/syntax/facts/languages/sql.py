"""SQL: functions by call, tables by mention."""

from __future__ import annotations

from fourfold.syntax.facts.rules import Rules

_OWN_CALLS = """
    count sum avg min max coalesce nullif lower upper length substring substr trim ltrim rtrim replace round abs ceil
    floor now current_timestamp date_trunc extract cast concat greatest least row_number rank dense_rank lag lead
    first_value last_value array_agg string_agg json_agg jsonb_agg json_build_object jsonb_build_object to_char to_date
    to_timestamp date datetime strftime ifnull isnull generate_series unnest exists nextval currval setval random
"""
_QUOTES = str.maketrans("", "", '"`[]')


def _clean(name: str) -> str:
    return name.translate(_QUOTES)


RULES = Rules(
    clean=_clean,
    selves=frozenset(),
    ignored_calls=frozenset(_OWN_CALLS.split()) | frozenset(_OWN_CALLS.upper().split()),
)
