"""How a Spanish answer says that it does not know."""

from pipelines.disclaim.vocabulary import Vocabulary

_ADVERB = (
    "(?:(?:muy|del todo|completamente|totalmente|realmente|aún|todavía|tan|actualmente|explícitamente|claramente|"
    "específicamente|directamente|exactamente|con exactitud|lamentablemente|tampoco|la verdad|bien|nada) ){0,3}"
)
_BEFORE = (
    "(?:(?:ninguna?|suficiente|suficientes|más|esa|ese|esos|esta|este|estos|la|el|los|las|una|un|de|acceso a|mucha|"
    "otra|otros|tal|toda|todos|mayor|mayores|tanta) ){0,4}"
)
_FACT = (
    "(?:información|informaciones|datos?|detalles?|respuestas?|conocimientos?|constancia|cifras?|"
    "precisiones|referencias?)"
)
_SOURCE = (
    "(?:documentos?|pasajes?|textos?|contexto|fuentes?|artículos?|documentación|fragmentos?|notas|resultados?|páginas?|"
    "guía|manual|base de conocimientos?|información|fichas?)"
)
_GIVEN = (
    "(?: (?:proporcionad[oa]s?|disponibles?|facilitad[oa]s?|consultad[oa]s?|dad[oa]s?|que tengo|"
    "recuperad[oa]s?|aportad[oa]s?))?"
)
_SAY = (
    "(?:mencionan?|especifican?|indican?|dicen?|detallan?|aclaran?|explican?|tratan?|abordan?|precisan?|describen?|"
    "responden?|hablan? de|cubren?)"
)
_HOLD = "(?:contienen?|ofrecen?|proporcionan?|incluyen?|dan?|aportan?|tienen?|facilitan?|recogen?)"
#: what one asks about a thing
_ATTRIBUTE = "(?:fechas?|precios?|costes?|origen|significados?|definición|pronunciación|autora?|año|explicación)"
_WHAT = "(?:quién(?:es)?|qué|cómo|cuándo|cuánt[oa]s?|dónde|por qué|cuál(?:es)?|quien|que es|como responder|si)"

SPANISH = Vocabulary(
    language="es",
    function_words=(
        "el los las de que y en es un una por para con se no del al lo su sus pero más como está son muy tu usted eso "
        "estoy tengo sé siento qué cómo puede hay este esta le te o nos"
    ),
    stems=("no ", "descono", "tampoco", "ni idea", "ningun"),
    unknowing=(
        r"(?:yo )?no (?:lo |le |te )?sé",
        r"no lo se(?=\s*+[.,;!?]|\s*+$)|no se (?:quién|qué es|cómo responder|quien es|que es|como responder)",
        rf"(?:no|tampoco) (?:lo )?(?:sabemos|sabría(?:mos)?)(?: (?:decir(?:te|le)?|{_WHAT}))?",
        rf"no (?:estoy|estamos) {_ADVERB}segur[oa]s?(?! de que sea (?:buena|una buena|lo mejor))",
        (
            rf"(?:no|tampoco) (?:tengo|tenemos) {_ADVERB}{_BEFORE}(?:{_FACT}|idea)(?! de (?:tu|su) "
            r"(?:pedido|reserva|cuenta))"
        ),
        rf"no (?:tengo|tenemos) (?:muy |del todo )?claro {_WHAT}",
        "no (?:tengo|tenemos) (?:ni la menor |la menor |ni la más mínima |ni )idea",
        rf"(?:no|tampoco) (?:dispongo|disponemos|cuento|contamos) (?:de|con) {_BEFORE}{_FACT}",
        "desconozco|desconocemos",
        "no (?:conozco|conocemos) (?:la respuesta|los detalles|ese dato|este tema|ese tema|el dato)",
        r"no me consta",
        rf"{_SOURCE}{_GIVEN} (?:no|tampoco) {_ADVERB}{_SAY}",
        rf"{_SOURCE}{_GIVEN} (?:no|tampoco) {_ADVERB}{_HOLD} {_BEFORE}{_FACT}",
        (
            rf"no (?:hay|existe|aparece|consta) {_BEFORE}(?:información|mención|detalles|datos "
            r"(?:sobre|acerca|al respecto))"
        ),
        rf"no se {_ADVERB}{_SAY} ~(?:en|por) (?:los|el|la|las|estos|este|esta) ~{_SOURCE}",
        (
            rf"no (?:está|están|aparece|aparecen|viene) {_ADVERB}(?:especificad|mencionad|indicad|"
            r"detallad|recogid)?[oa]?s? ?"
            rf"en (?:los|el|la|las|estos|este|esta|mis) {_SOURCE}"
        ),
        "ninguna información (?:sobre|disponible|al respecto|acerca)",
        "no (?:está|queda) claro (?:en|a partir de|según) (?:los|el|la)",
    ),
    openings=("ni idea", "no sé", "no lo sé", "no estoy segur[oa]", "ninguna información"),
    interjections=(
        "lo siento",
        "perdón",
        "disculpa",
        "disculpe",
        "lamentablemente",
        "pues",
        "mmm++",
        "eh",
        "uy",
        "pero",
        "la verdad",
    ),
    unable=(
        rf"no (?:encuentro|encontramos|he encontrado) (?:el|la|las|los) {_ATTRIBUTE} (?:de|del)(?! tu| su)",
        (
            r"no (?:encuentro|encontramos|he encontrado|hemos encontrado|encontré) "
            rf"{_BEFORE}(?:{_FACT}|nada (?:sobre|al respecto|acerca))"
        ),
        rf"no (?:he|hemos) podido (?:encontrar|localizar) {_BEFORE}{_FACT}",
        (
            r"no (?:puedo|podemos|podría|puedo llegar a|soy capaz de) (?:decir(?:te|le|les)?|"
            r"confirmar(?:te|le)?|determinar|asegurar(?:te|le)?|"
            r"precisar|responder(?:te|le)?|afirmar) (?:con (?:certeza|seguridad|exactitud|precisión)|"
            rf"si|exactamente|a (?:esa|esta|su|tu) pregunta|{_WHAT})"
        ),
        r"no (?:puedo|podemos) determinar(?:lo)?",
        rf"{_SOURCE}{_GIVEN} no (?:me |nos )?permiten? (?:responder|saber|determinar|decir|concluir)",
    ),
    refusal=(
        "por (?:motivos|razones) (?:legales|de seguridad|de privacidad|de confidencialidad)",
        "confidencial(?:es)?",
        "no (?:estoy|está) (?:autorizad|permitid)[oa]",
        "nuestra política",
        "prohibid[oa]s?",
        "protección de datos",
        "(?:consejo|asesoramiento)s? (?:médico|legal|financiero|jurídico)s?",
    ),
    not_after=("si", "cuando", "en caso de que", "aunque usted", "dice que", "por si"),
    not_before=(
        "~(?:a )?qué (?:te|se) (?:refieres|refiere)",
        "~qué (?:me )?(?:quiere|quieres|está pidiendo|estás pidiendo|pide|pides|preguntas|necesitas)",
        "~(?:haber(?:te|le|lo)?|si (?:te|le|lo) he) (?:entendido|comprendido)",
        "~de (?:entender|comprender)(?:te|le|lo)?",
        "~lo que (?:quiere|quieres|me pide)",
    ),
    contrast=("pero", "sin embargo", "no obstante", "eso sí", "en cambio", "lo que sí"),
    concession=("aunque", "si bien", "a pesar de que"),
    empty=(
        "(?:lo )?siento",
        "disculp[ae]",
        "perdón",
        "por favor",
        "(?:te|le|les) (?:recomiendo|sugiero|aconsejo|invito)",
        "no dude",
        "no dudes",
        (
            "(?:puede|puedes|podría|podrías|debería) (?:también |intentar |siempre )?(?:contactar|"
            "consultar|preguntar|llamar|revisar|escribir|ponerse|probar)"
        ),
        (
            "(?:hago|puedo|podemos|voy a|intentaré|aprendo|sigo|estoy|estamos) (?:lo|preguntar|"
            "consultar|ayudar|intentar|mirar|averiguar|buscar|aprend|aquí|cosas)"
        ),
        "aprendo",
        "hago lo que",
        "consult[ea]",
        "contact[ea]",
        "si (?:quieres|quiere|necesitas|necesita|me|lo deseas|lo desea|tienes|tiene)",
        "¿",
        "gracias",
        "lo mejor es",
        "es mejor",
        "(?:nuestro equipo|el equipo|atención al cliente|un compañero)",
        "(?:los documentos|los textos|solo|sólo) (?:tratan|hablan)",
        "buena pregunta",
        "espero",
    ),
    not_understood=(
        "no (?:lo |te |le |la )?(?:he )?(?:entiendo|entendido|comprendo|comprendido|pillado|captado)",
        "no (?:te|le) sigo",
        "(?:por favor |puedes |podrías |puede )?(?:reformul[ae]r?|repit[ae]|repetir) (?:tu|su|la|eso)",
        "decir(?:lo)? (?:eso )?de otra (?:manera|forma)",
        "no puedo ayudar(?:te|le)",
        "de haber(?:te|le)? entendido",
    ),
)
