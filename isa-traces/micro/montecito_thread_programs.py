# Montecito micro-traces of two threads: memory requests that are still in flight when their thread is switched out.
import itanium2_more_programs as more
import montecito_programs as own
from itanium2_more_programs import HIT, L2_SET, LINE, do, ld, prefetch, rest, st
from itanium2_programs import CODE, DATA, filler

L3_SET = 0x100000  # bytes between lines of the same set of L3, which has twelve ways
OTHER_CODE = CODE + 0x100000
FROM_MEMORY = f"data=mem {HIT}"
TURNS = 6


def leave(t, turn, *behind):
    """A store that memory serves, a fence, and an instruction that waits for it: the other thread runs in the
    meantime."""
    st(t, DATA + 0x40000 + 4096 * turn, keys=FROM_MEMORY)
    do(t, "mf")
    for act in behind:
        act(t)
    filler(do(t, "hint.m 0"))


def touch(t, *addresses):
    """Loads of lines in L2, whose latency causes no switch of threads."""
    for address in addresses:
        rest(prefetch(t, address))


def stores(first, count):
    return [lambda t, a=first + LINE * i: st(t, a) for i in range(count)]


def abroad_0(t):
    """Code that is snooped; a line of L2 that another processor takes while another line of its set is being filled,
    and that other line before it arrives; a line that the chipset reads. Outstanding when the thread is switched out:
    stores to two lines that are shared here and modified elsewhere; stores to two lines that only another cache has,
    modified; loads of two lines that another cache has, and of two that it has modified; a store to a line that
    evicts a modified one from L2 and from L3; fourteen stores and fourteen lfetches of lines that no cache has;
    twenty lfetches on a slow bus, and a flush of a clean line."""
    filler(t.at(CODE), 8, keys="fetch=l2 itlb=hit")
    filler(rest(t.say(f"snoop kind=invalidate addr={CODE:x}")))
    line = DATA + 0x10000
    touch(t, *(line + L2_SET * i for i in range(8)))
    prefetch(t, line + L2_SET * 8)
    filler(t, 60)
    for i in (5, 8):
        t.say(f"snoop kind=invalidate addr={line + L2_SET * i:x}")
        filler(t, 8)
    rest(t)
    rest(t.say(f"bus kind=read_current addr={line:x} agent=io"))
    filler(t)

    for i in range(2):
        t.say(f"state addr={DATA + LINE * i:x} line=E at=elsewhere")
        touch(t, DATA + LINE * i)
        t.say(f"state addr={DATA + LINE * i:x} line=M at=elsewhere")
    leave(t, 0, *stores(DATA, 2))

    line = DATA + 0x1000
    for i in range(2):
        t.say(f"state addr={line + LINE * i:x} line=M at=elsewhere")
    leave(t, 1, *stores(line, 2))

    line = DATA + 0x2000
    for i in range(4):
        t.say(f"state addr={line + LINE * i:x} line={'EEMM'[i]} at=elsewhere")
    leave(t, 2, *(lambda t, a=line + LINE * i: ld(t, a) for i in range(4)))

    line = DATA + 0x3000
    for i in range(12):
        rest(st(t, line + L3_SET * i))
    leave(t, 3, *stores(line + L3_SET * 12, 1))

    line = DATA + 0x5000
    leave(t, 4, *stores(line, 14), *(lambda t, a=line + LINE * i: prefetch(t, a) for i in range(14, 28)))

    line = DATA + 0x7000
    touch(t, line)
    t.say("tb ratio=50")
    leave(t, 5, *(lambda t, a=line + LINE * i: prefetch(t, a) for i in range(1, 21)),
          lambda t: do(t, "fc r4", f"L0 {line:x} {LINE}"))
    filler(rest(t.say("tb ratio=5")))


def abroad_1(t):
    """The other thread, at level 0, runs for long each time."""
    t.at(OTHER_CODE).say("cpl 0")
    for _ in range(TURNS):
        filler(do(rest(t, 4000), "hint.m 0"))


def solitary_0(t):
    """Rare events, beside a thread that ends early."""
    own.medley(t, [own.crowded_sets, own.code_again, more.releases, more.flood])


def solitary_1(t):
    """The other thread, which ends early."""
    filler(t.at(OTHER_CODE), 2)


PROGRAMS = {f.__name__: f for f in (abroad_0, abroad_1, solitary_0, solitary_1)}
