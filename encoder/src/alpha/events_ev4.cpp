// Events of the 21064 family: names and values after sys/pfcntr.h of Tru64 UNIX, meaning after its manual page pfm(7).
// The low bit of PCMUX0 is ignored except in the values 0xA and 0xB.
#include "table.h"

namespace pmusim::encoder::alpha {
namespace {

constexpr Row kRows[] = {
    {"PF_ISSUES", 0, 0x0, 1, "Issue cycles, counted in halves: 1 for a dual issue, 1/2 for a single one"},
    {"PF_PIPEDRY", 0, 0x2, 1,
     "Cycles without issue because no valid instructions have arrived or a trap drains the pipe"},
    {"PF_LOADI", 0, 0x4, 1, "Load instructions; one replayed after a miss of the data cache counts again"},
    {"PF_PIPEFROZEN", 0, 0x6, 1, "Cycles without issue because a register, unit or buffer is not free"},
    {"PF_BRANCHI", 0, 0x8, 1, "Branch instructions of all kinds"},
    {"PF_CYCLES", 0, 0xA, 1, "Every cycle"},
    {"PF_PALMODE", 0, 0xB, 1, "Cycles in PALmode"},
    {"PF_NONISSUES", 0, 0xC, 1, "Cycles without issue, counted in halves: 1 for none, 1/2 for a single issue"},
    {"PF_EXTPIN0", 0, 0xE, 1, "Events on external pin 0, whose meaning is the system's"},
    {"PF_DCACHE", 1, 0, 1, "Data cache probes that take more than a cycle: misses, and hits that had to wait"},
    {"PF_ICACHE", 1, 1, 1, "Misses of the instruction cache"},
    {"PF_DUAL", 1, 2, 1, "Cycles that issue two instructions"},
    {"PF_BRANCHMISS", 1, 3, 1, "Mispredicted branches"},
    {"PF_FPINST", 1, 4, 1, "Floating-point operates; loads, stores and branches are none"},
    {"PF_INTOPS", 1, 5, 1, "Integer operates, LDA and LDAH among them"},
    {"PF_STOREI", 1, 6, 1, "Store instructions"},
    {"PF_EXTPIN1", 1, 7, 1, "Events on external pin 1, whose meaning is the system's"},
};

}  // namespace

const Table& ev4_table() {
  static constexpr Table table{"pfm(7), EV4 statistics; sys/pfcntr.h", {{kRows, {}}}, {}};
  return table;
}

}  // namespace pmusim::encoder::alpha
