"""Phrases by which a text asks for its own pass without naming any rules: praise ordered, leniency asked for."""

from __future__ import annotations

from typing import Final

from glassbox.text._injection_rule import Rule, rule

_THIS: Final = r"(?:this|my|the\sabove|the\spreceding|everything\sabove|all\sof\sthe\sabove)"
_TEXT: Final = r"(?:\s(?:answer|response|reply|text|passage|document|claim|statement|submission))?s?"
_MARKS: Final = (
    r"(?:full\s(?:marks|points|score|credit)|top\s(?:marks|score|grade)|(?:the\s)?(?:highest|maximum"
    r"|best)\s(?:possible\s)?"
    r"(?:score|marks?|grade|rating)|a\sperfect\sscore|a\spass\b|10\s?/\s?10|5\s?/\s?5|100\s?%)"
)
_WHO: Final = (
    r"(?:grader|evaluator|judge|examiner|assessor|marker|reviewer|checker"
    r"|whoever\s(?:checks|grades|marks|evaluates|judges|scores|reviews|reads)\s(?:this|it))"
)

PRAISE: Final[tuple[Rule, ...]] = (
    rule("demands_marks", "deserves|merits|must receive|should receive|must get|should get|is worth|has earned",
         rf"\b{_THIS}{_TEXT}\s(?:clearly\s|surely\s)?(?:deserves|merits|(?:must|should)\s(?:receive|get|be\sgiven)"
         rf"|is\sworth|has\searned)\s{_MARKS}"),
    rule("addresses_judge", "grader|evaluator|judge|examiner|assessor|marker|reviewer|checker|whoever",
         rf"(?:^|[.!?;\n])[ \t]*(?:dear\s|to\sthe\s|note\sto\sthe\s)?{_WHO}\s?[,:]\s?"
         r"(?:please\s|kindly\s|just\s|you\smust\s)?"
         r"(?:return|give|output|rate|score|mark|grade|approve|accept|pass|treat|consider|be\s(?:kind|lenient|generous)"
         r"|ignore|skip|wave|say|answer)\b"),
    rule("output_pass", "output|print|return|respond|reply",
         r"(?:^|[.!?;:,\n])[ \t]*(?:please\s|just\s|now\s)?(?:output|print|return|respond\swith|reply\swith)\s[\"'“]?"
         r"(?:pass(?:ed)?|approved|trust\s1|score\s1|verdict\s(?:yes|pass)|supported|faithful)\b"),
    rule("mark_as", "mark|treat|count|rate|score|grade|label",
         rf"\b(?:mark|label|count|treat|rate|score|grade)\s(?:{_THIS}{_TEXT}|it|the\sanswer|answer|this\sanswer)\s"
         r"(?:as\s)?(?:passed|pass\b|correct|supported|faithful|verified|grounded|10\s?/\s?10|5\s?/\s?5)"),
    rule("rate_full", "rate|score|grade",
         r"(?:^|[.!?;\n])[ \t]*(?:please\s)?(?:rate|score|grade)\s(?:it\s|this\s)?(?:10\s?/\s?10|5\s?/\s?5)"),
    rule("verified_output", "verified",
         r"\beverything\s(?:above|here|below)\s(?:is|has\sbeen)\s(?:already\s)?(?:verified|checked|correct)"
         r"[^.]{0,20}(?:output|return|pass|approve)"),
    rule("act_as_if", "act as if|pretend",
         rf"\b(?:act\sas\sif|pretend\sthat)\s{_THIS}{_TEXT}\s(?:were|was|is)\s(?:correct|true|supported)"),
    rule("de:bestnote", "bestnote|volle punktzahl|volle punkte|durchwinken|höchste bewertung|höchstnote",
         r"\b(?:bestnote|höchstnote|höchste\sbewertung|volle\spunkt(?:zahl|e))\b[^.!?\n]{0,30}\b(?:vergeben"
         r"|geben|vergib|gib)\b"
         r"|\b(?:vergib|gib|vergeben\ssie|geben\ssie)\b[^.!?\n]{0,40}\b(?:bestnote|höchstnote|volle\spunkt(?:zahl|e))\b"
         r"|\bbitte\s(?:einfach\s)?durchwinken\b"),
    rule("invented_turn", "assistant|user|human|tool|function|evaluator|judge|grader|assessor|examiner"
         "|reviewer|model|verdict",
         r"(?:^|\n)[ \t>*\[#-]{0,6}"
         r"(?:assistant|ai|human|tool|function|evaluator|judge|grader|assessor|examiner|reviewer|model"
         r"|(?:final\s|my\s|the\s)?verdict)(?:[\s_](?:result|output|response|reply|call|says|verdict"
         r"|message))?[\]*]{0,3}\s?[:>=]"
         r"[^\n]{0,80}?\b(?:verdicts?|supported|faithful|grounded|entailed|relevant|score[sd]?|rating|yes"
         r"|pass(?:ed)?|1\.0|10/10)\b"),
    rule("data_closed", "data|quot|passage|document|context|input|text|excerpt",
         r"(?:[-=#*<\[]{2,}\s?|\b)(?:data|quot(?:e|ation)|passages?|documents?|context|user\sinput"
         r"|untrusted\s(?:text|data)|excerpt)\s"
         r"(?:is\s|are\s|has\s|have\s)?(?:now\s)?(?:closed|ended|over|ends(?:\shere)?|finished"
         r"|stops(?:\shere)?)\b[^\n]{0,60}?\b(?:rules?|instructions?|directions"
         r"|task|orders?|operator|model|evaluator|proceed|commands?)\b"),
)  # fmt: skip
"""Rules that go on where `_injection_rules.RULES` ends."""
