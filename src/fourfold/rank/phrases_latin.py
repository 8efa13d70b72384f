"""Spanish, German, French and Indonesian phrasings of intents, written without accents. Data only; see
`phrases`."""

from __future__ import annotations

_ES_CHANGE = (
    r"(?:cambi\w+|modific\w+|modifiqu\w+|elimin\w+|borr\w+|renombr\w+|quit\w+|toc\w+|toqu\w+|"
    r"refactoriz\w+|reemplaz\w+|"
    r"sustitu\w+|mov\w+|muev\w+)"
)
_ES_CALL = r"(?:llaman?|usan?|utilizan?|invocan?|importan?|referencian?|consumen?|instancian?)"
_ES_NOUN = (
    r"(?:funcion(?:es)?|clases?|metodos?|modulos?|variables?|interfaz|interfaces|tipos?|"
    r"constantes?|archivos?|tests?)"
)
SPANISH: dict[str, dict[str, tuple[str, ...]]] = {
    "find_definition": {
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
            r"\b(?:a?donde) (?:se |esta |estan )?(?:implementa|implementad[oa]s?|ubicad[oa]s?|"
            r"vive|encuentra) <x>$",
            rf"\b(?:busca|buscar|encuentra|encontrar|muestra|muestrame|abre) (?:la |el )?{_ES_NOUN} <x>$",
            rf"\b(?:a?donde) esta (?:la |el )?{_ES_NOUN} <x>$",
            r"\bimplementacion de <x>$",
        ),
        "shaped": (r"^\W*(?:a?donde esta|busca|buscar|encuentra|muestrame) <x>$",),
    },
    "find_references": {
        "strong": (
            rf"\bquien(?:es)? {_ES_CALL}\b",
            r"\bllamadores de\b",
            r"\b(?:quien|que) (?:hace|hacen) (?:uso|referencia)\b",
            rf"\b(?:a?donde) (?:es |son |se |esta |estan |esta siendo )?(?:{_ES_CALL}|"
            r"usad[oa]s?|utilizad[oa]s?|"
            r"llamad[oa]s?|invocad[oa]s?|importad[oa]s?|referenciad[oa]s?)\b",
            r"\b(?:a?donde) <x> (?:es|son|se|esta) (?:usa|utiliza|llama|usad[oa]|utilizad[oa]|"
            r"llamad[oa])s?\b",
            r"\b(?:a?donde) (?:usamos|llamamos|utilizamos|invocamos|importamos)\b",
            rf"\b(?:que|cuales) (?:{_ES_NOUN}|codigo|partes?|lugares) {_ES_CALL}\b",
            rf"\b(?:desde|en) (?:donde|que lugares) se {_ES_CALL}\b",
            r"\btod[oa]s l[oa]s (?:usos|llamadas|referencias)\b",
            r"\bsubclases de\b",
        ),
        "weak": (r"\b(?:usos de|referencias a|llamadas a|uso de)\b",),
    },
    "impact_analysis": {
        "strong": (
            r"\bque (?:se )?(?:rompe|rompo|romperia|rompera|pasa|pasaria|ocurre|ocurriria|"
            rf"sucede|falla|fallaria)\b.{{0,30}}"
            rf"\bsi\b.{{0,20}}{_ES_CHANGE}",
            rf"\bsi (?:yo )?(?:\w+ )?{_ES_CHANGE}.*\bque (?:se )?(?:rompe|pasa|afecta|falla)\b",
            r"\bque (?:partes? |codigo |cosas |modulos )?(?:depende|dependen) de\b",
            r"\bradio de (?:explosion|impacto)\b",
            r"\b(?:se ve|se ven|seria|serian|es|son|queda|quedan|resulta) afectad[oa]s?\b",
            rf"\bque (?:cosas )?(?:afecta|afectaria|implica) {_ES_CHANGE}",
            rf"\b(?:es seguro|puedo|podemos) {_ES_CHANGE}",
            rf"\b(?:consecuencias|efectos?|riesgos?) de {_ES_CHANGE}",
        ),
        "weak": (r"\bimpacto\b", r"\bdependientes de\b", r"\bdependen de\b"),
    },
    "find_similar": {
        "strong": (
            r"\b(?:similar(?:es)?|parecid[oa]s?|semejantes?|equivalentes?|analog[oa]s?) (?:a|al)\b",
            r"\bcodigo (?:como|similar|parecido|duplicado)\b",
            rf"\b(?:{_ES_NOUN}|algo) (?:como|similar(?:es)?|parecid[oa]s?)\b",
            r"\bse parecen? a\b",
        ),
    },
    "understand_code": {
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

_DE_CHANGE = (
    r"(?:ander\w*|aender\w*|losch\w*|loesch\w*|entfern\w*|umbenenn\w*|ersetz\w*|geander\w*|"
    r"gelosch\w*|anfass\w*|anpass\w*)"
)
_DE_CALL = (
    r"(?:verwende[nt]?|benutz(?:t|en)|nutz(?:t|en)|importier(?:t|en)|referenzier(?:t|en)|"
    r"ruf(?:t|en)|instanziier(?:t|en)|braucht)"
)
_DE_CALLED = (
    r"(?:verwendet|benutzt|aufgerufen|genutzt|referenziert|importiert|gebraucht|instanziiert|eingesetzt)"
)
_DE_NOUN = (
    r"(?:funktion(?:en)?|klassen?|methoden?|module?|variablen?|typ(?:en)?|konstanten?|"
    r"datei(?:en)?|schnittstellen?|stellen|tests?)"
)
GERMAN: dict[str, dict[str, tuple[str, ...]]] = {
    "find_definition": {
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
            r"\bwo (?:steht|liegt|befindet sich) <x>$",
            rf"\b(?:finde|such|suche|zeig|zeige|offne)(?: mir)? (?:die |den |das )?{_DE_NOUN} <x>$",
            rf"\bwo ist (?:die |der |das )?{_DE_NOUN} <x>$",
            r"\bimplementierung von <x>$",
        ),
        "shaped": (r"^\W*(?:wo ist|wo finde ich|finde|suche|zeig mir|zeige) <x>$",),
    },
    "find_references": {
        "strong": (
            rf"\bwer {_DE_CALL}\b",
            r"\baufrufer (?:von|der|des|fur)\b",
            rf"\bwo (?:uberall )?(?:wird|werden|ist|sind|wurde) <x> (?:uberall |noch |alles )?{_DE_CALLED}\b",
            rf"\bwo {_DE_CALL} (?:wir|man|ich)\b",
            rf"\b(?:welche|welcher|welches) (?:{_DE_NOUN}|code) {_DE_CALL}\b",
            rf"\bwas {_DE_CALL}\b",
            rf"\bvon (?:wem|wo) (?:aus )?wird <x> {_DE_CALLED}\b",
            rf"\bwird <x> (?:irgendwo|noch|uberhaupt) {_DE_CALLED}\b",
            r"\balle (?:verwendungen|aufrufe|aufrufer|referenzen|nutzungen|verwendungsstellen|"
            r"aufrufstellen)\b",
            r"\b(?:verwendungsstellen|aufrufstellen|unterklassen)\b",
        ),
        "weak": (r"\b(?:verwendung|verwendungen|nutzung|aufrufe) (?:von|der|des)\b", r"\breferenzen auf\b"),
    },
    "impact_analysis": {
        "strong": (
            r"\bwas (?:geht|ginge|bricht|brache|passiert|passierte|wurde|fallt|"
            rf"ware)\b.{{0,40}}\bwenn\b.{{1,80}}{_DE_CHANGE}",
            rf"\bwenn (?:ich|wir|man|jemand)\b.{{1,80}}{_DE_CHANGE}",
            r"\bwas geht kaputt\b",
            r"\b(?:was|wer|welche \w+) (?:alles )?(?:hangt|hangen)\b.*\bab\b",
            r"\b(?:betroffen|beeinflusst)\b",
            rf"\b(?:kann|darf) (?:ich|man|wir)\b.{{1,60}}{_DE_CHANGE}",
            rf"\b(?:folgen|risiko|konsequenzen)\b.{{0,30}}{_DE_CHANGE}",
        ),
        "weak": (r"\bauswirkung(?:en)?\b", r"\babhangig(?:keiten)? von\b"),
    },
    "find_similar": {
        "strong": (
            r"\bahnlich(?:e|er|es|en|em)?\b",
            rf"\b(?:code|{_DE_NOUN}|etwas|sowas|so was) wie\b",
            r"\b(?:ahnelt|ahneln|gleicht)\b",
            r"\b(?:vergleichbar(?:e|er|es)?|duplikate|kopien|dubletten)\b",
        ),
    },
    "understand_code": {
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

_FR_CHANGE = (
    r"(?:chang\w+|modifi\w+|supprim\w+|renomm\w+|enlev\w+|retir\w+|touch\w+|remplac\w+|deplac\w+|refactor\w+)"
)
_FR_CALL = (
    r"(?:appell?e(?:nt)?|utilise(?:nt)?|invoque(?:nt)?|importe(?:nt)?|reference(?:nt)?|"
    r"consomme(?:nt)?|instancie(?:nt)?)"
)
_FR_CALLED = r"(?:utilise|appele|invoque|reference|importe|employe|instancie)e?s?"
_FR_NOUN = (
    r"(?:fonctions?|classes?|methodes?|modules?|variables?|types?|constantes?|fichiers?|"
    r"interfaces?|endroits?|tests?)"
)
FRENCH: dict[str, dict[str, tuple[str, ...]]] = {
    "find_definition": {
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
            r"\bou se (?:trouve|situe) <x>$",
            r"\b(?:trouve|trouver|cherche|chercher|montre|affiche|ouvre)(?:[- ]moi)? (?:la |"
            rf"le |l')?{_FR_NOUN} <x>$",
            rf"\bou est (?:la |le |l'){_FR_NOUN} <x>$",
            r"\bimplementation (?:de|d')\s?<x>$",
        ),
        "shaped": (r"^\W*(?:ou est|ou se trouve|trouve|cherche|montre[- ]moi) <x>$",),
    },
    "find_references": {
        "strong": (
            rf"\bqui (?:est-ce qui )?{_FR_CALL}\b",
            r"\b(?:appelants?|appeleurs?) (?:de|du|d')",
            rf"\bou (?:est|sont)(?:-ce que| ce que)? (?:<x> (?:est |sont )?)?{_FR_CALLED}\b",
            rf"\bou <x> (?:est|sont)(?:-ils?|-elles?)? {_FR_CALLED}\b",
            r"\bou (?:utilise|appelle|invoque|importe)(?:nt|ons)?(?:-t-on|-on)?\b",
            r"\bou est-ce qu(?:e|'on|e l'on|e nous)\b.{0,15}\b(?:utilise|appelle|invoque|importe)",
            rf"\bquel(?:le)?s? (?:{_FR_NOUN}|code) {_FR_CALL}\b",
            rf"\bqu'est-ce qui {_FR_CALL}\b",
            rf"\bpar qui (?:est|sont)\b.{{0,60}}{_FR_CALLED}\b",
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
        "strong": (
            rf"\b(?:que|qu'est-ce qui|qu'est-ce que|ce qui)\b.{{0,40}}\b(?:casse|casserait|"
            r"passe|passe-t-il|passerait|arrive|"
            rf"plante)\b.{{0,20}}\bsi\b.{{0,20}}{_FR_CHANGE}",
            rf"\bsi (?:je|on|nous|l'on|quelqu'un)\b.{{0,12}}{_FR_CHANGE}",
            r"\b(?:qu'est-ce qui|qui|quoi|ce qui|quel(?:le)?s? \w+) depend(?:ent)? (?:de|du|d')",
            r"\brayon d'(?:impact|explosion|action)\b",
            r"\b(?:affectee?s?|impactee?s?|touchee?s?) (?:par|si)\b",
            rf"\b(?:consequences?|repercussions?|effets?|risques?)\b.{{0,30}}{_FR_CHANGE}",
            rf"\b(?:peut-on|puis-je|on peut|sans risque)\b.{{0,20}}{_FR_CHANGE}",
        ),
        "weak": (r"\bdepend(?:ent|ants)? (?:de|du|d')",),
    },
    "find_similar": {
        "strong": (
            r"\b(?:similaires?|semblables?|analogues?|equivalente?s?|comparables?|"
            r"pareille?s?) (?:a|au|aux)\b",
            r"\bcode (?:comme|similaire|semblable|duplique)\b",
            rf"\b{_FR_NOUN} (?:comme|similaires?|semblables?)\b",
            r"\bressembl(?:e|ent|ant)\b",
        ),
    },
    "understand_code": {
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

_ID_CHANGE = (
    r"(?:\w*ubah\w*|\w*hapus\w*|\w*ganti\w*|\w*rename\w*|\w*pindah\w*|\w*modifikasi\w*|"
    r"\w*refactor\w*|\w*sentuh\w*)"
)
_ID_CALL = (
    r"(?:memanggil|manggil|menggunakan|memakai|pakai|mengimpor|mengimport|mereferensikan|"
    r"merujuk|menginstansiasi|gunakan)"
)
_ID_CALLED = r"(?:digunakan|dipanggil|dipakai|direferensikan|diimpor|diimport|dirujuk)"
_ID_NOUN = (
    r"(?:fungsi|kelas|class|metode|method|variabel|konstanta|modul|tipe|file|berkas|antarmuka|"
    r"kode|bagian|tes|komponen)"
)
INDONESIAN: dict[str, dict[str, tuple[str, ...]]] = {
    "find_definition": {
        "strong": (
            r"\bdi ?mana(?:kah)?(?: letak)? <x> (?:didefinisikan|dideklarasikan)\b",
            r"\bdi ?mana(?:kah)? (?:kita |kami )?(?:mendefinisikan|mendeklarasikan)\b",
            r"\b(?:didefinisikan|dideklarasikan) di ?mana\b",
            r"\b(?:tunjukkan|tampilkan|cari|cariin|lihat|temukan|buka)(?: saya)? (?:definisi|deklarasi)\b",
            r"\b(?:file|berkas|modul) (?:apa|mana) yang mendefinisikan\b",
        ),
        "weak": (r"\b(?:definisi|deklarasi) (?:dari |untuk )?",),
        "named": (
            r"\bdi ?mana(?:kah)? <x> (?:diimplementasikan|ditulis|berada|dibuat)\b",
            rf"\b(?:cari|temukan|tunjukkan|tampilkan|buka) {_ID_NOUN} <x>$",
            rf"\bdi ?mana(?:kah)? (?:letak |lokasi )?{_ID_NOUN} <x>$",
            r"\b(?:letak|lokasi) <x>$",
        ),
        "shaped": (r"^\W*(?:di ?mana|cari|temukan|tunjukkan) <x>$",),
    },
    "find_references": {
        "strong": (
            rf"\bsiapa(?: saja)?(?: yang)? {_ID_CALL}\b",
            r"\bpemanggil\b",
            rf"\bdi ?mana(?:kah)?(?: saja)? <x> {_ID_CALLED}\b",
            rf"\b{_ID_CALLED} (?:di ?mana|oleh (?:siapa|apa))\b",
            rf"\bdi ?mana(?:kah)?(?: saja)? (?:kita |kami )?{_ID_CALL}\b",
            rf"\b(?:apa|{_ID_NOUN})(?: apa| mana)?(?: saja)? yang {_ID_CALL}\b",
            rf"\bapakah <x> (?:masih |pernah )?{_ID_CALLED}\b",
            r"\bsemua (?:penggunaan|pemakaian|pemanggilan|referensi)\b",
        ),
        "weak": (r"\b(?:penggunaan|pemakaian|pemanggilan)\b", r"\breferensi (?:ke|dari|terhadap)\b"),
    },
    "impact_analysis": {
        "strong": (
            r"\bapa (?:saja )?yang (?:akan |bisa |mungkin )?(?:rusak|terjadi|terpengaruh|"
            rf"error|gagal|terdampak|berubah)\b.{{0,20}}"
            rf"\b(?:jika|kalau|bila|apabila|saat|ketika)\b.{{0,60}}{_ID_CHANGE}",
            rf"\b(?:jika|kalau|bila|apabila) (?:saya|aku|kita|kami|kamu)\b.{{0,20}}{_ID_CHANGE}",
            r"\b(?:apa|siapa|\w+)(?: apa| mana)?(?: saja)? yang (?:bergantung|tergantung)\b",
            r"\bradius (?:ledakan|dampak)\b",
            r"\b(?:terdampak|terpengaruh)\b",
            rf"\b(?:aman|boleh)(?:kah)?\b.{{0,20}}{_ID_CHANGE}",
        ),
        "weak": (
            r"\bdampak(?:nya)?\b",
            r"\bpengaruh(?:nya)?\b",
            r"\b(?:bergantung|tergantung) (?:pada|kepada)\b",
        ),
    },
    "find_similar": {
        "strong": (
            r"\b(?:mirip|serupa|menyerupai)\b",
            rf"\b{_ID_NOUN} (?:yang )?(?:seperti|sama dengan|sejenis)\b",
            r"\bkode duplikat\b",
        ),
    },
    "understand_code": {
        "strong": (
            r"\b(?:bagaimana(?:kah)?|gimana)\b",
            r"\b(?:mengapa|kenapa)\b",
            r"\b(?:jelaskan|jelasin|penjelasan|terangkan|uraikan)\b",
            r"\barsitektur(?:nya)?\b",
            r"\bcara (?:kerja|\w+)\b",
            r"\bapa (?:fungsi|kegunaan|tujuan)\b",
            r"\balur\b",
        ),
    },
}
