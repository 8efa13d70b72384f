"""Spanish phrasings of intents, written without accents."""

from __future__ import annotations

from fourfold.rank.languages.table import Table, cues

_CHANGE = (
    r"(?:cambi\w+|modific\w+|modifiqu\w+|elimin\w+|borr\w+|renombr\w+|quit\w+|toc\w+|toqu\w+|"
    r"refactoriz\w+|reemplaz\w+|"
    r"sustitu\w+|mov\w+|muev\w+)"
)
_CALL = r"(?:llaman?|usan?|utilizan?|invocan?|importan?|referencian?|consumen?|instancian?)"
_NOUN = (
    r"(?:funcion(?:es)?|clases?|metodos?|modulos?|variables?|interfaz|interfaces|tipos?|"
    r"constantes?|archivos?|tests?)"
)
SPANISH: Table = {
    "find_definition": {
        "cues": cues(
            "donde| quien define| que archivo| que fichero| que modulo| que carpeta| que clase|definicion|"
            "declaracion| busca| encuentra| encontrar| muestra| abre|implementacion"
        ),
        "strong": (
            r"\b(?:a?donde) (?:se |esta |estan |es |fue )?(?:definen?|definid[oa]s?|declaran?|"
            r"declarad[oa]s?)\b",
            r"\b(?:a?donde) <x> (?:se |esta |estan )?(?:definen?|definid[oa]s?|declaran?|declarad[oa]s?)\b",
            r"\b(?:en )?que (?:archivo|fichero|modulo|clase) (?:se )?(?:define|declara|esta definid[oa])\b",
            r"\b(?:muestra|muestrame|ver|encuentra|busca|buscar|ir a|ve a|dame) la "
            r"(?:definicion|declaracion)\b",
            r"\bquien define\b",
        ),
        "weak": (r"\b(?:definicion|declaracion) (?:de|del)\b",),
        "named": (
            r"\ben que (?:archivo|fichero|modulo|carpeta) (?:esta|vive|se encuentra) <x>$",
            r"\b(?:a?donde) (?:se |esta |estan )?(?:implementa|implementad[oa]s?|ubicad[oa]s?|"
            r"vive|encuentra) <x>$",
            rf"\b(?:busca|buscar|encuentra|encontrar|muestra|muestrame|abre) (?:la |el )?{_NOUN} <x>$",
            rf"\b(?:a?donde) esta (?:la |el )?{_NOUN} <x>$",
            r"\bimplementacion de <x>$",
        ),
        "shaped": (r"^\W*(?:a?donde esta|busca|buscar|encuentra|muestrame) <x>$",),
    },
    "find_references": {
        "cues": cues(" quien|llamadores|donde| que | cuales | lugares|usos| uso |llamadas|referencias|subclases"),
        "strong": (
            rf"\bquien(?:es)? {_CALL}\b",
            r"\bllamadores de\b",
            r"\b(?:quien|que) (?:hace|hacen) (?:uso|referencia)\b",
            rf"\b(?:a?donde) (?:es |son |se |esta |estan |esta siendo )?(?:{_CALL}|"
            r"usad[oa]s?|utilizad[oa]s?|"
            r"llamad[oa]s?|invocad[oa]s?|importad[oa]s?|referenciad[oa]s?)\b",
            r"\b(?:a?donde) <x> (?:es|son|se|esta) (?:usa|utiliza|llama|usad[oa]|utilizad[oa]|"
            r"llamad[oa])s?\b",
            r"\b(?:a?donde) (?:usamos|llamamos|utilizamos|invocamos|importamos)\b",
            rf"\b(?:que|cuales) (?:{_NOUN}|codigo|partes?|lugares) {_CALL}\b",
            rf"\b(?:desde|en) (?:donde|que lugares) se {_CALL}\b",
            r"\btod[oa]s l[oa]s (?:usos|llamadas|referencias)\b",
            r"\bsubclases de\b",
            r"\b(?:quien(?:es)?|(?:que|cuales) (?:clases?|tipos?)) (?:heredan?|extienden?|implementan?)\b",
        ),
        "weak": (r"\b(?:usos de|referencias a|llamadas a|uso de)\b",),
    },
    "impact_analysis": {
        "cues": cues(
            " que | radio |afectad| seguro | puedo | podemos |consecuencias|efecto|riesgo|impacto|dependientes|dependen"
        ),
        "strong": (
            r"\bque (?:se )?(?:rompe|rompo|romperia|rompera|pasa|pasaria|ocurre|ocurriria|"
            rf"sucede|falla|fallaria)\b.{{0,30}}"
            rf"\bsi\b.{{0,20}}{_CHANGE}",
            rf"\bsi (?:yo )?(?:\w+ )?{_CHANGE}.*\bque (?:se )?(?:rompe|pasa|afecta|falla)\b",
            r"\bque (?:partes? |codigo |cosas |modulos )?(?:depende|dependen) de\b",
            r"\bradio de (?:explosion|impacto)\b",
            r"\b(?:se ve|se ven|seria|serian|es|son|queda|quedan|resulta) afectad[oa]s?\b",
            rf"\bque (?:cosas )?(?:afecta|afectaria|implica) {_CHANGE}",
            rf"\b(?:es seguro|puedo|podemos) {_CHANGE}",
            rf"\b(?:consecuencias|efectos?|riesgos?) de {_CHANGE}",
        ),
        "weak": (r"\bimpacto\b", r"\bdependientes de\b", r"\bdependen de\b"),
    },
    "find_similar": {
        "cues": cues("similar|parecid|semejante|equivalente|analog| como |parece|duplicado"),
        "strong": (
            r"\b(?:similar(?:es)?|parecid[oa]s?|semejantes?|equivalentes?|analog[oa]s?) (?:a|al)\b",
            r"\bcodigo (?:como|similar|parecido|duplicado)\b",
            rf"\b(?:{_NOUN}|algo) (?:como|similar(?:es)?|parecid[oa]s?)\b",
            r"\bse parecen? a\b",
        ),
    },
    "understand_code": {
        "cues": cues(
            " como | por que | porque | explic| explique|arquitectura| que hace| descri| para que |funcionamiento"
        ),
        "strong": (
            r"\bcomo\b",
            r"\b(?:por que|porque)\b",
            r"\bexpli(?:ca|came|car|que|cacion)\b",
            r"\barquitectura\b",
            r"\bque hace\b",
            r"\bdescri(?:be|bir|beme)\b",
            r"\bpara que sirve\b",
            r"\bfuncionamiento\b",
        ),
    },
}
