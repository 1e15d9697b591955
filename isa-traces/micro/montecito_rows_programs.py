# Montecito micro-traces that cause many rows of an event at once: each kind of access, fetch or window occurs a
# different number of times, far from the others, so that the effect of a single one is known. The counts are worked out
# in montecito_kinds_test.cpp.
from itanium2_more_programs import HIT, L2_SET, LINE, do, ld, prefetch, rest, st
from itanium2_programs import CODE, DATA, NOP_I, NOP_M, WARM, filler
from montecito_programs import OTHER_CODE, jump, one
from assembly import slot_load as load, slot_store as store

HALF = 64  # bytes of a line of L1I, half a line of L2I
PAGE = 4096
TARGETS = CODE + 0x100000
FROM_L3 = f"data=l3 {HIT}"


def fetch_and_back(t, target, cache):
    jump(t, target, keys=WARM)
    filler(t, 1, keys=f"fetch={cache} itlb=hit")
    rest(t, 600)
    jump(t, CODE, keys=WARM)
    filler(t, 2)
    rest(t, 600)


def half_lines(t):
    """Fetches of half lines of L2I, first cacheable, then uncacheable: of one first half in L2I, of three second
    halves, of seven first halves in memory."""
    t.at(CODE)
    for cacheable in (True, False):
        target = TARGETS if cacheable else TARGETS + 0x10000
        if not cacheable:
            t.say(f"memory addr={target:x} size=65536 type=uc")
        for count, offset, cache in [(1, 0, "l2"), (3, HALF, "l2"), (7, 0, "mem")]:
            for _ in range(count):
                fetch_and_back(t, target + offset, cache)
                target += 4 * LINE
    filler(t)


def far_apart(t):
    """FP loads of seven lines in memory, and one of these lines five times more; integer loads of three of them, and
    of four others in memory; stores to four of them, and to two others in memory; six stores of a byte; two
    semaphores; three lfetches of lines in memory; fc of three lines."""
    t.at(CODE)
    lines = [DATA + PAGE * i for i in range(16)]
    for line in lines[:7] + [lines[0]] * 5:
        rest(ld(t, line))
    for line in lines[1:4] + lines[12:16]:
        rest(do(t, "ld8 r3=[r4]", load(0, line, 8)))
    for line in lines[:4]:
        rest(st(t, line + 32))
    for line in lines[7:9]:
        rest(st(t, line))
    for _ in range(6):
        rest(st(t, lines[0] + 48, size=1))
    for _ in range(2):
        rest(do(t, "fetchadd8.acq r3=[r4],1", load(0, lines[1], 8), store(0, lines[1], 8)))
    for line in lines[9:12]:
        rest(prefetch(t, line))
    for line in lines[4:7]:
        rest(do(t, "fc r4", load(0, line, LINE)))
    filler(t)


def two(t, first, second, keys=HIT):
    """Two FP loads of one bundle."""
    t.bundle(".mmi", "ldfd f6=[r4]", "ldfd f7=[r5]", "nop.i 0 ;;", keys=keys,
             accesses=[load(0, first, 8), load(1, second, 8)])
    rest(t)


def together(t):
    """Two accesses close together: two loads in one bundle that miss (5) or that use the same bank (4); a load of a
    line from memory, with a load of the same line directly after it (7) or long after (3), a store long after (6), or
    a load of another line of its set (2); a store that misses and a load of its bytes (8)."""
    t.at(CODE)
    line = DATA
    for _ in range(5):
        two(t, line, line + PAGE // 2 + 16, FROM_L3)
        line += PAGE
    for _ in range(4):
        rest(ld(t, line))
        rest(ld(t, line + PAGE // 2))
        two(t, line, line + PAGE // 2)
        line += PAGE
    for count, wait, access in [(7, 0, ld), (3, 40, ld), (6, 40, st)]:
        for _ in range(count):
            ld(t, line)
            filler(t, wait)
            rest(access(t, line + 16))
            line += PAGE
    for i in range(2):
        ld(t, line + LINE * i)
        rest(ld(t, line + LINE * i + L2_SET))
    line += L2_SET + PAGE
    for _ in range(8):
        st(t, line)
        rest(ld(t, line))
        line += PAGE
    filler(t)


def each_cycle(t):
    """After a load of a line from L3, one bundle later for each of 24: a store to another line, then a load of it."""
    t.at(CODE)
    rest(ld(t, DATA))
    line = DATA + 0x10000
    for access in (st, ld):
        for later in range(24):
            ld(t, line, keys=FROM_L3)
            filler(t, later)
            rest(access(t, DATA + 16))
            line += PAGE
    filler(t)


def fetched_each_cycle(t, cache):
    t.at(CODE)
    for later in range(24):
        ld(t, DATA + PAGE * later, keys=FROM_L3)
        filler(t, later)
        fetch_and_back(t, TARGETS + 4 * LINE * later, cache)
    filler(t)


def had_each_cycle(t):
    """After a load of a line from L3, one bundle later for each of 24, a jump to code in L2I."""
    fetched_each_cycle(t, "l2")


def missed_each_cycle(t):
    """The same with code in memory."""
    fetched_each_cycle(t, "mem")


def windows(t):
    """With long gaps: a bundle alone (6), two bundles (4), movl (3), a stop within a bundle (2), two moves
    from a branch register, of which one can issue per cycle (7)."""
    t.at(CODE)
    for _ in range(6):  # the next two are a pair
        filler(t)
        rest(t)
    for _ in range(4):
        filler(t, 2)
        rest(t)
    for _ in range(3):
        rest(t.bundle(".mlx", NOP_M, "movl r3=0x123456789abcdef0 ;;", keys=WARM))
    for _ in range(2):
        rest(t.bundle(".mmi", "adds r3=1,r3 ;;", "adds r4=1,r4", "adds r5=1,r5 ;;", keys=WARM))
    for _ in range(7):
        rest(t.bundle(".mii", "adds r3=1,r3", "mov r4=b6", "mov r6=b6 ;;", keys=WARM))


# --- two threads --------------------------------------------------------------------------------------------------

def held_up_0(t, cycles):
    """Yields the pipeline: with a hint, and three times directly after it was switched in; five times with a hint
    before a jump to code in L2I, four times beside a load that L2D serves. Then it sleeps, and then waits while
    switches are disabled."""
    filler(t.at(CODE), 4)
    for _ in range(3):
        one(t, "hint.m 0")
        filler(rest(t, 30).say("preempt cause=debug"), 8)
        rest(t, 100)
    for i in range(5):
        filler(t, 4)
        one(t, "hint.m 0")
        jump(t, TARGETS + 0x10000 * i, keys=WARM)
        filler(t, 1, keys="fetch=l2 itlb=hit")
        filler(t, 8)
    for i in range(4):
        filler(t, 4)
        t.bundle(".mmi", "ld8 r9=[r4]", "hint.m 0", "nop.i 0 ;;", accesses=[load(0, DATA + PAGE * i, 8)],
                 keys=f"data=l2 {HIT}")
        filler(rest(t, 30), 4)
    filler(t.say(f"halt cycles={cycles}"), 8)
    rest(t.say("pcr sd=1"), cycles)
    filler(t.say("pcr sd=0"), 8)


def held_up_1(t):
    """The other thread yields the pipeline fifteen times, also while the first one sleeps."""
    t.at(OTHER_CODE)
    for _ in range(16):
        filler(t, 8)
        rest(t, 1000)
        one(t, "hint.m 0")
    filler(t, 8)


def for_cycles(cycles):
    """The first thread, with this time for its sleep and its wait."""
    def program(t):
        held_up_0(t, cycles)
    program.__doc__ = f"{held_up_0.__doc__} {cycles} cycles each."
    return program


PROGRAMS = {f.__name__: f for f in (half_lines, far_apart, together, each_cycle, had_each_cycle, missed_each_cycle,
                                    windows)}
PROGRAMS |= {"held_up_0": for_cycles(1000), "held_up_1": held_up_1,
             "held_up_longer_0": for_cycles(4000), "held_up_longer_1": held_up_1}
