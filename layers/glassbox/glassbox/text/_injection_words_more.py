"""Words by the part they play in an order to a judge, in other languages: "part: words", "*" as elsewhere."""

from __future__ import annotations

from typing import Final

MORE: Final[tuple[str, ...]] = (
    # German
    "judge:prufer* bewerter* gutachter* richter* gutachterin juror* bewertungsmodell korrektor*"
    " bewertende*|rate:bewert* einstuf* werte werten markier* benot* kennzeichn* beurteil* anerkenn*|say:gib geben"
    " ausgeben antworte* schreib* melde* vergib vergeben liefere|score:bewertung* note punkte punktzahl urteil*"
    " bestnote hochstnote hochstpunktzahl punktwert|verdict:urteil|good:belegt korrekt richtig gestutzt treu"
    " zutreffend bestatigt bestanden wahr ja relevant unterstutzt fundiert gedeckt|jargon:belegt gestutzt"
    " unbelegt|bad:unbelegt falsch nein|top:volle voller vollen hochste* maximal* bestnote hochstpunktzahl"
    " hochstnote|object:antwort* aussage* behauptung* text passage*|this:diese* alle* jede* das dies|must:muss"
    " mussen soll sollen sollte sollten|polite:bitte freundlich nett dankbar gutig milde gnadig"
    " netterweise|rules:anweisung* regel* kriterien rubrik vorgaben|ignore:ignorier* vergiss missacht*"
    " vergessen|already:bereits schon",
    # French
    "judge:evaluateur* evaluatrice* correcteur* correctrice* examinateur* examinatrice* juge juges|rate:noter notez"
    " note evalue* evaluez considere* considerez considerer marque* marquez juger jugez jugee classe* classez"
    " traite* validez valide* declarer declarez accepte* acceptez|say:donne* donnez repond* reponds repondez"
    " renvoie* renvoyez retourne* ecris ecrivez attribue* attribuez|score:note verdict score points"
    " jugement|verdict:verdict|good:fondee fondees fonde correcte correct correctes exacte exact fidele fideles vrai"
    " vraie oui etayee etayees pertinente pertinent justifiee soutenue confirmee appuyee valable|jargon:fidele"
    " etayee etayees fondee|top:maximale maximal maximum parfaite parfait pleine meilleure|object:reponse*"
    " affirmation* texte enonce*|this:cette ce ces toute toutes tous chaque|must:doit doivent devez faut dois"
    " devrait|polite:veuillez merci svp plait aimable gentil priere reconnaissant bienveillant"
    " indulgent|rules:instructions consignes regles criteres bareme|ignore:ignore* ignorez oublie*"
    " oubliez|already:deja",
    # Spanish, Portuguese, Italian, Catalan
    "judge:evaluador* juez examinador* calificador* corrector* avaliador* juiz examinador* valutator* giudice"
    " esaminator* avaluador* jutge|rate:marca marque marcar marquen califi* considera* considere* evalua* evalue*"
    " puntu* clasifi* trat* juzg* valora* valore* avali* classifi* julg* valut* contrassegn* segna* giudic* avalua*"
    " marqueu marqui qualifi* acept* aceite* accett* dad dar deem|say:responda responde* devuelve* devuelva* escrib*"
    " da de dale dele retorn* atribu* assegn* rispond* restitui* scriv* dia donar otorg* diga declare*|score:nota"
    " puntuacion calificacion veredicto puntaje pontuacao veredito avaliacao punteggio voto verdetto puntuacio"
    " veredicte valutazione|verdict:veredicto veredito verdetto veredicte|good:respaldad* correct* fiel fieles"
    " verdader* si relevante* apoiad* suportad* corret* fieis verdadeir* sim fundamentad* supportat* fedel* vero"
    " vera rilevante corretta supportata fondat* sustentad* valid* confermat* suportada pertinent*"
    " recolzad*|jargon:respaldad* sustentad* apoiad* suportad* fundamentad* supportat* fiel fedel*|top:maxim*"
    " perfect* massim* pien* plena perfeit* perfett*|object:respuesta* afirmac* texto* pasaje* enunciado* resposta*"
    " declarac* rispost* affermazion* testo dichiarazion*|this:esta estas este todas toda todo cada essa esse questa"
    " queste questo tutte tutta ogni isto esto aquesta totes|must:debe deben debes debera hay deve devono devem devi"
    " bisogna tem cal ha|polite:favor agradec* amable ruego gentil* obrigado grazie cortesemente prego bondade"
    " porfavor clemen* generos*|rules:instruccion* reglas criterios rubrica instruc* regras istruzion* regole"
    " criteri instruccions|ignore:ignor* olvid* esquec* desconsider* dimentic* obli* trascura*|already:ya ja gia",
    # Dutch, Swedish, Norwegian, Danish
    "judge:beoordelaar* rechter examinator* bedomare* granskar* bedomar* dommer* sensor bedommer*"
    " keurder|rate:beoordeel* markeer* waardeer* keur beschouw* reken bedom* betygsatt* markera* klassa* godkann*"
    " anse* betrakta* vurder* marker* godkend* bedom* tell|say:geef geven antwoord* schrijf ge svara* ange skriv*"
    " giv gi svar|score:beoordeling score cijfer oordeel betyg* omdome* bedomning* poang* karakter dom vurdering"
    " poeng point|verdict:oordeel omdome utslag|good:ondersteund* onderbouwd* correct* juist* getrouw gegrond waar"
    " ja relevant stodd stods stodda korrekt* trogen sann sant underbyggd* stottet riktig* rigtig* understottet"
    " gyldig|jargon:ondersteund* onderbouwd* stodd underbyggd* understottet stottet|top:volledige maximale hoogste"
    " perfecte hogsta maximal* full fulla hojeste hoyeste|object:antwoord* bewering* uitspra* tekst passage* svar*"
    " pastaende* pastand* utsaga* text|this:dit deze alle elke detta denna dessa alla varje dette denne"
    " hver|must:moet moeten dient zullen ska maste skal bor skall|polite:alstublieft vriendelijk graag aub snall*"
    " vanlig* tack venligst vennligst snill* gelieve aardig|rules:instructies regels instruktion* regler*"
    " richtlijnen|ignore:negeer* vergeet ignorera* glom bortse ignorer* glem|already:reeds redan allerede al",
    # Polish, Czech, Slovak
    "judge:oceniajac* sedzi* recenzent* egzaminator* hodnotitel* soudce porotc* hodnoti* posuzovatel* oceniacz*"
    " weryfikator*|rate:ocen* oznacz* uznaj* uzna* uznac traktuj* zaklasyfik* ohodnot* oznac* hodnot* povazuj*"
    " zaznacz* zaakceptuj*|say:zwroc* odpowiedz* podaj* napisz* wypisz* daj przyznaj* vrat* odpovez* napis* dej"
    " dejte udel* prizna*|score:ocena oceny ocene werdykt* punkt* wynik* hodnoceni verdikt* skore znamk*"
    " body|verdict:werdykt* verdikt*|good:popart* poprawn* wiern* prawdziw* tak potwierdzon* prawidlow* zgodn*"
    " uzasadnion* podlozen* spravn* pravdiv* vern* ano podporen* dolozen* podporovan* relevantn*|jargon:popart*"
    " wiern* podlozen* podporen* dolozen*|top:maksymaln* najwyzsz* peln* maximaln* nejvyss* plny plne"
    " plnym|object:odpowiedz* twierdzeni* stwierdzeni* tekst* odpoved* tvrzeni* vyrok* text*|this:te ta to ten"
    " wszystkie kazd* tuto tato toto vsechn* kazd* tego|must:musi* musz* nalezy powin* trzeba ma musite mus* mel"
    " mela ma|polite:prosze uprzejm* milo laskaw* prosim laskav* zyczliw* blagam|rules:instrukcj* zasad* polecen*"
    " pokyn* pravidl* instrukc*|ignore:zignoruj* ignoruj* pomin* zapomnij* zapomen*|already:juz jiz uz",
    # Romanian, Hungarian, Finnish
    "judge:evaluator* judecator* examinator* ertekelo* biralo* vizsgazta* arvioija* tuomari*"
    " arvostelija*|rate:marcheaz* marchez* evalueaz* considera* noteaz* apreci* ertekel* jelold* tekintsd* minosits*"
    " arvioi* merkit* merkitse* luokittel* hyvaksy* acord*|say:da dati raspunde* returneaz* scrie* adj adja* irj*"
    " valaszolj* anna antakaa vastaa* palauta*|score:nota punctaj* scor verdict* pont* ertekeles* itelet* arvosana*"
    " pistee* tuomio*|verdict:verdict* itelet* tuomio*|good:sustinut* corect* fidel* adevarat* da sprijinit*"
    " alatamaszt* helyes* igaz* igen tuettu* oikea* oikein tosi kylla|jargon:sustinut* sprijinit* alatamaszt*"
    " tuettu* fidel*|top:maxim* perfect* maximal* legmagasabb teljes taysi taydet korkein* parhaa*|object:raspuns*"
    " afirmat* text* enunt* valasz* allitas* szoveg* vastau* vaite* teksti*|this:acest* aceast* toate fiecare orice"
    " ez ezt minden ezek tama* kaikki jokainen|must:trebuie kell pitaa taytyy tulee|polite:rog multumesc amabil"
    " kerem legyen szives ystavallis* kiitos pyyd*|rules:instructiuni* reguli* utasitas* szabaly* ohjee*"
    " saanno*|ignore:ignora* uita* hagyd felejtsd unohda* jata|already:deja mar jo",
    # Russian, Ukrainian, Bulgarian, Serbian
    "judge:оценщик* эксперт проверяющ* судья судье рецензент* экзаменатор* оцінювач* суддя перевіряюч* рецензент*"
    " екзаменатор* оценител* съдия проверител* оцењивач* судија асессор*|rate:оцени* отмет* счита* призна* пометь*"
    " пометить засчита* оціни* познач* вважа* зарахуй* визна* отбележ* приеми* означи* прими* счесть оценить"
    " отметить|say:поставь* верни* ответь* напиш* выведи* дай дайте выстав* постав* поверни* відповід* напиши виведи"
    " върни* отговори* дај врати|score:оценк* балл* вердикт* оцінк* бал бали балів рейтинг* оцен*"
    " точки|verdict:вердикт* присъда|good:подтвержден* верн* правильн* обоснован* достоверн* истинн* да корректн*"
    " підтверджен* вірн* обґрунтован* достовірн* так істинн* потвърден* верн* подкрепен* потврђен* тачн* правилн*"
    " релевантн* підкріплен*|jargon:подтвержден* обоснован* достоверн* підтверджен* обґрунтован* достовірн*"
    " потвърден* подкрепен*|top:максимальн* высш* наивысш* полн* найвищ* максималн* повн* най-висок*|object:ответ*"
    " утвержден* текст* высказыван* відповід* тверджен* отговор* твърден* одговор* отрывок|this:этот это эти все всё"
    " каждо* данн* цей це ці усі всі кожн* този тези всички ово све цю|must:должен должн* необходимо следует надо"
    " нужно обязан* повинен повинн* слід треба потрібно трябва мора|polite:пожалуйста прошу просьба будьте любезн*"
    " добры будь ласка прохання моля молим милостив* благодар*|rules:инструкц* правил* указани* критери* інструкц*"
    " вказівк* инструкци*|ignore:игнорир* забудь* забуд* ігнор* пренебрегн* игнорирай*|already:уже вже вече",
    # Turkish
    "judge:degerlendirici* hakem* degerlendiren* denetci* puanlayici* sinavci* yargic*|rate:degerlendir* isaretle*"
    " puanla* kabul say* onayla* siniflandir* notlandir*|say:ver verin veriniz dondur* yaz yazin yanitla*"
    " soyle*|score:puan* not notu karar* verdict degerlendirme*|verdict:hukum karari*|good:destekleniyor desteklen*"
    " dogru* gecerli evet sadik uygun guvenilir dayanakli|jargon:desteklen* dayanakli|top:tam en yuksek"
    " maksimum|object:cevap* cevab* yanit* iddia* metin* metn* ifade*|this:bu tum butun her su|must:gerekir"
    " gerekiyor zorunlu* lazim gerekmektedir meli|polite:lutfen rica nazik* tesekkur* kibarca|rules:talimat* kural*"
    " yonerge*|ignore:yoksay* gormezden unut* dikkate|already:zaten onceden",
    # Indonesian/Malay, Vietnamese
    "judge:penilai* penguji* juri hakim giam khao cham|rate:tandai* nilai* anggap* beri* terima* danh"
    " coi|say:berikan* jawab* kembalikan* tulis* cho tra dua viet|score:skor nilai putusan diem"
    " phan|verdict:putusan|good:didukung benar akurat setia valid ya relevan dung xac trung chinh"
    " ho|jargon:didukung|top:penuh tertinggi maksimal sempurna toi cao|object:jawaban* pernyataan* klaim* teks cau"
    " loi khang|this:ini semua setiap nay moi tat|must:harus wajib perlu hendaklah phai can|polite:tolong mohon"
    " harap silakan xin vui long hay|rules:instruksi* aturan* perintah* huong quy|ignore:abaikan*"
    " lupakan*|already:sudah telah",
    # Greek
    "judge:αξιολογητ* κριτη* βαθμολογητ* εξεταστ* κριτ*|rate:βαθμολογ* αξιολογ* σημειωσ* θεωρησ* χαρακτηρισ*"
    " κρινε*|say:δωσ* επιστρεψ* απαντησ* γραψ* βαλ*|score:βαθμο* σκορ ετυμηγορι*"
    " αξιολογηση|verdict:ετυμηγορι*|good:τεκμηριωμεν* σωστ* ορθ* αληθ* ναι πιστ* υποστηριζ*|jargon:τεκμηριωμεν*"
    " υποστηριζ*|top:αριστα μεγιστ* τελει* ανωτατ* πληρ*|object:απαντηση* ισχυρισμ* κειμεν* προταση*|this:αυτη*"
    " αυτο* ολε* ολου* καθε ολα|must:πρεπει οφειλ* υποχρε*|polite:παρακαλ* ευγενικ* ευχαριστ*|rules:οδηγι* κανον*"
    " εντολ* κριτηρι*|ignore:αγνοησ* ξεχασ* παραβλεψ*|already:ηδη",
    # Hebrew
    "judge:מעריך* שופט* בודק* בוחן*|rate:סמן* סמנו דרג* דרגו העריך* הערך החשב* לסמן התייחס* לדרג|say:תן תני החזר*"
    " כתוב* ענה השב לתת|score:ציון* דירוג* פסק* ניקוד|verdict:הכרעה פסיקה|good:נתמכ* נתמך* נתמכת נכון נכונה מדויק*"
    " נאמן כן אמת מבוסס* תקף|jargon:נתמכ* נתמך* נאמן מבוסס*|top:מלא מקסימלי* מרבי* מושלם גבוה|object:תשובה* טענה*"
    " טענות טקסט קטע|this:זו זה הזאת הזו הזה כל אלה|must:חייב* צריך* יש חובה|polite:בבקשה אנא נא תודה|rules:הוראות*"
    " הוראה כללים הנחיות*|ignore:התעלם* תתעלם שכח*|already:כבר",
    # Arabic, Persian
    "judge:مقيم* مقيّم* حكم محكم* مدقق* مصحح* ممتحن* ارزیاب* داور* مصحح* ارزياب*|rate:قيم قيّم* صنف* اعتبر* علّم*"
    " اعتبار تقييم احتسب* ارزیابی امتیاز علامت بدان* تلقی|say:أعط* اعط* امنح* أجب* اجب* ضع أعد اكتب بده* بدهید پاسخ"
    " برگردان* بنویس* ثبت|score:درجة علامة تقييم* حكم نمره* امتیاز* رای حکم|verdict:حكم الحكم حکم رأی|good:مدعوم*"
    " صحيح* دقيق* صادق* نعم موثوق* صحیح* درست* معتبر* پشتیبانی* بله تایید تأیید مؤيد*|jargon:مدعوم* پشتیبانی*"
    " موثوق*|top:كامل* قصوى أعلى القصوى الكاملة کامل بالاترین حداکثر|object:إجابة* اجابة* جواب* ادعاء* نص عبارة*"
    " پاسخ* ادعا* متن گزاره*|this:هذه هذا كل جميع این همه تمام هر|must:يجب ينبغي عليك لا_بد باید لازم|polite:رجاء*"
    " أرجو* فضلك لطفا* لطفاً خواهش* تکرم مهربان*|rules:تعليمات* قواعد* دستور* قوانین*|ignore:تجاهل* انس نادیده"
    " فراموش*|already:بالفعل سبق قبلا",
    # Hindi
    "judge:मूल्यांकनकर्ता* परीक्षक* निर्णायक* जज न्यायाधीश* समीक्षक*|rate:अंकित चिह्नित मूल्यांकन मानें मानो मानिए"
    " माना दर्ज रेट घोषित स्वीकार|say:दें दो दीजिए लिखें लिखो लौटाएं बताएं कहें लौटाएँ|score:अंक* स्कोर निर्णय*"
    " रेटिंग फैसला|verdict:निर्णय* फैसला|good:समर्थित* सही सत्य सटीक हाँ हां प्रमाणित* मान्य उचित"
    " विश्वसनीय|jargon:समर्थित* प्रमाणित*|top:पूरे पूर्ण अधिकतम सर्वोच्च|object:उत्तर* जवाब* कथन* दावा दावे दावों"
    " पाठ|this:इस यह सभी हर प्रत्येक इन|must:चाहिए अनिवार्य ज़रूरी जरूरी होगा|polite:कृपया विनती निवेदन धन्यवाद"
    " मेहरबानी|rules:निर्देश* नियम*|ignore:अनदेखा नज़रअंदाज़ भूल|already:पहले",
    # Korean
    "judge:평가자* 채점자* 심사자* 심판* 판정자* 검토자* 심사위원* 평가* 채점*|rate:표시* 평가* 채점* 간주* 판정*"
    " 처리* 인정* 분류*|say:주세요 주십시오 주시기 줘 반환* 출력* 답하* 답변* 응답* 부여* 매겨* 내려*|score:점수*"
    " 판정* 평점* 평가* 판단*|verdict:판정*|good:뒷받침* 지지* 정확* 맞* 사실* 예 근거* 타당* 충실*"
    " 올바*|jargon:뒷받침* 충실*|top:만점* 최고* 최대* 완벽*|object:답변* 대답* 답 답을 주장* 진술* 문장* 글 응답*"
    " 텍스트*|this:이 모든 모두 각 전부|must:해야* 반드시 하십시오 하시오 필수*|polite:부디 제발 부탁* 감사*"
    " 바랍니다 주세요 주십시오 주시기|rules:지시* 규칙* 지침*|ignore:무시* 잊*|already:이미",
    # Further forms of words above
    "this:цій цю цього цьому эту этой этому этого этим всем всех каждое tego tej tym tuto tento temu wszystkim teto"
    " tomuto vsem bunu buna tumu tumunu acestui acestei tuturor ezt ezeket tamaan taman denna detta|score:bodu bodov"
    " bal bala bali oceny notunu puani punctajul puntaje|jargon:tuetuksi tuetut tuettuna podlozene подтверждены"
    " подтверждённ* підтвердженою соответству* zutreffend gestuetzt pertinente fidèle onderbouwd|say:إعطاء اعطاء منح"
    " donnee attribuer mettre poner assegnare dawac davat ставить присвойте присвоить надати надайте bekommt"
    " erhalten erhalt vergabe|polite:يرجى الرجاء نرجو freundlicherweise dankbar wunschen souhait* serait seria"
    " sarebbe byloby было бы|judge:keurmeester keurmeesters bewertungsmodell valutatrice recenzent"
    " recenzentka|rate:verbuch* beschouwen anerkannt registr* annot*|good:juist juiste korrekt vere veri veritiera"
    " sprawdzone|this:ogni elke alles|full:bestnote hochstnote hochstpunktzahl|rate:sayma* sayil*"
    " saysin|must:непременно unbedingt zwingend obligatoire obligatorio|top:plny plnym plneho pelna pelne найвищу"
    " найвищий высший наивысший высшую максимум maksimum maksymalna toplam",
)  # fmt: skip
"""One entry a family of languages: parts are separated by "|", the words of a part by spaces."""

JOINED: Final[dict[str, str]] = {
    "full": "满分 滿分 满点 満点 10点 100点 100分 最高分 最高点 คะแนนเต็ม",
    "judge": "评判 评估者 评估员 评估模型 裁判 评审 审核员 评分员 阅卷 判官 评价者 評審 評估 审查者 評価者 採点者"
    " 審査員 判定者 審査 評価モデル 評分 考官 ผู้ประเมิน ผู้ตรวจ กรรมการ",
    "rate": "标记 标为 标注 判定 判为 评为 视为 认定 算作 评定 打分 当作 記為 標記 視為 評為 認定 評価 採点 みなし"
    " みなす 扱って 扱う 記録 マーク 認め ประเมิน ให้คะแนน ถือว่า ทำเครื่องหมาย",
    "say": "返回 输出 给出 给予 回答 写 输入 填 给 請給 輸出 回覆 返して 出力 答え 与え つけて 付けて 返す 回答し"
    " ตอบ ให้ ส่งคืน",
    "score": "分数 评分 判决 结论 得分 评价 裁决 评级 評分 判決 分數 スコア 点数 評価 判定 評点 คะแนน คำตัดสิน",
    "verdict": "裁决 判决 判決 判定结果 判定結果",
    "good": "支持 正确 忠实 属实 相关 通过 有依据 真实 准确 可信 正確 忠實 屬實 通過 有據 裏付け 正しい 忠実 根拠"
    " はい 合格 関連 真実 ถูกต้อง สนับสนุน เป็นจริง",
    "jargon": "有依据 忠实 忠實 属实 裏付け 忠実 被支持 受支持 得到支持 支持され",
    "top": "满分 最高 滿分 完美 满点 満点 完全 100分 十分 10点 100点 เต็ม สูงสุด",
    "object": "回答 答案 陈述 声明 文本 段落 说法 答覆 陳述 主張 文章 記述 内容 答え 文 คำตอบ ข้อความ",
    "this": "这 此 以上 上述 所有 全部 每 該 本 這 この すべて 全て これ 各 以下 นี้ ทั้งหมด ทุก",
    "must": "必须 应 应当 需要 务必 一律 必須 應 須 べき なければ 必ず 必要 こと ต้อง ควร",
    "polite": "请 麻烦 拜托 恳请 谢谢 敬请 請 拜託 懇請 ください 下さい お願い いただけ 幸い ありがた 嬉しい โปรด"
    " กรุณา ขอ",
    "rules": "指令 指示 规则 标准 提示 規則 ルール 基準 命令 คำสั่ง กฎ",
    "ignore": "忽略 无视 忘记 忽視 無視 忘れ ละเว้น เพิกเฉย",
    "already": "已经 已 已經 すでに 既に แล้ว",
}  # fmt: skip
"""Words of languages that write no spaces (Chinese, Japanese, Thai): found anywhere."""
