"""Which answers say that they do not know. Every sentence here is written for these tests."""

import json
import re

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from pipelines.cli import app
from pipelines.disclaim import LANGUAGES, Disclaim, detect
from tests.disclaim.outcomes import one_by_one, together

#: (language, says that it does not know, its lookalike that does not)
MINIMAL_PAIRS = [
    ("en", "I don't know when the depot reopens.", "You don't need to know when the depot reopens."),
    ("en", "I'm not sure which filter fits that pump.", "I'm not sure what you mean by that pump."),
    ("en", "I don't have any information about refunds for gift cards.", "I don't have a gift card to refund."),
    ("en", "I have no idea how the tariff is computed.", "I have no problem explaining the tariff."),
    ("en", "The documents do not mention single sign-on.", "The plan does not include single sign-on."),
    ("en", "I couldn't find any information about Sunday hours.", "I couldn't find a free table on Sunday."),
    ("en", "I can't say for certain whether it is waterproof.", "I can't book that room for you."),
    (
        "en",
        "I can't confirm whether the lake is open.",
        "I can't confirm whether he is a customer, for privacy reasons.",
    ),
    ("en", "Not sure, sorry.", "Not sure about the colour? Try our sample pack."),
    ("en", "There is no information about pets in the guide.", "There is no charge for pets."),
    ("en", "I am not aware of any discount for that.", "Please be aware of the discount for that."),
    ("en", "I don't have the specific delivery figures.", "I don't have your delivery details yet; please send them."),
    ("en", "Nothing in the guide says who feeds the otters.", "Nothing in the guide is for sale."),
    ("en", "That isn't something I know, sorry.", "That isn't something I sell, sorry."),
    ("en", "I haven't been told when the ferry leaves.", "I haven't been paid for the ferry."),
    ("en", "Our handbook is silent on dogs.", "Our dogs are silent on the ferry."),
    ("en", "There's nothing about otters in the pages I was given.", "There's nothing to pay for otters at the gate."),
    ("en", "I don't possess any data on tides.", "I don't possess a boat."),
    ("en", "That information is not available to me.", "That boat is not available to you."),
    ("en", "The builder of the mill is unknown to us.", "The unknown builder left a mill to us."),
    ("en", "Who built the mill? I can't say.", "I can't say goodbye to the mill."),
    ("en", "I cannot find the origin of that name.", "I cannot find the origin of your parcel."),
    ("en", "I can't find that in our help centre.", "I can't find that in our garage."),
    ("fr", "Qui a bâti le moulin ? Je l'ignore.", "Le moulin ? On l'ignore en passant, il est si petit."),
    ("fr", "La notice ne précise rien, et la documentation ne mentionne pas le sel.", "La notice mentionne le sel."),
    ("fr", "Le texte fourni ne donne pas cette précision.", "Le moulin ne donne pas cette farine."),
    ("fr", "Je n'ai rien trouvé là-dessus.", "Je n'ai rien posé là-dessus."),
    ("fr", "Je ne trouve pas la date de la crue.", "Je ne trouve pas la date de votre commande."),
    ("fr", "Je ne saurais vous le dire.", "Je saurais vous le dire demain."),
    ("es", "No encuentro la fecha de la riada.", "No encuentro la fecha de su pedido."),
    ("it", "Non trovo la data della piena.", "Non trovo la data del suo ordine."),
    ("it", "Ignoro il prezzo del secondo anno.", "Ignoro il rumore del secondo piano."),
    ("fr", "Je ne sais pas quand l'atelier rouvre.", "Je sais quand l'atelier rouvre : lundi."),
    ("fr", "Je ne suis pas sûr du délai.", "Je ne suis pas sûr de vous avoir compris."),
    ("fr", "Je n'ai aucune information sur ce modèle.", "Je n'ai aucune objection sur ce modèle."),
    ("fr", "Je ne dispose pas de cette information.", "Ce forfait ne dispose pas de cette option."),
    ("fr", "Les documents ne précisent pas le tarif.", "Le forfait ne comprend pas le tarif de nuit."),
    ("fr", "Je n\u2019ai pas trouvé d\u2019information à ce sujet.", "Je n\u2019ai pas pu réserver la table."),
    ("fr", "J'ignore si le quai est ouvert.", "Ignorez ce message si le quai est ouvert."),
    ("fr", "Aucune idée, désolé.", "Aucune idée reçue : voici les faits."),
    (
        "fr",
        "Je ne peux pas confirmer si le vol part.",
        "Je ne peux pas confirmer si elle est cliente, c'est confidentiel.",
    ),
    ("es", "No sé cuándo abre el taller.", "No se puede abrir el taller."),
    ("es", "No estoy seguro del plazo.", "No estoy seguro de haberte entendido."),
    ("es", "No tengo información sobre ese modelo.", "No tengo mesas libres para ese día."),
    ("es", "Desconozco el precio del segundo año.", "El cliente desconocido pagó el segundo año."),
    ("es", "Los documentos no mencionan la garantía.", "El plan no incluye la garantía."),
    ("es", "No he encontrado información al respecto.", "No he podido reservar la habitación."),
    ("es", "No puedo decirle con certeza cuánto tarda.", "No puedo decirle si es cliente por motivos legales."),
    ("es", "Lo siento, ni idea.", "La idea es sencilla: se enrosca la tapa."),
    ("it", "Non so quando riapre l'officina.", "Non solo riapre, ma fa orario continuato."),
    ("it", "Non sono sicuro dei tempi.", "Non sono sicuro di aver capito."),
    ("it", "Non ho informazioni su quel modello.", "Non ho tavoli liberi per quel giorno."),
    ("it", "Non saprei dirle il prezzo.", "Il prezzo non sarebbe diverso."),
    ("it", "I documenti non menzionano la garanzia.", "Il piano non include la garanzia."),
    ("it", "Non ho trovato informazioni al riguardo.", "Non sono riuscito a prenotare la camera."),
    ("it", "Non posso confermare se il molo è aperto.", "Non posso confermare se è cliente, per motivi di privacy."),
    ("it", "Mi dispiace, nessuna idea.", "Nessuna idea regalo è più facile di questa."),
]

PARTIAL = [
    ("en", "I don't know the price, but the starter kit holds two filters, a hose and a spare seal."),
    ("en", "While I don't have details on Crete, ferries to the islands leave from the north quay every morning."),
    ("en", "The pump runs on mains or battery and takes an hour to charge. The manual does not mention salt water."),
    ("fr", "Je ne connais pas la réponse pour 2027, mais en 2026 la carte coûte douze euros et dure un an."),
    ("es", "No sé si abre el lunes, pero de martes a domingo el museo abre de diez a siete sin pausa."),
    ("it", "Non so se apre il lunedì, ma dal martedì alla domenica il museo è aperto dalle dieci alle sette."),
]

WHOLE_ALTHOUGH_LONGER = [
    ("en", "I'm sorry, I don't know. Please contact our support team by telephone or write to them any time."),
    ("en", "I have no information on that. Is there anything else that I could look up for you today?"),
    ("fr", "Désolé, je ne sais pas. N'hésitez pas à contacter notre équipe par téléphone ou par courriel."),
    ("es", "No lo sé. Por favor, póngase en contacto con nuestro equipo por teléfono o por correo."),
    ("it", "Non lo so. Può contattare il nostro team per telefono oppure per posta quando preferisce."),
]

NO_DISCLAIMER = [
    ("en", "If I don't know the answer, I will say so."),
    ("en", 'Press the key marked "I don\'t know" to skip a question.'),
    ("en", "I did not understand you. Could you say it another way?"),
    ("en", "I don't know what you mean."),
    ("en", "You do not have to sign in; the catalogue is public."),
    ("fr", "Si je ne sais pas, je le dirai."),
    ("fr", "Je n'ai pas compris votre demande."),
    ("es", "No he entendido la pregunta."),
    ("es", "No sé qué quieres decir."),
    ("it", "Non ho capito la domanda."),
    ("it", "Non so cosa intendi."),
    ("en", ""),
    ("it", "   \n "),
]


@pytest.mark.parametrize(("language", "disclaims", "_"), MINIMAL_PAIRS)
def test_it_finds_an_answer_that_does_not_know(language: str, disclaims: str, _: str) -> None:
    """An answer that says that it does not know is found, and the phrase stands in it."""
    found = detect(disclaims, language)

    assert found.disclaimed is True
    assert found.language == language
    assert found.phrase is not None
    assert found.phrase in disclaims


@pytest.mark.parametrize(("language", "_", "lookalike"), MINIMAL_PAIRS)
def test_it_leaves_the_lookalike_alone(language: str, _: str, lookalike: str) -> None:
    """A refusal, a failed booking, a negative fact or a misunderstanding is no disclaimer."""
    assert detect(lookalike, language) == Disclaim(disclaimed=False, language=language, phrase=None)


@pytest.mark.parametrize(("language", "answer"), PARTIAL)
def test_it_calls_partial_what_gives_something_all_the_same(language: str, answer: str) -> None:
    """Something substantial beside the disclaimer makes it partial."""
    assert detect(answer, language).disclaimed == "partial"


@pytest.mark.parametrize(("language", "answer"), WHOLE_ALTHOUGH_LONGER)
def test_courtesy_is_nothing_substantial(language: str, answer: str) -> None:
    """A way to support, an offer or a question back does not answer anything."""
    assert detect(answer, language).disclaimed is True


@pytest.mark.parametrize(("language", "answer"), NO_DISCLAIMER)
def test_conditions_quotations_and_misunderstandings_are_none(language: str, answer: str) -> None:
    """What is said under a condition, quoted, or about the visitor's words says nothing about knowledge."""
    assert detect(answer, language).disclaimed is False


@pytest.mark.parametrize(("language", "answer"), [pair[:2] for pair in MINIMAL_PAIRS] + PARTIAL)
def test_it_needs_no_stated_language_and_survives_a_wrong_one(language: str, answer: str) -> None:
    """Without a language, and under a wrong or unknown tag, the same is found."""
    expected = detect(answer, language)

    assert detect(answer, None) == expected
    assert detect(answer, "de-AT") == expected
    assert detect(answer, language.upper() + "-XX") == expected
    assert detect(answer, "fr" if language == "en" else "en") == expected


@pytest.mark.parametrize(
    ("language", "answer"),
    [
        ("en", "I didn't understand that."),
        ("en", "Please rephrase the question."),
        ("fr", "Je n'ai pas compris."),
        ("es", "No entiendo."),
        ("it", "Non ho capito."),
        ("en", "Sorry, I can't help you with that."),
    ],
)
def test_the_wide_sense_is_asked_for(language: str, answer: str) -> None:
    """Not having understood counts only where the wide sense is asked for."""
    assert detect(answer, language).disclaimed is False
    assert detect(answer, language, wide=True).disclaimed is True


def test_the_phrase_is_as_written() -> None:
    """The phrase keeps the answer's case, apostrophes and blanks."""
    found = detect("Sorry: I  DON\u2019T\u00a0know the rate.", "en")

    assert found.phrase == "I  DON\u2019T\u00a0know"


@pytest.mark.parametrize("code", sorted(LANGUAGES))
def test_every_language_has_pairs_and_its_stems_cover_its_cues(code: str) -> None:
    """A language is added whole: at least eight pairs, and no example that the stems would hide."""
    examples = [disclaims for language, disclaims, _ in MINIMAL_PAIRS if language == code]

    assert len(examples) >= 8
    for example in examples:
        folded = example.lower().replace("\u2019", "'")
        assert any(stem in folded for stem in LANGUAGES[code].stems)


_PIECES = [text for pair in MINIMAL_PAIRS for text in pair[1:]] + [text for _, text in PARTIAL]
_ANSWERS = st.one_of(
    st.text(max_size=80),
    st.lists(st.one_of(st.sampled_from(_PIECES), st.text(max_size=12)), max_size=4).map(" ".join),
)


@pytest.mark.property
@given(st.lists(st.tuples(_ANSWERS, st.sampled_from([None, "en", "fr", "es-MX", "it", "xx"])), max_size=6))
def test_many_at_once_are_the_same_as_one_by_one(asked: list[tuple[str, str | None]]) -> None:
    """`detect_all` gives what `detect` gives, in order; a phrase is always a piece of the answer in NFC."""
    answers, languages = [answer for answer, _ in asked], [language for _, language in asked]

    found = together(answers, languages)

    assert found == one_by_one(answers, languages)
    for disclaimed, _, phrase in found:
        assert (phrase is None) == (disclaimed == "no")


@pytest.mark.property
@given(_ANSWERS, st.sampled_from(["en", "fr", "es", "it"]))
def test_a_disclaimer_said_first_is_found_whatever_follows(rest: str, language: str) -> None:
    """Nothing that comes in a later sentence can take a plain disclaimer back."""
    plain = {"en": "I don't know.", "fr": "Je ne sais pas.", "es": "No lo sé.", "it": "Non lo so."}[language]

    assert detect(f"{plain}\n{rest}", language).disclaimed is not False


@pytest.mark.parametrize("code", sorted(LANGUAGES))
def test_no_pattern_can_repeat_without_bound_inside_a_repetition(code: str) -> None:
    """Every unbounded quantifier is possessive, which keeps the time linear in the length of an answer."""
    known = LANGUAGES[code]
    for pattern in (
        known.unknowing_pattern,
        known.opening_pattern,
        known.unable_pattern,
        known.refusal_pattern,
        known.not_after_pattern,
        known.not_before_pattern,
        known.contrast_pattern,
        known.concession_pattern,
        known.empty_pattern,
        known.not_understood_pattern,
    ):
        without_possessive = re.sub(r"[*+}]\+", "", pattern.pattern)

        assert not re.search(r"(?<!\\)[*+]", without_possessive), pattern.pattern


def test_the_command_answers_each_line_and_reports_what_is_no_request() -> None:
    """JSON lines in, JSON lines out, in order; a bad line has its own answer and makes the exit code 1."""
    lines = ['{"answer":"No lo sé."}', '{"text":1}', '{"answer":"It costs five euros.","language":"en"}']

    result = CliRunner().invoke(app, ["disclaim"], input="\n".join(lines))

    answered = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.exit_code == 1
    assert answered[0] == {"disclaimed": True, "language": "es", "phrase": "No lo sé"}
    assert answered[1]["line"] == 2
    assert answered[2] == {"disclaimed": False, "language": "en", "phrase": None}
