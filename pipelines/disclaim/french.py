"""How a French answer says that it does not know."""

from pipelines.disclaim.vocabulary import Vocabulary

_ADVERB = (
    "(?:(?:vraiment|toujours|malheureusement|pas|encore|actuellement|tout à fait|trop|du tout|entièrement|complètement|"
    "absolument|totalement|explicitement|précisément|spécifiquement|clairement|directement|très|"
    "bien|plus|non plus) ){0,3}"
)
_SPOKEN = "(?:ne |n')?"
_OF = (
    "(?:de |d'|de cette |de cet |de ces |de la |de l'|cette |cet |ces |la |l'|les |le |une |un |des |du |aucune |"
    "aucun |suffisamment d'|assez d'|davantage d'|plus d')?"
)
_BEFORE = "(?:(?:autres|telle|tel|telles|tels|quelconque|moindre|bonne|informations? ou) ){0,2}"
_FACT = (
    "(?:informations?|infos?|renseignements?|précisions?|détails?|données?|réponses?|éléments?|connaissances?|"
    "chiffres?|indications?|éléments? de réponse)"
)
_SOURCE = (
    "(?:documents?|passages?|textes?|contexte|sources?|articles?|documentation|extraits?|fiches?|notes|résultats?|"
    "pages?|guide|manuel|base de connaissances|informations)"
)
_GIVEN = (
    "(?: (?:fournie?s?|disponibles?|consultée?s?|donnée?s?|dont je dispose|que j'ai|à ma disposition|"
    "trouvée?s?|retrouvée?s?))?"
)
_SAY = (
    "(?:(?:mentionne|précise|indique|évoque|aborde|spécifie|explique|parle|traite|couvre)(?:nt)?|disent|dit|"
    "répondent|répond|décrivent|décrit)"
)
_HOLD = "(?:contiennent|contient|fournissent|fournit|incluent|inclut|(?:donne|comporte|offre|apporte)(?:nt)?)"
#: what one asks about a thing
_ATTRIBUTE = (
    "(?:dates?|prix|coûts?|origines?|significations?|définitions?|prononciations?|auteure?s?|années?|explications?)"
)
_SAID = "(?:mentionnée?s?|précisée?s?|indiquée?s?|spécifiée?s?|abordée?s?|évoquée?s?|décrite?s?|fournie?s?|couverte?s?)"

FRENCH = Vocabulary(
    language="fr",
    function_words=(
        "le les des est et je ne pas vous que qui dans pour une un sur avec ce cette sont du au "
        "aux mais nous votre vos "
        "désolé désolée il elle suis c'est n'ai j'ai sais être plus par ou où merci"
    ),
    stems=("pas", "aucun", "rien", "ignor", "saur", "nulle"),
    unknowing=(
        rf"(?:je|nous) {_SPOKEN}{_ADVERB}(?:sais|savons) {_ADVERB}(?:pas|rien)",
        r"je n'en sais(?: vraiment| absolument)? rien",
        (
            rf"(?:je|nous) ne (?:saurais|saurions) {_ADVERB}"
            "(?:(?:vous |vous le |le )?dire|répondre|vous répondre|préciser|l'affirmer)"
        ),
        r"(?:je l'|j')ignore(?! ce message)|nous (?:l')?ignorons",
        (
            rf"(?:je|nous) {_SPOKEN}(?:suis|sommes) pas {_ADVERB}(?:sûre?s?|certaine?s?)(?! (?:que ce "
            r"soit|d'avoir bien compris))"
        ),
        rf"(?:je|nous) {_SPOKEN}(?:connais|connaissons) pas (?:la réponse|ce sujet|ce produit|ce point|les détails)",
        (
            rf"(?:je|nous) {_SPOKEN}(?:dispose|disposons|ai|avons|possède|possédons) {_ADVERB}(?:pas "
            rf")?{_OF}{_BEFORE}{_FACT}"
        ),
        rf"(?:je|nous) n'(?:ai|avons) {_ADVERB}(?:pas )?{_OF}{_BEFORE}(?:{_FACT}|idée)",
        rf"j'ai (?:pas|aucune?) {_OF}{_BEFORE}(?:{_FACT}|idée)",
        rf"(?:{_SOURCE}|ils|elles){_GIVEN} (?:ne |n'){_SAY} {_ADVERB}(?:pas|rien|aucune?|nulle part|ni)",
        rf"{_SOURCE}{_GIVEN} (?:ne |n'){_HOLD} {_ADVERB}(?:pas )?{_OF}{_BEFORE}{_FACT}",
        (
            rf"il n'(?:y a|existe) {_ADVERB}(?:pas )?{_OF}{_BEFORE}(?:informations?|infos?|"
            r"renseignements?|précisions?|mention)"
        ),
        (
            rf"(?:aucune?|pas d'|pas de) {_BEFORE}(?:{_FACT}|mention) (?:n'est |n'a été |ne figure |"
            r"n'y figure |disponibles?|à ce sujet|sur ce)"
        ),
        (
            rf"(?:n'est|ne sont|n'a pas été|n'ont pas été) {_ADVERB}{_SAID} (?:nulle part )?(?:dans|par) "
            rf"(?:(?:les?|la|ces|cette?|mes|nos|l') ?){_SOURCE}"
        ),
        "(?:n'est|ne sont) pas (?:explicitement|clairement|précisément) (?:mentionn|précis|indiqu|spécifi)ée?s?",
        rf"rien (?:dans |sur |à ce sujet dans )?~{_SOURCE}{_GIVEN} ne",
    ),
    openings=(
        r"aucune idée(?=\s*+[.,;:!…)]|\s*+$| (?:de|du|si|où|quand|comment|pourquoi|sur)\b)",
        "(?:je )?sais pas",
        "pas (?:tout à fait |vraiment |trop )?(?:sûre?|certaine?)",
        "chais pas",
        "aucune information",
    ),
    interjections=(
        "désolée?",
        "je suis désolée?",
        "pardon",
        "malheureusement",
        "euh",
        "hum++",
        "bon",
        "navrée?",
        "mais",
        "honnêtement",
    ),
    unable=(
        (
            rf"(?:je|nous) (?:ne )?(?:trouve|trouvons) {_ADVERB}pas (?:les |la |le |l'){_ATTRIBUTE}"
            "(?= (?:des|de|du|d'))(?! (?:des|de) (?:vo|no|mes|tes))"
        ),
        rf"(?:je|nous) (?:ne |n')?(?:trouve|trouvons) {_ADVERB}(?:pas )?{_OF}{_BEFORE}(?:{_FACT}|mention)",
        (
            rf"(?:je|nous) n'(?:ai|avons) {_ADVERB}(?:pas |rien )?(?:pu )?(?:trouver|trouvé|retrouver|retrouvé) "
            rf"(?:à ce (?:sujet|propos)|là-dessus|sur cela|sur ce|dans les documents|{_OF}{_BEFORE}(?:{_FACT}|mention))"
        ),
        (
            rf"(?:je|nous) {_SPOKEN}(?:peux|pouvons|suis pas en mesure de|sommes pas en mesure de) "
            rf"{_ADVERB}(?:pas )?{_ADVERB}"
            "(?:vous |te )?(?:dire|confirmer|affirmer|déterminer|préciser|répondre) "
            "(?:avec certitude|si|avec précision|précisément|exactement|à cette question|à votre question|sur ce point)"
        ),
        rf"(?:je|nous) {_SPOKEN}(?:peux|pouvons) {_ADVERB}pas (?:le )?déterminer",
        (
            rf"{_SOURCE}{_GIVEN} ne (?:me |nous )?(?:permettent|permet) pas de (?:répondre|savoir|"
            r"déterminer|le dire|dire|conclure)"
        ),
    ),
    refusal=(
        "pour (?:des|ces) raisons (?:légales|juridiques|de confidentialité|de sécurité)",
        "confidentiel(?:le)?s?",
        "pas (?:autorisée?s?|le droit|permis|habilitée?s?)",
        "notre politique",
        "conseils? (?:médica|juridique|financier)(?:l|ux|s)?",
        "interdite?s?",
        "protection des données",
    ),
    not_after=("si", "quand", "lorsque", "au cas où", "même si", "dire que"),
    not_before=(
        "~ce que (?:vous|tu) (?:voulez|veux|entendez|entends|cherchez|cherches|demandez|demandes|souhaitez)",
        "~(?:de )?(?:vous |t'|te |bien |d')?(?:avoir|ai) (?:bien |vraiment |tout )?compris",
        "~de (?:bien )?(?:vous )?comprendre",
        "de quoi (?:vous|tu) parle[sz]",
        "à quoi (?:vous|tu)",
        "~où (?:vous|tu) voule[zs]? en venir",
    ),
    contrast=("mais", "cependant", "toutefois", "néanmoins", "en revanche", "par contre", "pourtant", "alors que"),
    concession=("bien que", "même si", "quoique"),
    empty=(
        "(?:je suis |j'en suis )?(?:désolée?|navrée?)",
        "veuillez",
        "n'hésitez pas",
        "merci",
        "je vous (?:invite|conseille|recommande|suggère)",
        (
            "(?:vous|tu) (?:pouvez|peux|pourriez|devriez) (?:aussi |toujours )?(?:contacter|"
            "consulter|demander|appeler|vérifier|écrire|vous|essayer|regarder)"
        ),
        "(?:je|nous) (?:peux|pouvons|vais|vous|fais|me renseigne|transmets|reste|suis)",
        "contactez",
        "consultez",
        "si vous",
        "si tu",
        "j'apprends",
        "puis-je",
        "pouvez-vous",
        "pourriez-vous",
        "souhaitez-vous",
        "voulez-vous",
        "le mieux est de",
        "il vaut mieux",
        "essayez",
        (
            "(?:ils|elles|les (?:documents|passages|textes)) (?:portent|traitent|parlent) (?:surtout|"
            "principalement|uniquement)"
        ),
        "bonne question",
        "(?:notre équipe|le support|le service client|un conseiller|un collègue)",
        "j'espère",
        "demandez",
        "pardon",
        "adressez-vous",
    ),
    not_understood=(
        "(?:je )?(?:ne |n')?(?:comprends|ai|avons) pas (?:tout à fait |bien |tout )?(?:compris|saisi)",
        "(?:je )?(?:ne )?comprends pas",
        "~(?:vous )?avoir (?:bien )?compris",
        "(?:merci de|pouvez-vous|pourriez-vous|veuillez) (?:reformuler|répéter)",
        "dire ça d'une autre (?:façon|manière)",
        "(?:ne )?(?:peux|pouvons) pas (?:vous |t')aider",
        "pas dans mes compétences",
    ),
)
