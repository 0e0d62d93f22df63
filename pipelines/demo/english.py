"""An outdoor shop's help, in English."""

from pipelines.demo.topics import Talk, Topic

_TOPICS = (
    Topic(
        title="Tent poles and repairs",
        questions=("How can I repair a broken tent pole?", "Which sleeve fits a bent aluminium tent pole?"),
        facts=(
            "A broken tent pole is repaired with an aluminium sleeve that slides over the crack.",
            "Bent tent pole sections are straightened slowly by hand and then taped to the sleeve.",
            "Spare tent pole segments are sold singly, with shock cord, in four diameters.",
            "Measure the pole with callipers: the sleeve must be two millimetres wider.",
        ),
        follow_ups=("And for fibreglass ones?", "How wide must it be?"),
    ),
    Topic(
        title="Waterproof jacket washing",
        questions=("How should I wash my waterproof jacket?", "What detergent keeps a jacket membrane breathable?"),
        facts=(
            "Wash a waterproof jacket at thirty degrees with liquid detergent made for membranes.",
            "Fabric softener clogs the jacket membrane, so leave it out of the wash.",
            "Tumble the waterproof jacket for twenty minutes: warmth revives the breathable coating.",
            "Spray new repellent on the jacket after every fifth wash.",
        ),
        follow_ups=("Can it go in the dryer?", "How often should I do that?"),
    ),
    Topic(
        title="Returns and refunds",
        questions=("How do I return an order for a refund?", "When does the refund for returned boots arrive?"),
        facts=(
            "Return an order within sixty days with the label printed from your account.",
            "The refund arrives on the card five working days after the returned parcel is scanned.",
            "Returned boots must be unworn; a refund for worn boots is decided in the workshop.",
            "Gift orders are refunded as vouchers, unless the buyer asks for the return.",
        ),
        follow_ups=("What if I lost the label?", "Does that hold for gifts too?"),
    ),
    Topic(
        title="Head torch battery",
        questions=("How long does the head torch battery last?", "Can I charge the head torch with a power bank?"),
        facts=(
            "The head torch battery lasts nine hours on medium beam and ninety on the lowest.",
            "Charge the head torch from any power bank through the port under its rubber flap.",
            "A red blink says that the torch battery is below ten per cent.",
            "In frost the battery lasts a third less, so keep the torch inside your sleeping bag.",
        ),
        follow_ups=("And in the cold?", "What does the red light say?"),
    ),
    Topic(
        title="Hut reservations",
        questions=("How do I reserve a bunk in a mountain hut?", "Are mountain huts open for bunks in winter?"),
        facts=(
            "Reserve a bunk in a mountain hut by calling the warden before noon of the day before.",
            "Mountain huts are open from June to October; a winter room with six bunks stays unlocked.",
            "A bunk costs twenty-six euros, and members of an alpine club pay half in most huts.",
            "Unclaimed bunks are given away at seven in the evening.",
        ),
        follow_ups=("What does one cost?", "And for club members?"),
    ),
    Topic(
        title="Stove fuel canisters",
        questions=("Which gas canister fits the camping stove?", "Is winter gas better for a camping stove?"),
        facts=(
            "The camping stove takes any threaded gas canister; pierced canisters do not fit.",
            "Winter gas holds more propane, so the stove burns evenly below zero degrees.",
            "A canister of 230 grams boils about eighteen litres of water.",
            "Empty gas canisters go to the metal collection after a puncture with the key.",
        ),
        follow_ups=("How many litres does one boil?", "Where do the empty ones go?"),
    ),
    Topic(
        title="Boot sizes",
        questions=("Which size of hiking boots should I choose?", "Do hiking boots stretch after some weeks?"),
        facts=(
            "Choose hiking boots one size larger than street shoes, with a thumb of space at the toes.",
            "Leather hiking boots stretch in width after some weeks, never in length.",
            "Try hiking boots in the evening, when feet are larger, with thick socks.",
            "Half sizes exist from 36 to 47; insoles take up a quarter size.",
        ),
        follow_ups=("And for children?", "Do the leather ones grow longer?"),
    ),
    Topic(
        title="Sleeping bag temperatures",
        questions=(
            "What does the comfort temperature of a sleeping bag say?",
            "Which sleeping bag for a night at zero?",
        ),
        facts=(
            "The comfort temperature is where a relaxed sleeper in the sleeping bag is not cold all night.",
            "For a night at zero choose a sleeping bag with comfort temperature of minus three.",
            "The limit temperature is meant for a curled-up sleeper and runs five degrees lower.",
            "A silk liner adds about three degrees to any sleeping bag.",
        ),
        follow_ups=("How much does a liner add?", "And the limit value?"),
    ),
    Topic(
        title="Trail map subscription",
        questions=("How much is the trail map subscription?", "Can I download trail maps for offline use?"),
        facts=(
            "The trail map subscription is nineteen euros a year and ends by itself.",
            "Download trail maps for offline use in squares of twenty kilometres.",
            "A subscription covers three devices; maps on a fourth turn off the oldest.",
            "Students get the map subscription for nine euros with a valid card.",
        ),
        follow_ups=("For how many devices?", "Is there a student price?"),
    ),
    Topic(
        title="Climbing rope lifetime",
        questions=("When must a climbing rope be retired?", "How do I store a climbing rope?"),
        facts=(
            "A climbing rope must be retired after ten years even if it was never used.",
            "Retire the rope at once after a hard fall over an edge or contact with acid.",
            "Store a climbing rope loosely coiled in a bag, dark and dry.",
            "Weekly climbers replace their rope after about two years.",
        ),
        follow_ups=("Even if never used?", "And with weekly climbing?"),
    ),
)

ENGLISH = Talk(
    language="en",
    topics=_TOPICS,
    short=("ok", "thanks!", "yes", "great", "hm"),
    nods=("Yes, the second one please.", "Go on, tell me more.", "Okay, that sounds right."),
    corrections=("We tried that one already.", "I said no to that one.", "No, that did not work for us."),
    farewells=("Thanks a lot, goodbye!", "That was all, have a nice evening."),
    courtesies=("Is there anything else?", "Let me know if that helps.", ""),
    disclaimers=(
        "I'm sorry, I don't know.",
        "I don't have any information about that.",
        "I couldn't find anything about that. Please contact our support team.",
        "The documents do not mention this.",
    ),
    partial=("I'm not sure about the exact case, but here is what I found:", "I don't have the details for that, but"),
    snippet="Asked before: {question} Settled then: {fact}",
    rewrite="{title}: {question}",
)
