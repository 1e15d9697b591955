# The Itanium 2 micro-traces: what each of them executes. The counts that follow are worked out in itanium2_test.cpp.
from assembly import slot_load as load, slot_store as store

CODE = 0x4000000000010000    # start of a page and of a line
DATA = 0x6000000000200000    # start of a page
WARM = "fetch=l1 itlb=hit"   # code that is already in the cache, where fetch must not limit the speed
NOP_M, NOP_I, NOP_F, NOP_B = "nop.m 0", "nop.i 0", "nop.f 0", "nop.b 0"


def filler(t, bundles=1, keys=WARM):
    """Bundles without nops."""
    for _ in range(bundles):
        t.bundle(".mii", "adds r3=1,r3", "adds r4=1,r4", "adds r5=1,r5 ;;", keys=keys)


def straight(t):
    """Twelve bundles of three additions, in three lines of one page."""
    filler(t.at(CODE), 12, keys="")


def kinds(t):
    """Nops of every slot type, additions with a false predicate, a branch and a nop.b with a false predicate, movl:
    three bundles of three instructions, one of two."""
    t.at(CODE).bundle(".mfi", NOP_M, NOP_F, NOP_I, keys=WARM)
    t.bundle(".mii", "(p6) adds r3=1,r3", "(p6) adds r4=1,r4", "adds r5=1,r5 ;;", mask="ppx", keys=WARM)
    t.bundle(".mbb", "(p6) nop.m 0", "(p6) nop.b 0", "(p6) br.cond.sptk.few 1b+64 ;;", mask="ppp",
             keys="mispredict=none " + WARM)
    t.bundle(".mlx", NOP_M, "movl r3=0x123456789abcdef0 ;;", keys=WARM)
    filler(t)


def fp(t):
    """fma, fadd (fma of f1), fmpy (fma of f0), fpma, fcmp; an fma with a false predicate."""
    t.at(CODE)
    for text in ("fma.d f6=f7,f8,f9", "fma.d f6=f7,f1,f9", "fma.d f6=f7,f8,f0", "fpma f6=f7,f8,f9"):
        t.bundle(".mfi", "adds r3=1,r3", text, "adds r4=1,r4 ;;", keys=WARM)
    t.bundle(".mfi", "adds r3=1,r3", "(p6) fma.d f6=f7,f8,f9", "adds r4=1,r4 ;;", mask="xpx", keys=WARM)
    t.bundle(".mfi", "adds r3=1,r3", "fma.d.s1 f6=f7,f8,f9", "adds r4=1,r4 ;;", keys="ftz=1 " + WARM)
    filler(t)


def accesses(t):
    """ld8, ld4 misaligned, ldfd, ldfpd, st8, st4 misaligned, stfd, fetchadd, lfetch, a load with a false
    predicate."""
    t.at(CODE)
    one = [("ld8 r3=[r4]", load(0, DATA, 8)), ("ld4 r3=[r4]", load(0, DATA + 2, 4)),
           ("ldfd f6=[r4]", load(0, DATA, 8)), ("ldfpd f6,f7=[r4]", load(0, DATA + 16, 16)),
           ("st8 [r4]=r3", store(0, DATA + 64, 8)), ("st4 [r4]=r3", store(0, DATA + 70, 4)),
           ("stfd [r4]=f6", store(0, DATA + 64, 8)), ("lfetch [r4]", load(0, DATA + 128, 1))]
    for text, access in one:
        t.bundle(".mii", text, NOP_I, "nop.i 0 ;;", accesses=[access], keys=WARM)
    t.bundle(".mii", "fetchadd8.acq r3=[r4],1", NOP_I, "nop.i 0 ;;",
             accesses=[load(0, DATA + 192, 8), store(0, DATA + 192, 8)], keys=WARM)
    t.bundle(".mii", "(p6) ld8 r3=[r4]", NOP_I, "nop.i 0 ;;", mask="pxx", keys=WARM)
    filler(t)


def uncacheable(t):
    """Two loads and three stores in an uncacheable region, and one load and one store outside of it."""
    t.at(CODE).say(f"memory addr={DATA:x} size=4096 type=uc")
    for text, access in [("ld8 r3=[r4]", load(0, DATA, 8))] * 2 + [("st8 [r4]=r3", store(0, DATA, 8))] * 3 + [
            ("ld8 r3=[r4]", load(0, DATA + 4096, 8)), ("st8 [r4]=r3", store(0, DATA + 4096, 8))]:
        t.bundle(".mii", text, NOP_I, "nop.i 0 ;;", accesses=[access], keys=WARM)
    filler(t)


def lines(t):
    """Loads of five lines of L1D, with long gaps between, then the same again."""
    t.at(CODE)
    for _ in range(2):
        for i in range(5):
            t.bundle(".mii", "ld8 r3=[r4]", NOP_I, "nop.i 0 ;;", accesses=[load(0, DATA + 64 * i, 8)], keys=WARM)
            t.say("idle cycles=400")
    filler(t)


# One cycle on each side of every limit of the data EAR; the distance between the loads lets each be tracked.
LIMITS = [8 << i for i in range(10)]


def latencies(t):
    """Loads of latency limit - 1 and limit for every limit from 8 to 4096 cycles."""
    t.at(CODE)
    for limit in LIMITS:
        for latency in (limit - 1, limit):
            t.bundle(".mii", "ld8 r3=[r4]", NOP_I, "nop.i 0 ;;", accesses=[load(0, DATA, 8)],
                     keys=f"lat={latency} dtlb=hit {WARM}")
            t.say(f"idle cycles={latency + 100}")
    filler(t)


def data_pages(t):
    """Loads that hit the first data TLB (3), hit the second (4), need the walker (5), fault (1)."""
    t.at(CODE)
    for outcome, times in (("hit", 3), ("l2", 4), ("walk", 5), ("fault", 1)):
        for _ in range(times):
            t.bundle(".mii", "ld8 r3=[r4]", NOP_I, "nop.i 0 ;;", accesses=[load(0, DATA, 8)],
                     keys=f"dtlb={outcome} data=l1 {WARM}")
            t.say("idle cycles=100")
    filler(t)


def code_pages(t):
    """Fetches that hit the second ITLB (2), need the walker (3), fault (1); one bundle each."""
    t.at(CODE)
    for outcome, times in (("l2", 2), ("walk", 3), ("fault", 1)):
        for _ in range(times):
            t.bundle(".mib", NOP_M, NOP_I, "br.cond.sptk.few 1b+{} ;;", taken=(2, t.pc + 4096),
                     keys=f"fetch=l1 itlb={outcome} mispredict=none")
    filler(t)


def branch(t, text, target, outcome):
    """One taken branch alone in its window."""
    t.bundle(".mib", "adds r3=1,r3", "adds r4=1,r4", text, taken=(2, target), keys=f"mispredict={outcome} {WARM}")


def branches(t):
    """Taken branches of each class: predicted (3), with a mispredicted path (2), with a mispredicted target (1); four
    branches not taken, one of them with a mispredicted path."""
    t.at(CODE)
    for text in ("br.cond.dptk.few 1b+{} ;;", "br.ret.sptk.many b0 ;;", "br.cond.sptk.few b6 ;;"):
        for outcome in ("none", "none", "none", "path", "path", "target"):
            branch(t, text, t.pc + 256, outcome)
    for outcome in ("none", "none", "path", "none"):
        t.bundle(".mib", "adds r3=1,r3", "adds r4=1,r4", "(p6) br.cond.dpnt.few 1b+256 ;;", mask="xxp",
                 keys=f"mispredict={outcome} {WARM}")
    filler(t)


def counted_loop(t, iterations):
    """The loop's bundle and its branch, predicted."""
    start = t.pc
    for i in range(iterations):
        last = i == iterations - 1
        t.bundle(".mib", "adds r3=1,r3", "adds r4=1,r4", "br.cloop.sptk.few 1b ;;",
                 taken=None if last else (2, start), keys=f"mispredict=none {WARM}")
        if last:
            t.pc = start + 16


def loop_of(iterations):
    def program(t):
        t.at(CODE)
        counted_loop(t, iterations)
        filler(t)
    program.__doc__ = f"A counted loop of one bundle, {iterations} times."
    return program


def multiway(t):
    """Bundles of two and three branches whose last branch is taken: five branches not taken, three taken."""
    t.at(CODE)
    for _ in range(2):
        t.bundle(".mbb", "adds r3=1,r3", "(p6) br.cond.dpnt.few 1b+512", "br.cond.dptk.few 1b+{} ;;", mask="xpx",
                 taken=(2, t.pc + 256), keys=f"mispredict=none {WARM}")
    t.bundle(".bbb", "(p6) br.cond.dpnt.few 1b+512", "(p7) br.cond.dpnt.few 1b+512", "br.cond.dptk.few 1b+{} ;;",
             mask="ppx", taken=(2, t.pc + 256), keys=f"mispredict=none {WARM}")
    t.bundle(".mib", "adds r3=1,r3", "adds r4=1,r4", "(p6) br.cond.dpnt.few 1b+512 ;;", mask="xxp",
             keys=f"mispredict=none {WARM}")
    filler(t)


def system(t):
    """srlz.i three times, srlz.d, mf; no other instruction serialises."""
    t.at(CODE)
    for text in ("srlz.i ;;", "srlz.d ;;", "srlz.i ;;", "mf ;;", "srlz.i ;;"):
        t.bundle(".mmi", text, "adds r3=1,r3", "adds r4=1,r4 ;;", keys=WARM)
    filler(t)


def advanced(t):
    """Advanced loads of three registers; a check that finds its entry, two checks whose entries a store removed, one
    for an integer register and one for a floating-point register."""
    t.at(CODE)
    say = lambda text, *a, **k: t.bundle(".mii", text, "nop.i 0", "nop.i 0 ;;", accesses=a, keys=WARM, **k)
    say("ld8.a r10=[r4]", load(0, DATA, 8))
    say("ld8.a r11=[r5]", load(0, DATA + 64, 8))
    say("ldfd.a f10=[r6]", load(0, DATA + 128, 8))
    say("st8 [r5]=r3", store(0, DATA + 64, 8))
    say("st8 [r6]=r3", store(0, DATA + 128, 8))
    t.say("idle cycles=100")
    say("ld8.c.nc r10=[r4]")
    say("ld8.c.clr r11=[r5]", load(0, DATA + 64, 8))
    say("ldfd.c.clr f10=[r6]", load(0, DATA + 128, 8))
    filler(t)


def crowded_alat(entries):
    def program(t):
        t.at(CODE)
        for i in range(entries):
            t.bundle(".mii", f"ld8.a r{8 + i}=[r4]", NOP_I, "nop.i 0 ;;", accesses=[load(0, DATA + 8 * i, 8)], keys=WARM)
        filler(t)
    program.__doc__ = f"Advanced loads of {entries} registers."
    return program


def recovered(t, template, *slots):
    """A check in slot 0 or 1 that fails and branches to its recovery code."""
    slot = next(i for i, text in enumerate(slots) if "{}" in text)
    mask = "x" * (slot + 1) + "-" * (2 - slot)
    t.bundle(template, *slots, mask=mask, taken=(slot, t.pc + 256), keys=WARM)


def checks(t):
    """chk.s: three that pass, two that fail, one of them of a floating-point register; chk.a: two that fail, one of
    them of a floating-point register; fchkf: two that pass, one that fails."""
    t.at(CODE)
    for text in ("chk.s.m r3,1b+256", "chk.s f6,1b+256", "chk.s.m r3,1b+256"):
        t.bundle(".mii", text, "adds r4=1,r4", "adds r5=1,r5 ;;", keys=WARM)
    for text in ("chk.s.m r3,1b+{}", "chk.s f6,1b+{}", "chk.a.nc r3,1b+{}", "chk.a.nc f6,1b+{}"):
        recovered(t, ".mii", text, "adds r4=1,r4", "adds r5=1,r5 ;;")
    for _ in range(2):
        t.bundle(".mfi", "adds r3=1,r3", "fchkf.s0 1b+256", "adds r5=1,r5 ;;", keys=WARM)
    recovered(t, ".mfi", "adds r3=1,r3", "fchkf.s0 1b+{}", "adds r5=1,r5 ;;")
    filler(t)


FRAME, DEPTH = 40, 4


def calls(t):
    """Calls four deep, each with a frame of 40 local registers, and the returns."""
    t.at(CODE)
    back = []
    for depth in range(DEPTH):
        t.bundle(".mii", f"alloc r32=ar.pfs,0,{FRAME},0,0", "adds r3=1,r3", "adds r4=1,r4 ;;", keys=WARM)
        t.say("idle cycles=200")
        if depth + 1 < DEPTH:
            back.append(t.pc + 16)
            branch(t, "br.call.sptk.many b0=1b+{} ;;", t.pc + 1024, "none")
    for target in reversed(back):
        branch(t, "br.ret.sptk.many b0 ;;", target, "none")
        t.say("idle cycles=200")
        filler(t)
    filler(t)


def elsewhere(t):
    """Loads of two lines that another cache has clean and of three that it has modified; a store to a line that it
    has modified; two lines modified here that another agent then reads."""
    t.at(CODE)
    access = lambda text, made: t.bundle(".mii", text, NOP_I, "nop.i 0 ;;", accesses=[made], keys=f"dtlb=hit {WARM}")
    for i, state in enumerate("EEMMM"):
        t.say(f"state addr={DATA + 128 * i:x} line={state}")
        access("ld8 r3=[r4]", load(0, DATA + 128 * i, 8))
        t.say("idle cycles=400")
    t.say(f"state addr={DATA + 0x1000:x} line=M")
    access("st8 [r4]=r3", store(0, DATA + 0x1000, 8))
    t.say("idle cycles=400")
    for i in range(2):
        access("st8 [r4]=r3", store(0, DATA + 0x2000 + 128 * i, 8))
        t.say("idle cycles=400").say(f"bus kind=read_line addr={DATA + 0x2000 + 128 * i:x}").say("idle cycles=400")
    filler(t)


def served(t):
    """Loads that L1D (2), L2 (3), L3 (4) and memory (5) serve, stores that L2 (1), L3 (2) and memory (3) serve; each
    to a line of its own."""
    t.at(CODE)
    line = 0
    for text, kind, outcomes in (("ld8 r3=[r4]", load, (("l1", 2), ("l2", 3), ("l3", 4), ("mem", 5))),
                                 ("st8 [r4]=r3", store, (("l2", 1), ("l3", 2), ("mem", 3)))):
        for level, times in outcomes:
            for _ in range(times):
                t.bundle(".mii", text, NOP_I, "nop.i 0 ;;", accesses=[kind(0, DATA + 128 * line, 8)],
                         keys=f"data={level} dtlb=hit {WARM}")
                t.say("idle cycles=400")
                line += 1
    filler(t)


def fetched(t):
    """Bundles, each of a line of its own, that L1I (2), L2 (3), L3 (4) and memory (5) serve."""
    t.at(CODE)
    for level, times in (("l1", 2), ("l2", 3), ("l3", 4), ("mem", 5)):
        for _ in range(times):
            t.bundle(".mib", "adds r3=1,r3", "adds r4=1,r4", "br.cond.sptk.few 1b+{} ;;", taken=(2, t.pc + 256),
                     keys=f"fetch={level} itlb=hit mispredict=none")
            t.say("idle cycles=400")
    filler(t)


def beside_a_nop(t):
    """Taken branches in MBB bundles, beside nop.b: of each class one predicted, two with a mispredicted path, three
    with a mispredicted target."""
    t.at(CODE)
    for text in ("br.cond.dptk.few 1b+{} ;;", "br.ret.sptk.many b0 ;;", "br.cond.sptk.few b6 ;;"):
        for outcome, times in (("none", 1), ("path", 2), ("target", 3)):
            for _ in range(times):
                t.bundle(".mbb", "adds r3=1,r3", NOP_B, text, taken=(2, t.pc + 256),
                         keys=f"mispredict={outcome} {WARM}")
    filler(t)


def untaken(t):
    """Returns and other indirect branches with a false predicate: three and four predicted, one and two
    mispredicted."""
    t.at(CODE)
    for text, right, wrong in (("(p6) br.ret.sptk.many b0 ;;", 3, 1), ("(p6) br.cond.sptk.few b6 ;;", 4, 2)):
        for outcome in ["none"] * right + ["path"] * wrong:
            t.bundle(".mib", "adds r3=1,r3", "adds r4=1,r4", text, mask="xxp", keys=f"mispredict={outcome} {WARM}")
    filler(t)


def purge(t):
    """Two local purges of translations."""
    t.at(CODE).say("cpl 0")
    for _ in range(2):
        t.bundle(".mmi", "ptc.l r3,r4 ;;", "adds r5=1,r5", "adds r6=1,r6 ;;", keys=WARM)
    filler(t)


def levels(t):
    """Two bundles at level 3, three at 0, four at 2, two at 1."""
    t.at(CODE)
    filler(t, 2)
    for level, bundles in ((0, 3), (2, 4), (1, 2)):
        t.say(f"cpl {level}")
        filler(t, bundles)


def monitors(t):
    """Two bundles that user monitors count, three that privileged monitors count, one that both count, four that
    neither counts."""
    t.at(CODE)
    for up, pp, bundles in ((1, 0, 2), (0, 1, 3), (1, 1, 1), (0, 0, 4)):
        t.say(f"psr up={up} pp={pp}")
        filler(t, bundles)


def idle(cycles):
    def program(t):
        filler(t.at(CODE))
        t.say(f"idle cycles={cycles}")
        filler(t)
    program.__doc__ = f"Two bundles with {cycles} cycles between them in which nothing is executed."
    return program


def ia32(t):
    """One hundred cycles of IA-32 code between two bundles."""
    filler(t.at(CODE))
    t.say("mode ia32").say("idle cycles=100").say("mode native")
    filler(t)


def pins(t):
    """Pin n is asserted n + 1 times."""
    t.at(CODE)
    for pin in range(6):
        for _ in range(pin + 1):
            t.say(f"pin dp{pin} level=1")
            filler(t)
            t.say(f"pin dp{pin} level=0")
            filler(t)


BUS = ["read_line", "read_invalidate_line", "invalidate_line", "read_current", "read_partial", "write_line",
       "write_partial", "io_read", "io_write", "lock", "other"]


def bus(t):
    """Bus transactions of kind n: n + 1 by another processor, as many by an I/O agent, and one more."""
    t.at(CODE)
    for n, kind in enumerate(BUS):
        for agent, times in (("any", n + 1), ("io", n + 2)):
            for i in range(times):
                t.say(f"bus kind={kind} addr={DATA + 128 * i:x} agent={agent}").say("idle cycles=200")
                filler(t)


def register_stack(t):
    """alloc of frames of 7, 73 and 96 registers. An event of the register stack reports the frame before each."""
    t.at(CODE)
    for out in (7, 73, 96):
        t.bundle(".mii", f"alloc r32=ar.pfs,0,{out},0,0", NOP_I, "nop.i 0 ;;", keys=WARM)
    t.bundle(".mii", "alloc r32=ar.pfs,0,1,0,0", NOP_I, "nop.i 0 ;;", keys=WARM)
    filler(t)


def ranges(t):
    """A bundle every 16 bytes of 256: a loop over them, three iterations, with one load per 64 bytes."""
    t.at(CODE)
    for turn in range(3):
        for i in range(15):
            if i % 4 == 0:
                t.bundle(".mii", "ld8 r6=[r4]", "adds r3=1,r3", "nop.i 0 ;;", accesses=[load(0, DATA + 8 * i, 8)],
                         keys=WARM)
            else:
                filler(t)
        if turn < 2:
            branch(t, "br.cond.sptk.few 1b+{} ;;", CODE, "none")
        else:
            filler(t)


PROGRAMS = {
    "straight": straight, "kinds": kinds, "fp": fp, "accesses": accesses, "uncacheable": uncacheable, "lines": lines,
    "latencies": latencies, "data_pages": data_pages, "code_pages": code_pages, "branches": branches,
    "loop_4": loop_of(4), "loop_9": loop_of(9), "multiway": multiway, "system": system, "advanced": advanced,
    "alat_32": crowded_alat(32), "alat_34": crowded_alat(34), "levels": levels, "monitors": monitors,
    "idle_100": idle(100), "idle_300": idle(300), "ia32": ia32, "pins": pins, "bus": bus,
    "register_stack": register_stack, "ranges": ranges, "checks": checks, "calls": calls, "elsewhere": elsewhere,
    "served": served, "fetched": fetched, "beside_a_nop": beside_a_nop, "untaken": untaken, "purge": purge,
}
