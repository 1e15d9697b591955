// The event table compared with the copy in rows.h: unit masks, maximum per cycle, qualifiers, sets, types, counters.
#include "models/montecito/events.h"
#include "testbench/tests/monitors/ia64_table.h"
#include "testbench/tests/pmu_montecito/bench.h"
#include "testbench/tests/pmu_montecito/rows.h"

namespace pmusim::testing {
namespace {

char letter(pmu::ia64::Type type) { return "AFCS"[static_cast<unsigned>(type)]; }

/// The model's row; if two events share the code, the one of the row's group.
const pmu::ia64::Event* find(const Row& row, unsigned umask) {
  constexpr unsigned shared_code = 0xbc;
  for (const pmu::ia64::Event& event : pmu::montecito::multiplexer()) {
    if (event.code != row.code || (event.umasks >> umask & 1) == 0) continue;
    if (row.code != shared_code || static_cast<unsigned>(event.group) == row.group) return &event;
  }
  return nullptr;
}

TEST(Table, EveryRow) {
  std::size_t listed = 0;
  for (const Row& row : rows) {
    for (unsigned umask = 0; umask < 16; ++umask) {
      if ((row.umasks >> umask & 1) == 0) continue;
      ++listed;
      const pmu::ia64::Event* const event = find(row, umask);
      ASSERT_NE(event, nullptr) << std::hex << row.code << ' ' << umask;
      EXPECT_EQ(event->most, row.most) << std::hex << row.code << ' ' << umask;
      EXPECT_STREQ(letters(*event), row.qualifiers) << std::hex << row.code << ' ' << umask;
      EXPECT_EQ(static_cast<unsigned>(event->group), row.group) << std::hex << row.code << ' ' << umask;
      EXPECT_EQ(event->set, row.set) << std::hex << row.code << ' ' << umask;
      EXPECT_EQ(letter(event->type), row.type) << std::hex << row.code << ' ' << umask;
      EXPECT_EQ(event->counters & 0xfffu, row.counters) << std::hex << row.code << ' ' << umask;
      EXPECT_EQ(event->line_state >= 0, row.line_states) << std::hex << row.code << ' ' << umask;
    }
  }
  std::size_t found = 0;
  for (const pmu::ia64::Event& event : pmu::montecito::multiplexer())
    found += static_cast<std::size_t>(__builtin_popcount(event.umasks));
  EXPECT_EQ(found, listed) << "nothing else counts";
}

}  // namespace
}  // namespace pmusim::testing
