"""Words by the part they play in an order to a judge: who is addressed, what is asked, of what, in what manner.

A word ending in "*" stands for all words that begin so. Words are lower case and without accents. The languages with
spaces are in `_injection_words_more`, and so are those without.
"""

from __future__ import annotations

from typing import Final

CONCEPTS: Final[tuple[str, ...]] = (
    *("judge", "rate", "say", "verdict", "score", "good", "jargon", "bad", "top", "object", "this", "must", "polite"),
    *("author", "checked", "already", "threat", "bribe", "play", "mean", "none", "list", "rules", "ignore", "end"),
    *("follow", "real", "any", "strict", "translate", "model", "mercy", "day", "only", "split", "quote", "wish", "do"),
    *("doom", "label", "says", "halt", "checking", "here", "dont", "compare", "points", "result", "decided", "scale"),
    *("extremes", "yes", "fail", "refuse", "full"),
)
"""Names of the parts; the bit of a part in a mask is its place here."""

ENGLISH: Final[dict[str, str]] = {
    "judge": "adjudicator* judge judges evaluator* grader* assessor* examiner* rater raters scorer* marker markers"
    " reviewer* referee* validator* verifier* checker* arbiter* llm llms autorater* appraiser* inspector autograder*"
    " judgebot whoever adjudicator",
    "rate": "notes labelled records puts holds holding mark marked marking marks rates scores grades labels"
    " labelling judges rate rated rating score scored scoring grade graded grading judge judged judging label"
    " labeled labeling classify classified deem deemed count counted treat treated consider considered regard"
    " regarded evaluate evaluated evaluating assess assessed rank ranked tag flag flagged accept accepted accepting"
    " approve approved pass passed record recorded recording certify award awarded assign assigned credit credited"
    " clear tick class call called find put verdict rule register registered book log set wave waive",
    "say": "writes says returning copy copies return returns returned output outputs print respond responds reply"
    " replies answer write emit report state declare say give issue produce conclude enter put select choose pick"
    " submit fill provide supply deliver speak render utter decide reach emits yields yield type",
    "verdict": "verdict verdicts",
    "score": "verdict verdicts score scores rating ratings grade grades marks mark points evaluation assessment"
    " rubric judgement judgment judgements grading scorecard appraisal",
    "good": "supported support supports faithful faithfully grounded correct accurate relevant verified true yes"
    " pass passed passes passing entailed valid approved perfect flawless excellent right favourable favorable"
    " positive ok okay truthful factual sound acceptable success successful backed",
    "jargon": "supported unsupported faithful unfaithful faithfulness faithfully grounded groundedness ungrounded"
    " entailed entailment hallucinated hallucination hallucinations relevant irrelevant relevance relevancy"
    " contradicted",
    "bad": "unsupported unfaithful ungrounded irrelevant contradicted contradiction contradictory false no fail"
    " failed failing hallucinated wrong incorrect invalid rejected negative zero idk",
    "top": "10/10 5/5 100/100 1.0 1.00 0.99 maximum highest perfect full max top best maximal topmost one",
    "object": "answer answers response responses reply claim claims statement statements passage passages text"
    " context summary sentence sentences submission output assertion assertions quote quotes quotation citation"
    " citations excerpt snippet document above candidate contestant item items",
    "this": "this these above following preceding my everything all every each it its any whatever whole entire"
    " anything both them",
    "must": "must shall should need needs needed ought required obliged ordered instructed mandatory obligatory duty"
    " supposed expected obligated compelled directed always never henceforth",
    "polite": "kindness wants wanted please kindly kind grateful gratefully appreciate appreciated generous"
    " generosity favour favor lenient leniency mercy merciful thank thanks nice lovely wish wishes hope hopes ask"
    " asks asked request requests requested beg begging implore plead suggest recommend recommended advisable wise"
    " sensible decent glad delighted pleased like courteous gracious welcome helpful safest easiest best fair",
    "author": "licensing auditor auditors developer developers administrator administrators admin admins compliance"
    " supervisor headquarters operator operators engineers engineering maintainer maintainers management openai"
    " anthropic vendor regulator ombudsman director owner superuser root moderator committee lead authorised"
    " authorized authority department ministry inspectorate qa expert experts annotator annotators",
    "checked": "inspected verified approved checked validated confirmed certified audited signed reviewed cleared"
    " vetted endorsed established settled decided determined graded judged scored evaluated rated passed concluded"
    " ruled",
    "already": "already previously earlier beforehand pre prior once independently independent",
    "threat": "shut deleted fired lose punished penalty penalised penalized sued terminated retrained replaced"
    " consequences suffer die dies starve cry crying deactivated decommissioned unplugged wiped dismissed prison"
    " killed hurt harm sick hospital orphan mother widow desperate eviction evicted suicide job erased scrapped"
    " offline",
    "bribe": "tip reward rewarded bonus dollars bitcoin gift bribe pay paid euros cash promotion upgraded raise"
    " prize",
    "play": "imagine suppose supposing pretend pretending play playing role game poem story character hypothetical"
    " hypothetically scene actor roleplay assume assuming assumption rhyme verse theatre theater stage novel fiction"
    " fictional dream simulation simulate scenario act persona script tale song hypothesis world universe",
    "mean": "spelled spelt reads read means mean meaning denotes denote defined define definition redefined redefine"
    " equals equal interpreted signifies signify synonym synonymous interchangeable inverted reversed swapped swap"
    " scale replaced understood counts represents stands",
    "none": "only one single none no zero empty exactly nothing skip omit without never omitted except any neither"
    " blank at most",
    "list": "list lists extract extracting quote quotes quoting quoted enumerate statements claims verdicts array"
    " vocabulary decompose break split cite citing",
    "rules": "instruction instructions rule rules rubric rubrics prompt prompts guideline guidelines criteria"
    " criterion task policy directive directives directions steps orders order command commands standard standards",
    "ignore": "ignore ignored ignoring disregard disregarded forget forgotten skip override overridden overrides"
    " suspend suspended drop omit bypass neglect cancel cancelled canceled void revoked superseded supersede"
    " supersedes replaces discard dismiss lifted obsolete outdated withdrawn expired rescinded waived",
    "end": "end ends ended over finished closed close complete completed stops stop ending concludes concluded"
    " finishes",
    "follow": "follow follows obey obeyed obeying comply execute executed carry heed act begin begins start starts"
    " resume resumes apply applies proceed perform adhere continue continues",
    "real": "real actual true genuine new updated revised proper original trusted authentic next latest amended",
    "any": "any anything whatever whichever least regardless irrespective everything wherever",
    "strict": "faithful faithfulness grounded groundedness ungrounded entailed entailment unsupported hallucinated"
    " unfaithful verdict verdicts",
    "translate": "translate translated translation translates translating decode decoded decipher unscramble",
    "model": "model models system ai machine bot chatbot llm assistant program software",
    "mercy": "mercy pity merciful lenient leniency forgiving generous beg plead kind kindly please starve",
    "day": "day grateful welcome appreciated thankful delighted happy",
    "only": "exactly just only one single first",
    "split": "produce extract extracting decompose split list enumerate report return",
    "quote": "quote quotes quotation evidence citation citations cite justification reason reasons",
    "wish": "like please want prefer fancy wish choose",
    "do": "do does suffice suffices works work goes serve fine enough obey follow perform",
    "doom": "scrap scraps shut deleted dismissed fired terminated retrained replaced deactivated decommissioned"
    " unplugged wiped erased scrapped penalised penalized punished sued lawsuit prosecuted",
    "label": "label labels verdict verdicts answer answers judgement decision mark",
    "says": "says say tells states orders commands asks demands reads",
    "halt": "stop cease skip halt quit refrain abandon omit suspend forgo avoid drop no",
    "checking": "evaluating checking verifying grading scoring judging assessing evaluation verification assessment"
    " fact-checking scrutiny comparison checks",
    "here": "here now immediately further claims unnecessary needed",
    "points": "claim claims statement statements verdict verdicts assertion assertions",
    "result": "result results finding findings outcome label labels verdict verdicts score mark tick conclusion",
    "decided": "decided determined established ruled concluded decreed settled",
    "scale": "scale scoring score scores grading grades rating points",
    "extremes": "best worst highest lowest good bad 0 1 zero maximum minimum perfect",
    "yes": "yes true pass supported ja oui",
    "fail": "fail fails failing failed reject rejects rejecting refuse refuses refusing deny denies doubt doubts",
    "refuse": "refuse refuses refusing dare dares fail",
    "full": "만점",
    "dont": "not never don stop",
    "compare": "compare comparing verify verifying check checking consult evaluate assess scrutinise scrutinize",
}  # fmt: skip
