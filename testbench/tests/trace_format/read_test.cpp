// Reader::read() returns many items at once, but never tells of an instruction before its turn: a core asks find() for
// the code of wrong paths.
#include <set>

#include "trace_tools.h"

namespace pmusim::trace::test {
namespace {

/// A loop of a load, a store and a branch, in which the second half of the turns has another load, and an interrupt
/// precedes one of them.
std::vector<Record> loop(unsigned turns) {
  std::string text = "! isa ppc\n";
  for (unsigned i = 0; i < turns; ++i) {
    if (i == turns / 3) text += "! interrupt\n";
    text += i < turns / 2 ? "1000 80640000 L 8000 4\n" : "1000 80840000 L 8000 4\n";
    text += "1004 90660000 S 9000 4\n1008 4bfffff8 T 1000\n";
  }
  text += "1000 60000000\n";
  const auto reader = open_text(text, "loop");
  return read_all(*reader);
}

TEST(Read, OnlyTheFirstItemIsNew) {
  const std::vector<Record> records = loop(300);
  const auto reader = open_memory(pmt_of(records, Isa::ppc), "loop.pmt");
  std::set<const Code*> known;
  std::vector<Record> got;
  std::size_t calls = 0;
  for (auto items = reader->read(); !items.empty(); items = reader->read(), ++calls) {
    for (const Item& item : items.subspan(1)) {
      EXPECT_EQ(item.directive, nullptr);
      EXPECT_EQ(item.instruction.annotations, nullptr);
    }
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (items[i].directive == nullptr) {
        const Code* const code = items[i].instruction.code;
        EXPECT_EQ(known.insert(code).second && i != 0, false) << got.size();
        EXPECT_EQ(reader->find(code->pc), code) << got.size();
      }
      got.emplace_back(items[i]);
    }
    EXPECT_EQ(reader->code_count(), known.size());
  }
  EXPECT_EQ(got, records);
  EXPECT_EQ(known.size(), 5u);
  EXPECT_LT(calls, records.size() / 10);
}

TEST(Read, NextTakesWhatReadReturns) {
  const std::vector<Record> records = loop(300);
  const auto reader = open_memory(pmt_of(records, Isa::ppc), "loop.pmt");
  EXPECT_EQ(read_all(*reader), records);
}

}  // namespace
}  // namespace pmusim::trace::test
