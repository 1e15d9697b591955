# The Montecito micro-traces: what each of them executes beyond the Itanium 2's. The counts are worked out in
# montecito_test.cpp; pair_0 and pair_1 are the two threads of one run.
from itanium2_programs import CODE, DATA, NOP_I, WARM, filler
from trace_text import slot_load as load, slot_store as store

OTHER_CODE = CODE + 0x100000


def one(t, text, *accesses, keys=f"dtlb=hit {WARM}"):
    """One instruction in the M slot of a bundle of its own."""
    t.bundle(".mii", text, NOP_I, "nop.i 0 ;;", accesses=accesses, keys=keys)


def pair_0(t):
    """Eight bundles of three additions, a hint that gives the pipe away, four more."""
    filler(t.at(CODE), 8)
    one(t, "hint.m 0")
    filler(t, 4)


def pair_1(t):
    """The other thread: six bundles of three additions."""
    filler(t.at(OTHER_CODE), 6)


def integer_loads(t):
    """Three integer loads, two of floating-point registers, a fetchadd, an lfetch."""
    t.at(CODE)
    for text, size in [("ld8 r3=[r4]", 8), ("ld4 r3=[r4]", 4), ("ld1 r3=[r4]", 1), ("ldfd f8=[r4]", 8),
                       ("ldfs f8=[r4]", 4), ("lfetch [r4]", 1)]:
        one(t, text, load(0, DATA, size))
    one(t, "fetchadd8.acq r3=[r4],1", load(0, DATA, 8), store(0, DATA, 8))
    filler(t)


def level_changes(t):
    """Level 3 to 0, to 3, to 1, to 3: three additions between them."""
    t.at(CODE)
    for level in (3, 0, 3, 1, 3):
        filler(t.say(f"cpl {level}"))


PROGRAMS = {"pair_0": pair_0, "pair_1": pair_1, "integer_loads": integer_loads, "level_changes": level_changes}
