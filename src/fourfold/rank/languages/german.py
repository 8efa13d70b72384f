"""German phrasings of intents, written without accents."""

from __future__ import annotations

from fourfold.rank.languages.table import Table, cues

_CHANGE = (
    r"(?:ander\w*|aender\w*|losch\w*|loesch\w*|entfern\w*|umbenenn\w*|ersetz\w*|geander\w*|"
    r"gelosch\w*|anfass\w*|anpass\w*)"
)
_CALL = (
    r"(?:verwende[nt]?|benutz(?:t|en)|nutz(?:t|en)|importier(?:t|en)|referenzier(?:t|en)|"
    r"ruf(?:t|en)|instanziier(?:t|en)|braucht)"
)
_CALLED = r"(?:verwendet|benutzt|aufgerufen|genutzt|referenziert|importiert|gebraucht|instanziiert|eingesetzt)"
_NOUN = (
    r"(?:funktion(?:en)?|klassen?|methoden?|module?|variablen?|typ(?:en)?|konstanten?|"
    r"datei(?:en)?|schnittstellen?|stellen|tests?)"
)
GERMAN: Table = {
    "find_definition": {
        "cues": cues(
            " wo | zeig| finde| such| offne| spring| geh| welche| wer definiert|definition von|"
            "definition der|definition des|deklaration von|deklaration der|deklaration des|"
            "definitionsstelle|implementierung"
        ),
        "strong": (
            r"\bwo (?:ist|sind|wird|werden|wurde) <x> (?:definiert|deklariert)\b",
            r"\bwo (?:definieren|deklarieren) wir\b",
            r"\b(?:zeig|zeige|finde|such|suche|offne|spring|gehe?)(?: mir)?(?: zur?)? (?:die |"
            r"der )?(?:definition|deklaration)\b",
            r"\b(?:welche|in welcher) (?:datei|klasse) (?:definiert|deklariert|ist .* definiert)\b",
            r"\bwer definiert\b",
        ),
        "weak": (r"\b(?:definition|deklaration) (?:von|der|des)\b", r"\b(?:definitionsstelle)\b"),
        "named": (
            r"\bwo (?:ist|sind|wird|werden) <x> (?:implementiert|umgesetzt|zu finden|geschrieben)\b",
            r"\b(?:wo|in welche[mr] (?:datei|modul|ordner|paket)) (?:steht|liegt|befindet sich) <x>$",
            rf"\b(?:finde|such|suche|zeig|zeige|offne)(?: mir)? (?:die |den |das )?{_NOUN} <x>$",
            rf"\bwo ist (?:die |der |das )?{_NOUN} <x>$",
            r"\bimplementierung von <x>$",
        ),
        "shaped": (r"^\W*(?:wo ist|wo finde ich|finde|suche|zeig mir|zeige) <x>$",),
    },
    "find_references": {
        "cues": cues(
            " wer |aufruf| wo | welche| was verwende| was benutz| was nutz| was import|"
            " was refer| was ruf| was instanz| was braucht| wird |stellen|unterklassen|"
            "verwendung|nutzung|referenzen"
        ),
        "strong": (
            rf"\bwer {_CALL}\b",
            r"\baufrufer (?:von|der|des|fur)\b",
            rf"\bwo (?:uberall )?(?:wird|werden|ist|sind|wurde) <x> (?:uberall |noch |alles )?{_CALLED}\b",
            rf"\bwo {_CALL} (?:wir|man|ich)\b",
            rf"\b(?:welche|welcher|welches) (?:{_NOUN}|code) {_CALL}\b",
            rf"\bwas {_CALL}\b",
            rf"\bvon (?:wem|wo) (?:aus )?wird <x> {_CALLED}\b",
            rf"\bwird <x> (?:irgendwo|noch|uberhaupt) {_CALLED}\b",
            r"\balle (?:verwendungen|aufrufe|aufrufer|referenzen|nutzungen|verwendungsstellen|"
            r"aufrufstellen)\b",
            r"\b(?:verwendungsstellen|aufrufstellen|unterklassen)\b",
            r"\b(?:wer|welche (?:klassen?|typen?)) (?:erben|erbt|implementieren|implementiert|erweitern|erweitert)\b",
        ),
        "weak": (r"\b(?:verwendung|verwendungen|nutzung|aufrufe) (?:von|der|des)\b", r"\breferenzen auf\b"),
    },
    "impact_analysis": {
        "cues": cues(
            " was g| was b| was p| was w| was f| wenn | hang|betroffen|beeinflusst| kann | darf |"
            "folgen|risiko|konsequenzen|auswirkung|abhangig"
        ),
        "strong": (
            r"\bwas (?:geht|ginge|bricht|brache|passiert|passierte|wurde|fallt|"
            rf"ware)\b.{{0,40}}\bwenn\b.{{1,80}}{_CHANGE}",
            rf"\bwenn (?:ich|wir|man|jemand)\b.{{1,80}}{_CHANGE}",
            r"\bwas geht kaputt\b",
            r"\b(?:was|wer|welche \w+) (?:alles )?(?:hangt|hangen)\b.*\bab\b",
            r"\b(?:betroffen|beeinflusst)\b",
            rf"\b(?:kann|darf) (?:ich|man|wir)\b.{{1,60}}{_CHANGE}",
            rf"\b(?:folgen|risiko|konsequenzen)\b.{{0,30}}{_CHANGE}",
        ),
        "weak": (r"\bauswirkung(?:en)?\b", r"\babhangig(?:keiten)? von\b"),
    },
    "find_similar": {
        "cues": cues("ahnlich| wie | ahnel| gleicht|vergleichbar|duplikate|kopien|dubletten"),
        "strong": (
            r"\bahnlich(?:e|er|es|en|em)?\b",
            rf"\b(?:code|{_NOUN}|etwas|sowas|so was) wie\b",
            r"\b(?:ahnelt|ahneln|gleicht)\b",
            r"\b(?:vergleichbar(?:e|er|es)?|duplikate|kopien|dubletten)\b",
        ),
    },
    "understand_code": {
        "cues": cues(
            " wie | warum | wieso | weshalb | erklar|architektur|funktionsweise| was macht| was tut| beschreib| wozu "
        ),
        "strong": (
            r"\bwie\b",
            r"\b(?:warum|wieso|weshalb)\b",
            r"\berklar(?:e|en|ung|t)?\b",
            r"\barchitektur\b",
            r"\bfunktionsweise\b",
            r"\bwas (?:macht|tut)\b",
            r"\bbeschreib(?:e|en|ung)?\b",
            r"\bwozu\b",
        ),
    },
}
