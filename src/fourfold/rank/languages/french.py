"""French phrasings of intents, written without accents."""

from __future__ import annotations

from fourfold.rank.languages.table import Table, cues

_CHANGE = r"(?:chang\w+|modifi\w+|supprim\w+|renomm\w+|enlev\w+|retir\w+|touch\w+|remplac\w+|deplac\w+|refactor\w+)"
_CALL = (
    r"(?:appell?e(?:nt)?|utilise(?:nt)?|invoque(?:nt)?|importe(?:nt)?|reference(?:nt)?|"
    r"consomme(?:nt)?|instancie(?:nt)?)"
)
_CALLED = r"(?:utilise|appele|invoque|reference|importe|employe|instancie)e?s?"
_NOUN = (
    r"(?:fonctions?|classes?|methodes?|modules?|variables?|types?|constantes?|fichiers?|"
    r"interfaces?|endroits?|tests?)"
)
FRENCH: Table = {
    "find_definition": {
        "cues": cues(
            " ou |definition d|declaration d| la definition| la declaration| quel| montre|"
            " affiche| trouve| cherche| ouvre|implementation d"
        ),
        "strong": (
            r"\bou (?:est|sont|se trouve)(?:-ce que| ce que)? <x> (?:definie?s?|declaree?s?)\b",
            r"\bou (?:est|sont|a ete) (?:definie?s?|declaree?s?)\b",
            r"\bou <x> (?:est|sont)(?:-ils?|-elles?)? (?:definie?s?|declaree?s?)\b",
            r"\bou (?:definit|declare|definissons|declarons)\b",
            r"\b(?:montre|montrez|affiche|trouve|trouver|cherche|voir|aller a|donne)(?:[- "
            r"]moi)? la (?:definition|declaration)\b",
            r"\bquel(?:le)? (?:fichier|module|classe) (?:definit|declare)\b",
        ),
        "weak": (r"\b(?:definition|declaration) (?:de|du|des|d')",),
        "named": (
            r"\bou (?:est|sont)(?:-ce que)? <x> (?:implementee?s?|ecrite?s?|situee?s?|codee?s?)\b",
            r"\b(?:ou|dans quel (?:fichier|module|dossier)) se (?:trouve|situe) <x>$",
            r"\b(?:trouve|trouver|cherche|chercher|montre|affiche|ouvre)(?:[- ]moi)? (?:la |"
            rf"le |l')?{_NOUN} <x>$",
            rf"\bou est (?:la |le |l'){_NOUN} <x>$",
            r"\bimplementation (?:de|d')\s?<x>$",
        ),
        "shaped": (r"^\W*(?:ou est|ou se trouve|trouve|cherche|montre[- ]moi) <x>$",),
    },
    "find_references": {
        "cues": cues(
            " qui | appel| ou | quel| qu est| par qui|utilisation| usage| reference| sous classes| tous les| toutes les"
        ),
        "strong": (
            rf"\bqui (?:est-ce qui )?{_CALL}\b",
            r"\b(?:appelants?|appeleurs?) (?:de|du|d')",
            rf"\bou (?:est|sont)(?:-ce que| ce que)? (?:<x> (?:est |sont )?)?{_CALLED}\b",
            rf"\bou <x> (?:est|sont)(?:-ils?|-elles?)? {_CALLED}\b",
            r"\bou (?:utilise|appelle|invoque|importe)(?:nt|ons)?(?:-t-on|-on)?\b",
            r"\bou est-ce qu(?:e|'on|e l'on|e nous)\b.{0,15}\b(?:utilise|appelle|invoque|importe)",
            rf"\bquel(?:le)?s? (?:{_NOUN}|code) {_CALL}\b",
            rf"\bqu'est-ce qui {_CALL}\b",
            r"\b(?:qui|quel(?:le)?s? (?:classes?|types?)) (?:heritent|herite|implementent|implemente|etendent|etend)\b",
            rf"\bpar qui (?:est|sont)\b.{{0,60}}{_CALLED}\b",
            r"\bto(?:us|utes) les (?:usages|utilisations|appels|references|appelants)\b",
            r"\bsous-classes (?:de|d')",
        ),
        "weak": (
            r"\b(?:utilisations?|usages?) (?:de|du|d')",
            r"\breferences? (?:a|au|vers)\b",
            r"\bappels? (?:a|de|du)\b",
        ),
    },
    "impact_analysis": {
        "cues": cues(
            " si | qui | quoi | quel| rayon | par |consequence|repercussion| effet| risque|"
            " peut on| puis je| on peut| depend d| dependent d| dependants d"
        ),
        "strong": (
            rf"\b(?:que|qu'est-ce qui|qu'est-ce que|ce qui)\b.{{0,40}}\b(?:casse|casserait|"
            r"passe|passe-t-il|passerait|arrive|"
            rf"plante)\b.{{0,20}}\bsi\b.{{0,20}}{_CHANGE}",
            rf"\bsi (?:je|on|nous|l'on|quelqu'un)\b.{{0,12}}{_CHANGE}",
            r"\b(?:qu'est-ce qui|qui|quoi|ce qui|quel(?:le)?s? \w+) depend(?:ent)? (?:de|du|d')",
            r"\brayon d'(?:impact|explosion|action)\b",
            r"\b(?:affectee?s?|impactee?s?|touchee?s?) (?:par|si)\b",
            rf"\b(?:consequences?|repercussions?|effets?|risques?)\b.{{0,30}}{_CHANGE}",
            rf"\b(?:peut-on|puis-je|on peut|sans risque)\b.{{0,20}}{_CHANGE}",
        ),
        "weak": (r"\bdepend(?:ent|ants)? (?:de|du|d')",),
    },
    "find_similar": {
        "cues": cues("similaire|semblable|analogue|equivalent|comparable|pareil| comme |duplique|ressembl"),
        "strong": (
            r"\b(?:similaires?|semblables?|analogues?|equivalente?s?|comparables?|"
            r"pareille?s?) (?:a|au|aux)\b",
            r"\bcode (?:comme|similaire|semblable|duplique)\b",
            rf"\b{_NOUN} (?:comme|similaires?|semblables?)\b",
            r"\bressembl(?:e|ent|ant)\b",
        ),
    },
    "understand_code": {
        "cues": cues(" comment |pourquoi| explique| explication|fonctionnement| a quoi| que fait| decri"),
        "strong": (
            r"^\W*comment (?:est|sont|le|la|les|l'|on|se|s'|ce|ca|faire|un|une|des|fonctionne|"
            r"marche|gere|nous|cette|"
            r"fonctionnent|marchent|\w+-t-)",
            r"\bpourquoi\b",
            r"\bexpli(?:que|quer|quez|cation|que-moi)\b",
            r"\bfonctionnement\b",
            r"\ba quoi sert\b",
            r"\bque fait\b",
            r"\bdecri(?:s|re|vez)\b",
        ),
    },
}
