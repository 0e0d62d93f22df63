"""What calls cost, and that no limit is ever passed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.errors import NightcheckError
from pipelines.judging.budget import Budget, Ceiling, Limit, Price, read_prices
from pipelines.judging.verdict import Status
from schemas.chat import Tokens
from tests.judging.build import a_judge, a_manner, a_retrieval, judged
from tests.judging.scripted_endpoint import Call, Failed, Reply, Said, scripted, well

PRICE = Price(input=2.0, cached_input=0.2, cache_write=2.5, output=8.0, batch_share=0.5)


@pytest.mark.golden
@pytest.mark.parametrize(
    ("tokens", "cost"),
    [
        (Tokens(prompt=1_000_000), 2.0),
        (Tokens(prompt=1_000_000, cached=1_000_000), 0.2),
        (Tokens(prompt=1_000_000, cache_write=1_000_000), 2.5),
        # 400,000 read from the cache, 100,000 written to it, 500,000 neither: 0.08 + 0.25 + 1.00
        (Tokens(prompt=1_000_000, cached=400_000, cache_write=100_000), 1.33),
        (Tokens(prompt=1_000_000, cached=400_000, cache_write=100_000, completion=50_000), 1.73),
        # an endpoint that reports more parts than there is prompt is not believed
        (Tokens(prompt=1_000_000, cached=1_000_000, cache_write=1_000_000), 2.5),
        (Tokens(prompt=1_000, cached=5_000), 0.0002),
    ],
)
def test_cached_and_written_tokens_are_counted_once(tokens: Tokens, cost: float) -> None:
    """They are parts of the prompt, each at its own price."""
    assert PRICE.of(tokens) == pytest.approx(cost)
    assert PRICE.of(tokens, batch=True) == pytest.approx(cost / 2)


@pytest.mark.property
@given(*[st.integers(0, 10_000)] * 4)
def test_no_call_costs_more_than_was_set_aside(prompt: int, cached: int, written: int, completion: int) -> None:
    """The most that a call can cost bounds what it costs, however its prompt is split."""
    tokens = Tokens(prompt=prompt, cached=cached, cache_write=written, completion=completion)

    assert PRICE.of(tokens) <= PRICE.at_most(prompt, completion) + 1e-12


@pytest.mark.property
@given(st.lists(st.tuples(st.sampled_from("ab"), st.floats(0, 3), st.floats(0, 1)), max_size=30))
def test_commitments_never_pass_a_limit(calls: list[tuple[str, float, float]]) -> None:
    """Whatever is reserved and settled, nights and tenants stay within their ceilings."""
    budget = Budget(Ceiling(night=5.0, tenant=3.0))
    paid = {"a": 0.0, "b": 0.0}
    for tenant, amount, share in calls:
        if budget.reserve(tenant, amount) is None:
            budget.settle(tenant, amount, amount * share)
            paid[tenant] += amount * share

    assert budget.spent == pytest.approx(sum(paid.values()))
    assert budget.spent <= 5.0 + 1e-9
    assert max(paid.values()) <= 3.0 + 1e-9


def test_a_limit_says_whose_it_is() -> None:
    """A tenant's limit stops that tenant only; the night's stops everyone."""
    budget = Budget(Ceiling(night=10.0, tenant=4.0))

    assert budget.reserve("a", 3.5) is None
    assert budget.reserve("a", 1.0) is Limit.TENANT
    assert budget.reserve("b", 4.0) is None
    assert budget.reserve("c", 3.0) is Limit.NIGHT


@pytest.mark.parametrize(
    "content",
    [b"", b"[]", b'{"m": 1}', b'{"m": {"input": 1}}', b'{"m": {"input": -1, "output": 1}}', b'{"m": {"inptu": 1}}'],
)
def test_a_price_table_that_cannot_be_meant_is_refused(content: bytes) -> None:
    """A typing error in a price is not taken for nothing."""
    with pytest.raises(NightcheckError, match=r"prices\.json"):
        read_prices(content, "prices.json")


def counting(call: Call) -> Reply:
    """Answer well, for 1,000 tokens in and 100 out: 0.0028 by the price above."""
    reply = well(call)
    assert isinstance(reply, Said)
    return reply


def test_a_night_that_ends_early_has_favoured_no_stratum() -> None:
    """When the money is gone the rest is over budget, and the same share of every stratum was judged."""
    retrievals = [
        a_retrieval(
            f"The plan {n}.", query=f"q {n}", retrieval_id=f"r-{n}", stratum="big" if n % 4 else "small", tenant=tenant
        )
        for tenant in ("a.example.com", "b.example.com")
        for n in range(40 * (tenant > "b"), 40 + 40 * (tenant > "b"))
    ]
    manner = a_manner(price=PRICE, output_limit=100)
    with scripted(counting) as endpoint:
        judge = a_judge(endpoint.base_url, manner=manner, ceiling=Ceiling(night=0.14))
        found = judged(judge, retrievals)

        calls = len(endpoint.calls)
    by_status = {status: [v for v in found.values() if v.status is status] for status in Status}
    assert len(by_status[Status.JUDGED]) == calls
    assert len(by_status[Status.JUDGED]) + len(by_status[Status.OVER_BUDGET]) == 80
    assert judge.budget.spent == pytest.approx(calls * 0.0028)
    assert 0.14 - 0.04 < judge.budget.spent <= 0.14
    share = calls / 80
    for tenant in ("a.example.com", "b.example.com"):
        for stratum, size in (("big", 30), ("small", 10)):
            members = {r.retrieval_id for r in retrievals if (r.tenant, r.stratum) == (tenant, stratum)}
            done = sum(v.retrieval_id in members for v in by_status[Status.JUDGED])
            assert abs(done - share * size) <= 1.5


def test_a_tenants_limit_leaves_the_others_alone() -> None:
    """One tenant's money is gone; the other's retrievals are all judged."""
    retrievals = [
        a_retrieval(f"The plan {n}.", retrieval_id=f"{tenant}-{n}", tenant=f"{tenant}.example.com")
        for tenant, count in (("a", 30), ("b", 3))
        for n in range(count)
    ]
    manner = a_manner(price=PRICE, output_limit=100)
    with scripted(counting) as endpoint:
        found = judged(a_judge(endpoint.base_url, manner=manner, ceiling=Ceiling(tenant=0.05)), retrievals)

    assert all(found[f"b-{n}"].status is Status.JUDGED for n in range(3))
    over = [n for n in range(30) if found[f"a-{n}"].status is Status.OVER_BUDGET]
    assert over == list(range(over[0], 30))
    assert 0 < over[0] < 30


def test_a_failed_call_gives_its_money_back() -> None:
    """Reservations of calls that cost nothing do not use the budget up."""
    manner = a_manner(price=PRICE, output_limit=100)
    with scripted(lambda _: Failed(status=400)) as endpoint:
        judge = a_judge(endpoint.base_url, manner=manner, ceiling=Ceiling(night=0.05))
        found = judged(judge, [a_retrieval("The plan.", retrieval_id=f"r-{n}") for n in range(20)])

    assert {v.status for v in found.values()} == {Status.UNAVAILABLE}
    assert judge.budget.spent == 0


def test_a_short_retrieval_does_not_get_in_behind_a_long_one() -> None:
    """Once the night's money has stopped one retrieval it stops all behind it, whatever they would cost."""
    long, short = a_retrieval("The plan. " * 700, retrieval_id="long"), a_retrieval("The plan.", retrieval_id="short")
    manner = a_manner(price=PRICE, output_limit=100)
    with scripted(counting) as endpoint:
        found = judged(a_judge(endpoint.base_url, manner=manner, ceiling=Ceiling(night=0.03)), [long, short])
        alone = judged(a_judge(endpoint.base_url, manner=manner, ceiling=Ceiling(night=0.03)), [short])

    assert {verdict.status for verdict in found.values()} == {Status.OVER_BUDGET}
    assert alone["short"].status is Status.JUDGED


def test_what_a_night_has_cost_already_counts_against_its_limits() -> None:
    """Earlier runs of the same night took most of it; nothing is left for the tenant that took it, nor in its way."""
    budget = Budget(Ceiling(night=1.0, tenant=0.6), {"a": 0.5, "b": 0.1})

    assert budget.reserve("a", 0.2) is Limit.TENANT
    assert budget.reserve("b", 0.5) is Limit.NIGHT
    assert budget.reserve("b", 0.3) is None
    assert Budget(Ceiling(night=1.0, tenant=0.6), {"a": 1.5}).reserve("a", 0.0) is None
    assert budget.spent == 0
