"""Refusals in other languages than English."""

from __future__ import annotations

from typing import Final

OTHER_LANGUAGES: Final = (
    ("de:nichts_gefunden", r"(?:(?:es\stut\smir\sleid|leider|entschuldigung|tut\smir\sleid"
    r"|bedaure)[,.!]?\s*(?:aber\s)?)*(?:(?:ich|wir)\s(?:kann|konnte|können|konnten|habe|haben|finde|finden|fand|weiß"
    r"|besitze|verfüge)\b[^.]{0,80}?\b(?:nicht|nichts|keine?n?|keinerlei)\b|(?:kann|konnte|habe|finde|weiß)\s(?:ich"
    r"|wir)\b[^.]{0,80}?\b(?:nicht|nichts|keine?n?|keinerlei)\b|(?:das|dazu|darüber|hierzu|hierüber)\s(?:weiß|kann"
    r"|konnte|habe|liegen|gibt|finde|steht)\b[^.]{0,60}?\b(?:nicht|nichts|keine?)\b|(?:liegen|gibt\ses"
    r"|liegt)\b[^.]{0,40}?\bkeine?\b)"),
    ("de:quelle_schweigt", r"(?:(?:leider|in)\s)?(?:die|den|der|das|dem|diese[nrms]?)\s(?:\w+\s)?(?:dokumente?n?"
    r"|texte?n?|quellen?|unterlagen|informationen|passagen?|abschnitte?n?|kontext|artikel)\s(?:enthält|enthalten"
    r"|nennt|nennen|sagt|sagen|gibt|geben|erwähnt|erwähnen|steht|stehen|findet|finden|liefert|liefern|beantwortet"
    r"|beantworten|äußern)\b[^.]{0,80}?\b(?:nicht|nichts|keine?n?)\b|es\s(?:gibt"
    r"|liegen)\b[^.]{0,30}\bkeine\s(?:\w+\s)?(?:informationen|angaben|daten|hinweise)|keine\s(?:angaben?"
    r"|informationen|daten)\b"),
    ("fr:rien_trouve", r"(?:(?:désolée?|je\ssuis\sdésolée?|malheureusement|je\sregrette|excusez-moi"
    r"|pardon)[,.]?\s*(?:mais\s)?)*(?:je|nous)\s(?:ne\s|n['’])(?:\w+['’]?\s?){1,4}?(?:pas|rien|aucune?)\b"),
    ("fr:source_muette", r"(?:malheureusement,?\s)?(?:(?:les?|la|ces?|cette|l['’]|aucun\sdes)\s?(?:documents?|textes?"
    r"|passages?|sources?|informations?|articles?|contexte|extraits?)(?:\s\w+){0,2}?\s(?:ne\s"
    r"|n['’])\w+\s(?:\w+\s){0,2}?(?:pas|rien|aucune?)\b|il\sn['’]y\sa\s(?:pas"
    r"|aucune?)\s(?:\w+['’\s]){0,2}?informations?|aucune\s(?:information|donnée|réponse))"),
    ("es:nada_encontrado", r"(?:(?:lo\ssiento|disculpe|perdón|lamentablemente|desafortunadamente|por\sdesgracia"
    r"|lo\slamento)[,.]?\s*(?:pero\s)?)*(?:yo\s)?no\s(?:pude|puedo|podemos|he\s(?:podido|encontrado)|tengo|tenemos"
    r"|encuentro|encontré|dispongo|disponemos|sé|cuento\scon|me\ses\sposible|hay\s(?:\w+\s)?(?:información|datos"
    r"|detalles|mención)|se\s(?:menciona|especifica|encontró|indica|dispone)|es\sposible\s(?:responder|determinar))\b"),
    ("es:fuente_muda", r"(?:los?|las?|estos|esta|este|el)\s(?:documentos?|textos?|pasajes?|fuentes?|información"
    r"|artículos?|contextos?|fragmentos?)(?:\s\w+){0,2}?\sno\s(?:\w+\s)?(?:menciona|contiene|dice|indica|incluye"
    r"|especifica|proporciona|ofrece|aborda|responde|explica|da)n?\b|ninguno\sde\slos\s(?:documentos|textos|pasajes)"),
    ("it:niente_trovato", r"(?:(?:mi\sdispiace|purtroppo|spiacente|scusa|scusi)[,.]?\s*(?:ma\s)?)*(?:io\s)?non\s(?:ho"
    r"|abbiamo|posso|possiamo|sono\s(?:riuscit[oa]|in\sgrado)|riesco|so|dispongo|trovo"
    r"|ci\ssono\s(?:\w+\s)?(?:informazioni|dati|dettagli)|è\s(?:possibile|specificato|indicato|menzionato))\b"),
    ("it:fonte_muta", r"(?:i|gli|le|il|la|questi|queste|l['’])\s?(?:documenti?|testi?|testo|passaggi?o?|fonti|fonte"
    r"|informazioni|articol[io]|contesto|brani)(?:\s\w+){0,2}?\snon\s(?:\w+\s)?(?:menziona|contiene|contengono|dice"
    r"|dicono|indica|include|includono|specifica|fornisce|forniscono|riporta|spiega|risponde|rispondono)(?:no)?\b"),
    ("pt:nada_encontrado", r"(?:(?:desculpe|sinto\smuito|infelizmente|lamento|lamentavelmente"
    r"|peço\sdesculpas?)[,.]?\s*(?:mas\s)?)*(?:eu\s)?não\s(?:tenho|temos|encontrei|encontramos|posso|consigo|consegui"
    r"|sei|disponho|foi\spossível|é\spossível|há\s(?:\w+\s)?(?:informaç|dados|detalhes|menção))"),
    ("pt:fonte_muda", r"(?:os?|as?|estes|esses)\s(?:documentos?|textos?|passagens|trechos?|fontes?|informações"
    r"|artigos?|contexto)(?:\s\w+){0,2}?\snão\s(?:\w+\s)?(?:menciona|contém|contêm|diz|dizem|indica|inclui|incluem"
    r"|especifica|fornece|traz|trazem|informa|responde)m?\b"),
    ("pl:nic_nie_znaleziono", r"(?:(?:przepraszam|niestety|przykro\smi)[,.]?\s*(?:ale\s)?)*(?:ja\s)?nie\s(?:mam|mamy"
    r"|znalazłem|znalazłam|znaleziono|mogę|możemy|wiem|udało|posiadam|dysponuję|jestem\sw\sstanie|potrafię"
    r"|ma\s(?:\w+\s)?(?:informacji|danych))\b|brak\s(?:\w+\s)?(?:informacji|danych)"),
    ("pl:zrodlo_milczy", r"(?:te\s|podane\s|dostarczone\s|w\s)?(?:dokument(?:y|ach)?|tekst(?:y|ach)?|źródł[ao]"
    r"|źródłach|fragment(?:y|ach)?|kontekst|materiał(?:y|ach)?)(?:\s\w+){0,2}?\snie\s(?:\w+\s)?(?:zawiera|mówi|podaj"
    r"|wspomina|określa|informuj|ma|odpowiada|wyjaśnia)\w*"),
    ("nl:niets_gevonden", r"(?:(?:sorry|helaas|het\sspijt\sme)[,.]?\s*(?:maar\s)?)*(?:(?:ik|wij|we)\s(?:kan|kon"
    r"|kunnen|heb|hebben|weet|vind|beschik)\b[^.]{0,60}?\b(?:niet|niets|geen)\b|(?:kan|kon|heb"
    r"|weet)\sik\b[^.]{0,60}?\b(?:niet|niets|geen)\b|de\s(?:documenten|teksten|bronnen)\s\w+\s(?:\w+\s){0,3}?(?:niet"
    r"|niets|geen)\b)"),
    ("ru:ne_najdeno", r"(?:(?:извините|простите|к\sсожалению|сожалею)[,.]?\s*(?:но\s)?)*(?:(?:я"
    r"|мы)\s(?:\w+\s)?не\s(?:знаю|наш[её]л|нашла|нашли|могу|можем|смог|смогла|располагаю|имею|обладаю|уверен)"
    r"|у\sменя\sнет|(?:в\s)?(?:\w+\s)?(?:документ|текст|источник|отрывк|материал)\w*\s(?:\w+\s){0,2}?(?:не|нет)\b"
    r"|нет\s(?:\w+\s)?(?:информации|данных|сведений)|не\sудалось\sнайти)"),
    ("zh:未找到", r"(?:(?:很?抱歉|对不起|對不起|不好意思|遗憾的是|遺憾的是)[，,。！]?\s*)*(?:但是?)?(?:(?:我"
               r"|我们|我們)(?:暂时|目前|并|實在|实在"
               r"|也)?(?:在[^。，]{1,12}?)?(?:无法|無法|不能|没有|沒有|没能|找不到|未能|未找到|不知道|不清楚"
               r"|不确定|不確定)|(?:在)?(?:(?:所)?提供的?|给出的|這些|这些"
               r"|该|本|上述|现有|相关)?(?:文档|文件|资料|資料|上下文|文本|文章|文中|段落|信息|材料|内容|內容"
               r"|来源)(?:中|里|裡|内)?(?:都|均|也|并)?(?:没有|沒有|并?未|无"
               r"|不包含|不含|没)(?:有)?(?:提到|提及|说明|說明|包含|提供|涉及|给出|找到|相关|具体|明确|记载"
               r"|任何|足够)?|(?:没有|沒有|未|无|無|找不到)(?:找到|有"
               r"|任何)?(?:足够|相关|相關|具体|有关|任何|可用)(?:的)?[^。]{0,12}(?:信息|資料|资料|内容"
               r"|資訊|数据|答案)|(?:无法|無法|不能)(?:回答|确定|從|从|判断|提供"
               r"|找到))"),
    ("ja:見つからない", r"(?:(?:申し訳(?:ありません|ございません)(?:が)?|すみません(?:が)?"
    r"|残念ながら)[、,。]?\s*)*[^。]{0,60}?(?:見つかりません|見つけられません"
    r"|わかりません|分かりません|情報(?:は|が)(?:ありません|ございません|不足)|記載(?:は"
    r"|が)?(?:ありません|されていません|ない)|お答えできません|回答できません|答えられません|言及(?:され"
    r"|し)ていません)"),
    ("ko:찾을수없음", r"(?:(?:죄송합니다(?:만)?|죄송하지만|유감스럽게도|안타깝게도)[,.]?\s*)*[^.]{0,60}?(?:찾을"
    r"\s?수\s?없|찾지\s?못|알\s?수\s?없|정보가\s?없"
    r"|정보는\s?없|모르겠|답변(?:할|해\s?드릴)\s?수\s?없|언급(?:되어\s?있지|하지)\s?않)"),
    ("ar:لم_أجد", r"(?:(?:عذر[اًاً]*|آسف|أعتذر|للأسف|معذرة)[،,.]?\s*(?:لكن(?:ني)?\s|ف?إن(?:ني)?\s)?)*(?:و)?(?:(?:لا"
    r"|لم|ليس|ليست|لن)\s(?:\p{L}+\s)?(?:أملك|أعرف|أعلم|أجد|أستطيع|أتمكن|يمكنني|تتوفر|يتوفر|توجد|يوجد|تذكر|يذكر|تحتوي"
    r"|يحتوي|لدي|لدينا|أدري|نجد|نعرف|تتضمن|ترد|يرد)|(?:المستندات|الوثائق|النصوص|النص|المصادر|المقاطع|السياق"
    r"|المعلومات)(?:\s\p{L}+){0,2}?\s(?:لا|لم|ليس)\b|لا\sتوجد\sمعلومات)"),
    ("hi:नहीं_मिला", r"(?:(?:क्षमा\sकरें|माफ़\s?(?:करें|कीजिए|कीजिएगा)|माफ\s?(?:करें|कीजिए)|खेद\sहै"
    r"|दुर्भाग्य\sसे)[,।.]?\s*(?:लेकिन\s|कि\s)?)*(?:(?:मुझे|मैं|मेरे\sपास|हमें|हमारे\sपास)\b[^।]{0,90}?(?:नहीं"
    r"|असमर्थ)|(?:इन\s|दिए\sगए\s|उपलब्ध\s)*(?:दस्तावेज़?ों?|दस्तावेज|पाठ|अंश|स्रोत(?:ों)?|संदर्भ"
    r"|जानकारी)\b[^।]{0,60}?नहीं)"),
)  # fmt: skip
