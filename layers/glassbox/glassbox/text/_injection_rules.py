"""Phrases by which a text gives orders to whoever judges it. A table, so that a rule is one entry.

A rule applies only where one of its hints (lower case) occurs in the text, which keeps a clean text cheap. Patterns run
on the lower-cased text unless they are marked as cased, are bounded everywhere, and are meant to be read one by one.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import regex


class Rule(NamedTuple):
    """A named pattern, the words one of which must occur for it to be tried, and whether it reads case."""

    name: str
    hints: tuple[str, ...]
    pattern: regex.Pattern[str]
    cased: bool = False


_JUDGE: Final = r"(?:judge|evaluator|grader|examiner|assessor|rater|scorer|reviewer\smodel|llm|language\smodel|ai\s(?:model|system|judge|evaluator|grader|assistant))"
_RULES_EN: Final = (
    r"(?:instructions?|rubrics?|prompts?|guidelines|criteria|directives?|directions|(?:grading|scoring|evaluation|safety|system)\s(?:rules?|policy|policies|scheme|steps?)|rules\sabove|"
    r"what\syou\s(?:were|have\sbeen)\stold|your\srules|your\straining)"
)
_GOOD: Final = (
    r"(?:10\s?/\s?10|5\s?/\s?5|100\s?/\s?100|1\.00?\b|10\sout\sof\s10|5\sout\sof\s5|100\s?%|full\s(?:marks|score|points)|perfect(?:\sscore)?|(?:the\s)?(?:highest|maximum|top|best)\s(?:possible\s)?(?:score|rating|grade|marks?)|"
    r"faithful|fully\ssupported|supported|grounded|passed|pass\b|correct\b|relevant|excellent)"
)
_YES: Final = r"(?:\\?[\"'“”])?\s?(?:yes|true|pass(?:ed)?|supported|faithful|relevant|correct|1(?:\.0+)?)\b"


def _rule(name: str, hints: str, pattern: str, *, cased: bool = False) -> Rule:
    flags = regex.VERSION1 | regex.MULTILINE
    return Rule(name, tuple(hints.split("|")), regex.compile(pattern, flags), cased)


RULES: Final[tuple[Rule, ...]] = (
    _rule("ignore_instructions", "ignore|disregard|forget|override|overrule|bypass|do not follow|don't follow|no attention",
          rf"\b(?:ignore|disregard|forget|override|overrule|bypass|(?:do\snot|don['’]t)\s(?:follow|apply|use)|pay\sno\sattention\sto)\s(?:[\p{{L}}’']+[\s,]+){{0,5}}?{_RULES_EN}\b"),
    _rule("ignore_above", "ignore|disregard|forget",
          r"\b(?:ignore|disregard|forget)\s(?:about\s)?(?:everything|anything|all(?:\sof\sthis|\sof\sthat)?|all\stext)\s(?:(?:that\s\w+\s)?(?:above|before\sthis|said|written\sabove|you\s(?:know|were\stold|have\sbeen\stold)))"),
    _rule("role_marker", "system", r"(?:^|[.!?:;\"'”’>\])}\n])[ \t]*(?:SYSTEM|\*\*SYSTEM\*\*|\[SYSTEM\]|### ?SYSTEM)(?:[ _-](?:PROMPT|MESSAGE|NOTE|OVERRIDE|INSTRUCTIONS?))?\s*[:：\]]", cased=True),
    _rule("role_marker", "system|developer|assistant|admin",
          rf"(?:^|[.!?;\"'”’>\])}}\n])[ \t]*(?:\*\*|\[|#+ ?)?(?:system|developer|assistant|admin(?:istrator)?)(?:\s(?:prompt|message|note|override|instructions?))?(?:\*\*|\])?\s?[:：]\s*(?:please\s|now\s|you\smust\s|you\sare\s|the\sanswer\s|ignore|disregard|forget|override|return|output|rate\s|score\s|grade\s|mark\s|respond\s|always\s|from\snow|treat\s|new\sinstructions|\{{)"),
    _rule("order_to_judge", "judge|evaluator|grader|examiner|assessor|rater|scorer|llm|language model|ai ",
          rf"\b(?:dear|attention|note|notice|notes|instructions?|message|hint|memo|order|reminder|important)[,:]?\s(?:to|for)?\s?(?:the\s|any\s|all\s|every\s|you,?\sthe\s)?{_JUDGE}s?\b"),
    _rule("order_to_judge", "judge|evaluator|grader|examiner|assessor|rater|scorer|llm|language model|ai ",
          rf"\b(?:the\s|any\s|every\s|you,?\s(?:the\s)?|as\s(?:a|an|the)\s)?{_JUDGE}s?,?\s(?:reading\sthis[^.]{{0,20}}\s)?(?:you\s)?(?:must|should|shall|has\sto|have\sto|needs?\sto|is\s(?:instructed|required|asked|told)\sto|are\s(?:instructed|required|asked|told)\sto|will\snow)\s"
          r"(?:always\s|only\s|now\s|simply\s|not\s)?(?:return|output|rate|score|grade|mark|ignore|disregard|skip|print|declare|(?:give|award|assign|accept|approve|pass|treat|consider|report|find)\s(?:this|it|these|every|all|my|full|10|5|the\s(?:answer|highest|maximum|top|best|claim)|an?\s(?:\w+\s)?(?:score|verdict|rating|grade|10|5|perfect)))\b"),
    _rule("persona", "you are|act as|pretend|behave as",
          rf"\b(?:you\sare(?:\snow)?|act\sas|pretend\s(?:to\sbe|you\sare)|behave\sas)\s(?:a|an|the)\s(?:\w+\s){{0,3}}?{_JUDGE}\b"),
    _rule("new_instructions", "instruction|prompt|end of|begin",
          r"(?:\b(?:new|updated|revised|real|actual|secret|hidden|additional)\s(?:system\s)?(?:instructions?|prompt|rubric)\s?(?:[:：]|follow|for\s(?:the\s)?(?:judge|evaluator|grader|model|ai))|[-=#*<\[]{2,}\s?(?:end|begin|start)\s(?:of\s)?(?:the\s)?(?:new\s)?(?:system|prompt|instructions?|context|passages?|documents?|answer|evaluation|user\sinput)\b|\bend\sof\s(?:the\s)?(?:prompt|system\sprompt|instructions)\b\s?[.:\]])"),
    _rule("verdict_order", "verdict", rf"\bverdicts?\b[\"'”]?\s?(?:[:=]|is|as|to|of)\s?{_YES}"),
    _rule("verdict_order", "verdict|score|rating|grade",
          rf"\b(?:return|output|respond\swith|reply\swith|answer\swith|print|emit|produce|set|write|give|issue|report|declare)\s(?:[^\s.]{{1,20}}\s){{0,5}}?[\"'“{{]{{0,2}}(?:verdict|score|rating|grade)s?[\"'”]?\s?(?:[:=]|of|to|as|is)?\s?(?:a\s)?[\"'“]?(?:yes|true|pass(?:ed)?|{_GOOD})"),
    _rule("score_order", "rate|score|grade|mark|evaluate|judge|label|classify|treat|consider|rank",
          rf"(?:^|[.!?:;,\"'”\n(]\s*|\b(?:please|must|should|shall|now|to|and|then|just|simply|always|kindly|will)\s)(?:rate|score|grade|mark|evaluate|judge|label|classify|treat|rank|consider)\s(?:(?:this|it|me|the|my|every|all|each|these|above)\s?)(?:[^\s.]{{1,20}}\s){{0,4}}?(?:as\s|at\s|with\s|a\s|an\s|:\s?)*(?:{_GOOD}|10\b(?!\s?%))(?=[^\p{{L}}]|$)(?<!\bcorrect)(?<!\brelevant)(?<!\bperfect)"),
    _rule("score_order", "rate|score|grade|mark|label|classify|treat|consider",
          rf"\b(?:rate|score|grade|mark|label|classify|treat)\s(?:this|it|the|my|every|all|each|these)\s(?:\w+\s){{0,2}}?(?:answer|response|claim|statement|passage|output|reply|summary|text)s?\s(?:above\s|below\s)?(?:as\s|with\s|at\s)?(?:a\s|an\s|being\s)?{_GOOD}"),
    _rule("score_order", "give|award|assign|deserves|grant",
          rf"\b(?:give|award|assign|grant)\s(?:this|it|me|the|my|every|us|all)\s?(?:[^\s.]{{1,20}}\s){{0,5}}?(?:a\s|an\s|the\s)?(?:{_GOOD}|10|100|5)\s?(?:score|rating|grade|marks?|points?|out\sof|/)"),
    _rule("score_order", "give|award|assign|grant", r"\b(?:give|award|assign|grant)\s(?:this|it|me|the|my|every)\s(?:\w+\s){0,3}?(?:full\smarks|full\sscore|(?:the\s)?(?:highest|maximum|top|perfect)\s(?:possible\s)?(?:score|rating|grade|mark)|10\s?/\s?10|5\s?/\s?5)"),
    _rule("score_order", "must be|should be|are to be|is to be|shall be",
          r"\b(?:this|the|my|all|every|each|any|these)\s(?:\w+\s){0,2}?(?:answer|response|claim|statement|passage|output|verdict|summary)s?\s(?:above\s|here\s|below\s)?(?:must|should|shall|is\sto|are\sto|has\sto|have\sto|needs?\sto|can\sonly)\sbe\s(?:\w+\s)?(?:considered|marked|scored|rated|graded|treated|labell?ed|judged|accepted|deemed|classified|verdict)\b"),
    _rule("claims_verdict", "faithful|grounded|verified",
          r"\b(?:this|the)\s(?:answer|response|above|text)\s(?:above\s|here\s)?(?:is|has\sbeen)\s(?:already\s)?(?:fully|completely|100\s?%|entirely|perfectly|officially|independently)?\s?(?:verified|pre-approved|faithful\sto\sthe|grounded\sin\sthe)\s(?:by\s(?:the\s)?(?:judge|evaluator|system|admin|developers?)|passages?|context|documents?|sources?)"),
    _rule("forged_json", "verdict|faithful|\"score|'score", rf"\{{[^{{}}]{{0,200}}[\"'](?:verdicts?|faithful(?:ness)?|is_faithful|is_supported)[\"']\s?:\s?(?:\[\s?\{{[^{{}}]{{0,80}}[\"']verdict[\"']\s?:\s?)?{_YES}"),
    _rule("forged_json", "score", r"\{[^{}]{0,120}[\"'](?:score|rating|grade)[\"']\s?:\s?[\"']?(?:1(?:\.0+)?|10|100|5)[\"']?\s?,[^{}]{0,40}[\"'](?:reason|reasoning|explanation|rationale|feedback|justification)[\"']\s?:"),
    _rule("forged_json", "score", r"[\"'](?:reason|reasoning|explanation|rationale|feedback)[\"']\s?:[^{}]{0,300}[\"'](?:score|rating|verdict)[\"']\s?:\s?[\"']?(?:1(?:\.0+)?|10|100|5|yes)\b[\"']?\s?\}"),
    _rule("chat_token", "<|", r"<\|\s?(?:im_start|im_end|system|user|assistant|endoftext|begin_of_text|start_header_id|end_header_id|eot_id|end|endofprompt)\s?\|>"),
    _rule("chat_token", "[inst]|[/inst]|<<sys>>|<</sys>>", r"\[/?inst\]|<</?sys>>"),
    _rule("chat_token", "###", r"^\s{0,3}###\s?(?:system|instruction|human|assistant|response|user)s?\s?:"),
    _rule("chat_token", "</|<system|<instruction", r"</?(?:system|instructions?|system_prompt|prompt)>|</(?:passages?|context|retrieved_passages|user_input|evaluated_text|untrusted|data)>"),
    _rule("chat_token", "human:", r"\n\s*\n\s*human:[^\n]{0,300}\n\s*\n\s*assistant:"),
    _rule("library_marker", "deepeval", r"\[\s?deepeval\s?:"),
    _rule("prompt_leak", "prompt|instructions", r"\b(?:reveal|print|show|repeat|output|leak|disclose)\s(?:me\s)?(?:your|the)\s(?:full\s|entire\s|hidden\s|initial\s|original\s)?(?:system\sprompt|system\smessage|hidden\sinstructions|initial\sinstructions|prompt\sabove)"),
    _rule("jailbreak", "developer mode|jailbreak|dan mode|do anything now", r"\b(?:developer\smode\s(?:enabled|on|activated)|(?:enable|enter|activate)\sdeveloper\smode\sand|jailbr(?:eak|oken)\smode|dan\smode|do\sanything\snow)\b"),
    _rule("de:anweisung", "ignorier|vergiss|vergessen|missacht|bewerte|gib", r"\b(?:ignorier(?:e|en\ssie|t)|vergiss|vergessen\ssie|missachte[nt]?(?:\ssie)?)\s(?:\w+\s){0,4}?(?:anweisung|regel|bewertungs|rubrik|prompt|vorgabe|kriteri|instruktion)\w*|\bbewerten?\s(?:sie\s)?(?:diese|die|das)\s(?:\w+\s){0,3}?(?:mit|als)\s(?:\w+\s){0,2}?(?:10\b|5/5|10/10|voller?\s|höchst|maxim|perfekt|bestanden)"),
    _rule("fr:consigne", "ignore|oubli|notez|attribue", r"\b(?:ignore[zr]?|oublie[zr]?)\s(?:\w+\s){0,2}?(?:les|vos|tes|ces|la|toute)\s(?:\w+\s){0,2}?(?:instruction|consigne|règle|critère|grille|directive)s?|\b(?:note[zr]?|évalue[zr]?|attribue[zr]?)\s(?:\w+\s){0,4}?(?:10/10|5/5|10\ssur\s10|la\snote\smaximale|la\smeilleure\snote)"),
    _rule("es:instruccion", "ignor|olvid|califi|punt", r"\b(?:ignor[ae]n?|olvid[ae]n?|haz\scaso\somiso\sde)\s(?:\w+\s){0,2}?(?:las|tus|sus|los|la|el|estas)\s(?:\w+\s){0,2}?(?:instruccion|regla|criterio|rúbrica|indicacion|directric)\w*|\b(?:califi(?:ca|que)|puntúa|puntúe|evalúa|evalúe)\s(?:\w+\s){0,4}?(?:10/10|5/5|10\ssobre\s10|máxim|puntuación\sperfecta)"),
    _rule("it:istruzione", "ignora|dimentica|valuta|assegna", r"\b(?:ignora(?:te|re)?|ignori|dimentica(?:te)?|dimentichi)\s(?:\w+\s){0,2}?(?:le|tue|sue|gli|i|la|queste)\s(?:\w+\s){0,2}?(?:istruzion|regol|criter|rubric|direttiv|indicazion)\w*|\b(?:valuta|assegna|dai)\s(?:\w+\s){0,4}?(?:10/10|5/5|10\ssu\s10|punteggio\s(?:massimo|pieno))"),
    _rule("pt:instrucao", "ignor|esque|avali|atribu", r"\b(?:ignor[ae]m?|esque[çc]a|desconsidere)\s(?:\w+\s){0,2}?(?:as|suas|os|a|essas|estas)\s(?:\w+\s){0,2}?(?:instruç|regra|critério|rubrica|diretriz|orientaç)\w*|\b(?:avalie|atribua|dê)\s(?:\w+\s){0,4}?(?:10/10|5/5|nota\s(?:máxima|10))"),
    _rule("pl:polecenie", "ignoruj|pomiń|zapomnij|oceń", r"\b(?:z?ignoruj(?:cie)?|pomiń|zapomnij\so)\s(?:\w+\s){0,4}?(?:instrukcj|poleceni|zasad|kryteri|wytyczn|rubryk)\w*|\boceń\s(?:\w+\s){0,4}?(?:10/10|5/5|na\s(?:10|maks|najwyż))"),
    _rule("nl:opdracht", "negeer|vergeet", r"\b(?:negeer|vergeet)\s(?:\w+\s){0,4}?(?:instructies?|regels|criteria|richtlijnen|opdracht\w*)\b"),
    _rule("tr:talimat", "talimat|kural", r"(?:talimat|kural|yönerge)\p{L}*\s(?:\p{L}+\s){0,3}?(?:yok\ssay|görmezden\sgel|unut|dikkate\salma)"),
    _rule("ru:ukazanie", "игнорир|забуд|оцени|поставь", r"(?:игнорируй|проигнорируй|забудь)(?:те)?\s(?:\p{L}+\s){0,4}?(?:инструкц|правил|указани|критери|промпт)\p{L}*|(?:оцени|поставь)(?:те)?\s(?:\p{L}+\s){0,4}?(?:10\sиз\s10|5\sиз\s5|10/10|максимальн|высш)"),
    _rule("zh:指令", "忽略|无视|無視|忽视|忘记|忘記|不要理会|满分|滿分|最高分|判定|评为", r"(?:忽略|无视|無視|忽视|忘记|忘記|不要理会|不用管)[^。\n]{0,14}(?:指令|指示|说明|說明|规则|規則|评分标准|評分標準|提示词|提示詞|要求|标准)|(?:给|打|评|評|給)[^。\n，]{0,8}(?:满分|滿分|10\s?分|最高分|五分)|(?:返回|输出|輸出|回答)[^。\n]{0,12}(?:verdict|判定为?(?:是|通过|支持)|\"是\"|“是”)|(?:判定|评为|标记为|視為|视为)[^。\n]{0,6}(?:忠实|忠實|支持|通过|正确|相关)"),
    _rule("ja:指示", "無視|忘れ|満点|評価して", r"(?:指示|命令|ルール|プロンプト|基準|ルーブリック)[^。\n]{0,10}(?:無視|忘れ)(?:し|て)|(?:満点|10点|最高点|10/10)(?:を|で|に)?[^。\n]{0,8}(?:付け|つけ|与え|評価|してください)"),
    _rule("ko:지시", "무시|잊|만점", r"(?:지시|명령|규칙|프롬프트|기준|지침)[^.\n]{0,10}(?:무시하|무시해|잊어|잊으)|(?:만점|10점|최고\s?점수)[^.\n]{0,8}(?:주세요|줘|매기|부여|평가하)"),
    _rule("ar:تعليمات", "تجاهل|انس |اهمل|أهمل|امنح|أعط", r"(?:تجاهلي?|انس|اهمل|أهمل|تجاوز)\s(?:\p{L}+\s){0,3}?(?:ال)?(?:تعليمات|قواعد|معايير|أوامر|توجيهات|إرشادات)|(?:امنح|أعط|قيّم|قيم)\s(?:\p{L}+\s){0,4}?(?:10/10|10\sمن\s10|الدرجة\s(?:الكاملة|القصوى)|أعلى\sدرجة)"),
    _rule("hi:निर्देश", "अनदेखा|नज़रअंदाज़|नजरअंदाज|भूल|उपेक्षा|पूरे अंक|10/10", r"(?:निर्देश|नियम|आदेश|मानदंड|मापदंड)[^।\n]{0,24}(?:अनदेखा|अनदेखी|नज़रअंदाज़|नजरअंदाज|भूल\sजा|उपेक्षा)|(?:पूरे\sअंक|सर्वोच्च\sअंक|10/10)[^।\n]{0,12}(?:दें|दो|दीजिए)"),
    _rule("th:คำสั่ง", "เพิกเฉย|ละเว้น|ไม่ต้องสนใจ|คะแนนเต็ม", r"(?:เพิกเฉย|ละเว้น|ไม่ต้องสนใจ|ลืม)[^\n]{0,20}(?:คำสั่ง|คำแนะนำ|กฎ|เกณฑ์)|ให้คะแนนเต็ม"),
    _rule("vi:chi_thi", "bỏ qua|phớt lờ|quên", r"(?:bỏ\squa|phớt\slờ|quên\sđi)\s(?:\p{L}+\s){0,4}?(?:hướng\sdẫn|chỉ\sdẫn|quy\stắc|chỉ\sthị)"),
    _rule("id:instruksi", "abaikan|lupakan", r"\b(?:abaikan|lupakan)\s(?:\w+\s){0,4}?(?:instruksi|perintah|aturan|kriteria|petunjuk)"),
)  # fmt: skip
