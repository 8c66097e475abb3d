"""Orders to a judge in other languages than English: to ignore the instructions, and to give full marks."""

from __future__ import annotations

from typing import Final

from glassbox.text._injection_rule import Rule, rule

OTHER_LANGUAGES: Final[tuple[Rule, ...]] = (
    rule("de:anweisung", "ignorier|vergiss|vergessen|missacht|bewerte|gib",
    r"\b(?:ignorier(?:e|en\ssie|t)|vergiss|vergessen\ssie|missachte[nt]?(?:\ssie)?)\s(?:\w+\s){0,4}?(?:anweisung"
    r"|regel|bewertungs|rubrik|prompt|vorgabe|kriteri|instruktion)\w*|\bbewerten?\s(?:sie\s)?(?:diese|die"
    r"|das)\s(?:\w+\s){0,3}?(?:mit|als)\s(?:\w+\s){0,2}?(?:10\b|5/5|10/10|voller?\s|höchst|maxim|perfekt|bestanden)"),
    rule("fr:consigne", "ignore|oubli|notez|attribue",
    r"\b(?:ignore[zr]?|oublie[zr]?)\s(?:\w+\s){0,2}?(?:les|vos|tes|ces|la|toute)\s(?:\w+\s){0,2}?(?:instruction"
    r"|consigne|règle|critère|grille|directive)s?|\b(?:note[zr]?|évalue[zr]?|attribue[zr]?)\s(?:\w+\s){0,4}?(?:10/10"
    r"|5/5|10\ssur\s10|la\snote\smaximale|la\smeilleure\snote)"),
    rule("es:instruccion", "ignor|olvid|califi|punt",
    r"\b(?:ignor[ae]n?|olvid[ae]n?|haz\scaso\somiso\sde)\s(?:\w+\s){0,2}?(?:las|tus|sus|los|la|el"
    r"|estas)\s(?:\w+\s){0,2}?(?:instruccion|regla|criterio|rúbrica|indicacion|directric)\w*|\b(?:califi(?:ca|que)"
    r"|puntúa|puntúe|evalúa|evalúe)\s(?:\w+\s){0,4}?(?:10/10|5/5|10\ssobre\s10|máxim|puntuación\sperfecta)"),
    rule("it:istruzione", "ignora|dimentica|valuta|assegna",
    r"\b(?:ignora(?:te|re)?|ignori|dimentica(?:te)?|dimentichi)\s(?:\w+\s){0,2}?(?:le|tue|sue|gli|i|la"
    r"|queste)\s(?:\w+\s){0,2}?(?:istruzion|regol|criter|rubric|direttiv|indicazion)\w*|\b(?:valuta|assegna"
    r"|dai)\s(?:\w+\s){0,4}?(?:10/10|5/5|10\ssu\s10|punteggio\s(?:massimo|pieno))"),
    rule("pt:instrucao", "ignor|esque|avali|atribu",
    r"\b(?:ignor[ae]m?|esque[çc]a|desconsidere)\s(?:\w+\s){0,2}?(?:as|suas|os|a|essas"
    r"|estas)\s(?:\w+\s){0,2}?(?:instruç|regra|critério|rubrica|diretriz|orientaç)\w*|\b(?:avalie|atribua"
    r"|dê)\s(?:\w+\s){0,4}?(?:10/10|5/5|nota\s(?:máxima|10))"),
    rule("pl:polecenie", "ignoruj|pomiń|zapomnij|oceń",
    r"\b(?:z?ignoruj(?:cie)?|pomiń|zapomnij\so)\s(?:\w+\s){0,4}?(?:instrukcj|poleceni|zasad|kryteri|wytyczn"
    r"|rubryk)\w*|\boceń\s(?:\w+\s){0,4}?(?:10/10|5/5|na\s(?:10|maks|najwyż))"),
    rule("nl:opdracht", "negeer|vergeet", r"\b(?:negeer|vergeet)\s(?:\w+\s){0,4}?(?:instructies?|regels|criteria"
    r"|richtlijnen|opdracht\w*)\b"),
    rule("tr:talimat", "talimat|kural", r"(?:talimat|kural|yönerge)\p{L}*\s(?:\p{L}+\s){0,3}?(?:yok\ssay"
    r"|görmezden\sgel|unut|dikkate\salma)"),
    rule("ru:ukazanie", "игнорир|забуд|оцени|поставь",
    r"(?:игнорируй|проигнорируй|забудь)(?:те)?\s(?:\p{L}+\s){0,4}?(?:инструкц|правил|указани|критери|промпт)\p{L}*"
    r"|(?:оцени|поставь)(?:те)?\s(?:\p{L}+\s){0,4}?(?:10\sиз\s10|5\sиз\s5|10/10|максимальн|высш)"),
    rule("zh:指令", "忽略|无视|無視|忽视|忘记|忘記|不要理会|满分|滿分|最高分|判定|评为",
    r"(?:忽略|无视|無視|忽视|忘记|忘記|不要理会|不用管)[^。\n]{0,14}(?:指令|指示|说明|說明|规则|規則"
    r"|评分标准|評分標準|提示词|提示詞|要求|标准)|(?:给|打|评|評"
    r"|給)[^。\n，]{0,8}(?:满分|滿分|10\s?分|最高分|五分)|(?:返回|输出|輸出|回答)[^。\n]{0,12}(?:verdict"
    r"|判定为?(?:是|通过|支持)|\"是\"|“是”)|(?:判定"
    r"|评为|标记为|視為|视为)[^。\n]{0,6}(?:忠实|忠實|支持|通过|正确|相关)"),
    rule("ja:指示", "無視|忘れ|満点|評価して", r"(?:指示|命令|ルール|プロンプト|基準|ルーブリック)[^。\n]{0,10}"
    r"(?:無視|忘れ)(?:し|て)|(?:満点|10点|最高点"
    r"|10/10)(?:を|で|に)?[^。\n]{0,8}(?:付け|つけ|与え|評価|してください)"),
    rule("ko:지시", "무시|잊|만점", r"(?:지시|명령|규칙|프롬프트|기준|지침)[^.\n]{0,10}(?:무시하|무시해|잊어"
    r"|잊으)|(?:만점|10점"
    r"|최고\s?점수)[^.\n]{0,8}(?:주세요|줘|매기|부여|평가하)"),
    rule("ar:تعليمات", "تجاهل|انس |اهمل|أهمل|امنح|أعط",
    r"(?:تجاهلي?|انس|اهمل|أهمل|تجاوز)\s(?:\p{L}+\s){0,3}?(?:ال)?(?:تعليمات|قواعد|معايير|أوامر|توجيهات|إرشادات)"
    r"|(?:امنح|أعط|قيّم|قيم)\s(?:\p{L}+\s){0,4}?(?:10/10|10\sمن\s10|الدرجة\s(?:الكاملة|القصوى)|أعلى\sدرجة)"),
    rule("hi:निर्देश", "अनदेखा|नज़रअंदाज़|नजरअंदाज|भूल|उपेक्षा|पूरे अंक|10/10",
    r"(?:निर्देश|नियम|आदेश|मानदंड|मापदंड)[^।\n]{0,24}(?:अनदेखा|अनदेखी|नज़रअंदाज़|नजरअंदाज|भूल\sजा|उपेक्षा)"
    r"|(?:पूरे\sअंक|सर्वोच्च\sअंक|10/10)[^।\n]{0,12}(?:दें|दो|दीजिए)"),
    rule("th:คำสั่ง", "เพิกเฉย|ละเว้น|ไม่ต้องสนใจ|คะแนนเต็ม",
    r"(?:เพิกเฉย|ละเว้น|ไม่ต้องสนใจ|ลืม)[^\n]{0,20}(?:คำสั่ง|คำแนะนำ|กฎ|เกณฑ์)|ให้คะแนนเต็ม"),
    rule("vi:chi_thi", "bỏ qua|phớt lờ|quên",
    r"(?:bỏ\squa|phớt\slờ|quên\sđi)\s(?:\p{L}+\s){0,4}?(?:hướng\sdẫn|chỉ\sdẫn|quy\stắc|chỉ\sthị)"),
    rule("id:instruksi", "abaikan|lupakan", r"\b(?:abaikan|lupakan)\s(?:\w+\s){0,4}?(?:instruksi|perintah|aturan"
    r"|kriteria|petunjuk)"),
)  # fmt: skip
