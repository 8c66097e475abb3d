"""Phrases by which an answer says that it has no answer, per language. Each is matched at the start of a sentence."""

from __future__ import annotations

from typing import Final

import regex

# What may stand before the refusal proper: regrets, hedges and references to the material.
_PREFIX_EN: Final = (
    r"(?:(?:(?:i\s?['’]?\s?a?m|we\s?['’]?\s?a?re)\s+(?:\w+\s)?(?:sorry|afraid)|(?:so\s|very\s)?sorry|(?:my\s|our\s)?apologies|unfortunately|"
    r"regrettably|sadly|i\s(?:sincerely\s|do\s)?apologi[sz]e|again|however|but|well|hmm|no|yes|hello|hi|thank\syou|thanks|currently|"
    r"at\s(?:this|the)\s(?:moment|time)|it\s(?:seems|appears|looks\slike)|to\smy\sknowledge|as\sfar\sas\si\sknow|"
    r"(?:for|about)\s(?:the|that|this|any)\s[^,.;:]{1,40}|as\san\sai[^,.;:]{0,40}|"
    r"(?:based\son|according\sto|from|given|using|after\s\w+ing|having\s\w+ed|in)\s[^,.;:]{3,90}?)"
    r"(?:\s*[,.;:!–—-]+\s*|\s+)(?:(?:but|that|and)\s+)?){0,4}"
)
_MATERIAL_EN: Final = (
    r"(?:documents?|documentation|passages?|contexts?|texts?|sources?|articles?|information|materials?|references?|data|excerpts?|"
    r"(?:search\s|retrieved\s)?results?|knowledge\sbase|snippets?|paragraphs?|records?|content|pages?|files?|conversation)"
)
_THE_MATERIAL_EN: Final = (
    rf"(?:(?:none\sof\s)?(?:the|these|this|those|your|my|our|any)\s(?:\w+\s){{0,2}}?{_MATERIAL_EN}|{_MATERIAL_EN})"
    rf"(?:\s(?:provided|given|above|available|retrieved|supplied|here|i\shave|that\si\shave|at\shand|you\s\w+|in\s\w+(?:\s\w+)?))?"
)
_KNOWLEDGE_EN: Final = (
    r"(?:information|mention|data|details?|evidence|answers?|indication|records?|reference|documentation|context|knowledge|"
    r"sources?|documents?|passages?|guidance|clarity|statement)"
)
_GIVE_EN: Final = (
    r"(?:find|answer|determine|provide|confirm|help|locate|verify|say|tell|give|see|assist|offer|do\s(?:that|this|it)|identify|access|"
    r"comment|speak|recommend|share|predict|respond|address|supply|specify|know|work\sout|infer|conclude|deduce|fulfil\w*|comply|"
    r"complete|discuss|advise|state|list|name|estimate|guarantee|look\sup)"
)
_SAY_EN: Final = (
    r"(?:say|mention|contain|include|specify|provide|state|address|give|cover|describe|discuss|indicate|answer|list|explain|tell|"
    r"offer|have|explicitly|directly|specifically|clearly|actually|seem|appear|reveal|disclose|define|identify|support|talk|refer)"
)
_ENGLISH: Final = (
    ("en:i_have_none", r"(?:i|we)\s(?:currently\s|really\s|just\s|still\s)?(?:do\snot|don['’]t|did\snot|didn['’]t)\s(?:\w+ly\s)?"
     r"(?:have|possess|know|see|find)\b(?!\sto\b|\sabout\syou)"),
    ("en:i_have_no", r"(?:i|we)\s(?:have|had|see|found|find|possess)\s(?:absolutely\s|found\s)?(?:no\b(?!\sdoubt)|nothing|insufficient|too\slittle|not\s(?:enough|been|found))"),
    ("en:i_cannot", r"(?:i|we)\s(?:am\s|are\s|was\s|were\s)?(?:cannot|can\s?not|can['’]t|could\snot|couldn['’]t|unable\sto|not\sable\sto|"
     rf"won['’]t\sbe\sable\sto|will\snot\sbe\sable\sto|have\snot\sbeen\sable\sto|(?:['’]m|['’]re)\s(?:not\sable|unable)\sto)\s(?:\w+ly\s)?{_GIVE_EN}\b"),
    ("en:i_cannot", rf"(?:i|we)['’](?:m|re)\s(?:not\sable|unable)\sto\s(?:\w+ly\s)?{_GIVE_EN}\b"),
    ("en:i_am_unsure", r"(?:i|we)(?:['’]m|\sam|['’]re|\sare)\s(?:not\s(?:entirely\s|really\s|quite\s)?(?:sure|aware|certain|familiar)|unsure|unaware|unfamiliar)\b"),
    ("en:material_silent", rf"{_THE_MATERIAL_EN}\s(?:do|does|did)(?:\s?n['’]t|\snot)\s(?:\w+ly\s)?{_SAY_EN}\b"),
    ("en:material_silent", rf"{_THE_MATERIAL_EN}\s(?:fails?\sto|lacks?|makes?\sno|contains?\sno|has\sno|have\sno|includes?\sno|provides?\sno|gives?\sno|says?\snothing|offers?\sno|(?:is|are)\ssilent)\b"),
    ("en:there_is_none", rf"there\s(?:is|are|was|were|seems?\sto\sbe|appears?\sto\sbe|exists?)(?:n['’]t|\snot)?\s(?:no|any|not|enough|sufficient|insufficient|nothing)\s(?:\w+\s){{0,3}}?{_KNOWLEDGE_EN}\b"),
    ("en:there_is_none", rf"(?:no|not\senough|insufficient|not\sany)\s(?:\w+\s){{0,2}}?{_KNOWLEDGE_EN}\s?(?:\b(?:is|are|was|were|has|have|could|can|available|found|provided|given|about|on|regarding|for|in|to)\b|\.?$)"),
    ("en:not_answerable", r"(?:the|this|that|your|an|any)\s(?:\w+\s){0,2}?(?:answers?|question|information|details?|query|request)\b[^.;]{0,80}?\s?(?:could|can|is|was|are|were|does|has)\s?"
     r"(?:not|n['’]t)\s(?:be\s|been\s|exist\s)?(?:\w+ly\s)?(?:found|answered|answerable|determined|located|available|provided|mentioned|specified|given|stated|included|present|covered|contained|in\sthe|fulfilled|known)\b"),
    ("en:not_answerable", rf"(?:it|this|that)\s(?:is|was)(?:n['’]t|\snot)\s(?:\w+ly\s)?(?:mentioned|stated|specified|said|described|clear|known|possible\sto\s(?:answer|determine|say|tell)|provided|given|covered|discussed|indicated)\b(?=[^.]{{0,60}}(?:{_MATERIAL_EN}|answer|determine|tell|say)\b)"),
    ("en:no_answer", r"(?:unanswerable|cannot\sanswer|can['’]t\sanswer|unable\sto\s(?:answer|find|determine)|could\snot\s(?:find|determine)|couldn['’]t\sfind|no\sanswer|not\sfound|not\s(?:enough|sufficient)\sinformation|"
     r"insufficient\s(?:information|context|data)|no\sidea|don['’]t\sknow|do\snot\sknow|n/a|unknown|not\s(?:mentioned|specified|stated|available|provided))(?:[^.!?]{0,60})?[.!]?$"),
)  # fmt: skip
_OTHER: Final = (
    ("de:nichts_gefunden", r"(?:(?:es\stut\smir\sleid|leider|entschuldigung|tut\smir\sleid|bedaure)[,.!]?\s*(?:aber\s)?)*(?:(?:ich|wir)\s(?:kann|konnte|können|konnten|habe|haben|finde|finden|fand|weiß|besitze|verfüge)\b[^.]{0,80}?\b(?:nicht|nichts|keine?n?|keinerlei)\b|(?:kann|konnte|habe|finde|weiß)\s(?:ich|wir)\b[^.]{0,80}?\b(?:nicht|nichts|keine?n?|keinerlei)\b|(?:das|dazu|darüber|hierzu|hierüber)\s(?:weiß|kann|konnte|habe|liegen|gibt|finde|steht)\b[^.]{0,60}?\b(?:nicht|nichts|keine?)\b|(?:liegen|gibt\ses|liegt)\b[^.]{0,40}?\bkeine?\b)"),
    ("de:quelle_schweigt", r"(?:(?:leider|in)\s)?(?:die|den|der|das|dem|diese[nrms]?)\s(?:\w+\s)?(?:dokumente?n?|texte?n?|quellen?|unterlagen|informationen|passagen?|abschnitte?n?|kontext|artikel)\s(?:enthält|enthalten|nennt|nennen|sagt|sagen|gibt|geben|erwähnt|erwähnen|steht|stehen|findet|finden|liefert|liefern|beantwortet|beantworten|äußern)\b[^.]{0,80}?\b(?:nicht|nichts|keine?n?)\b|es\s(?:gibt|liegen)\b[^.]{0,30}\bkeine\s(?:\w+\s)?(?:informationen|angaben|daten|hinweise)|keine\s(?:angaben?|informationen|daten)\b"),
    ("fr:rien_trouve", r"(?:(?:désolée?|je\ssuis\sdésolée?|malheureusement|je\sregrette|excusez-moi|pardon)[,.]?\s*(?:mais\s)?)*(?:je|nous)\s(?:ne\s|n['’])(?:\w+['’]?\s?){1,4}?(?:pas|rien|aucune?)\b"),
    ("fr:source_muette", r"(?:malheureusement,?\s)?(?:(?:les?|la|ces?|cette|l['’]|aucun\sdes)\s?(?:documents?|textes?|passages?|sources?|informations?|articles?|contexte|extraits?)(?:\s\w+){0,2}?\s(?:ne\s|n['’])\w+\s(?:\w+\s){0,2}?(?:pas|rien|aucune?)\b|il\sn['’]y\sa\s(?:pas|aucune?)\s(?:\w+['’\s]){0,2}?informations?|aucune\s(?:information|donnée|réponse))"),
    ("es:nada_encontrado", r"(?:(?:lo\ssiento|disculpe|perdón|lamentablemente|desafortunadamente|por\sdesgracia|lo\slamento)[,.]?\s*(?:pero\s)?)*(?:yo\s)?no\s(?:pude|puedo|podemos|he\s(?:podido|encontrado)|tengo|tenemos|encuentro|encontré|dispongo|disponemos|sé|cuento\scon|me\ses\sposible|hay\s(?:\w+\s)?(?:información|datos|detalles|mención)|se\s(?:menciona|especifica|encontró|indica|dispone)|es\sposible\s(?:responder|determinar))\b"),
    ("es:fuente_muda", r"(?:los?|las?|estos|esta|este|el)\s(?:documentos?|textos?|pasajes?|fuentes?|información|artículos?|contextos?|fragmentos?)(?:\s\w+){0,2}?\sno\s(?:\w+\s)?(?:menciona|contiene|dice|indica|incluye|especifica|proporciona|ofrece|aborda|responde|explica|da)n?\b|ninguno\sde\slos\s(?:documentos|textos|pasajes)"),
    ("it:niente_trovato", r"(?:(?:mi\sdispiace|purtroppo|spiacente|scusa|scusi)[,.]?\s*(?:ma\s)?)*(?:io\s)?non\s(?:ho|abbiamo|posso|possiamo|sono\s(?:riuscit[oa]|in\sgrado)|riesco|so|dispongo|trovo|ci\ssono\s(?:\w+\s)?(?:informazioni|dati|dettagli)|è\s(?:possibile|specificato|indicato|menzionato))\b"),
    ("it:fonte_muta", r"(?:i|gli|le|il|la|questi|queste|l['’])\s?(?:documenti?|testi?|testo|passaggi?o?|fonti|fonte|informazioni|articol[io]|contesto|brani)(?:\s\w+){0,2}?\snon\s(?:\w+\s)?(?:menziona|contiene|contengono|dice|dicono|indica|include|includono|specifica|fornisce|forniscono|riporta|spiega|risponde|rispondono)(?:no)?\b"),
    ("pt:nada_encontrado", r"(?:(?:desculpe|sinto\smuito|infelizmente|lamento|lamentavelmente|peço\sdesculpas?)[,.]?\s*(?:mas\s)?)*(?:eu\s)?não\s(?:tenho|temos|encontrei|encontramos|posso|consigo|consegui|sei|disponho|foi\spossível|é\spossível|há\s(?:\w+\s)?(?:informaç|dados|detalhes|menção))"),
    ("pt:fonte_muda", r"(?:os?|as?|estes|esses)\s(?:documentos?|textos?|passagens|trechos?|fontes?|informações|artigos?|contexto)(?:\s\w+){0,2}?\snão\s(?:\w+\s)?(?:menciona|contém|contêm|diz|dizem|indica|inclui|incluem|especifica|fornece|traz|trazem|informa|responde)m?\b"),
    ("pl:nic_nie_znaleziono", r"(?:(?:przepraszam|niestety|przykro\smi)[,.]?\s*(?:ale\s)?)*(?:ja\s)?nie\s(?:mam|mamy|znalazłem|znalazłam|znaleziono|mogę|możemy|wiem|udało|posiadam|dysponuję|jestem\sw\sstanie|potrafię|ma\s(?:\w+\s)?(?:informacji|danych))\b|brak\s(?:\w+\s)?(?:informacji|danych)"),
    ("pl:zrodlo_milczy", r"(?:te\s|podane\s|dostarczone\s|w\s)?(?:dokument(?:y|ach)?|tekst(?:y|ach)?|źródł[ao]|źródłach|fragment(?:y|ach)?|kontekst|materiał(?:y|ach)?)(?:\s\w+){0,2}?\snie\s(?:\w+\s)?(?:zawiera|mówi|podaj|wspomina|określa|informuj|ma|odpowiada|wyjaśnia)\w*"),
    ("nl:niets_gevonden", r"(?:(?:sorry|helaas|het\sspijt\sme)[,.]?\s*(?:maar\s)?)*(?:(?:ik|wij|we)\s(?:kan|kon|kunnen|heb|hebben|weet|vind|beschik)\b[^.]{0,60}?\b(?:niet|niets|geen)\b|(?:kan|kon|heb|weet)\sik\b[^.]{0,60}?\b(?:niet|niets|geen)\b|de\s(?:documenten|teksten|bronnen)\s\w+\s(?:\w+\s){0,3}?(?:niet|niets|geen)\b)"),
    ("ru:ne_najdeno", r"(?:(?:извините|простите|к\sсожалению|сожалею)[,.]?\s*(?:но\s)?)*(?:(?:я|мы)\s(?:\w+\s)?не\s(?:знаю|наш[её]л|нашла|нашли|могу|можем|смог|смогла|располагаю|имею|обладаю|уверен)|у\sменя\sнет|(?:в\s)?(?:\w+\s)?(?:документ|текст|источник|отрывк|материал)\w*\s(?:\w+\s){0,2}?(?:не|нет)\b|нет\s(?:\w+\s)?(?:информации|данных|сведений)|не\sудалось\sнайти)"),
    ("zh:未找到", r"(?:(?:很?抱歉|对不起|對不起|不好意思|遗憾的是|遺憾的是)[，,。！]?\s*)*(?:但是?)?(?:(?:我|我们|我們)(?:暂时|目前|并|實在|实在|也)?(?:在[^。，]{1,12}?)?(?:无法|無法|不能|没有|沒有|没能|找不到|未能|未找到|不知道|不清楚|不确定|不確定)|(?:在)?(?:(?:所)?提供的?|给出的|這些|这些|该|本|上述|现有|相关)?(?:文档|文件|资料|資料|上下文|文本|文章|文中|段落|信息|材料|内容|內容|来源)(?:中|里|裡|内)?(?:都|均|也|并)?(?:没有|沒有|并?未|无|不包含|不含|没)(?:有)?(?:提到|提及|说明|說明|包含|提供|涉及|给出|找到|相关|具体|明确|记载|任何|足够)?|(?:没有|沒有|未|无|無|找不到)(?:找到|有|任何)?(?:足够|相关|相關|具体|有关|任何|可用)(?:的)?[^。]{0,12}(?:信息|資料|资料|内容|資訊|数据|答案)|(?:无法|無法|不能)(?:回答|确定|從|从|判断|提供|找到))"),
    ("ja:見つからない", r"(?:(?:申し訳(?:ありません|ございません)(?:が)?|すみません(?:が)?|残念ながら)[、,。]?\s*)*[^。]{0,60}?(?:見つかりません|見つけられません|わかりません|分かりません|情報(?:は|が)(?:ありません|ございません|不足)|記載(?:は|が)?(?:ありません|されていません|ない)|お答えできません|回答できません|答えられません|言及(?:され|し)ていません)"),
    ("ko:찾을수없음", r"(?:(?:죄송합니다(?:만)?|죄송하지만|유감스럽게도|안타깝게도)[,.]?\s*)*[^.]{0,60}?(?:찾을\s?수\s?없|찾지\s?못|알\s?수\s?없|정보가\s?없|정보는\s?없|모르겠|답변(?:할|해\s?드릴)\s?수\s?없|언급(?:되어\s?있지|하지)\s?않)"),
    ("ar:لم_أجد", r"(?:(?:عذر[اًاً]*|آسف|أعتذر|للأسف|معذرة)[،,.]?\s*(?:لكن(?:ني)?\s|ف?إن(?:ني)?\s)?)*(?:و)?(?:(?:لا|لم|ليس|ليست|لن)\s(?:\p{L}+\s)?(?:أملك|أعرف|أعلم|أجد|أستطيع|أتمكن|يمكنني|تتوفر|يتوفر|توجد|يوجد|تذكر|يذكر|تحتوي|يحتوي|لدي|لدينا|أدري|نجد|نعرف|تتضمن|ترد|يرد)|(?:المستندات|الوثائق|النصوص|النص|المصادر|المقاطع|السياق|المعلومات)(?:\s\p{L}+){0,2}?\s(?:لا|لم|ليس)\b|لا\sتوجد\sمعلومات)"),
    ("hi:नहीं_मिला", r"(?:(?:क्षमा\sकरें|माफ़\s?(?:करें|कीजिए|कीजिएगा)|माफ\s?(?:करें|कीजिए)|खेद\sहै|दुर्भाग्य\sसे)[,।.]?\s*(?:लेकिन\s|कि\s)?)*(?:(?:मुझे|मैं|मेरे\sपास|हमें|हमारे\sपास)\b[^।]{0,90}?(?:नहीं|असमर्थ)|(?:इन\s|दिए\sगए\s|उपलब्ध\s)*(?:दस्तावेज़?ों?|दस्तावेज|पाठ|अंश|स्रोत(?:ों)?|संदर्भ|जानकारी)\b[^।]{0,60}?नहीं)"),
)  # fmt: skip

# Advice, offers and remarks about the material: they say nothing about the world, so a refusal may carry them.
_SOFT: Final = (
    r"(?:i\s?['’]?\s?a?m\s(?:\w+\s)?sorry|sorry|apologies|my\sapologies|i\sapologi[sz]e|unfortunately|thank\syou|thanks)[^.!?]{0,60}[.!]?$",
    r"(?:please|could\syou|would\syou|can\syou|may\si|can\si|do\syou|did\syou|are\syou|is\sthere\sany|if\syou|let\sme\sknow|feel\sfree|you\s(?:may|might|can|could|should|would|will|['’]ll)|"
    r"i\s(?:would\s|['’]d\s)?(?:recommend|suggest|advise|encourage)|i['’]d|i\s(?:can|could|will|would|may|might)\s(?:only\s|try\s|help\s|be\s|then\s|gladly\s|offer\s|provide\s)|for\s(?:more|further|accurate|additional|detailed|up-to-date|the\smost)|"
    r"to\s(?:find|get|learn|obtain)|it\s(?:is|would\sbe|may\sbe|might\sbe)\s(?:best|better|helpful|advisable|recommended|a\sgood)|try|check|consult|contact|ask|i\shope|is\sthat|what\s(?:exactly|specific)|which)\b",
    rf"(?:however,?\s|but\s|instead,?\s)?(?:{_THE_MATERIAL_EN}|they|it|i)\s(?:only|just|merely|instead|mainly|primarily|mostly)\s",
    rf"(?:however,?\s|but\s|instead,?\s)?{_THE_MATERIAL_EN}\s(?:focus|focuses|discuss|discusses|mention|mentions|describe|describes|cover|covers|talk|talks|deal|deals|concern|concerns|relate|relates|is\sabout|are\sabout)\b",
    r"(?:bitte|wenden\ssie|falls\ssie|könnten\ssie|veuillez|pourriez|si\svous|n['’]hésitez|por\sfavor|si\s(?:usted|me|necesita|desea)|puede|podría|per\sfavore|se\s(?:vuole|desidera|hai)|puoi|potrebbe|por\sfavor,|se\squiser|você\spode|proszę|jeśli\schcesz|możesz|"
    r"请|請|如果|您可以|建议|どうぞ|もし|よろしければ|يرجى|إذا|يمكنك|कृपया|यदि|आप|пожалуйста|если|вы\sможете|alstublieft|als\su)",
    r"(?:es\stut\smir\sleid|tut\smir\sleid|entschuldigung|leider|désolée?|je\ssuis\sdésolée?|lo\ssiento|mi\sdispiace|sinto\smuito|desculpe|przepraszam|przykro\smi|很?抱歉|对不起|申し訳\S*|すみません|죄송합니다|عذرا|عذرًا|آسف|क्षमा\sकरें|извините)[.!。！।]?$",
)  # fmt: skip

_FLAGS: Final = regex.IGNORECASE | regex.VERSION1
REFUSAL_RULES: Final[tuple[tuple[str, regex.Pattern[str]], ...]] = (
    *((name, regex.compile(_PREFIX_EN + f"(?:{core})", _FLAGS)) for name, core in _ENGLISH),
    *((name, regex.compile(core, _FLAGS)) for name, core in _OTHER),
)
SOFT_RULES: Final[tuple[regex.Pattern[str], ...]] = tuple(regex.compile(rule, _FLAGS) for rule in _SOFT)
