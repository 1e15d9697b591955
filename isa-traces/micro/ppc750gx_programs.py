# The 750GX micro-traces: what each of them executes. The counts that follow are worked out in ppc750gx_test.cpp.
from assembly import load, store

CODE = 0x10000    # start of a page and of a line
DATA = 0x200000   # start of a page
WARM = "fetch=l1 itlb=hit"  # code that is already in the cache, where fetch must not limit the speed
L1_SET = 0x1000   # distance of lines in the same L1 set (128 sets of 32 bytes)
L2_SET = 0x40000  # distance of lines in the same L2 set (4096 sets of 64 bytes)
TLB_SET = 0x40000  # distance of pages in the same TLB set (64 sets of 4 KB pages)


def straight(t):
    """24 additions in three lines of one page."""
    t.at(CODE)
    for i in range(24):
        t.do(f"addi {3 + i % 8},{3 + i % 8},1")


def two_pages(t):
    """One addition in each of two pages, 8 KB apart."""
    t.at(CODE).do("addi 3,3,1").jump("b .+{}", CODE + 0x2000).do("addi 3,3,1")


def idle(cycles):
    def program(t):
        t.at(CODE).do("addi 3,3,1").say(f"idle cycles={cycles}").do("addi 4,4,1")
    program.__doc__ = f"Two additions with {cycles} cycles between them in which nothing is executed."
    return program


def stopped(t):
    """Three additions; between them the clock stops for 320, then for 640 cycles."""
    t.at(CODE).do("addi 3,3,1").say("stop cycles=320").do("addi 4,4,1").say("halt cycles=640").do("addi 5,5,1")


def time_base(t):
    """2.5 core clocks a bus clock and 10 core clocks a time base tick, for a million cycles."""
    t.at(CODE).say("tb ratio=5/2").do("addi 3,3,1").say("idle cycles=1000000").do("addi 4,4,1")


def time_base_write(t):
    """A supervisor program sets three of the four bits that RTCSELECT can name; a user program may not."""
    t.at(CODE).do("mttbl 3", keys="wr=TBLW:11100").say("msr pr=0").do("mttbl 3", keys="wr=TBLW:11100").do("addi 4,4,1").say("idle cycles=100").do("addi 5,5,1")


def ordering(t):
    """eieio three times, sync twice, isync once."""
    t.at(CODE)
    for text in ("eieio", "sync", "eieio", "isync", "sync", "eieio"):
        t.do(text)


def reservation(t):
    """Two lwarx; a stwcx. that succeeds, one whose reservation has been used, one whose reservation another agent
    cancelled."""
    t.at(CODE).do("lwarx 3,0,4", load(DATA, 4)).do("stwcx. 3,0,4", store(DATA, 4)).do("stwcx. 3,0,4")
    t.do("lwarx 3,0,4", load(DATA, 4)).say(f"snoop kind=kill addr={DATA:x}").do("stwcx. 3,0,4")


def accesses(t):
    """Eight loads and stores, where a multiple and a string count one each; five cache operations."""
    t.at(CODE).do("lwz 3,0(4)", load(DATA, 4)).do("stb 3,0(4)", store(DATA, 1)).do("lfd 1,0(4)", load(DATA, 8))
    t.do("stfd 1,0(4)", store(DATA, 8)).do("lmw 28,0(4)", load(DATA, 16)).do("stmw 28,0(4)", store(DATA, 16))
    t.do("lswi 6,4,8", load(DATA, 8)).do("stswi 6,4,8", store(DATA, 8))
    for text in ("dcbt 0,4", "dcbz 0,4", "dcbst 0,4", "dcbf 0,4", "icbi 0,4"):
        t.do(text, store(DATA, 32) if "z" in text else load(DATA, 32))


def units(t):
    """Instructions for the system register unit (7), the floating-point unit (5), the integer units (4), and 2
    loads."""
    t.at(CODE)
    for text in ("crand 0,1,2", "cror 3,4,5", "mtlr 3", "mtctr 3", "mflr 4", "mfctr 5", "crxor 0,0,0"):
        t.do(text)
    for text in ("fadd 1,2,3", "fmul 1,2,3", "fadds 4,5,6", "fmadd 1,2,3,4", "fcmpu 0,1,2"):
        t.do(text)
    for text in ("add 3,4,5", "mullw 3,4,5", "rlwinm 3,4,1,0,30", "cmpwi 3,4"):
        t.do(text)
    t.do("lfs 1,0(4)", load(DATA, 4)).do("lwz 3,0(4)", load(DATA, 4))


def lines(t):
    """Loads of five lines of one page, then the same again."""
    t.at(CODE)
    for _ in range(2):
        for i in range(5):
            t.do("lwz 3,0(4)", load(DATA + 32 * i, 4))
        t.say("idle cycles=400")


def conflict(ways, rounds=1):
    def program(t):
        t.at(CODE)
        for _ in range(rounds):
            for i in range(ways):
                t.do("stw 3,0(4)", store(DATA + L1_SET * i, 4))
            t.say("idle cycles=2000")
        t.do("addi 3,3,1")
    program.__doc__ = f"Stores to {ways} lines of one L1 set, {rounds} times; it has eight ways."
    return program


def reload(lines_in_set):
    def program(t):
        t.at(CODE)
        for _ in range(2):
            for i in range(lines_in_set):
                t.do("lwz 3,0(4)", load(DATA + L1_SET * i, 4)).say("idle cycles=200")
        t.do("addi 3,3,1")
    program.__doc__ = f"Loads of {lines_in_set} lines of one L1 set, twice; it has eight ways, and L2 keeps them all."
    return program


def code_reload(lines_in_set):
    def program(t):
        t.at(CODE)
        for r in range(2):
            for i in range(lines_in_set):
                last = i + 1 == lines_in_set
                target = CODE + 4 * (r + 1) if last else CODE + L1_SET * (i + 1) + 4 * r
                t.jump("b .+{}", target)
        t.do("addi 3,3,1")
    program.__doc__ = f"Branches through {lines_in_set} lines of code of one L1 set, twice; it has eight ways."
    return program


def l2_conflict(count):
    def program(t):
        t.at(CODE)
        for i in range(count):
            t.do("stw 3,0(4)", store(DATA + 0x800 + L2_SET * i, 4)).say("idle cycles=400")
        t.do("addi 3,3,1")
    program.__doc__ = f"Stores to {count} lines of one L1 set and one L2 set: 8 and 4 ways."
    return program


def cache_operations(t):
    """dcbst of two lines in L2, dcbf of three lines that no cache has."""
    t.at(CODE)
    for i in range(2):
        t.do("lwz 3,0(4)", load(DATA + 64 * i, 4)).say("idle cycles=200")
    for i in range(2):
        t.do("dcbst 0,4", load(DATA + 64 * i, 32)).say("idle cycles=200")
    for i in range(3):
        t.do("dcbf 0,4", load(DATA + 0x400 + 64 * i, 32)).say("idle cycles=200")
    t.do("addi 3,3,1")


def snoops(t):
    """Stores to nine lines of one L1 set of eight ways; then another agent requests all nine, and one line that no
    cache has."""
    t.at(CODE)
    for i in range(9):
        t.do("stw 3,0(4)", store(DATA + L1_SET * i, 4)).say("idle cycles=400")
    for i in range(9):
        t.say(f"snoop kind=rwitm addr={DATA + L1_SET * i:x}")
    t.say("snoop kind=read addr=300000").say("snoop kind=read-retried addr=300000").do("addi 3,3,1")


def snooped(kind, doc):
    """Stores to nine lines of one L1 set of eight ways; then another agent snoops all nine."""
    def program(t):
        t.at(CODE)
        for i in range(9):
            t.do("stw 3,0(4)", store(DATA + L1_SET * i, 4)).say("idle cycles=400")
        for i in range(9):
            t.say(f"snoop kind={kind} addr={DATA + L1_SET * i:x}")
        t.do("addi 3,3,1")
    program.__doc__ = f"Stores to nine lines of one L1 set of eight ways; then another agent {doc} all nine."
    return program


def resolved_branches(t):
    """Five conditional branches not taken and three taken, with conditions that were resolved long before."""
    t.at(CODE).do("cmpwi 3,0").say("idle cycles=50")
    for _ in range(5):
        t.do("beq .+0x40").do("addi 4,4,1")
    for _ in range(3):
        t.jump("bne .+{}", t.pc + 8).do("addi 4,4,1")
    t.jump("b .+{}", t.pc + 8).do("addi 4,4,1")


def loop(t):
    """Ten iterations of a loop whose branch waits for a divide; the branch history starts as strongly not taken."""
    t.at(CODE).do("addi 3,3,1").do("addi 3,3,1")
    top = t.pc
    for i in range(10):
        t.do("divw. 3,4,5")
        if i < 9:
            t.jump("bne .+{}", top)
        else:
            t.do(f"bne .-4")
    t.do("addi 3,3,1")


def chain(branches, before):
    def program(t):
        t.at(CODE).do(f"{before} 4,4,5", keys=WARM)
        t.do("divw. 3,4,5", keys=WARM)
        for i in range(1, branches):
            t.do(f"cmpwi cr{i},3,0", keys=WARM)
        for i in range(branches):
            t.do(f"bt {4 * i + 2},.+0x40", keys=WARM)
        for i in range(4):
            t.do("addi 6,6,1", keys=WARM)
    program.__doc__ = f"{branches} untaken branches on the result of {before} and divw., then instructions after them."
    return program


def link_wait(register, before):
    def program(t):
        t.at(CODE).do(f"{before} 4,4,5", keys=WARM).do("divw 4,4,5", keys=WARM)
        t.do(f"mt{register} 4", keys=WARM)
        t.jump("blr" if register == "lr" else "bctr", CODE + 0x40, keys=WARM).do("addi 6,6,1", keys=WARM)
    program.__doc__ = f"A branch to {register.upper()}, which waits for {before} and divw."
    return program


def latencies(t):
    """Loads that miss L1 and take 20, 21 and 63 cycles; the same where the operand crosses a word, and a multiple."""
    t.at(CODE)
    for i, (text, size, offset, lat) in enumerate((("lwz 3,0(4)", 4, 0, 20), ("lwz 3,0(4)", 4, 0, 21),
                                                   ("lwz 3,0(4)", 4, 0, 63), ("lwz 3,2(4)", 4, 2, 63),
                                                   ("lmw 31,0(4)", 4, 0, 63))):
        t.do(text, load(DATA + 32 * i + offset, size), keys=f"data=mem lat={lat} dtlb=hit").say("idle cycles=300")
    t.do("addi 3,3,1")


def load_wait(latency):
    def program(t):
        t.at(CODE).do("addi 3,3,1").do("lwz 3,0(4)", load(DATA, 4), keys=f"data=mem lat={latency} dtlb=hit")
        t.do("addi 3,3,1")
    program.__doc__ = f"One load that misses L1 and takes {latency} cycles."
    return program


def data_pages(pages, rounds):
    def program(t):
        t.at(CODE)
        for _ in range(rounds):
            for i in range(pages):
                t.do("lwz 3,0(4)", load(DATA + TLB_SET * i + 64 * i, 4)).say("idle cycles=400")
        t.do("addi 3,3,1")
    program.__doc__ = f"Loads from {pages} pages of one TLB set, {rounds} times; it has two ways."
    return program


def privilege(t):
    """1, 2, 4 and 8 additions as problem state, supervisor, marked supervisor and marked problem state."""
    t.at(CODE)
    for pr, pm, count in ((1, 0, 1), (0, 0, 2), (0, 1, 4), (1, 1, 8)):
        t.say(f"msr pr={pr} pm={pm}")
        for _ in range(count):
            t.do("addi 3,3,1")


def shared_code(t):
    """The mark (MSR[PM]) is set and cleared in problem state; then a handler executes the same addition as the
    program, untranslated."""
    t.at(CODE).say("msr pr=1 pm=1").do("addi 3,3,1").say("msr pr=1 pm=0").do("addi 3,3,1")
    t.jump("b .+{}", CODE + 0x20).do("addi 3,3,1").say("interrupt")
    t.at(CODE + 0x20).do("addi 3,3,1").do("addi 4,4,1").say("return").at(CODE + 0x24).do("addi 4,4,1")


PROGRAMS = {
    "straight": straight, "two_pages": two_pages, "idle_100": idle(100), "idle_300": idle(300),
    "idle_1200000": idle(1200000), "stopped": stopped, "time_base": time_base, "time_base_write": time_base_write, "ordering": ordering, "reservation": reservation,
    "accesses": accesses, "units": units, "lines": lines,
    "conflict_8": conflict(8, 2), "conflict_11": conflict(11), "reload_8": reload(8), "reload_9": reload(9),
    "l2_conflict_8": l2_conflict(8), "l2_conflict_15": l2_conflict(15), "cache_operations": cache_operations,
    "snoops": snoops, "kills": snooped("kill", "kills"), "write_kills": snooped("write_kill", "writes with kill"),
    "resolved_branches": resolved_branches, "loop": loop,
    "chain_1": chain(1, "add"), "chain_2": chain(2, "add"), "chain_2_longer": chain(2, "divw"),
    "chain_3": chain(3, "add"), "chain_3_longer": chain(3, "divw"), "link_wait": link_wait("lr", "add"),
    "link_wait_longer": link_wait("lr", "divw"), "count_wait": link_wait("ctr", "divw"), "latencies": latencies, "load_wait_30": load_wait(30),
    "load_wait_50": load_wait(50), "pages_2": data_pages(2, 2), "pages_3": data_pages(3, 2), "privilege": privilege, "shared_code": shared_code, "code_reload_8": code_reload(8), "code_reload_9": code_reload(9),
}
