"""How an English answer says that it does not know."""

from pipelines.disclaim.vocabulary import Vocabulary

_US = "(?:i|we)"
_ADVERB = (
    "(?:(?:really|honestly|simply|just|still|also|actually|currently|unfortunately|sadly|personally|truly|either|"
    "explicitly|specifically|directly|clearly|definitively|necessarily|yet|even) ){0,2}"
)
_DO_NOT = "(?:do not|don't|dont)"
_DOES_NOT = "(?:do not|don't|does not|doesn't|did not|didn't)"
_ADJECTIVE = (
    "(?:(?:specific|further|more|additional|detailed|exact|precise|reliable|definitive|definite|clear|direct|explicit|"
    "such|other|official|current|up-to-date|real-time|available|relevant|recent|concrete|conclusive|particular|any|"
    "enough|sufficient|that|this|the|an?|those|these|kind of|sort of|of|full|complete|public|confirmed|much|access to|"
    "comprehensive|instructions or|names or|background|internal|historical|technical) ){0,5}"
    r"(?:(?!your )[\w-]++ )?"
)
_FACTS = (
    "(?:information|info|details?|data|knowledge|answers?|figures?|numbers?|names|specifics|insights?|records?|"
    "evidence|documentation|statistics|counts?|dates?)"
)
_TOLD = "(?:information|info|details?|specifics|mention|indication|documentation|answers?|guidance|data)"
_SOURCE = (
    "(?:documents?|passages?|texts?|context|sources?|articles?|documentation|docs|materials?|excerpts?|snippets?|"
    "results|knowledge base|notes|faqs?|information|manual|guide|handbook|pages?)"
)
_GIVEN = "(?: (?:provided|available|given|shared|above|here|listed|retrieved|i have|i was given|at hand))?"
_SAY = (
    "(?:mention|specify|state|say|indicate|discuss|address|cover|explain|answer|describe|clarify|confirm|tell|"
    "reveal|define|disclose|elaborate|go into)"
)
_SAYS = "(?:mentions|specifies|states|says|indicates|explains|answers|describes|covers|tells)"
#: what one asks about a thing; "the name" or "the number" is as often what somebody must type again
_ATTRIBUTE = (
    "(?:dates?|prices?|costs?|origins?|meanings?|definitions?|pronunciations?|spellings?|authors?|inventors?|years?|"
    "population|explanations?|duration)"
)
_SAID = "(?:mentioned|specified|stated|provided|discussed|covered|described|addressed|detailed|given|included|found)"
_CANNOT = (
    "(?:cannot|can not|can't|cant|could not|couldn't|am unable to|are unable to|was unable to|were unable to|"
    "am not able to|are not able to|was not able to|wasn't able to|haven't been able to|have not been able to)"
)
_I_CANNOT = rf"(?:{_US} {_ADVERB}{_CANNOT}|i'm unable to|i'm not able to|we're unable to|we're not able to)"
_DEGREE = "(?:(?:quite|entirely|really|completely|totally|all that|exactly|too|so|very|absolutely|fully|100%) )?"
_AFTER_SURE = (
    r"(?=\s*+[.,;:!?)…-]|\s*+$| (?:about|how|who|what|when|where|why|which|whether|if|of|but|on|either|yet|exactly|as|"
    r"or|and|at|right|myself|though)\b)"
)

ENGLISH = Vocabulary(
    language="en",
    function_words=(
        "the of and to is are was that this it you i for with not have on be your can or don't i'm do does what know "
        "sorry my will any there who sure at by from how as"
    ),
    stems=(
        "n't",
        "not ",
        "no ",
        "cannot",
        "unable",
        "unclear",
        "my knowledge",
        "dunno",
        "dont ",
        "cant ",
        "lack ",
        "i knew",
        "good as",
        "nothing ",
        "silent ",
        "unknown to",
    ),
    unknowing=(
        rf"{_US} {_ADVERB}{_DO_NOT} {_ADVERB}know(?! about you| you)",
        rf"{_US} {_ADVERB}{_DO_NOT} {_ADVERB}(?:have|possess) {_ADJECTIVE}{_FACTS}",
        r"(?:not|isn't) something (?:that )?(?:i|we) (?:do )?know(?! you)",
        rf"{_US} (?:haven't|have not) {_ADVERB}been told (?:the|about|what|when|whether|how|who|where|why)",
        r"(?:not known|unknown) to (?:me|us)(?! as| by)",
        rf"{_TOLD} (?:is not|isn't|are not|aren't) {_ADVERB}(?:available|accessible|known) to (?:me|us)",
        rf"{_US} {_ADVERB}lack {_ADJECTIVE}{_FACTS}",
        rf"(?:{_US} {_ADVERB}have|i've|we've) no {_ADJECTIVE}(?:{_FACTS}|idea|clue|way of knowing|means of knowing)",
        rf"(?:i'm|i am|we're|we are) {_ADVERB}not {_DEGREE}(?:sure|certain|positive){_AFTER_SURE}",
        rf"(?:i'm|i am|we're|we are) {_ADVERB}not (?:aware of|familiar with)",
        "i wish i knew",
        "(?:beyond|outside|outside of) my knowledge",
        "i (?:couldn't|could not) tell you",
        "your guess is as good as mine",
        rf"{_SOURCE}{_GIVEN} {_DOES_NOT} {_ADVERB}{_SAY}",
        (
            rf"{_SOURCE}{_GIVEN} {_DOES_NOT} {_ADVERB}(?:provide|contain|include|give|offer|have) "
            rf"{_ADJECTIVE}(?:{_FACTS}|{_TOLD}|instructions|guidelines|explanation|comparison|list|examples)"
        ),
        rf"{_SOURCE}{_GIVEN} (?:is|are|'s) {_ADVERB}silent (?:on|about)",
        rf"nothing in ~{_SOURCE}{_GIVEN} {_SAYS}",
        rf"(?:there is|there's|i have|i've got) nothing (?:about|on|regarding) ~in ~{_SOURCE}",
        rf"(?:they|it) {_DOES_NOT} {_ADVERB}(?:mention|specify|state|go into detail)",
        rf"(?:they|it) {_DOES_NOT} {_ADVERB}(?:provide|give) {_ADJECTIVE}(?:information|info|details|specifics)",
        rf"(?:there is|there's|there are|there was|there were) no {_ADJECTIVE}(?:information|info|mention|specifics)",
        rf"there (?:isn't|aren't|is not|are not) any {_ADJECTIVE}(?:information|info|mention|specifics)",
        (
            rf"(?:there is|there's|there are) no {_ADJECTIVE}{_TOLD} (?:about|on|regarding|concerning|"
            r"as to|that|available)"
        ),
        (
            rf"no {_ADJECTIVE}(?:{_TOLD}|documents?) (?:(?:is|are|was|were|has been|have been|could be) )?"
            "(?:provided|available|given|found|made|included|mentioned)"
        ),
        (
            rf"(?:(?:is|are|was|were) not|isn't|aren't|wasn't) {_ADVERB}{_SAID} (?:anywhere )?(?:in|by) "
            rf"(?:(?:the|these|this|my|any|our|those|given|provided|available) ){{1,3}}{_SOURCE}"
        ),
        "(?:not|isn't|aren't|wasn't) (?:explicitly|specifically|clearly) (?:mentioned|stated|specified|indicated)",
        "(?:unclear|not clear) (?:from|to me|based on)",
        r"it(?: is|'s) unclear(?=\s*+[.,;!]|\s*+$)",
    ),
    openings=("not (?:quite |entirely |really |too )?sure", "no idea", "no clue", "dunno", "(?:don't|do not) know"),
    interjections=("sorry", "i'm sorry", "hmm++", "well", "honestly", "um", "unfortunately", "apologies", "oh", "but"),
    unable=(
        (
            rf"{_I_CANNOT} {_ADVERB}(?:find|locate|see) {_ADJECTIVE}(?:{_FACTS}|mention|anything|responses?|"
            "references?|reasons?|explanations?|documents?)(?! available slot)"
        ),
        rf"{_I_CANNOT} find out",
        rf"{_I_CANNOT} {_ADVERB}find (?:the|an?|any|its|their) {_ATTRIBUTE} (?:of|for)(?! your| my)",
        rf"{_I_CANNOT} {_ADVERB}find (?:that|this|it) (?:in|on) ~(?:{_SOURCE}|help cent(?:er|re))",
        rf"{_I_CANNOT} {_ADVERB}say(?=\s*+[.,;!]|\s*+$)",
        rf"{_US} {_ADVERB}(?:haven't|have not|did not|didn't) (?:find|found) {_ADJECTIVE}(?:{_FACTS}|mention|anything)",
        (
            rf"{_I_CANNOT} {_ADVERB}(?:say|tell you|tell|confirm|verify|know|judge|establish) "
            "(?:for sure|for certain|with (?:any |full )?certainty|definitively|exactly|precisely|whether|if)"
        ),
        rf"{_I_CANNOT} {_ADVERB}(?:determine|ascertain)",
        rf"{_I_CANNOT} {_ADVERB}answer (?:that|this|it|the question|your question|the last question)",
        rf"{_I_CANNOT} (?:give|provide|offer) (?:you )?an? (?:definite|definitive|exact|precise|specific) answer",
        (
            r"(?:cannot|can't|could not) be (?:determined|answered|confirmed|inferred|established) "
            "(?:from|based|with|as|on|by)"
        ),
    ),
    refusal=(
        "for (?:legal|privacy|security|safety|confidentiality|data protection) reasons",
        "not (?:allowed|permitted)",
        "(?:against|violates?) (?:our|my|the|company) (?:policy|policies|rules|guidelines|terms)",
        "confidential",
        "our policy",
        "(?:not|n't) authori[sz]ed",
        "because it (?:would be|is) (?:illegal|harmful|dangerous)",
        "inappropriate",
        "(?:medical|legal|financial|investment) advice",
    ),
    not_after=("if", "when", "whenever", "unless", "in case", "where", "that says", "says", "said", "say"),
    not_before=(
        "~what you(?:'re| are|'d| would| want| mean| meant| need)",
        "what (?:exactly )?you",
        "(?:that )?i (?:fully |quite |really )?(?:understood|understand|follow|followed|get|got|see)",
        "if (?:i|we) (?:understood|understand)",
        "(?:if|whether) (?:i )?(?:that is|that's|this is|it is|it's) what you",
        "which (?:one )?you(?:'re| are| mean| meant)?",
        "(?:who|where) you",
        "how to interpret",
        "(?:if|whether) you (?:mean|meant|noticed|knew)",
    ),
    contrast=(
        "but",
        "however",
        "though",
        "nevertheless",
        "nonetheless",
        "yet",
        "still",
        "what i can say is",
        "i can tell you",
        "it's mentioned",
        "it is mentioned",
        "they (?:do )?mention",
    ),
    concession=("although", "though", "while", "even if", "even though", "despite"),
    empty=(
        "please",
        "feel free",
        "let me know",
        "(?:i'm |i am )?sorry",
        "i apologi[sz]e",
        "if you (?:have|need|would|can|could|want|'d|provide|give|tell|are looking)",
        "(?:i'd|i would) (?:recommend|suggest|advise|be happy|be glad)",
        "(?:i'm|i am) (?:doing|learning|here|happy|still|only|just|always|afraid)",
        "i (?:can|could|will) (?:ask|check|try|help|connect|pass|forward|find out|look|put|transfer|learn)",
        "i'll",
        (
            "you (?:can|may|might|could|should|will have to|would need to) "
            "(?:want to |also |try to |always )?(?:contact|ask|check|consult|refer|call|reach|visit|"
            "look|search|try|write|e-?mail)"
        ),
        "it (?:is|'s|may be|might be|would be) (?:best|better|helpful|important|recommended|advisable) to",
        "therefore",
        (
            "(?:the |these |this )?(?:provided |given |available )?(?:documents?|passages?|texts?|context)"
            "(?: provided)? (?:mainly|primarily|only|focus|focuses|mostly|just)"
        ),
        "(?:they|it) (?:mainly|primarily|only|focus|focuses|mostly)",
        "(?:is|could|can|would|do|did|are|what|how|which) (?:there|you|else)",
        "thank",
        "hope",
        "i hope",
        "good question",
        "i (?:have )?(?:looked|searched|checked)",
        "(?:our|the) (?:team|support|colleagues|staff) (?:can|will|may)",
    ),
    not_understood=(
        "i (?:do not|don't|did not|didn't) (?:understand|follow|catch|get)",
        "(?:not sure|not certain) (?:that )?i (?:understood|understand)",
        "(?:please |could you |can you )(?:rephrase|reformulate|repeat)",
        "didn't catch that",
        "say (?:that|it) (?:in )?a(?:nother| different) way",
        "(?:can't|cannot|can not) help (?:you )?with (?:that|this|it)",
        "i don't know what you mean",
    ),
)
