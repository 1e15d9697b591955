# The traces of IA-64 ranges, for questions that no other trace answers.
import assembly

# Each bit is 1 in half of the patterns. Code addresses are those of bundles.
PATTERNS = [int(digit * 16, 16) for digit in "5a3c"]
BUNDLE = ~15
# Number of visits of the address itself, different from that of all other addresses.
TIMES = 3


def tour(trace, places, fetched="l1"):
    """A branch from each address to the next, with a load; loads alternate between two registers."""
    keys = f"fetch={fetched} itlb=hit dtlb=hit data=l1 mispredict=none"
    for number, ((code, data), (target, _)) in enumerate(zip(places, places[1:] + [(places[0][0] ^ 0x1000, 0)])):
        trace.at(code).bundle(".mib", f"ld1 r{2 + number % 2 * 2}=[r3]", "nop.i 0", "br.cond.sptk.few b6 ;;",
                              accesses=[assembly.slot_load(0, data, 1)], taken=(2, target), keys=keys)
    trace.bundle(".mii", "nop.m 0", "nop.i 0", "nop.i 0 ;;", keys="fetch=l1 itlb=hit")


def every_address_bit(trace):
    """Bundles at four addresses, three times, and once at each of these addresses with one bit inverted; with loads
    of one byte at addresses that are made in the same way."""
    places = []
    for pattern in PATTERNS:
        code = pattern & BUNDLE
        places += [(code, pattern)] * TIMES
        places += [(code ^ 1 << max(bit, 4), pattern ^ 1 << bit) for bit in range(64)]
    tour(trace, places)


def blocks_of_a_range(trace):
    """Loads of one byte in each block that covers a range of 2 to 9 units, three times, and once with one bit of the
    address inverted. A range begins one unit above a multiple of sixteen; its blocks begin 1, 2, 4 and 8 units above."""
    places = []
    for pattern in (PATTERNS[0], *PATTERNS[2:]):
        for unit in (1, 1 << 3, 1 << 10, 1 << 30):
            for block in (1, 2, 4, 8):
                data = (pattern & ~(16 * unit - 1)) + block * unit
                places += [data] * TIMES
                places += [data ^ 1 << bit for bit in range(64)]
    tour(trace, [(0x20000 + 0x20 * number, data) for number, data in enumerate(places)])


def bounds_in_a_page(trace):
    """Bundles on both sides of every power of two, and of every power of two times one and a half, in two pages of 64
    KB."""
    places = []
    for pattern in PATTERNS[:2]:
        page = pattern & ~0xffff
        offsets = {0, 16, 32, 48, 0xffd0, 0xffe0, 0xfff0}
        for order in range(5, 16):
            for middle in (1 << order, 3 << order >> 1):
                offsets |= {middle + step * 16 for step in range(-4, 5)}
        places += [(page + (offset & BUNDLE), page + offset) for offset in sorted(offsets) if 0 <= offset <= 0xffff]
    tour(trace, places, "l2")


def levels_in_turn(trace):
    """Sixty-four bundles at levels 3, 0, 2 and 1, and again: more cycles than the longest delay of an address
    trace."""
    trace.at(0x20000)
    for level in (3, 0, 2, 1) * 2:
        trace.say(f"cpl {level}")
        for _ in range(64):
            trace.bundle(".mii", "nop.m 0", "nop.i 0", "nop.i 0 ;;", keys="fetch=l1 itlb=hit")


def slots_of_each_type(trace):
    """Slots of each type: one F, two B, four I, eight M, so that no two sets of types have the same number."""
    keys = "fetch=l1 itlb=hit"
    trace.at(0x10000)
    for template, slots in ((".mmf", "mmf"), (".mib", "mib"), (".mib", "mib"), (".mmi", "mmi"),
                            (".mmi", "mmi")):
        *first, last = [f"nop.{slot} 0" for slot in slots]
        trace.bundle(template, *first, last + " ;;", keys=keys)


PROGRAMS = {program.__name__: program
            for program in (every_address_bit, blocks_of_a_range, bounds_in_a_page, slots_of_each_type, levels_in_turn)}
