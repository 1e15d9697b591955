# Itanium 2 micro-traces that distinguish events which other traces cause equally often, and actions of a debugger or a
# device driver. The counts that follow are worked out in itanium2_rare_test.cpp.
from itanium2_more_programs import HIT, L2_SET, LINE, do, ld, rest, st, warm
from itanium2_programs import CODE, DATA, NOP_I, NOP_M, WARM, branch, filler, recovered
from assembly import slot_load as load, slot_store as store


def debug_faults(t):
    """Accesses of eight bytes with PSR.db = 1: four loads and two stores; with PSR.db = 0 three loads before and one
    after. Five loads of other bytes with PSR.db = 1."""
    t.at(CODE)
    for _ in range(3):
        rest(ld(t, DATA))
    rest(t.say("psr db=1"))
    for _ in range(4):
        rest(ld(t, DATA))
    for _ in range(2):
        rest(st(t, DATA))
    for _ in range(5):
        rest(ld(t, DATA + 64))
    rest(t.say("psr db=0"))
    rest(ld(t, DATA))
    filler(t)


def own_ports(t):
    """This processor reads ports (2), writes them (3), locks the bus (4); a device reads one."""
    t.at(CODE)
    for kind, times in (("io_read", 2), ("io_write", 3), ("lock", 4)):
        for i in range(times):
            rest(t.say(f"bus kind={kind} addr={DATA + 64 * i:x} agent=self"))
            filler(t)
    rest(t.say(f"bus kind=io_read addr={DATA:x} agent=io"))
    filler(t)


def unknown_indirect(t):
    """Three indirect branches that are executed for the first time and taken."""
    t.at(CODE)
    for _ in range(3):
        t.bundle(".mib", "adds r3=1,r3", "adds r4=1,r4", "(p6) br.cond.dptk.few b6 ;;", taken=(2, t.pc + 256), keys=WARM)
        rest(t)
    filler(t)


def multiway_kinds(t):
    """Bundles of two branches whose second one is taken: four returns, one other indirect branch."""
    t.at(CODE)
    for text in ["br.ret.sptk.many b0"] * 4 + ["br.cond.sptk.few b6"]:
        t.bundle(".mbb", "adds r3=1,r3", "(p6) br.cond.dpnt.few 1b+512", f"{text} ;;", mask="xpx",
                 taken=(2, t.pc + 256), keys=f"mispredict=none {WARM}")
        rest(t)
    filler(t)


def held_exit(t):
    """A load whose user is in the next bundle, which jumps to code in L2, twice; a load, a jump, and the load's user;
    a counted loop that ends at once, three times; a taken branch beside another one, three times."""
    t.at(CODE)
    for turn in range(5):
        do(t, "ld8 r10=[r4]", load(0, DATA, 8), keys=f"data=l2 lat=300 {HIT}")
        first = "adds r12=1,r10" if turn < 2 else "adds r12=1,r3"
        t.bundle(".mib", first, NOP_I, "br.cond.sptk.few 1b+{} ;;", taken=(2, CODE + 0x1000 * (turn + 1) + 16),
                 keys=f"mispredict=none {WARM}")
        if turn < 2:
            filler(t, 1, keys="fetch=l2 itlb=hit")
        else:
            t.bundle(".mib", "adds r3=1,r10", "adds r4=1,r4", "br.cloop.sptk.few 1b ;;",
                     keys="mispredict=none fetch=l2 itlb=hit")
            filler(t, 4)
        rest(t)

    def go(target):
        t.bundle(".mib", NOP_M, NOP_I, "br.cond.sptk.few b6 ;;", taken=(2, target), keys=f"mispredict=none {WARM}")
    for turn in range(3):
        do(t, "ld8 r10=[r4]", load(0, DATA, 8), keys=f"data=l2 lat=300 {HIT}")
        go(CODE + 0x20000 + 16)
        t.bundle(".mbb", "adds r3=1,r10", "(p6) br.cond.dpnt.few 1b+512", "br.cond.sptk.few 1b+{} ;;", mask="xpx",
                 taken=(2, t.pc + 256), keys="mispredict=none fetch=l2 itlb=hit")
        filler(t, 4)
        rest(t)
        go(CODE + 0x30000 + 0x1000 * turn)
    filler(t)


def wrong_kinds(t):
    """Indirect branches with a mispredicted path (2) and a return; in bundles of two branches, returns with a
    mispredicted path (2) and target (3), other indirect branches with a mispredicted path (1) and target (1)."""
    t.at(CODE)
    back, other = "br.ret.sptk.many b0 ;;", "br.cond.sptk.few b6 ;;"
    for text in (other, other, other, back):
        branch(t, text, t.pc + 256, "path")
    for text, outcome, times in ((back, "path", 2), (back, "target", 3), (other, "path", 1), (other, "target", 1)):
        for _ in range(times):
            t.bundle(".mbb", "adds r3=1,r3", "(p6) br.cond.dpnt.few 1b+512", text, mask="xpx", taken=(2, t.pc + 256),
                     keys=f"mispredict={outcome} {WARM}")
            rest(t)
    filler(t)


def both(t, first, second, *accesses, keys=HIT):
    """Instructions in both M slots of a bundle."""
    t.bundle(".mmi", first, second, "nop.i 0 ;;", accesses=accesses, keys=keys)
    return t


def in_pairs(t):
    """Two in one bundle: misaligned loads and stores, accesses of uncacheable memory, checks that find their entries,
    advanced loads when the ALAT is full, loads directly after an acquire, loads of pages that no TLB has, stores to
    shared lines."""
    t.at(CODE).say(f"memory addr={DATA + 0x10000:x} size=65536 type=uc")
    uncacheable = DATA + 0x10000
    rest(both(t, "ld4 r8=[r4]", "ld4 r9=[r5]", load(0, DATA + 2, 4), load(1, DATA + 10, 4), keys=f"data=l1 {HIT}"))
    rest(both(t, "st4 [r4]=r8", "st4 [r5]=r9", store(0, DATA + 66, 4), store(1, DATA + 74, 4)))
    rest(both(t, "ld8 r8=[r4]", "ld8 r9=[r5]", load(0, uncacheable, 8), load(1, uncacheable + 8, 8)))
    rest(both(t, "st8 [r4]=r8", "st8 [r5]=r9", store(0, uncacheable, 8), store(1, uncacheable + 8, 8)))
    for text, other, address in (("ld8.a r10=[r4]", "ld8.a r11=[r5]", DATA), ("ldfd.a f10=[r4]", "ldfd.a f11=[r5]", DATA)):
        rest(both(t, text, other, load(0, address, 8), load(1, address + 8, 8)))
    rest(both(t, "ld8.c.nc r10=[r4]", "ld8.c.nc r11=[r5]"))
    rest(both(t, "ldfd.c.nc f10=[r4]", "ldfd.c.nc f11=[r5]"))
    for i in range(32):
        do(t, f"ldfd.a f{32 + i}=[r4]", load(0, DATA + 8 * i, 8))
    rest(both(t, "ldfd.a f64=[r4]", "ldfd.a f65=[r5]", load(0, DATA, 8), load(1, DATA + 8, 8)))
    warm(t, DATA + 0x1000, DATA + 0x1000 + LINE)
    do(t, "ld8.acq r8=[r4]", load(0, DATA + 0x80000, 8))
    rest(both(t, "ldfd f8=[r4]", "ldfd f9=[r5]", load(0, DATA + 0x1000, 8), load(1, DATA + 0x1000 + LINE, 8)))
    rest(both(t, "ldfd f8=[r4]", "ldfd f9=[r5]", load(0, DATA + 0x100000, 8), load(1, DATA + 0x200000, 8), keys=WARM), 2000)
    for i in range(2):
        t.say(f"state addr={DATA + 0x4000 + LINE * i:x} line=E")
        rest(ld(t, DATA + 0x4000 + LINE * i))
    rest(both(t, "st8 [r4]=r8", "st8 [r5]=r9", store(0, DATA + 0x4000, 8), store(1, DATA + 0x4000 + LINE, 8)))
    filler(t)


def code_in_l3(t):
    """Lines of code that were prefetched, are in L3 and no longer in L2, and are prefetched again."""
    t.at(CODE)
    far = [CODE + 0x100000 + 0x1000 * i for i in range(8)]

    def go(target):
        t.bundle(".mib", NOP_M, NOP_I, "br.cond.sptk.many 1b+{} ;;", taken=(2, target), keys=WARM)
        rest(t, 2000)
    for target in far:
        go(target)
    for line in range(2, 6):
        for i in range(1, 12):
            rest(ld(t, far[0] + 64 * line + L2_SET * i))
    go(far[0])
    filler(t)


def loop_asked_for(wait):
    def program(t):
        t.at(CODE)
        t.bundle(".mib", NOP_M, NOP_I, "br.cond.sptk.many 1b+{} ;;", taken=(2, CODE + 0x1030), keys=WARM)
        filler(t, 1, keys="fetch=l2 itlb=hit")
        if wait:
            rest(t, 4000)
        start = t.pc
        for i in range(30):
            last = i == 29
            t.bundle(".mib", "adds r3=1,r3", "adds r4=1,r4", "br.cloop.sptk.few 1b ;;",
                     taken=None if last else (2, start), keys="mispredict=none itlb=hit")
        t.pc = start + 16
        filler(t, 1, keys="itlb=hit")
    program.__doc__ = ("A loop, used more than any other code, whose line is asked for ahead: its first fetch finds the line "
                       + ("in the stream buffer." if wait else "under way."))
    return program


def failed_checks(t):
    """A check load and a chk.a that find no entry, in this order."""
    t.at(CODE)
    rest(do(t, "ld8.c.nc r10=[r4]", load(0, DATA, 8), keys=f"data=l1 {HIT}"))
    filler(t)  # the interrupt is taken here
    rest(t)
    recovered(t, ".mii", "chk.a.nc r11,1b+{}", "adds r4=1,r4", "adds r5=1,r5 ;;")
    rest(t)
    filler(t)


def straddling(t):
    """Loads of eight bytes: five of the first bytes of a line, two that begin before the line and end in it."""
    t.at(CODE)
    for address in [DATA] * 5 + [DATA - 4] * 2:
        rest(do(t, "ld8 r3=[r4]", load(0, address, 8), keys=f"data=l1 {HIT}"))
    filler(t)


def store_ages(t):
    """Loads of what was stored one, two and three cycles before: one, two and four of them."""
    t.at(CODE)
    warm(t, DATA)
    for behind, times in ((1, 1), (2, 2), (3, 4)):
        for _ in range(times):
            st(t, DATA)
            for _ in range(behind - 1):
                do(t, "nop.m 0")
            rest(ld(t, DATA))
    filler(t)


def snooped_fetches(t):
    """Jumps to six lines of code, with another processor's snoop in each cycle around the access to L2."""
    t.at(CODE)
    for i in range(6):
        t.bundle(".mib", NOP_M, NOP_I, "br.cond.sptk.few 1b+{} ;;", taken=(2, CODE + 0x1000 * (i + 1)), keys=WARM)
        t.say(f"snoop kind=read addr={DATA + 0x8000:x}")
        filler(t, 1, keys="itlb=hit")
        rest(t)
    filler(t)


def new_pages(t):
    """Loads of 15, 16, 19 and 20 cycles that hit the second data TLB."""
    t.at(CODE)
    for i, latency in enumerate((15, 16, 19, 20)):
        rest(do(t, "ld8 r3=[r4]", load(0, DATA + 0x10000 * i, 8), keys=f"lat={latency} dtlb=l2 {WARM}"))
    filler(t)


def held_twice(t):
    """Five bundles, each separate: the second of two extractions waits after a stop, and I0 has been used by the
    first."""
    t.at(CODE)
    for _ in range(5):
        rest(t.bundle(".mii", NOP_M, "extr r3=r4,5,8 ;;", "extr r6=r7,5,8 ;;", keys=WARM))
    filler(t)


def ports_of_l2(t):
    """Four floating-point loads in one cycle and an integer load in the next, three times, with long gaps. All hit
    L2, which would return five results in one cycle."""
    t.at(CODE)
    for turn in range(3):  # four bundles each, so that those of the floating-point loads are fetched together
        at = DATA + 256 * turn
        keys = f"data=l2 {HIT}"
        t.bundle(".mmi", f"ldfd f{6 + 4 * turn}=[r4]", f"ldfd f{7 + 4 * turn}=[r5]", NOP_I,
                 accesses=(load(0, at, 8), load(1, at + 16, 8)), keys=keys, goes_on=True)
        t.bundle(".mmi", f"ldfd f{8 + 4 * turn}=[r6]", f"ldfd f{9 + 4 * turn}=[r7]", "nop.i 0 ;;",
                 accesses=(load(0, at + 32, 8), load(1, at + 48, 8)), keys=keys)
        do(t, "ld8 r9=[r8]", load(0, at + 64, 8), keys=keys)
        filler(t)
        rest(t)


PROGRAMS = {
    "held_twice": held_twice, "ports_of_l2": ports_of_l2,
    "debug_faults": debug_faults, "own_ports": own_ports, "unknown_indirect": unknown_indirect,
    "multiway_kinds": multiway_kinds, "held_exit": held_exit, "store_ages": store_ages,
    "wrong_kinds": wrong_kinds, "in_pairs": in_pairs, "failed_checks": failed_checks, "straddling": straddling, "code_in_l3": code_in_l3, "loop_under_way": loop_asked_for(False),
    "loop_in_stream": loop_asked_for(True), "snooped_fetches": snooped_fetches, "new_pages": new_pages,
}
