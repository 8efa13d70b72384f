"""Indonesian phrasings of intents."""

from __future__ import annotations

from fourfold.rank.languages.table import Table, cues

_CHANGE = (
    r"(?:\w*ubah\w*|\w*hapus\w*|\w*ganti\w*|\w*rename\w*|\w*pindah\w*|\w*modifikasi\w*|"
    r"\w*refactor\w*|\w*sentuh\w*)"
)
_CALL = (
    r"(?:memanggil|manggil|menggunakan|memakai|pakai|mengimpor|mengimport|mereferensikan|"
    r"merujuk|menginstansiasi|gunakan)"
)
_CALLED = r"(?:digunakan|dipanggil|dipakai|direferensikan|diimpor|diimport|dirujuk)"
_NOUN = (
    r"(?:fungsi|kelas|class|metode|method|variabel|konstanta|modul|tipe|file|berkas|antarmuka|"
    r"kode|bagian|tes|komponen)"
)
INDONESIAN: Table = {
    "find_definition": {
        "cues": cues(
            " mana | manakah | dimana|tunjukkan|tampilkan| cari|lihat|temukan| buka|"
            "mendefinisikan|definisi|deklarasi| letak | lokasi "
        ),
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
            rf"\b(?:cari|temukan|tunjukkan|tampilkan|buka) {_NOUN} <x>$",
            rf"\bdi ?mana(?:kah)? (?:letak |lokasi )?{_NOUN} <x>$",
            r"\b(?:letak|lokasi) <x>$",
        ),
        "shaped": (r"^\W*(?:di ?mana|cari|temukan|tunjukkan) <x>$",),
    },
    "find_references": {
        "cues": cues(
            " siapa |pemanggil| mana | manakah | dimana| yang | apakah | semua | oleh |penggunaan|pemakaian|referensi"
        ),
        "strong": (
            rf"\bsiapa(?: saja)?(?: yang)? {_CALL}\b",
            r"\bpemanggil\b",
            rf"\bdi ?mana(?:kah)?(?: saja)? <x> {_CALLED}\b",
            rf"\b{_CALLED} (?:di ?mana|oleh (?:siapa|apa))\b",
            rf"\bdi ?mana(?:kah)?(?: saja)? (?:kita |kami )?{_CALL}\b",
            rf"\b(?:apa|{_NOUN})(?: apa| mana)?(?: saja)? yang {_CALL}\b",
            rf"\bapakah <x> (?:masih |pernah )?{_CALLED}\b",
            r"\bsemua (?:penggunaan|pemakaian|pemanggilan|referensi)\b",
        ),
        "weak": (r"\b(?:penggunaan|pemakaian|pemanggilan)\b", r"\breferensi (?:ke|dari|terhadap)\b"),
    },
    "impact_analysis": {
        "cues": cues(
            " yang | jika | kalau | bila | apabila | radius |terdampak|terpengaruh| aman| boleh|"
            "dampak|pengaruh|bergantung|tergantung"
        ),
        "strong": (
            r"\bapa (?:saja )?yang (?:akan |bisa |mungkin )?(?:rusak|terjadi|terpengaruh|"
            rf"error|gagal|terdampak|berubah)\b.{{0,20}}"
            rf"\b(?:jika|kalau|bila|apabila|saat|ketika)\b.{{0,60}}{_CHANGE}",
            rf"\b(?:jika|kalau|bila|apabila) (?:saya|aku|kita|kami|kamu)\b.{{0,20}}{_CHANGE}",
            r"\b(?:apa|siapa|\w+)(?: apa| mana)?(?: saja)? yang (?:bergantung|tergantung)\b",
            r"\bradius (?:ledakan|dampak)\b",
            r"\b(?:terdampak|terpengaruh)\b",
            rf"\b(?:aman|boleh)(?:kah)?\b.{{0,20}}{_CHANGE}",
        ),
        "weak": (
            r"\bdampak(?:nya)?\b",
            r"\bpengaruh(?:nya)?\b",
            r"\b(?:bergantung|tergantung) (?:pada|kepada)\b",
        ),
    },
    "find_similar": {
        "cues": cues("mirip|serupa|menyerupai|seperti| sama dengan|sejenis|duplikat"),
        "strong": (
            r"\b(?:mirip|serupa|menyerupai)\b",
            rf"\b{_NOUN} (?:yang )?(?:seperti|sama dengan|sejenis)\b",
            r"\bkode duplikat\b",
        ),
    },
    "understand_code": {
        "cues": cues(
            "bagaimana| gimana |mengapa|kenapa| jelas| penjelasan| terangkan| uraikan|arsitektur| cara | apa | alur "
        ),
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
