"""How an Italian answer says that it does not know."""

from pipelines.disclaim.vocabulary import Vocabulary

_ADVERB = (
    "(?:(?:proprio|del tutto|affatto|davvero|ancora|purtroppo|al momento|molto|tanto|completamente|totalmente|"
    "esplicitamente|specificamente|chiaramente|direttamente|attualmente|esattamente|nemmeno|"
    "neanche|così|bene|assolutamente) ){0,3}"
)
_BEFORE = (
    "(?:(?:alcuna|alcun|nessuna|nessun|la|il|le|i|gli|una|un|di|abbastanza|sufficienti|altre|altri|ulteriori|queste|"
    "questa|questo|tali|più|maggiori|quelle|quella|delle|dei|molte|accesso a|la minima|sufficiente) ){0,4}"
    "(?:l'|un'|nessun'|alcun'|quest'|quell'|all')?"
)
_FACT = (
    "(?:informazion[ei]|info|dat[oi]|dettagli|dettaglio|rispost[ae]|conoscenz[ae]|indicazion[ei]|"
    "notizi[ae]|cifre|elementi)"
)
_SOURCE = (
    "(?:document[oi]|passagg[io]|test[oi]|contesto|font[ei]|articol[oi]|documentazione|"
    "estratt[oi]|brani|brano|note|risultati|"
    "pagin[ae]|guida|manuale|base di conoscenza|informazioni|sched[ae])"
)
_GIVEN = (
    "(?: (?:fornit[oiae]|disponibil[ei]|dat[oiae]|consultat[oiae]|a disposizione|che ho|a mia "
    "disposizione|trovat[oiae]|recuperat[oiae]))?"
)
_SAY = (
    "(?:menziona(?:no)?|specifica(?:no)?|indica(?:no)?|dice|dicono|parla(?:no)? di|tratta(?:no)?|"
    "spiega(?:no)?|precisa(?:no)?|"
    "descrive|descrivono|risponde|rispondono|chiarisce|chiariscono|riporta(?:no)?|accenna(?:no)?|copre|coprono)"
)
_HOLD = (
    "(?:contiene|contengono|fornisce|forniscono|offre|offrono|include|includono|dà|danno|"
    "riporta(?:no)?|comprende|comprendono)"
)

#: what one asks about a thing
_ATTRIBUTE = "(?:dat[ae]|prezz[oi]|cost[oi]|origin[ei]|significat[oi]|definizion[ei]|pronuncia|autor[ei]|anno|durata)"

ITALIAN = Vocabulary(
    language="it",
    function_words=(
        "il lo la gli di che è e un una per con non sono del della dei delle nel nella ma più "
        "come questo questa si mi ti le "
        "dispiace so ho sia chi cosa alla ai al anche può puoi suo tuo ci da hai"
    ),
    stems=("non ", "ignor", "nessun", "boh"),
    unknowing=(
        r"non (?:lo |ne |te lo |glielo )?so(?! cosa farei)",
        "non (?:lo |ne |te lo |glielo )?(?:saprei|sappiamo|sapremmo)",
        rf"non (?:ne )?(?:sono|siamo) {_ADVERB}(?:sicur[oaie]|cert[oaie])(?! che sia (?:una buona|la scelta))",
        rf"non (?:ho|abbiamo) {_ADVERB}{_BEFORE}(?:{_FACT}|idea)(?! (?:del|sul) tuo ordine)",
        rf"non (?:dispongo|disponiamo) {_ADVERB}(?:di |delle |dei |della |dell'|del ){_BEFORE}{_FACT}",
        "non (?:conosco|conosciamo) (?:la risposta|i dettagli|questo argomento|il dato|questo prodotto)",
        rf"ignoro (?:il |la |l'|i |le |gli ){_ATTRIBUTE}",
        "(?:ignoro|ignoriamo) (?:se|chi|cosa|come|quando|dove|quale|quanto|la risposta|perché)",
        r"non mi è noto",
        rf"{_SOURCE}{_GIVEN} non {_ADVERB}{_SAY}",
        rf"{_SOURCE}{_GIVEN} non {_ADVERB}{_HOLD} {_BEFORE}{_FACT}",
        (
            rf"non (?:ci sono|c'è|esistono|esiste|risultano) {_BEFORE}(?:informazion[ei]|menzione|"
            r"dettagli|dati (?:su|sul|sulla|al riguardo|in merito))"
        ),
        (
            rf"non (?:è|viene|sono|vengono) {_ADVERB}(?:specificat|menzionat|indicat|riportat|descritt|"
            r"trattat|precisat)[oaie] ~"
            rf"(?:nei|nel|nella|nelle|dai|dal|in) (?:quest[oiaie] )?{_SOURCE}"
        ),
        "non (?:è|viene|sono|vengono) (?:esplicitamente|chiaramente) (?:specificat|menzionat|indicat|riportat)[oaie]",
        "nessun'?a? ?(?:informazione|dettaglio) (?:su|sul|sulla|disponibile|al riguardo|in merito|è)",
    ),
    openings=(
        "boh",
        r"nessuna idea(?=\s*+[.,;:!…)]|\s*+$| (?:di|su|se|quando|come|dove|perché)\b)",
        "non (?:ne )?(?:ho|so)(?: la minima)? (?:idea|nulla|niente)",
        "non (?:lo )?so",
        "nessuna informazione",
    ),
    interjections=(
        "mi dispiace",
        "mi spiace",
        "scusa",
        "scusi",
        "purtroppo",
        "mah",
        "beh",
        "mmm++",
        "ma",
        "ehm",
        "spiacente",
        "sinceramente",
    ),
    unable=(
        (
            rf"non (?:trovo|troviamo) (?:il |la |l'|le |i ){_ATTRIBUTE}"
            "(?= (?:di|del|della|dell'|dei|delle))(?! (?:di|del|della|dei|delle) (?:tu|su|vostr)[oaei])"
        ),
        (
            r"non (?:trovo|troviamo|ho trovato|abbiamo trovato|riesco a trovare|riusciamo a trovare|"
            rf"ho potuto trovare) {_BEFORE}"
            rf"(?:{_FACT}|nulla (?:su|al riguardo|in merito)|niente (?:su|al riguardo|in merito))"
        ),
        (
            r"non (?:posso|possiamo|potrei|riesco a|sono in grado di|siamo in grado di) "
            rf"{_ADVERB}(?:dire|dirti|dirle|dirvi|confermare|confermarti|confermarle|"
            r"stabilire|determinare|affermare|rispondere|risponderti|risponderle) "
            "(?:con (?:certezza|sicurezza|precisione|esattezza)|se|esattamente|a (?:questa|quella) "
            "domanda|alla (?:tua|sua) domanda)"
        ),
        "non (?:posso|possiamo|riesco a) (?:stabilirlo|determinarlo|determinare)",
        (
            rf"{_SOURCE}{_GIVEN} non (?:mi |ci )?(?:permett|consent)(?:e|ono) di (?:rispondere|sapere|"
            r"stabilire|dire|concludere)"
        ),
    ),
    refusal=(
        "per (?:motivi|ragioni) (?:legali|di sicurezza|di privacy|di riservatezza)",
        "riservat[oaie]",
        "confidenziali?",
        "non (?:sono |è )?(?:autorizzat|permess|consentit)[oa]",
        "nostra politica",
        "vietat[oaie]",
        "protezione dei dati",
        "(?:consigli|consulenza|consulenze|pareri) (?:medic|legal|finanziari)[aeio]?",
    ),
    not_after=("se", "quando", "qualora", "nel caso in cui", "dice che", "dire che"),
    not_before=(
        "~(?:a )?cosa (?:ti riferisci|si riferisce|intendi|intende|vuoi|vuole|stai chiedendo|mi chiedi)",
        "~(?:di )?(?:aver(?:ti|la|lo)?|avere) (?:ben |bene )?(?:capito|compreso)",
        "~di (?:capire|comprendere)",
        "~(?:che )?cosa (?:tu )?(?:intenda|voglia)",
    ),
    contrast=("ma", "però", "tuttavia", "comunque", "in compenso"),
    concession=("anche se", "sebbene", "benché", "nonostante"),
    empty=(
        "(?:mi )?(?:dispiace|spiace)",
        "scus[ai]",
        "(?:ti|le|vi) (?:consiglio|suggerisco|invito)",
        "per (?:favore|piacere|cortesia)",
        "non esitare",
        (
            "(?:puoi|può|potresti|potrebbe|dovresti) (?:anche |sempre |provare a )?(?:contattare|"
            "consultare|chiedere|chiamare|verificare|scrivere|rivolgersi|rivolgerti|provare)"
        ),
        (
            "(?:faccio|posso|possiamo|provo|proverò|imparo|sto|cerco) (?:del|chiedere|aiutar|provare|"
            "verificare|cercare|imparando|nuove|di)"
        ),
        "faccio del mio",
        "imparo",
        "contatt[aio]",
        "consult[aio]",
        "se (?:vuoi|vuole|hai|ha|ti|le|desideri|mi)",
        "vuoi",
        "vuole",
        "grazie",
        "conviene",
        "è meglio",
        "la cosa migliore",
        "(?:il nostro team|l'assistenza|un collega|il servizio clienti)",
        "(?:i documenti|i testi) (?:parlano|trattano) (?:solo|soprattutto|principalmente)",
        "bella domanda",
        "spero",
    ),
    not_understood=(
        "non (?:ti |la |lo |l')?(?:ho )?(?:capito|capisco|compreso|comprendo|seguo)",
        "non credo di aver(?:ti|lo|la)? capito",
        "di aver(?:ti|lo|la)? capito",
        "(?:puoi|potresti|può|prova a) (?:ripetere|riformulare|ridirlo)",
        "ridirlo in un modo diverso",
        "usa un'altra frase",
        "non posso aiutar(?:ti|la)",
    ),
)
