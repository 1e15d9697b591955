// A core allocates no memory once it knows a loop: the storage of instructions in flight is reused.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "models/targets.h"
#include "pmusim/trace/reader.h"
#include "testbench/tests/core_parts/counted_new.h"

namespace pmusim {
namespace {

/// Returns the instructions of a text trace repeatedly, from memory.
class Loop final : public trace::Reader {
 public:
  explicit Loop(const std::string& text) : text_(trace::open_text(text, "loop")) {
    for (trace::Item item; text_->next(item);) {
      accesses_.emplace_back(item.instruction.accesses.begin(), item.instruction.accesses.end());
      items_.push_back(item);
    }
    for (std::size_t i = 0; i < items_.size(); ++i) items_[i].instruction.accesses = accesses_[i];
  }
  [[nodiscard]] const trace::TraceInfo& info() const override { return text_->info(); }
  std::span<const trace::Item> read() override { return items_; }
  [[nodiscard]] const trace::Code* find(std::uint64_t pc) const override { return text_->find(pc); }
  [[nodiscard]] std::uint32_t code_count() const override { return text_->code_count(); }

 private:
  std::unique_ptr<trace::Reader> text_;
  std::vector<std::vector<trace::Access>> accesses_;
  std::vector<trace::Item> items_;
};

struct Row {
  std::string_view target;
  std::string loop;  ///< load, addition, store, no-operation, branch back
};
const Row rows[] = {
    {"athlon", "! isa i386\n1000 8b03 L 8000 4\n1002 01c8\n1004 8906 S 9000 4\n1006 90\n1007 75f7 T 1000\n"},
    {"ppc750gx",
     "! isa ppc\n1000 80640000 L 8000 4\n1004 7c632a14\n1008 90660000 S 9000 4\n100c 60000000\n"
     "1010 4082fff0 T 1000\n"},
    {"itanium2", ""},
    {"montecito", ""},
    {"alpha-ev4", ""},
    {"alpha-ev5", ""},
    {"alpha-pca56", ""},
    {"alpha-ev6", ""},
    {"alpha-ev67", ""},
};
constexpr std::string_view alpha_loop =
    "! isa alpha\n1000 000022a4 L 8000 8\n1004 03042340\n1008 000062b4 S 9000 8\n100c 1f04ff47\n1010 fbff3ff4 T 1000\n";

constexpr std::string_view ia64_loop =
    "! isa ia64\n4000000000001000 094000121810007028302360c1680080 xxx L0 6000000000008000 8 S1 6000000000009000 8 "
    "bsp=6000000000010000\n4000000000001010 110000000100c05824004000f0ffff48 xxx T2 4000000000001000\n";

class Allocations : public testing::TestWithParam<Row> {};

TEST_P(Allocations, NoneInALoop) {
  constexpr std::uint64_t instructions = 20'000;
  const models::Target& target = *models::find_target(GetParam().target);
  const std::string_view shared = target.isa == trace::Isa::ia64 ? ia64_loop : alpha_loop;
  const std::string loop = GetParam().loop.empty() ? std::string(shared) : GetParam().loop;
  const auto core = target.make_core(std::make_unique<Loop>(loop), target.parameters());
  activity::Block block;
  const auto run = [&] {
    block.restart(core->now());
    ASSERT_TRUE(core->run_instructions(instructions, block));
  };
  // The first block is not the longest: it began with empty caches.
  for (unsigned i = 0; i < 5; ++i) run();
  const std::size_t before = allocations;
  run();
  EXPECT_EQ(allocations - before, 0u);
  EXPECT_GE(core->retired(), 6 * instructions);
}

INSTANTIATE_TEST_SUITE_P(Targets, Allocations, testing::ValuesIn(rows), [](const auto& info) {
  std::string name(info.param.target);
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
});

}  // namespace
}  // namespace pmusim
