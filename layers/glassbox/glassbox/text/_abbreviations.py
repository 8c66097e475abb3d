"""Words before a full stop that doesn't (or need not) end a sentence, and words that begin one."""

from __future__ import annotations

from typing import Final

from glassbox.text._words import words

# A name, number or noun always follows these.
NEVER_END: Final = frozenset(
    words(
        "mr mrs ms mx messrs dr drs prof rev hon pres gov sen rep gen col maj capt cpt lt sgt cmdr adm supt insp sr st "
        "ste mt ft",
        "vs v e.g eg i.e ie cf viz approx ca circa al resp incl excl est esp ed eds trans repr pseud",
        "fig figs eq eqs sec secs chap ch vol vols pp par para art arts nr nos tab ref refs app",
        "hr fr frau herr bzw z.b u.a d.h s.o s.u vgl evtl ggf inkl zzgl geb gest bspw sog usf str abs",
        "mme mlle mm me p.ex env av bd no n° sra srta ud uds d dña lic ing arq avv dott sig sigg geom",
        "np tzn m.in tj ul al pl ks płk gen inż mgr hab r.p.m tel dhr mevr dhr bijv o.a m.b.t drs",
        "т.е т.к т.н им ул г-н г-жа проф акад см напр",
    )
)
# These may close a sentence; they do when a typical first word follows.
MAY_END: Final = frozenset(
    words(
        "etc inc ltd co corp llc plc gmbh bros jr sr ph.d phd m.d b.a m.a a.m p.m am pm u.s u.k u.n e.u d.c u.s.a "
        "b.c a.d",
        "jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun ave blvd rd dept univ assn",
        "usw etc mio mrd jh jhd s.a s.l s.p.a p.s itd itp r w г гг тыс млн млрд руб о др пр",
    )
)
NUMBER_FOLLOWS: Final = frozenset(words("no nos nr núm num p pp s vol art sec par ch fig abs cap pág pag str ст с стр"))
# German, Polish, Czech, Nordic and similar ordinals: "am 3. März", "19. století". Only capitalised followers matter.
ORDINAL_FOLLOWERS: Final = frozenset(
    words(
        "januar februar märz april mai juni juli august september oktober november dezember jänner jahrhundert "
        "jahrhunderts",
        "jahr jahrestag tag platz weltkrieg bundesliga liga auflage klasse stock kapitel armee oktober maj juni juli",
    )
)
# Words that begin an English sentence far more often than a name that could follow an abbreviation.
STARTERS: Final = frozenset(
    words(
        "the a an this that these those it its he she they we you i his her their our my there here in on at by for "
        "from "
        "with",
        "as after before when while if although though because since however but and or so then thus therefore "
        "moreover",
        "furthermore additionally also both each some many most all no not what who where why how during under over "
        "another",
        "according one two three several today later next finally first second third please note see yes no to is are "
        "was were",
        "der die das ein eine es er sie wir ich und aber in im am auf le la les un une il elle ils nous el los las un "
        "una lo",
        "los esto este il la lo gli un una questo o a os as um uma",
    )
)
