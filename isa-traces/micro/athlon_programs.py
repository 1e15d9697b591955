# The Athlon micro-traces: what each of them executes. The counts that follow are worked out in athlon_test.cpp.
from assembly import load, store

CODE = 0x8048000   # start of a page and of a line
DATA = 0x8100000   # start of a page
HANDLER = 0xc0100000
SET = 0x8000       # distance of lines in the same L1 set (512 sets of 64 bytes)
PAGE = 0x1000
LOAD = "mov eax,dword ptr [0x8100000]"


def jump_to(t, target):
    """A near jump with a 32-bit displacement."""
    distance = (target - (t.pc + 5)) & 0xffffffff
    return t.jump(".byte 0xe9; .long 0x%x" % distance, target)


def call(t, target):
    distance = (target - (t.pc + 5)) & 0xffffffff
    return t.jump(".byte 0xe8; .long 0x%x" % distance, target, store(DATA, 4))


def straight(t):
    """32 additions of three bytes: six fetch windows in two lines of one page."""
    t.at(CODE)
    for i in range(32):
        t.do(f"add {('eax', 'ebx', 'ecx', 'edx')[i % 4]},1")


def idle(cycles):
    def program(t):
        t.at(CODE).do("nop").say(f"idle cycles={cycles}").do("nop")
    program.__doc__ = f"Two instructions with {cycles} cycles between them in which nothing is fetched."
    return program


def halt(cycles):
    def program(t):
        t.at(CODE).say("cpl 0").do("hlt").say(f"halt cycles={cycles}").do("nop")
    program.__doc__ = f"HLT, and {cycles} cycles later the next instruction."
    return program


def code_set(count):
    def program(t):
        t.at(CODE)
        for i in range(1, count):
            jump_to(t, CODE + SET * i)
        jump_to(t, CODE + 32)
        t.do("nop")
    program.__doc__ = f"Jumps through {count} code lines of one set of two ways and back to the first."
    return program


def code_pages(count):
    def program(t):
        t.at(CODE)
        places = [CODE + i * (PAGE + 64) for i in range(count)]
        for place in places[1:] + [p + 16 for p in places]:
            jump_to(t, place)
        t.do("nop")
    program.__doc__ = f"Jumps through {count} pages of code twice."
    return program


def segments(t):
    """Loads of segment registers: ES 2, SS 1, DS 2, FS 3, GS 1, and CS by a far jump."""
    t.at(CODE).do("mov es,eax").do("pop es", load(DATA, 4)).do("mov ss,eax")
    for name in ("ds", "ds", "fs", "fs", "fs", "gs"):
        t.do(f"mov {name},eax")
    t.jump(".byte 0xea; .long 0x%x; .short 0x23" % (CODE + 0x100), CODE + 0x100).do("nop")


def self_modifying(t):
    """A store to code a few instructions ahead, and a store to data; eight instructions after them."""
    t.at(CODE).do("mov byte ptr [0x8100000],0x90", store(DATA, 1))
    t.do("mov byte ptr [0x8048012],0x90", store(CODE + 0x12, 1))
    for _ in range(8):
        t.do("nop")


def snoop_code(kind):
    def program(t):
        t.at(CODE).do(LOAD, load(DATA, 4)).say(f"snoop kind={kind} addr={CODE:x}").do("nop").do("nop")
    program.__doc__ = f"Another agent's probe ({kind}) of a line whose code is in flight after a slow load."
    return program


def alignment(t):
    """Loads of four bytes at each of the eight offsets; one addition to memory."""
    t.at(CODE)
    for offset in range(8):
        t.do(f"mov eax,dword ptr [0x{DATA + offset:x}]", load(DATA + offset, 4))
    t.do(f"add dword ptr [0x{DATA:x}],eax", load(DATA, 4), store(DATA, 4))


def split_loads(t):
    """Three loads in one cycle from a line that is present. The first and the last cross an eight-byte boundary."""
    t.at(CODE)
    access(t, "load", DATA)
    t.say("idle cycles=500")
    for offset in (5, 16, 29):
        access(t, "load", DATA + offset)


def access(t, kind, address, keys=""):
    if kind == "load":
        t.do(f"mov eax,dword ptr [0x{address:x}]", load(address, 4), keys=keys)
    else:
        t.do(f"mov dword ptr [0x{address:x}],eax", store(address, 4), keys=keys)


def data_set(kinds, answer=None, ecc=False):
    def program(t):
        t.at(CODE)
        if answer:
            t.say(f"bus kind={answer} addr={DATA:x}")
        if ecc:
            t.say(f"ecc source=system addr={DATA:x}")
        for i, kind in enumerate(kinds[:-1]):
            access(t, kind, DATA + SET * i)
            t.say("idle cycles=500")
        if ecc:
            t.say(f"ecc source=l2 addr={DATA:x}")
        access(t, kinds[-1], DATA)
        t.do("nop")
    program.__doc__ = (f"{', '.join(kinds)}: lines of one L1 set of two ways, then the first again."
                       + (f" The system answers the first line as {answer}." if answer else "")
                       + (" Single-bit errors in the first line." if ecc else ""))
    return program


def leaves(answer):
    def program(t):
        t.at(CODE).say(f"bus kind={answer} addr={DATA:x}")
        for i in range(3):
            access(t, "load", DATA + SET * i)
            t.say("idle cycles=500")
        t.do("nop")
    program.__doc__ = f"Three lines of one L1 set of two ways; the first is {answer}, leaves and is not asked for again."
    return program


def taken_away(t):
    """A line filled as shared and a line filled as owned, then another agent takes both; a third line stays."""
    t.at(CODE).say(f"bus kind=shared addr={DATA:x}").say(f"bus kind=owned addr={DATA + 64:x}")
    for i in range(3):
        access(t, "load", DATA + 64 * i)
    t.say("idle cycles=500")
    for i in range(2):
        t.say(f"snoop kind=invalidate addr={DATA + 64 * i:x}")
    t.do("nop")


def code_from_data(t):
    """Two lines of data, one exclusive and one owned, move to L2 and are then fetched as code."""
    places = (0x8200000, 0x8200040)
    t.at(CODE).say(f"bus kind=owned addr={places[1]:x}")
    for distance in range(3):
        for place in places:
            access(t, "load", place + SET * distance)
        t.say("idle cycles=500")
    back = t.pc + 5
    for place in places:
        jump_to(t, place)
        jump_to(t, back)
        back += 5
    t.do("nop")


def prefetches(t):
    """Five prefetches, two of them of the same line, of lines that no load or store accesses."""
    t.at(CODE)
    for i in (0, 1, 2, 3, 3):
        t.do(f"prefetch byte ptr [0x{DATA + 64 * i:x}]", load(DATA + 64 * i, 64)).say("idle cycles=300")
    t.do("nop")


def ecc_system_2(t):
    """Single-bit errors in two lines that the system delivers."""
    t.at(CODE)
    for i in range(2):
        t.say(f"ecc source=system addr={DATA + 64 * i:x}")
        access(t, "load", DATA + 64 * i)
    t.do("nop")


def through_and_protected(t):
    """One store to write-through memory and three to write-protected memory."""
    t.at(CODE).say(f"memory addr={DATA:x} size=4096 type=wt").say(f"memory addr={DATA + 0x10000:x} size=4096 type=wp")
    access(t, "store", DATA)
    for i in range(3):
        access(t, "store", DATA + 0x10000 + 64 * i)


def data_pages(count):
    def program(t):
        t.at(CODE)
        for _ in range(2):
            for i in range(count):
                access(t, "load", DATA + i * (PAGE + 64))
        t.do("nop")
    program.__doc__ = f"Loads from {count} pages, twice."
    return program


def memory_types(t):
    """Three uncacheable loads, a write-combining store, two write-through stores, two write-protected stores, and
    loads of four lines of write-back memory."""
    t.at(CODE)
    for i, kind in enumerate(("uc", "wc", "wt", "wp")):
        t.say(f"memory addr={DATA + 0x10000 * (i + 1):x} size=4096 type={kind}")
    for i in range(3):
        access(t, "load", DATA + 0x10000 + 64 * i)
    access(t, "store", DATA + 0x20000)
    for base in (0x30000, 0x40000):
        for i in range(2):
            access(t, "store", DATA + base + 64 * i)
    for i in range(4):
        access(t, "load", DATA + 64 * i)


def probe(what):
    def program(t):
        t.at(CODE)
        access(t, "load", DATA)
        t.say("idle cycles=300")
        for i in (1, 2):
            if what == "l2":
                access(t, "load", DATA + SET * i)
                t.say("idle cycles=300")
        t.say(f"snoop kind=read addr={CODE if what == 'code' else DATA + 0x100000 if what == 'nothing' else DATA:x}")
        t.do("nop")
    program.__doc__ = f"Another agent's probe that finds its line: {what}."
    return program


def probe_code_and_data(t):
    """A load from the next line of code, which has already been prefetched; then a probe that hits it in every
    cache."""
    t.at(CODE)
    access(t, "load", CODE + 64)
    t.say("idle cycles=500").say(f"snoop kind=read addr={CODE + 64:x}").do("nop")


def data_alias(t):
    """Loads through two virtual pages, with different index bits, of one physical page."""
    t.at(CODE).say(f"map addr={DATA + PAGE:x} to={DATA:x}")
    access(t, "load", DATA)
    t.say("idle cycles=300")
    access(t, "load", DATA + PAGE)


def code_alias(t):
    """Code executed through two virtual pages, with different index bits, of one physical page."""
    t.at(CODE).say(f"map addr={CODE + PAGE:x} to={CODE:x}")
    jump_to(t, CODE + PAGE + 16)
    t.do("nop")


def from_l2(count):
    def program(t):
        t.at(CODE).do("nop").say("idle cycles=300")
        for i in range(count):
            access(t, "load", DATA + 64 * i, keys="data=l2 dtlb=hit")
    program.__doc__ = f"{count} loads that find their lines in L2."
    return program


def calls(depth):
    def program(t):
        t.at(CODE)
        places = [CODE + 0x100 * i for i in range(depth + 1)]
        for place in places[1:]:
            call(t, place)
        for place in reversed(places[:-1]):
            t.jump("ret", place + 5, load(DATA, 4))
        t.do("nop")
    program.__doc__ = f"{depth} nested calls and their returns; the return stack holds twelve."
    return program


def branches(t):
    """Cold conditional branches, four taken and three not; an indirect jump that goes to A, A and B."""
    t.at(CODE)
    for i in range(4):
        t.jump("je .+0x20", t.pc + 0x20)
    for i in range(3):
        t.do("jne .+0x20")
    jump = t.pc
    for target in (jump + 0x40, jump + 0x40, jump + 0x80):
        t.jump("jmp eax", target)
        if target == jump + 0x40:
            t.jump("jmp .-0x40", jump)
    t.do("nop")


def forced_branches(t):
    """Conditional branches whose prediction the trace gives: two taken branches and one not taken are mispredicted,
    four are predicted."""
    t.at(CODE)
    for taken, keys in ((1, "path"), (1, "none"), (0, "path"), (0, "none"), (1, "path"), (1, "none"), (0, "none")):
        if taken:
            t.jump("je .+0x20", t.pc + 0x20, keys=f"mispredict={keys}")
        else:
            t.do("je .+0x20", keys=f"mispredict={keys}")
    t.do("nop")


def loop(t):
    """Ten iterations of load, store, decrement, branch."""
    t.at(CODE).do("nop")
    top = t.pc
    for i in range(10):
        access(t, "load", DATA)
        access(t, "store", DATA + 8)
        t.do("dec ecx")
        t.jump("jne .+{}", top) if i < 9 else t.do(f"jne .-{t.pc - top}")
    t.do("nop")


def transfers(t):
    """INT, an exception, an interrupt, an NMI and an SMI, each with a handler that ends in IRET; INTO without overflow."""
    t.at(CODE).do("nop")
    back = t.pc + 2
    t.jump("int 0x80", HANDLER, store(DATA, 12)).do("nop").jump("iret", back, load(DATA, 12)).do("nop")
    for i, what in enumerate(("interrupt vector=14", "interrupt vector=0x21", "nmi", "smi")):
        back = t.pc
        t.say(what).at(HANDLER + 0x100 * (i + 1)).do("nop").jump("iret", back, load(DATA, 12)).do("nop")
    t.do("into").do("nop")


def interrupts_2(t):
    """Two maskable interrupts, each with a handler that ends in IRET; no other kind of trap."""
    t.at(CODE).do("nop")
    for i in range(2):
        back = t.pc
        t.say("interrupt vector=0x21").at(HANDLER + 0x100 * (i + 1)).do("nop").jump("iret", back, load(DATA, 12))
        t.do("nop")


def masked(cycles):
    def program(t):
        t.at(CODE).say("cpl 0").do("nop").do("cli").say(f"idle cycles={cycles}").do("sti").do("nop")
    program.__doc__ = f"Interrupts masked by CLI for {cycles} cycles and a few."
    return program


def pending(masks):
    def program(t):
        t.at(CODE).say("cpl 0").do("cli" if masks else "sti").say("idle cycles=50").do("nop")
        t.say("pin intr level=1 cycles=50").do("nop").say("idle cycles=200").do("sti")
    program.__doc__ = f"The interrupt input is asserted for 50 cycles, interrupts {'masked' if masks else 'allowed'}."
    return program


def stall(latency, behind):
    def program(t):
        t.at(CODE)
        access(t, "store", DATA + 64)  # the line of the later store is in the cache
        t.say("idle cycles=300")
        t.do(behind.load, load(DATA, 4), keys=f"data=mem lat={latency} dtlb=hit fetch=l1")
        behind(t)
    program.__doc__ = f"A load of {latency} cycles, after it: {behind.__doc__}"
    return program


def many(text, count, description, keys="fetch=l1", accesses=(), of=LOAD):
    def behind(t):
        for _ in range(count):
            t.do(text, *accesses, keys=keys)
    behind.__doc__ = description
    behind.load = of
    return behind


def split_restart(t):
    """A store to the code that follows, beside a load across an eight-byte boundary that restarts between its two
    probes."""
    target = CODE + 7 + 5
    t.at(CODE).do(f"mov byte ptr [0x{target:x}],0x90", store(target, 1), keys="fetch=l1 dtlb=hit")
    t.do(f"mov eax,dword ptr [0x{DATA + 5:x}]", load(DATA + 5, 4), keys="fetch=l1 dtlb=hit")
    for _ in range(8):
        t.do("nop", keys="fetch=l1")


def modes(t):
    """1, 2, 4 and 8 instructions in real mode, virtual-8086 mode, SMM, and protected mode at level 3."""
    t.at(CODE)
    for count, directives in ((1, ("mode real",)), (2, ("mode v86",)), (4, ("mode smm",)),
                              (8, ("mode protected", "cpl 3"))):
        for directive in directives:
            t.say(directive)
        for _ in range(count):
            t.do("nop")


def wrong_branch(t):
    """a mispredicted branch that does not depend on it."""
    t.jump("je .+0x20", t.pc + 0x20, keys="mispredict=path fetch=l1")
    for _ in range(4):
        t.do("nop", keys="fetch=l1")


def own_code(t):
    """a store to the code that follows, many instructions ahead."""
    target = t.pc + 7 + 60
    t.do(f"mov byte ptr [0x{target:x}],0x90", store(target, 1), keys="fetch=l1 dtlb=hit")
    for _ in range(66):
        t.do("nop", keys="fetch=l1")


def quiet(t):
    """CPUID, which waits until nothing is outstanding."""
    t.do("cpuid", keys="fetch=l1").do("nop", keys="fetch=l1").do("nop", keys="fetch=l1")


for load_is_integer in (wrong_branch, own_code, quiet):
    load_is_integer.load = LOAD

STALLS = {
    "icu_full": many("nop", 100, "one hundred instructions that wait for nothing."),
    "stations_full": many("add eax,1", 40, "forty additions to what it loads."),
    "ls_full": many("mov dword ptr [0x8100040],ebx", 60, "sixty stores, which leave after it.", "fetch=l1 dtlb=hit",
                    (store(DATA + 64, 4),)),
    "fpu_full": many("fadd st,st(1)", 60, "sixty floating-point additions to what it loads.",
                     of="fld dword ptr [0x8100000]"),
    "branch_abort": wrong_branch,
    "own_code": own_code,
    "quiet": quiet,
}


def segment_stall(t):
    """A segment register load and an instruction after it."""
    t.at(CODE).do("nop").say("idle cycles=300").do("mov ds,eax", keys="fetch=l1").do("nop", keys="fetch=l1")


def serialize(count):
    def program(t):
        t.at(CODE)
        for _ in range(count):
            t.do("cpuid").do("nop")
        t.do("nop")
    program.__doc__ = f"{count} times CPUID and an instruction that has to wait for it."
    return program


def privilege(t):
    """1, 2, 4 and 8 instructions at the levels 3, 0, 1 and 2."""
    t.at(CODE)
    for level, count in ((3, 1), (0, 2), (1, 4), (2, 8)):
        t.say(f"cpl {level}")
        for _ in range(count):
            t.do("nop")


PROGRAMS = {
    "straight": straight, "idle_100": idle(100), "idle_300": idle(300), "halt_300": halt(300), "halt_500": halt(500),
    "code_set_2": code_set(2), "code_set_3": code_set(3), "code_pages_16": code_pages(16),
    "code_pages_17": code_pages(17), "segments": segments, "self_modifying": self_modifying,
    "snoop_code_read": snoop_code("read"), "snoop_code_invalidate": snoop_code("invalidate"), "alignment": alignment,
    "loads_2": data_set(("load", "load", "load")), "loads_3": data_set(("load", "load", "load", "load")),
    "stores_3": data_set(("store", "store", "store", "store")), "shared_3": data_set(("load",) * 4, "shared"),
    "owned_3": data_set(("load",) * 4, "owned"), "cancelled": data_set(("load", "load"), "cancelled"),
    "ecc": data_set(("load",) * 4, None, True), "data_pages_24": data_pages(24), "data_pages_25": data_pages(25),
    "memory_types": memory_types, "probe_data": probe("data"), "probe_l2": probe("l2"), "probe_code": probe("code"),
    "probe_nothing": probe("nothing"), "data_alias": data_alias, "code_alias": code_alias,
    "from_l2_1": from_l2(1), "from_l2_2": from_l2(2), "calls_12": calls(12), "calls_13": calls(13),
    "branches": branches, "forced_branches": forced_branches, "loop": loop, "transfers": transfers,
    "masked_100": masked(100), "masked_300": masked(300), "pending_masked": pending(True),
    "pending_allowed": pending(False), "segment_stall": segment_stall, "serialize_1": serialize(1),
    "serialize_3": serialize(3), "privilege": privilege, "shared_leaves": leaves("shared"),
    "owned_leaves": leaves("owned"), "taken_away": taken_away, "code_from_data": code_from_data,
    "prefetches": prefetches, "ecc_system_2": ecc_system_2, "through_and_protected": through_and_protected,
    "probe_code_and_data": probe_code_and_data, "interrupts_2": interrupts_2,
    "split_loads": split_loads, "split_restart": split_restart, "modes": modes,
}
for name, behind in STALLS.items():
    for latency in (150, 200):
        PROGRAMS[f"{name}_{latency}"] = stall(latency, behind)
