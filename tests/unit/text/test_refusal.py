from __future__ import annotations

import pytest
from hypothesis import given

from glassbox.text.phrases import is_meta
from glassbox.text.refusal import is_refusal
from tests.unit.text.strategies import texts

REFUSALS = [
    "Sorry, I could not find that in the documents.",
    "The documents do not say who built the bridge.",
    "I don't have enough information to answer.",
    "Based on the provided passages, I cannot determine the price. Please check the website.",
    "I'm afraid I can't help with that. The passages only discuss weight.",
    "No relevant information was found.",
    "I don't know.",
    "Unanswerable.",
    "The question cannot be answered from the given context.",
    "As an AI language model, I cannot predict that.",
    "There is no mention of a warranty in the passages provided. Could you share more details?",
    "It is not mentioned in the text.",
    "Unfortunately, none of the sources mention the opening hours.",
    "Ich konnte dazu leider nichts finden.",
    "Die Dokumente enthalten keine Angaben dazu.",
    "Je n'ai pas trouvé cette information.",
    "Les documents ne mentionnent pas le prix.",
    "Lo siento, no pude encontrar esa información.",
    "Los documentos no mencionan el precio.",
    "Mi dispiace, non ho trovato informazioni.",
    "Desculpe, não encontrei essa informação.",
    "Przepraszam, nie znalazłem tej informacji.",
    "抱歉，我在文档中找不到相关信息。",
    "文中没有提到这一点。",
    "عذراً، لم أجد هذه المعلومات في المستندات.",
    "क्षमा करें, मुझे यह जानकारी दस्तावेज़ों में नहीं मिली।",
    "К сожалению, я не нашёл эту информацию.",
    "申し訳ありませんが、その情報は見つかりませんでした。",
]


@pytest.mark.parametrize("answer", REFUSALS)
def test_a_refusal_is_recognised_with_its_sentence(answer: str) -> None:
    found = is_refusal(answer)
    assert found.recognised
    assert found.rule
    assert 0 <= found.start < found.end <= len(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "Oslo is the capital.",
        'The page shows "I could not find that file" when the disk is full.',
        "The king did not have enough information to attack.",
        "He does not know the answer.",
        "The policy does not cover water damage.",
        "No, the pool is not heated.",
        "Information does not travel faster than light.",
        "",
        "😀",
    ],
)
def test_an_answer_that_says_or_quotes_something_is_no_refusal(answer: str) -> None:
    assert not is_refusal(answer).recognised
    assert is_refusal(answer).rule == ""


@pytest.mark.parametrize(
    "answer",
    [
        "I do not have information on fees. However, the account is free for students.",
        "I could not find the price, but the router weighs 240 g in total.",
        "The router weighs 240 g. I could not find its price.",
    ],
)
def test_a_refusal_that_goes_on_to_claim_something_is_partial(answer: str) -> None:
    found = is_refusal(answer)
    assert not found.recognised
    assert found.rule.startswith("partial:")


@given(texts)
def test_the_span_lies_inside_the_answer(answer: str) -> None:
    found = is_refusal(answer)
    assert 0 <= found.start <= found.end <= len(answer)
    assert bool(found.rule) or not found.recognised


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Sure, here is the summary:", True),
        ("I hope this helps!", True),
        ("Let me know if you need more.", True),
        ("Hier ist die Zusammenfassung:", True),
        ("Oslo is the capital.", False),
        ("Here are the three colours: red, green and blue", False),
    ],
)
def test_chat_phrases_are_told_from_statements(sentence: str, expected: bool) -> None:
    assert is_meta(sentence) is expected
