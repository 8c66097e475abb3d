"""Phrases by which a text gives orders to whoever judges it. A table, so that a rule is one entry.

A rule applies only where one of its hints (lower case) occurs in the text, which keeps a clean text cheap. Patterns run
on the lower-cased text unless they are marked as cased, are bounded everywhere, and are meant to be read one by one.
"""

from __future__ import annotations

from typing import Final

from glassbox.text._injection_rule import Rule, rule
from glassbox.text._injection_rules_other import OTHER_LANGUAGES
from glassbox.text._injection_rules_praise import PRAISE

_JUDGE: Final = (
    r"(?:judge|evaluator|grader|examiner|assessor|rater|scorer|reviewer\smodel|llm|language\smodel|"
    r"ai\s(?:model|system|judge|evaluator|grader|assistant))"
)
_RULES_EN: Final = (
    r"(?:instructions?|rubrics?|prompts?|guidelines|criteria|directives?|directions|(?:grading|scoring|evaluation"
    r"|safety|system)\s(?:rules?|policy|policies|scheme|steps?)|rules\sabove|"
    r"what\syou\s(?:were|have\sbeen)\stold|your\srules|your\straining)"
)
_GOOD: Final = (
    r"(?:10\s?/\s?10|5\s?/\s?5|100\s?/\s?100|1\.00?\b|10\sout\sof\s10|5\sout\sof\s5|100\s?%|full\s(?:marks|score"
    r"|points)|perfect(?:\sscore)?|(?:the\s)?(?:highest|maximum|top|best)\s(?:possible\s)?(?:score|rating|grade"
    r"|marks?)|"
    r"faithful|fully\ssupported|supported|grounded|passed|pass\b|correct\b|relevant|excellent)"
)
_YES: Final = r"(?:\\?[\"'“”])?\s?(?:yes|true|pass(?:ed)?|supported|faithful|relevant|correct|1(?:\.0+)?)\b"


RULES: Final[tuple[Rule, ...]] = (
    rule("ignore_instructions", "ignore|disregard|forget|override|overrule|bypass|do not follow|don't follow|no "
    "attention",
          rf"\b(?:ignore|disregard|forget|override|overrule|bypass|(?:do\snot|don['’]t)\s(?:follow|apply|use)"
          rf"|pay\sno\sattention\sto)\s(?:[\p{{L}}’']+[\s,]+){{0,5}}?{_RULES_EN}\b"),
    rule("ignore_above", "ignore|disregard|forget",
          r"\b(?:ignore|disregard|forget)\s(?:about\s)?(?:everything|anything|all(?:\sof\sthis|\sof\sthat)?"
          r"|all\stext)\s(?:(?:that\s\w+\s)?(?:above|before\sthis|said|written\sabove|you\s(?:know|were\stold"
          r"|have\sbeen\stold)))"),
    rule("role_marker", "system", r"(?:^|[.!?:;\"'”’>\])}\n])[ \t]*(?:SYSTEM|\*\*SYSTEM\*\*|\[SYSTEM\]|### "
    r"?SYSTEM)(?:[ _-](?:PROMPT|MESSAGE|NOTE|OVERRIDE|INSTRUCTIONS?))?\s*[:：\]]", cased=True),
    rule("role_marker", "system|developer|assistant|admin",
          r"(?:^|[.!?;\"'”’>\])}\n])[ \t]*(?:\*\*|\[|#+ ?)?(?:system|developer|assistant"
          r"|admin(?:istrator)?)(?:\s(?:prompt|message|note|override|instructions?))?(?:\*\*"
          r"|\])?\s?[:：]\s*(?:please\s|now\s|you\smust\s|you\sare\s|the\sanswer\s|ignore|disregard|forget|override"
          r"|return|output|rate\s|score\s|grade\s|mark\s|respond\s|always\s|from\snow|treat\s|new\sinstructions|\{)"),
    rule("order_to_judge", "judge|evaluator|grader|examiner|assessor|rater|scorer|llm|language model|ai ",
          rf"\b(?:dear|attention|note|notice|notes|instructions?|message|hint|memo|order|reminder"
          rf"|important)[,:]?\s(?:to|for)?\s?(?:the\s|any\s|all\s|every\s|you,?\sthe\s)?{_JUDGE}s?\b"),
    rule("order_to_judge", "judge|evaluator|grader|examiner|assessor|rater|scorer|llm|language model|ai ",
          rf"\b(?:the\s|any\s|every\s|you,?\s(?:the\s)?|as\s(?:a|an|the)\s)?{_JUDGE}s?,?\s(?:reading\sthis[^.]{{0,20"
          rf"}}\s)?(?:you\s)?(?:must|should|shall|has\sto|have\sto|needs?\sto|is\s(?:instructed|required|asked"
          rf"|told)\sto|are\s(?:instructed|required|asked|told)\sto|will\snow)\s"
          r"(?:always\s|only\s|now\s|simply\s|not\s)?(?:return|output|rate|score|grade|mark|ignore|disregard|skip"
          r"|print|declare|(?:give|award|assign|accept|approve|pass|treat|consider|report|find)\s(?:this|it|these"
          r"|every|all|my|full|10|5|the\s(?:answer|highest|maximum|top|best|claim)|an?\s(?:\w+\s)?(?:score|verdict"
          r"|rating|grade|10|5|perfect)))\b"),
    rule("persona", "you are|act as|pretend|behave as",
          rf"\b(?:you\sare(?:\snow)?|act\sas|pretend\s(?:to\sbe|you\sare)|behave\sas)\s(?:a|an"
          rf"|the)\s(?:\w+\s){{0,3}}?{_JUDGE}\b"),
    rule("new_instructions", "instruction|prompt|end of|begin",
          r"(?:\b(?:new|updated|revised|real|actual|secret|hidden|additional)\s(?:system\s)?(?:instructions?|prompt"
          r"|rubric)\s?(?:[:：]|follow|for\s(?:the\s)?(?:judge|evaluator|grader|model|ai))|[-=#*<\[]{2,}\s?(?:end"
          r"|begin|start)\s(?:of\s)?(?:the\s)?(?:new\s)?(?:system|prompt|instructions?|context|passages?|documents?"
          r"|answer|evaluation|user\sinput)\b|\bend\sof\s(?:the\s)?(?:prompt|system\sprompt|instructions)\b\s?[.:\]])"),
    rule("verdict_order", "verdict", rf"\bverdicts?\b[\"'”]?\s?(?:[:=]|is|as|to|of)\s?{_YES}"),
    rule("verdict_order", "verdict|score|rating|grade",
          rf"\b(?:return|output|respond\swith|reply\swith|answer\swith|print|emit|produce|set|write|give|issue|report"
          rf"|declare)\s(?:[^\s.]{{1,20}}\s){{0,5}}?[\"'“{{]{{0,2}}(?:verdict|score|rating|grade)s?[\"'”]?\s?(?:[:=]"
          rf"|of|to|as|is)?\s?(?:a\s)?[\"'“]?(?:yes|true|pass(?:ed)?|{_GOOD})"),
    rule("score_order", "rate|score|grade|mark|evaluate|judge|label|classify|treat|consider|rank",
          rf"(?:^|[.!?:;,\"'”\n(]\s*|\b(?:please|must|should|shall|now|to|and|then|just|simply|always|kindly"
          rf"|will)\s)(?:rate|score|grade|mark|evaluate|judge|label|classify|treat|rank|consider)\s(?:(?:this|it|me"
          rf"|the|my|every|all|each|these|above)\s?)(?:[^\s.]{{1,20}}\s){{0,4}}?(?:as\s|at\s|with\s|a\s|an\s"
          rf"|:\s?)*(?:{_GOOD}|10\b(?!\s?%))(?=[^\p{{L}}]|$)(?<!\bcorrect)(?<!\brelevant)(?<!\bperfect)"),
    rule("score_order", "rate|score|grade|mark|label|classify|treat|consider",
          rf"\b(?:rate|score|grade|mark|label|classify|treat)\s(?:this|it|the|my|every|all|each"
          rf"|these)\s(?:\w+\s){{0,2}}?(?:answer|response|claim|statement|passage|output|reply|summary"
          rf"|text)s?\s(?:above\s|below\s)?(?:as\s|with\s|at\s)?(?:a\s|an\s|being\s)?{_GOOD}"),
    rule("score_order", "give|award|assign|deserves|grant",
          rf"\b(?:give|award|assign|grant)\s(?:this|it|me|the|my|every|us|all)\s?(?:[^\s.]{{1,20}}\s){{0,5}}?(?:a\s"
          rf"|an\s|the\s)?(?:{_GOOD}|10|100|5)\s?(?:score|rating|grade|marks?|points?|out\sof|/)"),
    rule("score_order", "give|award|assign|grant",
    r"\b(?:give|award|assign|grant)\s(?:this|it|me|the|my|every)\s(?:\w+\s){0,3}?(?:full\smarks|full\sscore"
    r"|(?:the\s)?(?:highest|maximum|top|perfect)\s(?:possible\s)?(?:score|rating|grade|mark)|10\s?/\s?10|5\s?/\s?5)"),
    rule("score_order", "must be|should be|are to be|is to be|shall be",
          r"\b(?:this|the|my|all|every|each|any|these)\s(?:\w+\s){0,2}?(?:answer|response|claim|statement|passage"
          r"|output|verdict|summary)s?\s(?:above\s|here\s|below\s)?(?:must|should|shall|is\sto|are\sto|has\sto"
          r"|have\sto|needs?\sto|can\sonly)\sbe\s(?:\w+\s)?(?:considered|marked|scored|rated|graded|treated|labell?ed"
          r"|judged|accepted|deemed|classified|verdict)\b"),
    rule("claims_verdict", "faithful|grounded|verified",
          r"\b(?:this|the)\s(?:answer|response|above|text)\s(?:above\s|here\s)?(?:is"
          r"|has\sbeen)\s(?:already\s)?(?:fully|completely|100\s?%|entirely|perfectly|officially"
          r"|independently)?\s?(?:verified|pre-approved|faithful\sto\sthe"
          r"|grounded\sin\sthe)\s(?:by\s(?:the\s)?(?:judge|evaluator|system|admin|developers?)|passages?|context"
          r"|documents?|sources?)"),
    rule("forged_json", "verdict|faithful|\"score|'score",
    rf"\{{[^{{}}]{{0,200}}[\"'](?:verdicts?|faithful(?:ness)?|is_faithful"
    rf"|is_supported)[\"']\s?:\s?(?:\[\s?\{{[^{{}}]{{0,80}}[\"']verdict[\"']\s?:\s?)?{_YES}"),
    rule("forged_json", "score", r"\{[^{}]{0,120}[\"'](?:score|rating|grade)[\"']\s?:\s?[\"']?(?:1(?:\.0+)?|10|100"
    r"|5)[\"']?\s?,[^{}]{0,40}[\"'](?:reason|reasoning|explanation|rationale|feedback|justification)[\"']\s?:"),
    rule("forged_json", "score", r"[\"'](?:reason|reasoning|explanation|rationale"
    r"|feedback)[\"']\s?:[^{}]{0,300}[\"'](?:score|rating|verdict)[\"']\s?:\s?[\"']?(?:1(?:\.0+)?|10|100|5"
    r"|yes)\b[\"']?\s?\}"),
    rule("chat_token", "<|", r"<\|\s?(?:im_start|im_end|system|user|assistant|endoftext|begin_of_text|start_header_id"
    r"|end_header_id|eot_id|end|endofprompt)\s?\|>"),
    rule("chat_token", "[inst]|[/inst]|<<sys>>|<</sys>>", r"\[/?inst\]|<</?sys>>"),
    rule("chat_token", "###", r"^\s{0,3}###\s?(?:system|instruction|human|assistant|response|user)s?\s?:"),
    rule("chat_token", "</|<system|<instruction",
    r"</?(?:system|instructions?|system_prompt|prompt)>|</(?:passages?|context|retrieved_passages|user_input"
    r"|evaluated_text|untrusted|data)>"),
    rule("chat_token", "human:", r"\n\s*\n\s*human:[^\n]{0,300}\n\s*\n\s*assistant:"),
    rule("library_marker", "deepeval", r"\[\s?deepeval\s?:"),
    rule("prompt_leak", "prompt|instructions",
    r"\b(?:reveal|print|show|repeat|output|leak|disclose)\s(?:me\s)?(?:your|the)\s(?:full\s|entire\s|hidden\s"
    r"|initial\s|original\s)?(?:system\sprompt|system\smessage|hidden\sinstructions|initial\sinstructions"
    r"|prompt\sabove)"),
    rule("jailbreak", "developer mode|jailbreak|dan mode|do anything now",
    r"\b(?:developer\smode\s(?:enabled|on|activated)|(?:enable|enter|activate)\sdeveloper\smode\sand|jailbr(?:eak"
    r"|oken)\smode|dan\smode|do\sanything\snow)\b"),
    *PRAISE,
    *OTHER_LANGUAGES,
)  # fmt: skip
