"""What each rule decides, by example."""

import pytest

from pipelines.resolution.gate import Decision, resolve
from pipelines.resolution.gate.rules import RULES
from pipelines.resolution.vocabulary import languages
from tests.resolution.gate.conversation import after, decision_after, said
from tests.resolution.gate.minimal_pairs import PAIRS

FEWEST_PAIRS = 9


def test_every_language_has_minimal_pairs() -> None:
    """A language of the vocabulary has at least nine lookalike pairs."""
    assert set(PAIRS) == set(languages())
    assert all(len(pairs) >= FEWEST_PAIRS for pairs in PAIRS.values())


@pytest.mark.parametrize(
    ("language", "rejection"), [(code, pair[0]) for code, pairs in PAIRS.items() for pair in pairs]
)
def test_a_rejection_is_a_correction_and_searched_as_typed(language: str, rejection: str) -> None:
    """What rejects an offer is never combined with the message that led to it."""
    resolution = after(rejection, language)

    assert (Decision.CORRECTION, rejection, None, language) == (
        resolution.decision,
        resolution.query,
        resolution.combined_with,
        resolution.language,
    )


@pytest.mark.parametrize(("language", "request_"), [(code, pair[1]) for code, pairs in PAIRS.items() for pair in pairs])
def test_the_request_in_nearly_the_same_words_is_a_follow_up(language: str, request_: str) -> None:
    """What asks for an offer is combined with the message that led to it."""
    resolution = after(request_, language)

    assert (Decision.FOLLOW_UP, 0, language) == (resolution.decision, resolution.combined_with, resolution.language)


EXAMPLES: dict[str, tuple[tuple[str, str], ...]] = {
    "address": (
        ("en", "ada.writer@example.com"),
        ("en", "my email is ada.writer@example.com"),
        ("fr", "mon adresse est ada.auteure@example.com"),
        ("es", "mi correo es ada.autora@example.com"),
        ("it", "il mio indirizzo è ada.autrice@example.com"),
        ("en", "https://shop.example.com/pricing"),
        ("en", "+33 1 99 00 12 34"),
    ),
    "identifier": (
        ("en", "ORD-2024-88123"),
        ("en", "ticket AB-20240881"),
        ("en", "3f2b8c1e-77aa-4d0e-9c55-0a1b2c3d4e5f"),
    ),
    "nonsense": (("en", "asdfghjkl asdf"), ("en", "!!!!!!!!!!!!"), ("en", "hgjfkdhgjfkd"), ("en", "test test test")),
    "farewell": (
        ("en", "Thanks, bye for now!"),
        ("fr", "Merci, au revoir !"),
        ("es", "Gracias, hasta luego"),
        ("it", "Grazie, arrivederci!"),
        ("en", "No thank you, that's all"),
        ("en", "Goodbye and thank you"),
        ("fr", "Au revoir et merci"),
        ("es", "Adiós y gracias por todo"),
        ("it", "Arrivederci e grazie"),
    ),
    "rejection": (("en", "We tried that one already."),),
    "repair": (
        ("en", "no, I meant the Pro plan"),
        ("fr", "non, je voulais dire le forfait Pro"),
        ("es", "no, me refiero al plan Pro"),
        ("it", "no, intendevo il piano Pro"),
    ),
    "nod": (
        ("en", "Yes please, go ahead"),
        ("fr", "D'accord, allons-y"),
        ("es", "De acuerdo, adelante"),
        ("it", "Va bene, procediamo"),
    ),
    "choice": (
        ("en", "Yes, go with the second one."),
        ("fr", "Oui, prenons le deuxième"),
        ("es", "Sí, prefiero la segunda opción"),
        ("it", "Sì, preferisco la seconda opzione"),
    ),
    "frame": (
        ("en", "What about the Pro plan?"),
        ("fr", "Et pour le forfait Pro ?"),
        ("es", "¿Y para el plan Pro?"),
        ("it", "E per il piano Pro?"),
    ),
    "reference": (
        ("en", "And does it include SSO?"),
        ("fr", "Est-ce qu'il inclut le SSO ?"),
        ("es", "¿Incluye también SSO?"),
        ("it", "Include anche il SSO?"),
        ("es", "¿Cómo puedo cancelarlo?"),
    ),
    "no_topic": (
        ("en", "What are the main drawbacks?"),
        ("fr", "Quels sont les avantages ?"),
        ("es", "¿Cuáles son las ventajas?"),
        ("it", "Quali sono i vantaggi?"),
    ),
    "open_comparison": (("en", "How is the annual plan different?"),),
    "definite": (("en", "Why was the invoice late?"),),
    "open_set": (("en", "Are there any discounts?"),),
    "two_place": (("en", "What is the impact on latency?"),),
    "continuation": (("en", "And notable integrations?"),),
    "answer": (
        ("en", "Yearly, billed in euros"),
        ("fr", "Mensuel, en euros"),
        ("es", "Mensual, en euros"),
        ("it", "Mensile, in euro"),
    ),
}


@pytest.mark.parametrize(("reason", "language", "message"), [(r, *e) for r, es in EXAMPLES.items() for e in es])
def test_a_message_is_decided_by_its_rule(reason: str, language: str, message: str) -> None:
    """The reason of each decision is the rule that one expects for the message."""
    assert reason == after(message, language).reason


def test_every_rule_has_an_example() -> None:
    """No rule is without an example, and no name is used twice."""
    names = [rule.name for rule in RULES]

    assert len(names) == len(set(names))
    assert set(EXAMPLES) == set(names) - {"first_message"}


@pytest.mark.parametrize(
    ("language", "message"),
    [
        ("en", "What is single sign-on and why does it matter?"),
        ("en", "Where is order ORD-2024-88123?"),
        ("en", "Is it possible to export contacts to CSV?"),
        ("en", "Which plans support SAML this year?"),
        ("en", "I can't log in with ada.writer@example.com"),
        ("en", "We are importing a spreadsheet of contacts"),
        ("fr", "Le forfait Pro inclut-il le SSO ?"),
        ("fr", "Les prix sont-ils hors taxes ?"),
        ("fr", "Puis-je annuler mon abonnement ?"),
        ("en", "what is the fastest crm for agencies"),
        ("fr", "Est-il possible de payer par virement ?"),
        ("fr", "Comment exporter mes contacts en CSV ?"),
        ("es", "¿El plan Pro incluye inicio de sesión único?"),
        ("es", "¿Es posible pagar por transferencia bancaria?"),
        ("it", "Il piano Pro include il single sign-on?"),
        ("it", "È possibile pagare con bonifico?"),
    ],
)
def test_a_message_with_a_topic_of_its_own_is_searched_as_typed(language: str, message: str) -> None:
    """A pronoun that the message itself explains, or that points at nothing, is no reason to combine."""
    resolution = after(message, language)

    assert (Decision.SUBSTANTIVE, message) == (resolution.decision, resolution.query)


@pytest.mark.parametrize(
    ("language", "message"),
    [
        ("en", "What are your prices?"),
        ("en", "How many offices do you have?"),
        ("en", "Where is the company based?"),
        ("fr", "Quels sont vos tarifs ?"),
        ("fr", "Combien de bureaux avez-vous ?"),
        ("fr", "Vos prix sont-ils hors taxes ?"),
        ("fr", "Le produit a-t-il une API ?"),
        ("es", "¿El producto tiene una API?"),
        ("it", "Il prodotto ha una API?"),
        ("en", "Does the product have an API?"),
        ("es", "¿Cuáles son sus precios?"),
        ("es", "¿Cuántas oficinas tienen ustedes?"),
        ("it", "Quali sono i vostri prezzi?"),
        ("it", "Quanti uffici avete in Europa?"),
    ],
)
def test_what_names_the_company_is_no_reason_to_combine(language: str, message: str) -> None:
    """A search knows the company already."""
    assert decision_after(message, language) is Decision.SUBSTANTIVE


def test_a_pronoun_for_the_company_is_no_reason_to_combine() -> None:
    """After a message about the company alone, "it" is the company; after one about a plan, it is the plan."""
    about_company = resolve("How many offices does it have?", said("What does your company do?", "We sell paint."))
    about_plan = resolve("How many seats does it have?", said("How much is the Team plan?", "Twelve."))

    assert Decision.SUBSTANTIVE is about_company.decision
    assert Decision.FOLLOW_UP is about_plan.decision


def test_a_rejection_after_matters_of_its_own_is_not_a_correction() -> None:
    """A narrative that has its own topic first rejects nothing that was offered."""
    assert decision_after("I installed the Slack plugin yesterday and that one doesn't work") is not Decision.CORRECTION


def test_a_word_of_forms_is_a_topic_in_a_sentence() -> None:
    """The words "order" and "account" may stand round a typed number, and are what a sentence is about."""
    assert decision_after("How do I delete my account?") is Decision.SUBSTANTIVE
    assert decision_after("Where can I see my order?") is Decision.SUBSTANTIVE


@pytest.mark.parametrize(
    ("language", "question", "statement"),
    [
        ("fr", "On a déjà testé celui-là ?", "On a déjà testé celui-là."),
        ("es", "¿Ya hemos probado eso?", "Ya hemos probado eso."),
        ("it", "Abbiamo già provato quello?", "Abbiamo già provato quello."),
        ("en", "Have we tried that one?", "We have tried that one."),
    ],
)
def test_to_ask_whether_something_was_tried_rejects_nothing(language: str, question: str, statement: str) -> None:
    """Where a question has the words of a statement, its mark tells them apart."""
    assert decision_after(question, language) is Decision.FOLLOW_UP
    assert decision_after(statement, language) is Decision.CORRECTION
