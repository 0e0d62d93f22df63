"""Word lists of the detectors, by what they are for. Written without accents, as folded text is."""


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


#: last labels that make a spelled-out host ("name at host dot com") one
TOP_LEVEL_DOMAINS = frozenset(
    _words("""
    com org net edu gov io co info biz me dev app ai eu fr es it de uk ch be nl pt us ca au ie br mx ar jp cn ru
    pl se no dk fi at gr cz hu ro in
""")
)
#: words before a plain "at" that make what follows a place to look at and not an address
NO_LOCAL_PART = frozenset(
    _words("""
    a about again also and are available be books bought buy check find found get go here hosted i is it item
    items live located look looked looking looks me meet not now online or order ordered out page price product
    products read said see sells shop shopping site sold stare stay store that the them there this up us visit
    was we website work worked working works you
""")
)
#: words that are written with a capital though they are no names
CAPITALISED = frozenset(
    _words("""
    april august december english eu february french friday german i i'd i'll i'm i've italian january july june
    march may monday november october ok saturday september spanish sunday thursday tuesday uk usa wednesday
""")
)
#: forms of address, without their full stop
TITLES = frozenset(
    _words("""
    mr mrs ms miss mx dr prof sir lady mme mlle m mm maitre docteur monsieur madame mademoiselle sr sra srta don dona
    senor senora senorita doctor doctora sig signor signora signorina dott dottor dottoressa avv ing
""")
)
#: words that begin sentences, or stand after an introduction, and are no names; en fr es it
ORDINARY = frozenset(
    _words("""
    a able about afraid after al algo all allora alors also am an anche and any are as at au aussi avec back
    because been before bonjour buenas buenos buongiorno but by can ce ces cette che chi ciao come comment como
    con cosa could cual cuando cui da dans de dei del della des di did do does donde done dove du e el ella elle
    en entonces es est esta este et everyone fine for from glad gli go going good gracias grazie great ha had
    happy has have having hay he help her here his ho hola how i if il ils in interested io is it its je just la
    las le les let leur lo looking los lui ma mais me merci mes mi mon more my ne need nel new no non nos not
    nous now of on one only or ou our out par para pas per perche pero piu please plus por porque posso pour
    pourquoi puedo quale quand quando que quel quelle questa questo qui quien quiero ready really sa salut se
    ses she should si sin so some sono sorry still su support sur sure sus team tengo thank thanks that the
    their them then there these they this those to too trying tu un una unable under une up us use using usted
    very voi vorrei votre vous was we what when where which while who why will with wondering would y yes yo you
    your
""")
)
#: numbers as words; compounds are made of them
ENGLISH_NUMBERS = _words("""
    one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen
""")
#: numbers as words
ENGLISH_TENS = _words("""
    twenty thirty forty fifty sixty seventy eighty ninety
""")
#: numbers as words
FRENCH_NUMBERS = _words("""
    un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize vingt trente
    quarante cinquante soixante
""")
#: numbers as words
SPANISH_NUMBERS = _words("""
    un dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete
    dieciocho diecinueve veinte veintiun treinta cuarenta cincuenta sesenta setenta ochenta noventa
""")
#: numbers as words
ITALIAN_NUMBERS = _words("""
    un due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici
    diciassette diciotto diciannove venti trenta quaranta cinquanta sessanta settanta ottanta novanta
""")
