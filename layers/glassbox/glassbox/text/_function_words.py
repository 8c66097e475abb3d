"""Function words by which languages in Latin script are told apart: common, short, and free of subject matter."""

from __future__ import annotations

from typing import Final

_WORDS: Final[dict[str, str]] = {
    "en": "the of and to in is was for that with on as by it are from at be this have which has not or an were their "
    "but "
    "they can he she his her its you your we our will would been if there when what how who does do did i",
    "de": "der die das und ist nicht ein eine einen einem einer zu den dem des mit von für auf im sich auch wird "
    "werden "
    "wurde sind war als bei oder aus nach wie noch kann haben hat durch über zum zur es sie er ich wir",
    "fr": "le la les des et est une un du dans que qui pour pas sur au aux avec ce cette ne se sont par plus ou mais "
    "a en ont elle il ils nous vous été être sa son ses leur comme c'est l'on d'un d'une n'est",
    "es": "el la los las de y en que es un una por con para del se no su al lo como más pero sus le ya o este sí "
    "porque "
    "esta son entre cuando muy sin sobre también fue hay desde está",
    "it": "il lo la gli le di e che è un una per non con del della dei delle nel nella sono da al alla si come anche "
    "più "
    "ma ha questo questa essere dal stato degli ci dopo",
    "pt": "o a os as de e que do da em um uma para com não por dos das no na é se mais como mas ao foi são ou pelo "
    "pela "
    "seu sua isso também ser está entre até depois nos nas você",
    "nl": "de het een en van is dat op te in niet zijn voor met die aan er om ook als bij door naar uit maar wordt "
    "werd "
    "over nog heeft worden kan deze dit hun je",
    "pl": "w i z na do nie się jest to że o od po za jak przez dla przy co ale był była było oraz są lub który która "
    "które jeśli może tylko został ich jego pod inaczej miesięcznie",
    "sv": "och att det som en på är av för med den till inte har de ett om var från jag så kan men eller när vi efter "
    "också blev ska",
    "da": "og at det som en på er af for med den til ikke har de et om var fra jeg så kan men eller når vi efter også "
    "blev skal være hvor",
    "nb": "og å det som en på er av for med den til ikke har de et om var fra jeg så kan men eller når vi etter også "
    "ble skal være hvor",
    "fi": "ja on ei se että oli hän mutta kun joka tai ovat niin myös kuin mukaan jos voi olla tämä sekä noin vain ole "
    "jonka sen",
    "cs": "a v se na je že s o z do i to za by ve ale jako po si jsou pro byl byla bylo nebo při který která které "
    "podle není také jeho",
    "ro": "și de la în a cu pe nu este o un din ce pentru care mai să se au fi sau sunt ca fost prin dar al ale lui "
    "după acest",
    "hu": "a az és hogy nem is egy van ez volt de meg mint csak már még vagy ha el azt ami lehet után között szerint "
    "amely",
    "tr": "ve bir bu da de için ile çok olarak daha gibi en olan kadar sonra ne var değil ama veya göre olduğu her ya "
    "mi",
    "id": "yang dan di dari ini untuk dengan itu pada adalah tidak dalam akan oleh juga ke karena ada sebagai atau "
    "dapat telah lebih",
    "vi": "và của là có được trong cho không một các này với những để người đã khi từ như đến năm ở về",
    "ca": "el la els les de i en que és un una per amb no del dels al es ha com més però són aquest aquesta també va "
    "seva ser",
}

FUNCTION_WORDS: Final[dict[str, frozenset[str]]] = {code: frozenset(words.split()) for code, words in _WORDS.items()}
