# More Itanium 2 micro-traces: conflicts in the memory hierarchy, on the bus, and rarer stalls of the pipeline. The
# counts that follow are worked out in itanium2_more_test.cpp.
from itanium2_programs import CODE, DATA, NOP_B, NOP_I, NOP_M, WARM, branch, filler
from assembly import slot_load as load, slot_store as store

LINE = 128          # bytes of a line of L2 and L3
L2_SET = 0x8000     # bytes between lines of the same set of L2, which has eight ways
L3_SET = 0x40000    # the same for L3, which has twelve ways
HIT = f"dtlb=hit {WARM}"


def do(t, text, *accesses, keys=HIT, **more):
    """One instruction in the M slot of a bundle of its own."""
    t.bundle(".mii", text, NOP_I, "nop.i 0 ;;", accesses=accesses, keys=keys, **more)
    return t


def ld(t, address, keys=HIT):
    """A load that L2 serves. It loads a floating-point register, so that L1D is not involved, and each time another
    one, so that no load waits for the one before."""
    t.loads = (getattr(t, "loads", 0) + 1) % 24
    return do(t, f"ldfd f{8 + t.loads}=[r4]", load(0, address, 8), keys=keys)


def st(t, address, size=8, text=None, keys=HIT):
    return do(t, text or {8: "st8 [r4]=r3", 1: "st1 [r4]=r3"}[size], store(0, address, size), keys=keys)


def prefetch(t, address):
    return do(t, "lfetch [r4]", load(0, address, 1))


def rest(t, cycles=400):
    t.say(f"idle cycles={cycles}")
    return t


def warm(t, *addresses):
    """Loads lines into L2, early enough for all fills to be complete."""
    for address in addresses:
        rest(ld(t, address))
    return t


# --- order in L2's queue ------------------------------------------------------------------------------------------

def releases(t):
    """A store with release after an outstanding load, three times; then a load after a release."""
    t.at(CODE)
    for i in range(3):
        warm(t, DATA + LINE * i)
        ld(t, DATA + 0x10000 + 4096 * i)
        rest(st(t, DATA + LINE * i, text="st8.rel [r4]=r3"))
    warm(t, DATA + 0x400, DATA + 0x480)
    st(t, DATA + 0x480, text="st8.rel [r5]=r3")
    rest(ld(t, DATA + 0x400))
    filler(t)


def acquires(t):
    """A load with acquire from memory, and a load of another line after it, twice; then a load with acquire and a
    load that hits L1D."""
    t.at(CODE)
    for i in range(2):
        warm(t, DATA + LINE * i)
        do(t, "ld8.acq r8=[r4]", load(0, DATA + 0x10000 + 4096 * i, 8))
        rest(ld(t, DATA + LINE * i))
    do(t, "ld8.acq r8=[r4]", load(0, DATA + 0x20000, 8), keys=f"data=l2 lat=30 {HIT}")
    rest(do(t, "ld8 r9=[r5]", load(0, DATA + 0x21000, 8), keys=f"data=l1 {HIT}"))
    filler(t)


def fences(t):
    """mf after an outstanding load (twice), sync.i (three times), a semaphore (four times), each directly followed by
    a load; cmpxchg in the cycle of a write of ar.ccv, five times."""
    t.at(CODE)
    warm(t, DATA, DATA + LINE, DATA + 2 * LINE)
    for i in range(2):
        ld(t, DATA + 0x10000 + LINE * i)
        do(t, "mf")
        rest(ld(t, DATA))
    for _ in range(3):
        do(t, "sync.i")
        rest(ld(t, DATA + LINE))
    for _ in range(4):
        do(t, "fetchadd8.rel r8=[r4],1", load(0, DATA + 2 * LINE, 8), store(0, DATA + 2 * LINE, 8))
        rest(ld(t, DATA + LINE))
    for _ in range(5):
        t.bundle(".mmi", "mov.m ar.ccv=r3", "fetchadd8.acq r8=[r4],1", "nop.i 0 ;;",
                 accesses=[load(1, DATA + 2 * LINE, 8), store(1, DATA + 2 * LINE, 8)], keys=HIT)
        rest(t)
    filler(t)


def errors(t):
    """Two lines with an error in L2, three lines that the system delivers with one."""
    t.at(CODE)
    for i in range(2):
        warm(t, DATA + LINE * i)
        t.say(f"ecc source=l2 addr={DATA + LINE * i:x}")
        rest(ld(t, DATA + LINE * i))
    for i in range(3):
        t.say(f"ecc source=system addr={DATA + 0x1000 + LINE * i:x}")
        warm(t, DATA + 0x1000 + LINE * i, DATA + 0x1000 + LINE * i)
    filler(t)


# --- lines that are evicted, and lines that other agents request ---------------------------------------------------

def victims(t):
    """Stores to ten lines of one set of L2, which has eight ways: two lines are evicted. Then ten lines of another
    set, which L3 does not have."""
    t.at(CODE)
    for i in range(10):
        rest(st(t, DATA + L2_SET * i))
    for i in range(10):
        rest(st(t, DATA + LINE + L2_SET * i, keys=f"data=l2 {HIT}"))
    filler(t)


def replaced(t):
    """Stores to fourteen lines of one set of L3, which has twelve ways: two lines are evicted, and are invalidated in
    L2."""
    t.at(CODE)
    for i in range(14):
        rest(st(t, DATA + L3_SET * i))
    for i in range(13):
        st(t, DATA + 0x1000)
        rest(st(t, DATA + 0x1000 + L3_SET * (i + 1)))
    filler(t)


def written_back(t):
    """A store to a modified line of L2 that is being evicted, a load of it, and a load beside it, one cycle later for
    each of 24 lines."""
    t.at(CODE)
    for turn in range(24):
        first = DATA + LINE * turn
        for i in range(8):
            rest(st(t, first + L2_SET * i))
        ld(t, first + L2_SET * 8)
        rest(t, 180 + 2 * turn)
        ld(t, first + LINE)
        st(t, first)
        ld(t, first + 16)
        st(t, first + 64)
        rest(ld(t, first))
    filler(t)


def shared(t):
    """Stores to four lines that another cache shares; fc of three clean lines; another processor takes two lines that
    are modified here."""
    t.at(CODE)
    for i in range(4):
        t.say(f"state addr={DATA + LINE * i:x} line=E")
        rest(ld(t, DATA + LINE * i))
        rest(st(t, DATA + LINE * i))
    for i in range(3):
        warm(t, DATA + 0x1000 + LINE * i)
        rest(do(t, "fc r4", load(0, DATA + 0x1000 + LINE * i, LINE)))
    for i in range(2):
        rest(st(t, DATA + 0x2000 + LINE * i))
        rest(t.say(f"bus kind=invalidate_line addr={DATA + 0x2000 + LINE * i:x}"), 1)
        rest(t)
    filler(t)


def flood(t):
    """Forty lines requested at once: 24 can be outstanding, the bus queue holds 16 requests and 8 of them in order.
    Then the same where each fill evicts a modified line, of which 8 can be outstanding. Then 80 lines and a line of
    code. Then twelve reads of another processor at once."""
    t.at(CODE)
    for i in range(40):
        prefetch(t, DATA + LINE * i)
    rest(t, 4000)
    for i in range(8):
        for s in range(20):
            st(t, DATA + 0x100000 + LINE * s + L2_SET * i)
        rest(t, 4000)
    for s in range(20):
        prefetch(t, DATA + 0x100000 + LINE * s + L2_SET * 8)
    rest(t, 4000)
    # A fetch that misses while all buffers for fills are in use.
    for i in range(80):
        prefetch(t, DATA + 0x200000 + LINE * i)
    t.bundle(".mib", NOP_M, NOP_I, "br.cond.sptk.few 1b+{} ;;", taken=(2, CODE + 0x40000), keys=WARM)
    filler(t, 1, keys="itlb=hit")
    rest(t, 4000)
    for i in range(12):
        t.say(f"bus kind=read_line addr={DATA + 0x300000 + LINE * i:x}")
    filler(t)


def rounds(t):
    """Causes of recirculation: a store beside the load (2), a snoop (3), a prefetch of a line that is being filled
    (4)."""
    t.at(CODE)
    for i in range(2):
        warm(t, DATA + LINE * i)
        st(t, DATA + LINE * i)
        rest(do(t, "ld8 r8=[r4]", load(0, DATA + 16 + LINE * i, 8), keys=HIT))
    for i in range(3):
        warm(t, DATA + 0x1000 + LINE * i)
        t.say(f"snoop kind=read addr={DATA + 0x8000:x}")
        for _ in range(6):
            ld(t, DATA + 0x1000 + LINE * i)
        rest(t)
    for i in range(4):
        ld(t, DATA + 0x2000 + LINE * i)
        rest(prefetch(t, DATA + 0x2000 + LINE * i))
    # A way becomes free while a fill that has selected another way is in flight.
    for i in range(8):
        rest(ld(t, DATA + 0x4000 + L2_SET * i))
    ld(t, DATA + 0x4000 + L2_SET * 8)
    t.say(f"snoop kind=invalidate addr={DATA + 0x4000 + L2_SET * 5:x}")
    rest(t)
    filler(t)


def late_ways(t):
    """Another processor takes a line of L2 while a fill of the line's set, for which another line was evicted, is
    outstanding: two cycles later for each of twelve sets."""
    t.at(CODE)
    for turn in range(12):
        first = DATA + LINE * turn
        for i in range(8):
            rest(ld(t, first + L2_SET * i))
        ld(t, first + L2_SET * 8)
        rest(t, 2 * turn + 1)
        rest(t.say(f"snoop kind=invalidate addr={first + L2_SET * 5:x}"))
    filler(t)


# --- code and data together ---------------------------------------------------------------------------------------

def own_code(t):
    """Two stores to lines of code that has been executed, one store to code that has not; fc of a line of code; loads
    of the lines after the code, which are prefetched, in each cycle after the jump to it."""
    t.at(CODE)
    for i in range(2):
        t.bundle(".mib", NOP_M, NOP_I, "br.cond.sptk.few 1b+{} ;;", taken=(2, CODE + 0x1000 * (i + 1)), keys="itlb=hit")
        rest(t)
    filler(t, keys="itlb=hit")
    for i in range(2):
        rest(st(t, CODE + 0x1000 * i))
    rest(st(t, CODE + 0x8000))
    rest(do(t, "fc r4", load(0, CODE + 0x2000, LINE)))
    for i in range(24):
        target = CODE + 0x20000 + 0x1000 * i + 64  # the next line is the first half of an L2 line
        t.bundle(".mib", NOP_M, NOP_I, "br.cond.sptk.few 1b+{} ;;", taken=(2, target), keys=WARM)
        filler(t, 1, keys="itlb=hit")
        t.pc = target + 16
        rest(t, i + 1)
        rest(ld(t, target + 64))
    filler(t)


def crowded_fetches(t):
    """Straight-line code that is in no cache, with two loads in each bundle from lines in L2; twice with another
    processor's snoops in between."""
    t.at(CODE)
    for i in range(32):
        ld(t, DATA + LINE * i)
    rest(t, 4000)
    n = 0
    for part in range(3):
        for i in range(96):
            # The last third accesses one bank repeatedly.
            step, among = (16, 256) if part < 2 else (256, 16)
            first, second = DATA + step * (n % among), DATA + step * ((n + 5) % among)
            n += 7
            t.bundle(".mmi", f"ldfd f{8 + 2 * (n % 12)}=[r4]", f"ldfd f{9 + 2 * (n % 12)}=[r5]", "nop.i 0",
                     accesses=[load(0, first, 8), load(1, second, 8)], keys="itlb=hit dtlb=hit")
            if part > 0 and i % 8 == 5:
                t.say(f"snoop kind=read addr={DATA + 0x8000:x}")
        rest(t)
    filler(t)


def far_code(t):
    """Jumps to eight lines of code in memory, the last three with a bus of a thousand cycles a clock; then prefetches
    of more lines than can be outstanding."""
    t.at(CODE)
    for i in range(8):
        if i == 5:
            t.say("tb ratio=1000")
        t.bundle(".mib", NOP_M, NOP_I, "br.cond.sptk.many 1b+{} ;;", taken=(2, CODE + 0x10000 * (i + 1)), keys=WARM)
        filler(t, 1, keys="itlb=hit")
    t.say("tb ratio=5")
    rest(t, 20000)
    for i in range(12):
        t.bundle(".mib", NOP_M, NOP_I, "br.cond.sptk.many 1b+{} ;;", taken=(2, CODE + 0x200000 + 0x1000 * i), keys=WARM)
    filler(t)


# --- branches -----------------------------------------------------------------------------------------------------

def unknown(t):
    """Branches that are executed for the first time and follow their hint: of each class two not taken, one of them
    with the hint taken; IP-relative branches and returns also taken, one of each with the hint taken."""
    t.at(CODE)
    for text in ("br.cond.{}.few 1b+256", "br.ret.{}.many b0", "br.cond.{}.few b6"):
        for hint in ("dpnt", "dptk"):
            t.bundle(".mib", "adds r3=1,r3", "adds r4=1,r4", f"(p6) {text.format(hint)} ;;", mask="xxp", keys=WARM)
            rest(t)
    for text in ("br.cond.{}.few 1b+256", "br.ret.{}.many b0", "br.cond.{}.few b6"):
        for hint in ("dpnt", "dptk"):
            if "ret" in text:  # after a call, whose return address the processor predicts
                call = t.pc
                t.bundle(".mib", NOP_M, NOP_I, "br.call.sptk.many b0=1b+256 ;;", taken=(2, call + 256), keys=WARM)
                target = call + 16
            else:
                target = t.pc + 256
            t.bundle(".mib", "adds r3=1,r3", "adds r4=1,r4", f"(p6) {text.format(hint)} ;;", taken=(2, target), keys=WARM)
            rest(t)
            if "ret" in text:
                t.pc += 1024
                t.say("switch")
    filler(t)


def modulo_loops(t):
    """ctop (2) and wtop (3) whose direction was mispredicted."""
    t.at(CODE)
    for text, times in (("br.ctop.sptk.few 1b+{} ;;", 2), ("(p17) br.wtop.sptk.few 1b+{} ;;", 3)):
        for _ in range(times):
            branch(t, text, t.pc + 256, "path")
            rest(t)
    filler(t)


def full_buffer(t):
    """After a load with a dependent instruction, jumps from one bundle to the next: plain ones, which fill the branch
    buffer, then those of bundles with three branches, of which the buffer holds four bundles; then three counted
    loops that end."""
    t.at(CODE)
    for template, slots, mask in ((".mib", ("adds r3=1,r3", "adds r4=1,r4"), "xxx"),
                                  (".bbb", ("(p6) br.cond.dpnt.few 1b+512", "(p6) br.cond.dpnt.few 1b+512"), "ppx")):
        do(t, "ld8 r10=[r4]", load(0, DATA, 8), keys=f"data=l2 lat=60 {HIT}")
        do(t, "adds r12=1,r10")
        for _ in range(16):
            t.bundle(template, *slots, "br.cond.sptk.few 1b+256 ;;", mask=mask, taken=(2, t.pc + 256), keys=WARM)
        rest(t)
    for turn in range(3):
        start = t.pc
        for i in range(2):
            t.bundle(".mib", "adds r3=1,r3", "adds r4=1,r4", "br.cloop.sptk.few 1b ;;",
                     taken=None if i == 1 else (2, start), keys=WARM)
        t.pc = start + 16
        rest(t)
    filler(t)


def retirement_queue(t):
    """Twelve bundles of three branches not taken, after a load with a dependent instruction. Twelve branches may wait
    for retirement, so that fetch waits for the first ones while the rest are dispersed. Three times."""
    t.at(CODE)
    for _ in range(3):
        do(t, "ld8 r10=[r4]", load(0, DATA, 8), keys=f"data=l2 lat=60 {HIT}")
        do(t, "adds r12=1,r10")
        for _ in range(12):
            t.bundle(".bbb", *("(p6) br.cond.dpnt.few 1b+512",) * 2, "(p6) br.cond.dpnt.few 1b+512 ;;", mask="ppp",
                     keys=WARM)
        rest(t)
    filler(t)


# --- the back end -------------------------------------------------------------------------------------------------

def rare_stalls(t):
    """One of each: a load of more bytes than the store before it wrote, a fill after a spill, a deferred load, waits
    for a predicate and for an application register, bank switches, moves of registers of the register stack,
    loadrs."""
    t.at(CODE)
    st(t, DATA + 1, 1)
    filler(t)
    rest(do(t, "ld8 r9=[r5]", load(0, DATA, 8), keys=f"data=l1 {HIT}"))
    st(t, DATA + 64, text="st8.spill [r4]=r3")
    rest(do(t, "ld8.fill r9=[r5]", load(0, DATA + 128, 8), keys=f"data=l1 {HIT}"))
    rest(do(t, "ld8.s r9=[r5]", keys=f"defer=0:{DATA + 256:x} {HIT}"))
    t.bundle(".mfi", NOP_M, "fcmp.eq.s0 p6,p7=f6,f7", "nop.i 0 ;;", keys=WARM)
    t.bundle(".mii", "(p6) adds r3=1,r3", NOP_I, "nop.i 0 ;;", keys=WARM)
    do(t, "mov.m r8=ar.ccv")
    do(t, "mov.m ar.ccv=r8")
    rest(do(t, "mov.m r8=ar.ccv"))
    rest(do(t, "mov.m ar.rnat=r3"))
    rest(do(t, "mov.m r8=ar.bsp"))
    rest(do(t, "loadrs", keys=f"loadrs=80 {HIT}"))
    t.say("cpl 0")
    t.bundle(".mib", NOP_M, NOP_I, "bsw.1 ;;", keys=WARM)
    t.bundle(".mii", "adds r17=1,r16", NOP_I, "nop.i 0 ;;", keys=WARM)
    rest(t.say("cpl 3"))
    filler(t)


def trapped(t):
    """Two floating-point operations that trap. The bundle ends after each, and its rest runs later."""
    t.at(CODE)
    for _ in range(2):
        at = t.pc
        t.bundle(".mfi", "adds r3=1,r3", "fma.d f6=f7,f8,f9", "adds r4=1,r4 ;;", mask="xx-", keys=WARM)
        t.say("interrupt").at(CODE + 0x10000)
        filler(t)
        t.say("return").at(at)
        t.bundle(".mfi", "adds r3=1,r3", "fma.d f6=f7,f8,f9", "adds r4=1,r4 ;;", mask="--x", keys=WARM)
    filler(t)


def fp_alat(t):
    """Advanced loads of 35 floating-point registers, three more than the ALAT has entries."""
    t.at(CODE)
    for i in range(35):
        do(t, f"ldfd.a f{32 + i}=[r4]", load(0, DATA + 8 * i, 8))
    filler(t)


def apart(t):
    """Two misaligned loads, two loads and two stores of uncacheable memory within the 64 bytes that are accessed
    most, and one of each elsewhere; a floating-point operation of which two results are flushed to zero."""
    t.at(CODE).say(f"memory addr={DATA + 0x10000:x} size=65536 type=uc")
    hot, other = DATA + 0x10000, DATA + 0x18000
    for address in (hot, hot, other):
        do(t, "ld8 r3=[r4]", load(0, address, 8))
        do(t, "ld4 r3=[r4]", load(0, address + 10, 4))
        rest(st(t, address + 16))
    t.bundle(".mfi", "adds r3=1,r3", "fpma.s1 f6=f7,f8,f9", "adds r4=1,r4 ;;", keys=f"ftz=2 {WARM}")
    filler(t)


def dirty(t):
    """A frame of 11 local registers, then a call to a frame of 70, then a call to another frame."""
    t.at(CODE)
    for local in (11, 70):
        t.bundle(".mii", f"alloc r32=ar.pfs,0,{local},0,0", "adds r3=1,r3", "adds r4=1,r4 ;;", keys=WARM)
        branch(t, "br.call.sptk.many b0=1b+{} ;;", t.pc + 1024, "none")
    t.bundle(".mii", "alloc r32=ar.pfs,0,1,0,0", "adds r3=1,r3", "adds r4=1,r4 ;;", keys=WARM)
    filler(t)


def straight_on(t):
    """Jumps into the second half of four lines that L2 does not have. Execution continues into the next line, which
    has been requested and arrives later."""
    t.at(CODE)
    for i in range(4):
        t.bundle(".mib", NOP_M, NOP_I, "br.cond.sptk.few 1b+{} ;;", taken=(2, CODE + 0x1000 * (i + 1) + 64), keys=WARM)
        filler(t, 7, keys="itlb=hit")
    filler(t)


def store_matches(t):
    """Loads of what was stored one, two and three cycles before, twice each; then two stores per cycle to the same
    sixteen bytes, of which L2 accepts one, until the store buffer is full."""
    t.at(CODE)
    warm(t, DATA)
    for behind in (1, 2, 3, 1, 2, 3):
        st(t, DATA)
        for _ in range(behind - 1):
            do(t, "nop.m 0")
        rest(ld(t, DATA))
    for _ in range(60):
        t.bundle(".mmi", "st8 [r4]=r3", "st8 [r5]=r3", "nop.i 0 ;;",
                 accesses=[store(0, DATA, 8), store(1, DATA + 8, 8)], keys=HIT)
    rest(t)
    filler(t)


def interlocks(t):
    """A taken branch beside another one, executed repeatedly; then jumps with prefetches of the lines after their
    targets, with loads of one bank beside them."""
    t.at(CODE)
    start = t.pc
    for _ in range(6):
        t.bundle(".mbb", "adds r3=1,r3", "(p6) br.cond.dpnt.few 1b+512", "br.cond.sptk.few 1b+{} ;;", mask="xpx",
                 taken=(2, start), keys=WARM)
    t.bundle(".mbb", "adds r3=1,r3", "(p6) br.cond.dpnt.few 1b+512", "br.cond.sptk.few 1b+{} ;;", mask="xpx",
             taken=(2, CODE + 0x10000), keys=WARM)
    for i in range(16):
        ld(t, DATA + 256 * i)
    rest(t, 4000)
    for i in range(16):
        t.bundle(".mmb", f"ldfd f{8 + 2 * (i % 12)}=[r4]", f"ldfd f{9 + 2 * (i % 12)}=[r5]",
                 "br.cond.sptk.many 1b+{} ;;", taken=(2, CODE + 0x200000 + 0x1000 * i),
                 accesses=[load(0, DATA + 256 * (i % 16), 8), load(1, DATA + 256 * ((i + 3) % 16), 8)], keys=HIT)
    rest(t)
    filler(t)


PROGRAMS = {
    "store_matches": store_matches, "interlocks": interlocks, "apart": apart, "dirty": dirty, "straight_on": straight_on, "releases": releases, "acquires": acquires, "fences": fences, "errors": errors, "victims": victims,
    "replaced": replaced, "written_back": written_back, "shared": shared, "flood": flood, "rounds": rounds,
    "late_ways": late_ways, "own_code": own_code, "crowded_fetches": crowded_fetches, "far_code": far_code,
    "unknown": unknown, "modulo_loops": modulo_loops, "full_buffer": full_buffer, "retirement_queue": retirement_queue, "rare_stalls": rare_stalls,
    "trapped": trapped, "fp_alat": fp_alat,
}
