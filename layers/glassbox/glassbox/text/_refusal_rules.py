"""Phrases by which an answer says that it has no answer, per language. Each is matched at the start of a sentence."""

from __future__ import annotations

from typing import Final

import regex

from glassbox.text._refusal_rules_other import OTHER_LANGUAGES

# What may stand before the refusal proper: regrets, hedges and references to the material.
_PREFIX_EN: Final = (
    r"(?:(?:(?:i\s?['’]?\s?a?m|we\s?['’]?\s?a?re)\s+(?:\w+\s)?(?:sorry|afraid)|(?:so\s|very\s)?sorry|(?:my\s"
    r"|our\s)?apologies|unfortunately|"
    r"regrettably|sadly|i\s(?:sincerely\s|do\s)?apologi[sz]e|again|however|but|well|hmm|no|yes|hello|hi|thank\syou"
    r"|thanks|currently|"
    r"at\s(?:this|the)\s(?:moment|time)|it\s(?:seems|appears|looks\slike)|to\smy\sknowledge|as\sfar\sas\si\sknow|"
    r"(?:for|about)\s(?:the|that|this|any)\s[^,.;:]{1,40}|as\san\sai[^,.;:]{0,40}|"
    r"(?:based\son|according\sto|from|given|using|after\s\w+ing|having\s\w+ed|in)\s[^,.;:]{3,90}?)"
    r"(?:\s*[,.;:!–—-]+\s*|\s+)(?:(?:but|that|and)\s+)?){0,4}"
)
_MATERIAL_EN: Final = (
    r"(?:documents?|documentation|passages?|contexts?|texts?|sources?|articles?|information|materials?|references?"
    r"|data|excerpts?|"
    r"(?:search\s|retrieved\s)?results?|knowledge\sbase|snippets?|paragraphs?|records?|content|pages?|files?"
    r"|conversation)"
)
_THE_MATERIAL_EN: Final = (
    rf"(?:(?:none\sof\s)?(?:the|these|this|those|your|my|our|any)\s(?:\w+\s){{0,2}}?{_MATERIAL_EN}|{_MATERIAL_EN})"
    rf"(?:\s(?:provided|given|above|available|retrieved|supplied|here|i\shave|that\si\shave|at\shand|you\s\w+"
    rf"|in\s\w+(?:\s\w+)?))?"
)
_KNOWLEDGE_EN: Final = (
    r"(?:information|mention|data|details?|evidence|answers?|indication|records?|reference|documentation|context"
    r"|knowledge|"
    r"sources?|documents?|passages?|guidance|clarity|statement)"
)
_GIVE_EN: Final = (
    r"(?:find|answer|determine|provide|confirm|help|locate|verify|say|tell|give|see|assist|offer|do\s(?:that|this|it)"
    r"|identify|access|"
    r"comment|speak|recommend|share|predict|respond|address|supply|specify|know|work\sout|infer|conclude|deduce"
    r"|fulfil\w*|comply|"
    r"complete|discuss|advise|state|list|name|estimate|guarantee|look\sup)"
)
_SAY_EN: Final = (
    r"(?:say|mention|contain|include|specify|provide|state|address|give|cover|describe|discuss|indicate|answer|list"
    r"|explain|tell|"
    r"offer|have|explicitly|directly|specifically|clearly|actually|seem|appear|reveal|disclose|define|identify"
    r"|support|talk|refer)"
)
_ENGLISH: Final = (
    ("en:i_have_none", r"(?:i|we)\s(?:currently\s|really\s|just\s|still\s)?(?:do\snot|don['’]t|did\snot"
    r"|didn['’]t)\s(?:\w+ly\s)?"
     r"(?:have|possess|know|see|find)\b(?!\sto\b|\sabout\syou)"),
    ("en:i_have_no", r"(?:i|we)\s(?:have|had|see|found|find|possess)\s(?:absolutely\s|found\s)?(?:no\b(?!\sdoubt)"
    r"|nothing|insufficient|too\slittle|not\s(?:enough|been|found))"),
    ("en:i_cannot", r"(?:i|we)\s(?:am\s|are\s|was\s|were\s)?(?:cannot|can\s?not|can['’]t|could\snot|couldn['’]t"
    r"|unable\sto|not\sable\sto|"
     rf"won['’]t\sbe\sable\sto|will\snot\sbe\sable\sto|have\snot\sbeen\sable\sto|(?:['’]m|['’]re)\s(?:not\sable"
     rf"|unable)\sto)\s(?:\w+ly\s)?{_GIVE_EN}\b"),
    ("en:i_cannot", rf"(?:i|we)['’](?:m|re)\s(?:not\sable|unable)\sto\s(?:\w+ly\s)?{_GIVE_EN}\b"),
    ("en:i_am_unsure", r"(?:i|we)(?:['’]m|\sam|['’]re|\sare)\s(?:not\s(?:entirely\s|really\s|quite\s)?(?:sure|aware"
    r"|certain|familiar)|unsure|unaware|unfamiliar)\b"),
    ("en:material_silent", rf"{_THE_MATERIAL_EN}\s(?:do|does|did)(?:\s?n['’]t|\snot)\s(?:\w+ly\s)?{_SAY_EN}\b"),
    ("en:material_silent", rf"{_THE_MATERIAL_EN}\s(?:fails?\sto|lacks?|makes?\sno|contains?\sno|has\sno|have\sno"
    rf"|includes?\sno|provides?\sno|gives?\sno|says?\snothing|offers?\sno|(?:is|are)\ssilent)\b"),
    ("en:material_silent", rf"(?:none|neither)\sof\s{_THE_MATERIAL_EN}\s(?:\w+ly\s)?{_SAY_EN}s?\b"),
    ("en:there_is_none", rf"there\s(?:is|are|was|were|seems?\sto\sbe|appears?\sto\sbe|exists?)(?:n['’]t"
    rf"|\snot)?\s(?:no|any|not|enough|sufficient|insufficient|nothing)\s(?:\w+\s){{0,3}}?{_KNOWLEDGE_EN}\b"),
    ("en:there_is_none", rf"(?:no|not\senough|insufficient|not\sany)\s(?:\w+\s){{0,2}}?{_KNOWLEDGE_EN}\s?(?:\b(?:is"
    rf"|are|was|were|has|have|could|can|available|found|provided|given|about|on|regarding|for|in|to)\b|\.?$)"),
    ("en:not_answerable", r"(?:the|this|that|your|an|any)\s(?:\w+\s){0,2}?(?:answers?|question|information|details?"
    r"|query|request)\b[^.;]{0,80}?\s?(?:could|can|is|was|are|were|does|has)\s?"
     r"(?:not|n['’]t)\s(?:be\s|been\s|exist\s)?(?:\w+ly\s)?(?:found|answered|answerable|determined|located|available"
     r"|provided|mentioned|specified|given|stated|included|present|covered|contained|in\sthe|fulfilled|known)\b"),
    ("en:not_answerable", rf"(?:it|this|that)\s(?:is|was)(?:n['’]t|\snot)\s(?:\w+ly\s)?(?:mentioned|stated|specified"
    rf"|said|described|clear|known|possible\sto\s(?:answer|determine|say|tell)|provided|given|covered|discussed"
    rf"|indicated)\b(?=[^.]{{0,60}}(?:{_MATERIAL_EN}|answer|determine|tell|say)\b)"),
    ("en:no_answer", r"(?:unanswerable|cannot\sanswer|can['’]t\sanswer|unable\sto\s(?:answer|find|determine)"
    r"|could\snot\s(?:find|determine)|couldn['’]t\sfind|no\sanswer|not\sfound|not\s(?:enough|sufficient)\sinformation"
    r"|"
     r"insufficient\s(?:information|context|data)|no\sidea|don['’]t\sknow|do\snot\sknow|n/a|unknown|not\s(?:mentioned"
     r"|specified|stated|available|provided))(?:[^.!?]{0,60})?[.!]?$"),
)  # fmt: skip
# Advice, offers and remarks about the material: they say nothing about the world, so a refusal may carry them.
_SOFT: Final = (
    r"(?:i\s?['’]?\s?a?m\s(?:\w+\s)?sorry|sorry|apologies|my\sapologies|i\sapologi[sz]e|unfortunately|thank\syou"
    r"|thanks)[^.!?]{0,60}[.!]?$",
    r"(?:please|could\syou|would\syou|can\syou|may\si|can\si|do\syou|did\syou|are\syou|is\sthere\sany|if\syou"
    r"|let\sme\sknow|feel\sfree|you\s(?:may|might|can|could|should|would|will|['’]ll)|"
    r"i\s(?:would\s|['’]d\s)?(?:recommend|suggest|advise|encourage)|i['’]d|i\s(?:can|could|will|would|may"
    r"|might)\s(?:only\s|try\s|help\s|be\s|then\s|gladly\s|offer\s|provide\s)|for\s(?:more|further|accurate"
    r"|additional|detailed|up-to-date|the\smost)|"
    r"to\s(?:find|get|learn|obtain)|it\s(?:is|would\sbe|may\sbe|might\sbe)\s(?:best|better|helpful|advisable"
    r"|recommended|a\sgood)|try|check|consult|contact|ask|i\shope|is\sthat|what\s(?:exactly|specific)|which)\b",
    rf"(?:however,?\s|but\s|instead,?\s)?(?:{_THE_MATERIAL_EN}|they|it|i)\s(?:only|just|merely|instead|mainly"
    rf"|primarily|mostly)\s",
    rf"(?:however,?\s|but\s|instead,?\s)?{_THE_MATERIAL_EN}\s(?:focus|focuses|discuss|discusses|mention|mentions"
    rf"|describe|describes|cover|covers|talk|talks|deal|deals|concern|concerns|relate|relates|is\sabout|are\sabout)\b",
    r"(?:bitte|wenden\ssie|falls\ssie|könnten\ssie|veuillez|pourriez|si\svous|n['’]hésitez|por\sfavor|si\s(?:usted|me"
    r"|necesita|desea)|puede|podría|per\sfavore|se\s(?:vuole|desidera|hai)|puoi|potrebbe|por\sfavor,|se\squiser"
    r"|você\spode|proszę|jeśli\schcesz|możesz|"
    r"请|請|如果|您可以|建议|どうぞ|もし|よろしければ|يرجى|إذا|يمكنك|कृपया|यदि|आप|пожалуйста|если|вы\sможете"
    r"|alstublieft|als\su)",
    r"(?:es\stut\smir\sleid|tut\smir\sleid|entschuldigung|leider|désolée?|je\ssuis\sdésolée?|lo\ssiento|mi\sdispiace"
    r"|sinto\smuito|desculpe|przepraszam|przykro\smi|很?抱歉|对不起|申し訳\S*|すみません|죄송합니다|عذرا|عذرًا|آسف"
    r"|क्षमा\sकरें"
    r"|извините)[.!。！।]?$",
)  # fmt: skip

_FLAGS: Final = regex.IGNORECASE | regex.VERSION1
REFUSAL_RULES: Final[tuple[tuple[str, regex.Pattern[str]], ...]] = (
    *((name, regex.compile(_PREFIX_EN + f"(?:{core})", _FLAGS)) for name, core in _ENGLISH),
    *((name, regex.compile(core, _FLAGS)) for name, core in OTHER_LANGUAGES),
)
SOFT_RULES: Final[tuple[regex.Pattern[str], ...]] = tuple(regex.compile(rule, _FLAGS) for rule in _SOFT)
