# The Alpha micro-traces: what recorded programs cannot do. All five chips run them; a program for one of them says so.
# `pmusim validate` checks their counts; those that follow by arithmetic are in alpha_test.cpp.
from assembly import load, store

CODE = 0x120000000
DATA = 0x140000000
PAGE = 0x2000
TABLE = 0x800000        # mapped by a page of page tables
NOP = "bis $31,$31,$31"
SCACHE_SET = 0x8000     # bytes between blocks of one set of the 21164's secondary cache, which has three ways
BCACHE_SET = 0x1000000  # a multiple of the size of every board cache, which has one way
FILL = "dtlb=hit"


def filler(t, n):
    """Additions without dependences."""
    for i in range(n):
        t.do(f"addq $31,{i % 8},${1 + i % 4}", keys="itlb=hit")


def gap(t, i, before_first=40):
    """Additions before place i: before place 0 as many as make it the 41st instruction; before the others 5 to 17."""
    filler(t, 5 + i * 7 % 13 if i else before_first)


def spread(t, number, body):
    """Runs `body(i)` for each i below `number`, with additions between, so that a counter of fetched instructions
    reaches some of them."""
    for i in range(number):
        gap(t, i)
        body(i)


def pins(t):
    """Pin 0 is high for 9, then 20 cycles, and rises twice; pin 1 rises three times, and for misses on a 21064's board."""
    t.at(CODE)
    filler(t, 40)
    t.say("pin 0 level=1 cycles=9")
    filler(t, 80)
    t.say("pin 0 level=1 cycles=20")
    for _ in range(3):
        filler(t, 40)
        t.say("pin 1 level=1 cycles=2")
    filler(t, 40)


def pins_long(t):
    """Pin 0 is high for 300 cycles, so that a counter with the period 256 interrupts."""
    t.at(CODE)
    filler(t, 40)
    t.say("pin 0 level=1 cycles=300")
    t.say("idle cycles=320")
    filler(t, 40)


def system(t):
    """Requests of the system: five reads, three of them of blocks that this processor has, two flushes, four
    invalidates, one set-shared, three probes that miss, one other command."""
    t.at(CODE)
    for i in range(8):
        t.do("ldq $1,0($2)", load(DATA + 0x1000 * i, 8), keys=FILL)
    filler(t, 400)
    for kind, address in [("read", 0), ("read", 0x1000), ("read", 0x2000), ("read", 0x900000), ("read", 0x901000),
                          ("flush", 0x3000), ("flush", 0x902000), ("invalidate", 0x4000), ("invalidate", 0x5000),
                          ("invalidate", 0x903000), ("invalidate", 0x904000), ("set_shared", 0x6000),
                          ("probe", 0xa00000), ("probe", 0xa01000), ("probe", 0xa02000), ("other", 0x905000)]:
        t.say(f"snoop kind={kind} addr={DATA + address:x}")
        filler(t, 30)


def shared(t):
    """Six stores to blocks that other processors share, and four stores to blocks that they do not have."""
    t.at(CODE)
    for i in range(6):
        t.say(f"state addr={DATA + 0x40000 + 0x1000 * i:x} line=S")
    for i in range(10):
        t.do("stq $1,0($2)", store(DATA + 0x40000 + 0x1000 * i, 8), keys=FILL)
        filler(t, 60)
    t.do("mb")
    filler(t, 200)


def victims(t):
    """Stores to eight blocks of one set of the secondary cache, then to eight blocks of one set of the board
    cache."""
    t.at(CODE)
    for step in (SCACHE_SET, BCACHE_SET):
        for i in range(8):
            t.do("stq $1,0($2)", store(DATA + 0x40000 + step * i, 8), keys=FILL)
            filler(t, 30)
            t.do("mb")
            filler(t, 130)
    filler(t, 100)


def modes(t):
    """Additions in kernel, executive, supervisor and user mode, and in PALcode that user and kernel mode call; with
    and without the process's performance bit."""
    t.at(CODE)
    for mark in (1, 0, 1):
        t.say(f"pcb pme={mark}")
        for level in (3, 0, 1, 2, 3):
            t.say(f"cpl {level}")
            filler(t, 16)
            t.do("ldq $1,0($2)", load(DATA, 8), keys=FILL)
            t.do("stq $1,8($2)", store(DATA + 8, 8), keys=FILL)
            t.say("mode pal")
            filler(t, 8)
            t.say("mode native")
            filler(t, 8)


def levels(t):
    """Additions at IPL 0, 3, 5, 6, 7 and 0 again; at IPL 6 and 7 the counters' interrupts stay pending."""
    t.at(CODE)
    for level in (0, 3, 5, 6, 7, 6, 5, 0):
        t.say(f"ipl {level}")
        filler(t, 160)
    t.say("idle cycles=600")
    filler(t, 40)


def kernel(t):
    """Three interrupts, each with a handler of 60 instructions in kernel mode."""
    t.at(CODE)
    for i in range(3):
        filler(t, 50 + i)
        back = t.pc
        t.say("interrupt")
        t.at(0xfffffc0000240000)
        filler(t, 60)
        t.say("return")
        t.at(back)
    filler(t, 60)


def looped(t, passes, event):
    """A loop of 17 instructions. From the third iteration on, `event()` happens once per iteration, each time at
    another place of the loop. The code before it has run earlier, so it is in the cache."""
    t.at(CODE)
    for i in range(passes):
        for position in range(16):
            if i >= 2 and position == (6 + 7 * (i - 2)) % 16:
                back = t.pc
                event()
                t.at(back)
            filler(t, 1)
        t.jump("br $31,.+{}", CODE if i < passes - 1 else CODE + PAGE)
    filler(t, 30)


def interrupted(t):
    """Sixty interrupts."""
    def event():
        t.say("interrupt")
        filler(t.at(0xfffffc0000240000), 3)
        t.say("return")
    looped(t, 62, event)


def data_walks(t):
    """Two hundred loads that miss the DTB. The page tables' translation hits except for the first load. Nothing is
    fetched after a load until it is complete."""
    t.at(CODE)
    for i in range(200):
        filler(t, 3 + i * 5 % 11)
        t.do("ldq $1,0($2)", load(DATA + PAGE * i, 8), keys="dtlb=walk")
        t.say("cpl 3")
    filler(t, 30)


def data_double_walks(t):
    """Forty-eight loads that miss the DTB and whose page-table access misses it, too."""
    t.at(CODE)
    spread(t, 48, lambda i: t.do("ldq $1,0($2)", load(DATA + TABLE * i, 8)))
    filler(t, 30)


def table_walks(t):
    """Four hundred loads like those of data_double_walks. Nothing is fetched after a load until it is complete, so
    that a counter of fetched instructions reaches PALcode's read of the page table, which is the access that misses
    twice."""
    t.at(CODE)
    for i in range(400):
        filler(t, 1 + i * 5 % 11)
        t.do("ldq $1,0($2)", load(DATA + TABLE * i, 8))
        t.say("cpl 3")
    filler(t, 30)


def data_faults(t):
    """Forty-eight loads from pages that are not present."""
    t.at(CODE)
    spread(t, 48, lambda i: t.do("ldq $1,0($2)", load(DATA + PAGE * i, 8), keys="dtlb=fault"))
    filler(t, 30)


def code_walks(t):
    """Forty-eight jumps to pages of code that miss the ITB."""
    t.at(CODE)
    for i in range(48):
        gap(t, i, 39)
        t.jump("br $31,.+{}", CODE + PAGE * (i + 1) + 16 * (i % 8))
        t.do(NOP, keys="itlb=walk")
    filler(t, 30)


def code_faults(t):
    """Forty-eight jumps to pages of code that may not be executed."""
    t.at(CODE)
    for i in range(48):
        gap(t, i, 39)
        t.jump("br $31,.+{}", CODE + PAGE * (i + 1) + 16 * (i % 8))
        t.do(NOP, keys="itlb=fault")
    filler(t, 30)


def unaligned(t):
    """Forty-eight loads of eight bytes from addresses that are not multiples of eight."""
    t.at(CODE)
    spread(t, 48, lambda i: t.do("ldq $1,0($2)", load(DATA + 16 * i + 1 + i % 7, 8), keys=FILL))
    filler(t, 30)


def arithmetic(t):
    """Forty-eight additions that trap."""
    t.at(CODE)
    spread(t, 48, lambda i: t.do("addt $f1,$f2,$f3", keys="trap=arithmetic"))
    filler(t, 30)


def control(t):
    """Forty-eight writes of the floating-point control register."""
    t.at(CODE)
    spread(t, 48, lambda i: t.do("mt_fpcr $f1"))
    filler(t, 30)


def branches(t):
    """A loop whose branch is taken without a pattern, and jumps with four targets."""
    t.at(CODE)
    seed = 12345
    for i in range(160):
        seed = (seed * 1103515245 + 12345) % 0x80000000
        filler(t.at(CODE), 3)
        if seed >> 16 & 1:
            t.jump("bne $1,.+{}", CODE + 0x40)
        else:
            t.do("bne $1,.+52")
            t.jump("br $31,.+{}", CODE + 0x40)
        filler(t, 2)
        t.jump("jmp $31,($3),0", CODE + 0x80 + 0x20 * (seed >> 20 & 3))
        filler(t, 1)
        t.jump("br $31,.+{}", CODE if i < 159 else CODE + PAGE)
    filler(t, 30)


def reserved(t):
    """Forty-eight instructions with a reserved opcode."""
    t.at(CODE)
    spread(t, 48, lambda i: t.do(".long 0x04000000"))
    filler(t, 30)


def disabled(t):
    """Forty-eight floating-point instructions while floating point is disabled."""
    t.at(CODE)
    t.say("pcb fen=0")
    spread(t, 48, lambda i: t.do("addt $f1,$f2,$f3"))
    filler(t, 30)


def machine_checks(t):
    """118 parity errors of the instruction cache."""
    looped(t, 120, lambda: t.say(f"parity addr={t.pc & ~63:x}"))


def resets(t):
    """118 resets of the processor."""
    def event():
        t.say("reset")
        filler(t.at(0x900000), 4)
        t.say("switch")
        t.say("ipl 0")
        t.say("cpl 3")
    looped(t, 120, event)


def orders(t):
    """Loads after a store to the same bytes whose address comes from a multiplication, forty-eight times."""
    t.at(CODE)

    def pair(i):
        t.do("mulq $2,$2,$5")
        t.do("mulq $5,$5,$5")
        t.do("stq $1,0($5)", store(DATA + 64 * i, 8), keys=FILL)
        t.do("ldq $3,0($2)", load(DATA + 64 * i, 8), keys=FILL)
        t.do("addq $3,1,$4")
    spread(t, 48, pair)
    filler(t, 30)


def misses(t):
    """Loads of blocks that only memory has, two and three outstanding at a time."""
    t.at(CODE)
    for i in range(24):
        for k in range(3):
            t.do(f"ldq ${1 + k},0($9)", load(DATA + 0x200000 + 0x400 * (3 * i + k), 8), keys=FILL)
        filler(t, 40)
    filler(t, 200)


def full_buffers(t):
    """Eight loads that miss, and stores to eight blocks, twelve times: more than a 21164 can have outstanding."""
    t.at(CODE)
    for i in range(12):
        for k in range(8):
            t.do(f"ldq ${1 + k},0($9)", load(DATA + 0x400000 + 0x400 * (8 * i + k), 8), keys=FILL)
        filler(t, 60)
        for k in range(8):
            t.do("stq $1,0($9)", store(DATA + 0x500000 + 0x400 * (8 * i + k), 8), keys=FILL)
        filler(t, 60)
    filler(t, 200)


def hits_and_fills(t):
    """Loads into registers without other uses. They hit in every cycle while a block is being filled, and sixteen of
    them merge with a fill in pairs."""
    t.at(CODE)
    t.do("ldq $1,0($9)", load(DATA, 8), keys=FILL)
    filler(t, 203)
    for i in range(6):
        t.do("ldq $10,0($9)", load(DATA + 0x600000 + 0x400 * i, 8), keys=FILL)
        filler(t, 3)
        for k in range(160):
            t.do(f"ldq ${11 + k % 4},0($9)", load(DATA + 8 * (k % 4), 8), keys=FILL)
    loop = CODE + 0x8000
    t.jump("br $31,.+{}", loop)
    for i in range(8):  # in the first pass the code is fetched from memory
        t.at(loop)
        t.do("ldq $10,0($9)", load(DATA + 0x610000 + 0x400 * i, 8), keys=FILL)
        filler(t, 7)
        for k in range(2):
            t.do(f"ldq ${11 + k},0($9)", load(DATA + 0x610000 + 0x400 * i + 8 * k, 8), keys=FILL)
        filler(t, 397)
        t.jump("br $31,.+{}", loop if i < 7 else loop + PAGE)
    filler(t, 30)


def divides(t):
    """Divisions that wait for the divider, twelve times two of them."""
    t.at(CODE)
    for i in range(12):
        t.do("divt $f1,$f2,$f3")
        t.do("divt $f4,$f5,$f6")
        filler(t, 60)


def branch_bursts(t):
    """Thirty branches not taken after a load from memory, six times. The branches wait for the load and retire
    together: 8, 8, 8 and 6."""
    t.at(CODE)
    for i in range(6):
        t.do("ldq $2,0($9)", load(DATA + 0x620000 + 0x400 * i, 8), keys=FILL)
        for _ in range(30):
            t.do("bne $31,.+8")
        filler(t, 61)
    filler(t, 200)


def flushes(t):
    """The system probes four blocks that were written here, and flushes these and eight more; then four blocks that
    have moved from the secondary cache to the board cache."""
    t.at(CODE)
    for i in range(12):
        t.do("stq $1,0($9)", store(DATA + 0x630000 + 0x400 * i, 8), keys=FILL)
        filler(t, 20)
    t.do("mb")
    filler(t, 300)
    for i in range(4):
        t.say(f"snoop kind=probe addr={DATA + 0x630000 + 0x400 * i:x}")
        filler(t, 20)
    for i in range(12):
        t.say(f"snoop kind=flush addr={DATA + 0x630000 + 0x400 * i:x}")
        filler(t, 20)
    for i in range(8):
        t.do("stq $1,0($2)", store(DATA + 0x40000 + SCACHE_SET * i, 8), keys=FILL)
        filler(t, 30)
        t.do("mb")
        filler(t, 130)
    for i in range(4):
        t.say(f"snoop kind=flush addr={DATA + 0x40000 + SCACHE_SET * i:x}")
        filler(t, 20)


def late_interrupts(t):
    """Idle time in which a counter of 14 bits wraps and its interrupts are taken. Then the same with the interrupts
    masked, so that the counter wraps once more before the handler presets it."""
    t.at(CODE)
    filler(t, 100)
    t.say("idle cycles=17000")
    filler(t, 200)
    t.say("ipl 7")
    t.say("idle cycles=17000")
    t.say("ipl 0")
    filler(t, 1900)


def stopped(t):
    """Additions; between them the clock stops for 320, then for 640 cycles."""
    t.at(CODE)
    filler(t, 40)
    t.say("stop cycles=320")
    filler(t, 40)
    t.say("halt cycles=640")
    filler(t, 40)


PROGRAMS = {"pins": pins, "pins_long": pins_long, "system": system, "shared": shared, "victims": victims,
            "modes": modes, "levels": levels, "kernel": kernel, "interrupted": interrupted, "data_walks": data_walks, "data_double_walks": data_double_walks,
            "table_walks": table_walks,
            "control": control, "branches": branches,
            "data_faults": data_faults, "code_walks": code_walks, "code_faults": code_faults, "unaligned": unaligned,
            "arithmetic": arithmetic, "reserved": reserved, "disabled": disabled, "machine_checks": machine_checks,
            "resets": resets, "orders": orders, "misses": misses,
            "full_buffers": full_buffers,
            "hits_and_fills": hits_and_fills, "divides": divides, "branch_bursts": branch_bursts, "flushes": flushes,
            "late_interrupts": late_interrupts, "stopped": stopped}
