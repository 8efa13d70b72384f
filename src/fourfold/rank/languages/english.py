"""English phrasings of intents."""

from __future__ import annotations

from fourfold.rank.languages.table import Table, cues

CHANGE = (
    r"(?:chang(?:e|es|ed|ing)|modif(?:y|ies|ied|ying)|remov(?:e|es|ed|ing)|renam(?:e|es|ed|"
    r"ing)|delet(?:e|es|ed|ing)|"
    r"refactor(?:s|ed|ing)?|alter(?:s|ed|ing)?|drop(?:s|ped|ping)?|mov(?:e|es|ed|ing)|edit(?:s|ed|ing)?|"
    r"touch(?:es|ed|ing)?|deprecat(?:e|es|ed|ing)|replac(?:e|es|ed|ing)|rewrit(?:e|es|ten|"
    r"ing)|rework(?:ed|ing)?|"
    r"rip(?:ping)? out|get(?:ting)? rid of|updat(?:e|es|ed|ing)|swap(?:ped|ping)?)"
)
NOUN = (
    r"(?:functions?|methods?|class(?:es)?|structs?|interfaces?|enums?|traits?|types?|modules?|"
    r"files?|packages?|"
    r"components?|services?|endpoints?|handlers?|views?|models?|hooks?|routes?|controllers?|"
    r"macros?|constants?|"
    r"variables?|fields?|tables?|decorators?|symbols?|properties|property|protocols?|mixins?|tests?|scripts?)"
)
CALL = (
    r"(?:calls?|calling|uses?|using|invokes?|invoking|imports?|importing|references?|"
    r"referencing|instantiates?|"
    r"instantiating|consumes?|consuming|utili[sz]es?)"
)
CALLED = r"(?:used|called|referenced|invoked|imported|instantiated|consumed|mentioned|constructed|utili[sz]ed)"
PEOPLE = r"(?:i|we|you|someone|somebody|one|they|anyone|anybody)"
NO_USES = (
    r"(?!.*\b(?:(?:calls?|callers?|call ?sites?|usages?|uses|references?|invocations?|importers?|imports|subclasses|"
    rf"mentions|tests) (?:of|to|for)\b|(?:that|which|who) {CALL}\b))"
)
"""What is to be found are the uses of a name, not its definition: "find all calls of x"."""

ENGLISH: Table = {
    "find_definition": {
        "cues": cues(
            "def|declar| where| find | locate| show| open| get | look| jump| search| contains |"
            " holds | has | implementation | signature | source | body | code | go to| goto|"
            " take me"
        ),
        "strong": (
            r"\bwhere(?:'s| is| are| was| were)? <x> (?:being |actually |first |originally "
            r")?(?:defined|declared)\b",
            r"\bwhere (?:do|does|did) .{1,40}?\b(?:define|declare)\b",
            r"\bwhere (?:is|are|was) (?:the )?(?:definition|declaration)s? (?:of|for)\b",
            r"\b(?:which|what) (?:\w+ )?(?:file|module|class|package|header|crate)s? "
            r"(?:defines?|declares?)\b",
            r"\b(?:who|what) (?:defines|declares)\b",
            r"\b(?:go|goto|jump|navigate|take me)(?: to)? (?:the )?(?:def|definition|declaration)\b",
            r"\b(?:find|show|get|see|open|locate|give|look up|print)(?: me)? (?:the )?(?:def|"
            r"definition|declaration)\b",
        ),
        "weak": (
            r"\b(?:definition|declaration)s? (?:site |location )?(?:of|for)\b",
            r"\b(?:definition|declaration)\W*$",
        ),
        "named": (
            r"\b(?:find|locate|show(?: me)?|open|get|look up|lookup|jump to|go to|take me to|"
            r"search(?: for)?|where is|"
            rf"where's) {NO_USES}(?:the |our |a )?(?:definition of )?{NOUN} (?:named |called )?<x>$",
            rf"\bwhere (?:is|are|was) (?:the |our )?{NOUN} <x>$",
            rf"\b(?:find|locate|show(?: me)?|open|where is|where's) the <x> {NOUN}\W*$",
            r"\bwhere(?:'s| is| are) <x> (?:implemented|located|coded|written|"
            r"implementation|coming from)\b",
            r"\bwhere (?:does|do) <x> (?:live|sit|reside|come from)\b",
            r"\b(?:which|what) (?:file|module|package|folder) (?:contains|has|holds) <x>$",
            r"^\W*(?:show (?:me )?|get |find |see |give me |print |what is )?(?:the )?"
            r"(?:source(?: code)?|signature|implementation|body|code) (?:of|for) <x>$",
        ),
        "shaped": (
            r"^\W*(?:where is|where's|where can i find|find|locate|show me|show|open|look up|"
            rf"go to|jump to) {NO_USES}<x>$",
        ),
    },
    "find_references": {
        "cues": cues(
            "call| use| using| usage|invo|import|refer| refs|instanti|consum|utili|subclass|"
            "implement|mention|construct|child class|deriv|extend|inherit|overrid| tests| test |tested"
        ),
        "strong": (
            rf"\bwho(?:'s| is| are| all| else)* (?:actually |currently |directly )?{CALL}\b",
            r"\bwhere(?:'s| is| are| was| does| do| did)? <x> (?:gets? |being |actually |"
            rf"currently )?{CALLED}\b",
            rf"\bwhere (?:do|does|did) {PEOPLE} (?:actually |currently |ever )?{CALL}\b",
            rf"\bwhere (?:in|else|in the code(?:base)?) .{{0,60}}\b(?:{CALL}|{CALLED})\b",
            rf"\b(?:what|which)(?: else| other| all)?(?: {NOUN}| code| places| parts?)?(?: of "
            r"\w+| of the \w+)?"
            r"(?: do| does| is| are| that| which| actually| directly| currently)? (?:calls?|"
            r"uses?|invokes?|imports?|"
            rf"references?|instantiates?|consumes?|calling|using|importing|invoking)\b(?! case)",
            r"\b(?:find|list|show|get|search|give|see)(?: me)?(?: all| every| the| any| of)* "
            r"(?:callers?|usages?|uses|"
            r"references|refs|call[- ]?sites?|calls to|importers|subclasses)\b",
            r"^\W*(?:all|every|any) (?:the )?(?:callers?|usages?|uses|references|call[- "
            r"]?sites?|calls to|importers)\b",
            rf"\bwhere (?:do|does|did) <x> {CALL}\b",
            rf"\b(?:which|what) \w+ (?:is|are) <x> {CALLED}\b",
            rf"\b(?:is|are) <x> (?:ever |even |still |actually )?{CALLED} (?:anywhere|"
            r"somewhere|at all|elsewhere)\b",
            r"\b(?:everything|everywhere|every place|all (?:the )?(?:places|code|spots)) "
            r"(?:that |which |where |we )*"
            rf"(?:is |are |gets? )?(?:{CALL}|{CALLED})\b",
            r"\b(?:subclasses|implementers|implementors|child classes|derived classes) of\b",
            rf"\b(?:which|what) (?:unit )?tests? (?:covers?|exercises?|tests?|checks?|{CALL})\b",
        ),
        "weak": (
            r"\bcallers? (?:of|for)\b",
            r"\bcall(?:ing)?[- ]?sites? (?:of|for)\b",
            r"(?<!memory )(?<!cpu )(?<!disk )(?<!resource )(?<!typical )\busages? (?:of|for)\b",
            r"\buses of\b",
            r"\breferences? (?:to|of)\b",
            r"\b(?:callees|importers|overrides|implementations) of\b",
            r"\b(?:callers|usages|references|call[- ]?sites|call hierarchy|usage sites)\W*$",
        ),
        "named": (
            rf"\b(?:{NOUN}|code|places|lines|spots) (?:that |which |where |currently )*(?:is |"
            rf"are )?{CALL} <x>$",
            rf"\b(?:what|which)(?: {NOUN})? (?:does|do) <x> (?:call|invoke|import|use)\b(?! (?:to|for)\b)",
            rf"\b(?:what|{NOUN})(?: that| which)? (?:is |are |gets? )?(?:called|invoked|used) by <x>$",
            rf"\b(?:who|what|which {NOUN}|{NOUN}(?: that| which)?) (?:extends?|inherits?(?: "
            r"from)?|implements?|"
            rf"subclass(?:es)?|overrides?|derives? from) <x>$",
            rf"^\W*(?:is|are) <x> (?:ever |even |still )?{CALLED}\W*$",
            r"\b(?:calls|call) (?:to|of) <x>$",
            rf"\b{NOUN} (?:implementing|extending|inheriting from|subclassing|overriding|deriving from) <x>\b",
            r"\bwhat (?:is|are|was|were|gets) <x> (?:used|called|invoked|imported|referenced) by\b",
            r"\b(?:each|every|all|the) (?:\w+ )?(?:invocations?|instantiations?) of <x>$",
        ),
        "shaped": (
            r"^\W*(?:(?:find|show|list|what are)(?: me)? )?(?:all )?(?:the )?(?:unit )?tests? (?:of|for|covering) <x>$",
            r"^\W*what tests <x>$",
            r"^\W*(?:is|are) there (?:already )?(?:an? |any |some )?(?:unit )?tests? (?:of|for|covering) <x>\W*$",
            r"^\W*(?:where )?(?:is|are) <x> tested\W*$",
            r"^\W*(?:a |the |any |all )?(?:subclass|implementations?) of <x>$",
        ),
    },
    "impact_analysis": {
        "cues": cues(
            "impact| blast| depend| reverse| transitive| break| broke| if | when | once | after |"
            " before | should | safe| risky| dangerous| can | affect| effect| consequ| repercu|"
            " implic| risk| ripple| knock| downstream"
        ),
        "strong": (
            r"\bblast[- ]?radius\b",
            rf"\bimpact (?:analysis|if|(?:of|when|from) (?:(?:a|the|any|this|my) )?{CHANGE})\b",
            r"\b(?:what|who|which \w+|everything|anything|code|all)(?: else| all| other \w+)?"
            r"(?: that| which| would| will| might| could| directly| transitively| indirectly| "
            r"actually)* depends? (?:up)?on\b",
            r"\b(?:dependents|reverse dependencies|transitive callers) (?:of|for|on)\b",
            r"\bwhat(?: else| all|'s| code| tests?)?(?: is| would| will| could| might| may| "
            r"can| gets?| am i| do i| are)*"
            r" (?:going to )?(?:break|breaks|broken|breaking)\b.{0,40}\b(?:if|when|by|after|once|with)\b",
            rf"\b(?:if|when|once|after|before|should) {PEOPLE}\b(?: \w+){{0,3}}? {CHANGE}\b",
            rf"\b(?:safe(?:ly)?|risky|dangerous) (?:is it |would it be |to )*{CHANGE}\b",
            rf"\bcan {PEOPLE} (?:safely |just |simply )?{CHANGE}\b",
            r"\b(?:affected|impacted) (?:by|if|when|should)\b",
            r"\b(?:effects?|consequences?|repercussions|implications|risks?|ripple effects?) "
            rf"(?:of|from|when) {CHANGE}\b",
            r"\b(?:ripple|knock[- ]on) effects?\b",
            rf"\b(?:what|which)\b.{{0,40}}\b{CHANGE}\b.{{1,80}}\b(?:affects?|breaks?|impacts?)\b",
            rf"\b{CHANGE} .{{1,60}}?\b(?:would |will |could |might )?(?:affects?|breaks?|"
            r"impacts?) (?:what|which|anything)\b",
            r"\bwhat(?: else)? (?:needs?|has|have|would need|do i need) to (?:change|be "
            r"(?:changed|updated)|update)\b.*\bif\b",
        ),
        "weak": (
            r"(?<!performance )(?<!memory )(?<!visual )\bimpact(?:s|ed)?\b",
            r"\bdownstream (?:of|dependents|consumers|users|effects|code)\b",
        ),
        "named": (
            rf"\b(?:if|when|once) <x> (?:(?:is|gets|was|were|are|being) {CHANGE}|changes|"
            r"changed|disappears)\b",
            r"\bdepend(?:s|ing|ent|ents)? (?:up)?on <x>$",
            r"\bwhat does <x> depend on\b",
        ),
    },
    "find_similar": {
        "cues": cues(
            "similar| like |duplic| copies | clones | lookalikes| variants| same | resembl|"
            " analog| comparable| equivalent| akin "
        ),
        "strong": (
            r"\bsimilar(?:ly)? to\b",
            r"\bsimilar (?:looking |existing )?(?:code|logic|patterns?|snippets?|implementations?|helpers?|"
            rf"chunks?|{NOUN})\b",
            rf"\b(?:code|something|anything|snippets?|implementations?|things|other {NOUN}|"
            rf"others|{NOUN}) (?:just |much |"
            r"very |written |implemented |that (?:is|are|looks?|works?|behaves?) |which (?:is|"
            r"are|looks?) |looking )*like\b",
            r"\blooks? (?:just |a lot |very much )?like\b",
            r"\bmore like this\b",
            r"\b(?:near[- ]|code )?(?:duplicates|copies|clones|lookalikes|variants) of\b",
            r"\bduplicat(?:e|es|ed|ion) (?:of|code|logic|implementation)\b",
            r"\b(?:the )?same (?:pattern|logic|shape|structure|idea|approach|thing|code|technique) as\b",
            r"\bresembl(?:es?|ing)\b",
            r"\b(?:analogous|comparable|equivalent|akin) to\b",
        ),
    },
    "understand_code": {
        "cues": cues(
            " how | why | explain| explanation|architect| describe | overview | walk | what | purpose |understand|flow"
        ),
        "strong": (
            r"\bhow\b",
            r"\bwhy\b",
            r"\bexplain(?:s|ed|ing)?\b",
            r"\bexplanation\b",
            r"\barchitectur(?:e|al)\b",
            r"\bdescribe\b",
            r"\boverview\b",
            r"\bwalk (?:me )?through\b",
            r"\bwhat (?:does|do|is|are) .{1,60} (?:do|for|responsible for|doing)\W*$",
            r"\bpurpose of\b",
            r"\bunderstand(?:ing)?\b",
            r"\bwhat happens (?:when|if|after|before|during|to)\b",
            r"\b(?:data|control|request) ?flow\b",
        ),
    },
}
