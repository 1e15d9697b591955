# The Montecito micro-traces: what each of them executes beyond the Itanium 2's. The counts are worked out in
# montecito_test.cpp; pair_0 and pair_1 are the two threads of one run.
import itanium2_more_programs as more
import itanium2_programs as plain
import itanium2_rare_programs as rare
from itanium2_more_programs import HIT, LINE, L2_SET, do, ld, prefetch, rest, st, warm
from itanium2_programs import CODE, DATA, NOP_I, NOP_M, WARM, filler
from assembly import slot_load as load, slot_store as store

L3_SET = 0x100000   # bytes between lines of the same set of L3, which has twelve ways
L2I_SET = 0x20000   # the same for L2I, which has eight ways
L1I_SET = 0x1000    # the same for L1I, which has four ways
WAITS = range(228, 246)
OTHER_CODE = CODE + 0x100000


def one(t, text, *accesses, keys=f"dtlb=hit {WARM}"):
    """One instruction in the M slot of a bundle of its own."""
    t.bundle(".mii", text, NOP_I, "nop.i 0 ;;", accesses=accesses, keys=keys)


def pair_0(t):
    """Eight bundles of three additions, a hint that yields the pipeline, four more bundles."""
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
    """Level 3 to 0, to 3, to 1, to 3, with three additions between the changes."""
    t.at(CODE)
    for level in (3, 0, 3, 1, 3):
        filler(t.say(f"cpl {level}"))


def jump(t, target, hint="few", keys="itlb=hit"):
    """A taken branch; with .many the lines after its target are prefetched."""
    return t.bundle(".mib", NOP_M, NOP_I, f"br.cond.sptk.{hint} 1b+{{}} ;;", taken=(2, target), keys=keys)


# --- memory -------------------------------------------------------------------------------------------------------

def crowded_sets(t):
    """One line more than fits in each of 26 sets of L3, which have twelve ways. The first line, which L2D still has,
    is evicted in all sets at about the same time, on a slowed bus (the trace states that L3 has the incoming
    lines)."""
    t.at(CODE)
    for way in range(12):
        for again in ([0, way] if way in (5, 10) else [way]):
            for s in range(26):
                ld(t, DATA + LINE * s + L3_SET * again)
            rest(t, 2000)
    t.say("tb ratio=500")
    for s in range(26):
        ld(t, DATA + LINE * s + L3_SET * 12, keys=f"data=l3 {HIT}")
    rest(t, 4000).say("tb ratio=5")
    filler(t)


def about_to_come(t):
    """Loads of lines that an earlier load has requested from L3, one bundle later for each of thirty."""
    t.at(CODE)
    for i in range(30):
        ld(t, DATA + 4096 * i, keys=f"data=l3 dtlb=hit {WARM}")
        filler(t, i)
        rest(ld(t, DATA + 4096 * i + 16))
    filler(t)


def all_at_once(t):
    """A line from memory arrives amid a stream of lines from L3; then the same one cycle later."""
    t.at(CODE)
    for later in (0, 1):
        region = DATA + 0x40000 * later
        prefetch(t, region)
        filler(t, later)
        rest(t, 150)
        for i in range(1, 60):
            do(t, "lfetch [r4]", load(0, region + LINE * i, 1), keys=f"data=l3 {HIT}")
        rest(t)
    filler(t)


def met_by_fills(t):
    """Loads of lines in L3 while an earlier load's line arrives from L3, one bundle later for each of twelve."""
    t.at(CODE)
    for later in range(4, 16):
        ld(t, DATA + 4096 * later, keys=f"data=l3 dtlb=hit {WARM}")
        filler(t, later)
        rest(ld(t, DATA + 4096 * later + 2048, keys=f"data=l3 dtlb=hit {WARM}"))
    filler(t)


def met_by_snoops(t):
    """Snoops while a load is outstanding in L3, one bundle later for each of twelve: of the requested line, of the
    victim, of another line."""
    t.at(CODE)
    for later in range(12):
        for which, snooped in enumerate([8, 0, 20]):
            first = DATA + LINE * (3 * later + which)
            warm(t, *(first + L2_SET * i for i in range(8)))
            ld(t.say("psr up=1"), first + L2_SET * 8)
            filler(t, later)
            rest(t.say(f"snoop kind=read addr={first + L2_SET * snooped:x}"))
    filler(t)


def speculative(t):
    """Speculative loads that write NaT: two with a NaT address, and one each where the walker finds no translation,
    where a TLB miss is deferred, where the TLB faults, and with PSR.ed set; one that succeeds; two more with a NaT
    address in one bundle."""
    t.at(CODE)
    tried = f"defer=0:{DATA:x} {WARM}"
    for before, keys in [("", WARM), ("", WARM), ("", tried), ("dcr dm=1", tried), ("dcr dm=0", f"{tried} dtlb=fault"),
                         ("psr ed=1", tried)]:
        if before:
            t.say(before)
        do(t, "ld8.s r3=[r4]", keys=keys)
    do(t.say("psr ed=0"), "ld8.s r3=[r4]", load(0, DATA, 8))
    t.bundle(".mmi", "ld8.s r3=[r4]", "ld8.s r5=[r6]", "nop.i 0 ;;", keys=WARM)
    filler(t)


# --- code ---------------------------------------------------------------------------------------------------------

def code_again(t):
    """Eight lines in each of five pages, all in the same sets of L1I, three times, the third time uncacheable; then
    eight uncacheable lines that no cache has."""
    t.at(CODE)
    for turn in range(3):
        if turn == 2:
            rest(t).say(f"memory addr={CODE + 0x10000:x} size=65536 type=uc")
        for page in range(5):
            jump(t, CODE + 0x10000 + L1I_SET * page, "many", keys=WARM)
            filler(t, 32, keys="itlb=hit")
        jump(t, CODE, keys=WARM)
        filler(t)
    t.say(f"memory addr={CODE + 0x80000:x} size=4096 type=uc")
    jump(t, CODE + 0x80000, "many", keys=WARM)
    filler(t, 32, keys="itlb=hit")


def code_on_its_way(t):
    """The first half of a line of L2I is prefetched; N cycles later comes a jump to its second half, then the same
    with a prefetch of that half. The line arrives in between."""
    for prefetched in (False, True):
        for turn, wait in enumerate(WAITS):
            t.at(CODE)
            line = CODE + 0x100000 * (prefetched + 1) + 0x1000 * (turn + 1)
            jump(t, line - 4 * 64, "many", keys=WARM)   # four lines after the target
            filler(t, 1, keys=WARM)
            # The jump's target changes each time: the front end detects that two cycles late, as for a new jump.
            rest(t, wait - (2 if turn or prefetched else 0))
            jump(t, line if prefetched else line + 64, "many" if prefetched else "few", keys=WARM)
            filler(t, 1, keys=WARM if prefetched else "itlb=hit")
            jump(rest(t), CODE, keys=WARM)
    filler(t.at(CODE))


def crossing(t):
    """Jumps to lines that are in L2I but not in L1I, while the lines after an earlier target are prefetched. Both
    access L2I in one cycle."""
    for _ in range(2):
        for turn in range(8):
            t.at(CODE)
            target = CODE + 0x40000 + L1I_SET * turn
            jump(t, target, "many", keys=WARM)
            filler(t, turn % 4, keys=WARM)
            jump(t, target + 0x20400, "many", keys=WARM)
            filler(t, 1, keys="itlb=hit")
            jump(rest(t, 600), CODE, keys=WARM)
    filler(t.at(CODE))


def hinted(t):
    """A branch to a line of L2I, after hints for three other lines. The branch's fetch reaches L2I in the cycle of
    the last hint's prefetch and is served second; the prefetch of the half line after it conflicts with that fetch
    and is served third. Then a branch to the second half of a line, after which L2I has nothing."""
    filler(t.at(CODE), 2)
    for turn, target in enumerate((CODE + 0x40000, CODE + 0x60040), 1):
        t.bundle(".bbb", *(f"brp.sptk 1b+{0x8000 * i + 0x200 * turn},1b+16" for i in (1, 2, 3)), keys=WARM)
        jump(t, target, keys=WARM)
        filler(t, 1, keys="fetch=l2 itlb=hit")
        filler(rest(t), 3)
        if turn == 1:
            jump(t, CODE, keys=WARM)
            filler(rest(t), 2)
    filler(t)


def much_code(t):
    """Nine lines of one set of L2I, which has eight ways; then a prefetch of the evicted line; snoops of two of them,
    and of a line that is not present."""
    t.at(CODE)
    for i in range(9):
        jump(t, CODE + L2I_SET * (i + 1), keys=WARM)
        rest(filler(t, 1, keys="itlb=hit") or t)
    jump(t, CODE + L2I_SET - 2 * 64, "many", keys=WARM)
    filler(t, 1, keys=WARM)
    rest(t)
    for i in (9, 8, 40):
        filler(rest(t.say(f"snoop kind=read addr={CODE + L2I_SET * i:x}")))


# --- the system interface -----------------------------------------------------------------------------------------

def agents(t):
    """Each agent reads, reads for ownership, and invalidates lines that are modified here, each kind a different
    number of times; then reads of clean lines. The other core also makes partial-read transactions."""
    t.at(CODE)
    line = DATA
    for agent in ("any", "io", "core"):
        for kind in ["read_line"] * 3 + ["read_invalidate_line"] * 2 + ["invalidate_line"]:
            rest(st(t, line))
            rest(t.say(f"bus kind={kind} addr={line:x} agent={agent}"))
            line += LINE
        for _ in range(4):
            rest(ld(t, line))
            rest(t.say(f"bus kind=read_line addr={line:x} agent={agent}"))
            line += LINE
    for kind in ("read_partial", "io_read", "io_write"):
        rest(t.say(f"bus kind={kind} addr={line:x} agent=core"))
    # Two shared lines are stored to when another cache holds them modified.
    for _ in range(2):
        t.say(f"state addr={line:x} line=E")
        rest(ld(t, line))
        t.say(f"state addr={line:x} line=M at=elsewhere")
        rest(st(t, line))
        line += LINE
    for i in range(24):
        t.say(f"bus kind=read_line addr={DATA + 0x100000 + LINE * i:x}")
    rest(t, 4000)
    filler(t)


def queues(t):
    """Entries of each queue and kind, of this core and of the other; up to nine at a time of each queue, three
    castouts, three collisions of castouts and of writes, and thirteen transactions at a time; collisions, sign-offs
    and errors."""
    t.at(CODE)
    filler(t)
    for core in ("self", "other", "other"):
        for kind in ("implicit", "explicit", "1to8a", "1to8b", "16", "32", "non_temporal"):
            t.say(f"interface kind=insert queue=write entry={kind} core={core}")
        for result in ("miss", "hit", "hitm"):
            t.say(f"interface kind=insert queue=snoop entry={result} core={core}")
            t.say(f"interface kind=signoff entry={result} core={core}")
        for queue in ("request", "castout", "in_order"):
            t.say(f"interface kind=insert queue={queue} core={core}")
        for queue in ("write_address", "castout", "in_order"):
            t.say(f"interface kind=collision queue={queue} core={core}")
        t.say(f"interface kind=ecc entry=single core={core}")
        for _ in range(2):
            t.say(f"interface kind=ecc entry=double core={core}")
        filler(t, 4)
    for core in ("self", "other"):
        for queue, kind, cycles in [("request", "", 30), ("write", "16", 20), ("castout", "", 40), ("snoop", "miss", 50),
                                    ("in_order", "", 60)]:
            for _ in range(9):
                entry = f"entry={kind} " if kind else ""
                t.say(f"interface kind=insert queue={queue} {entry}core={core} cycles={cycles}")
            filler(rest(t, 90))
        for _ in range(3):
            t.say(f"interface kind=insert queue=castout core={core} cycles=70")
            t.say(f"interface kind=collision queue=castout core={core}")
            t.say(f"interface kind=collision queue=write_address core={core}")
        for _ in range(13):
            t.say(f"interface kind=insert queue=in_order core={core} cycles=80")
        filler(rest(t, 90))


def halted(t):
    """The clock stops twice, for 200 and 300 cycles, with a bundle between."""
    filler(t.at(CODE))
    for cycles in (200, 300):
        filler(t.say(f"halt cycles={cycles}"))
    filler(t)


# --- two threads --------------------------------------------------------------------------------------------------

def misses_0(t):
    """A load that misses L3, and its user; three bundles before, four after."""
    filler(t.at(CODE), 3)
    one(t, "ld8 r3=[r4]", load(0, DATA, 8), keys=f"data=mem dtlb=hit {WARM}")
    one(t, "adds r5=1,r3")
    filler(t, 4)


def misses_1(t):
    """The other thread: more bundles than the first thread's load takes cycles."""
    filler(t.at(OTHER_CODE), 300)


def turns_0(t):
    """Bundles of three additions: too many for one time slice of 200 cycles, and few enough for two."""
    filler(t.at(CODE), 300)


def turns_1(t):
    """The other thread, with as many."""
    filler(t.at(OTHER_CODE), 300)


def waits_0(t):
    """Waits for longer than a time slice."""
    filler(rest(filler(t.at(CODE)) or t, 33000))


def waits_1(t):
    """The other thread."""
    filler(t.at(OTHER_CODE), 2)


def asked_0(t):
    """The debugger requests a switch to the other thread three times; a hint while switches are disabled, and one
    while they are enabled."""
    t.at(CODE)
    for _ in range(3):
        filler(t, 8)
        t.say("preempt cause=debug")
    filler(t.say("pcr sd=1"))
    one(t, "hint.m 0")
    filler(t, 8)
    one(t.say("pcr sd=0"), "hint.m 0")
    filler(t, 8)


def asked_1(t):
    """The other thread, two levels lower, is told to sleep each time."""
    t.at(OTHER_CODE).say("cpl 1")
    for _ in range(4):
        filler(t, 8)
        t.say("preempt cause=low_power")
    filler(t, 20)


def served_0(t):
    """A hint during a fetch that L2I serves; a hint beside a load that L2 serves; a load with acquire that misses L3,
    and its user."""
    one(t.at(CODE), "hint.m 0")
    filler(t)
    filler(t, 1, keys="fetch=l2 itlb=hit")
    filler(t, 9)
    t.bundle(".mmi", "ld8 r3=[r4]", "hint.m 0", "nop.i 0 ;;", accesses=[load(0, DATA, 8)],
             keys=f"data=l2 dtlb=hit {WARM}")
    filler(t, 10)
    one(t, "ld8.acq r3=[r4]", load(0, DATA + 4096, 8), keys=f"data=mem dtlb=hit {WARM}")
    one(t, "adds r5=1,r3")
    filler(t, 4)


def served_1(t):
    """The other thread: loads that L2 serves."""
    t.at(OTHER_CODE)
    for turn in range(60):
        one(t, f"ld8 r{8 + turn % 16}=[r4]", load(0, DATA, 8), keys=f"data=l2 dtlb=hit {WARM}")
        if turn % 8 == 7:
            one(t, "hint.m 0")
    filler(t, 100)


def dozes_0(t):
    """Sleeps for 300 cycles, during which the other thread sleeps, too; then sleeps for long."""
    filler(t.at(CODE), 2)
    filler(t.say("halt cycles=300"), 2)
    filler(t.say("halt cycles=10000"), 2)


def dozes_1(t):
    """Sleeps for 5000 cycles: the pipeline is idle that long before the switch that wakes it."""
    filler(t.at(OTHER_CODE), 2)
    filler(t.say("halt cycles=5000"), 20)


def naps_0(t):
    """Naps: both threads sleep until one of them wakes, for longer each time."""
    t.at(CODE)
    for cycles in (45, 100, 220, 700, 3000):
        filler(t, 2)
        t.say(f"halt cycles={cycles}")
    filler(t, 2)


def naps_1(t):
    """The other thread: its naps end in between."""
    t.at(OTHER_CODE)
    for cycles in (75, 150, 420, 1500, 9000):
        filler(t, 2)
        t.say(f"halt cycles={cycles}")
    filler(t, 2)


def sleeps_0(t):
    """Sleeps three times, with twenty bundles between."""
    t.at(CODE)
    for _ in range(3):
        filler(t, 20)
        t.say("halt cycles=300")
    filler(t, 20)


def sleeps_1(t):
    """Yields the pipeline to a thread that sleeps."""
    t.at(OTHER_CODE)
    for _ in range(3):
        one(t, "hint.m 0")
        filler(t, 100)


def leaves_0(t):
    """Code of eleven lines of one set of L2I, each with the lines after it, which are in memory. The thread is
    switched out while they arrive. Then stores to lines that another cache holds modified, and loads that miss every
    TLB, before the thread is switched out."""
    t.at(CODE)
    for i in range(11):
        jump(t, CODE + L2I_SET * (i + 1), "many", keys=WARM)
        filler(t, 1, keys="itlb=hit")
    for i in range(4):
        line = DATA + 0x100000 + LINE * i
        t.say(f"state addr={line:x} line=E")
        rest(ld(t, line))
        t.say(f"state addr={line:x} line=M at=elsewhere")
        t.bundle(".mmi", "st8 [r4]=r3", "hint.m 0", "nop.i 0 ;;", accesses=[store(0, line, 8)], keys=HIT)
        filler(t)
    for i in range(4):
        t.bundle(".mmi", "ld8 r3=[r4]", "hint.m 0", "nop.i 0 ;;", accesses=[load(0, DATA + 0x200000 + 0x10000 * i, 8)],
                 keys=WARM)
        filler(t)


def leaves_1(t):
    """The other thread waits and yields the pipeline."""
    t.at(OTHER_CODE)
    for _ in range(30):
        one(rest(t, 400), "hint.m 0")
        filler(t)


def medley(t, programs):
    """The programs one after another, each at CODE. After each, the thread yields the pipeline."""
    t.at(CODE)
    for program in programs:
        program(t)
        one(t, "hint.m 0")
        jump(t, CODE, keys=WARM)
    filler(t)


MEDLEY = [
    plain.kinds, plain.fp, plain.accesses, plain.calls, plain.branches, plain.untaken, plain.multiway, plain.checks,
    rare.failed_checks, plain.advanced, plain.data_pages, plain.register_stack, more.unknown, more.fp_alat,
    more.modulo_loops, rare.multiway_kinds, more.apart, plain.fetched, more.trapped, more.dirty, plain.latencies,
    rare.wrong_kinds, plain.system, plain.code_pages, rare.debug_faults, integer_loads, speculative, crossing,
    queues, agents, plain.purge, plain.uncacheable]


def medley_0(t):
    """Short programs of the Itanium 2, a hint after each."""
    medley(t, MEDLEY)


def medley_1(t):
    """The same in the opposite order, at level 0."""
    medley(t.say("cpl 0"), MEDLEY[::-1])


PROGRAMS = {f.__name__: f for f in (
    pair_0, pair_1, integer_loads, level_changes, crowded_sets, about_to_come, all_at_once, met_by_fills, met_by_snoops,
    speculative, code_again, code_on_its_way, crossing, hinted, much_code, agents, queues, halted, misses_0, misses_1, turns_0, turns_1,
    waits_0, waits_1, asked_0, asked_1, served_0, served_1, sleeps_0, sleeps_1, dozes_0, dozes_1, naps_0, naps_1, leaves_0,
    leaves_1, medley_0, medley_1)}
