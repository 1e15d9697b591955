// The Athlon core against lists: what its caches, TLBs, predictor and return stack hold, on every recorded program and
// on random ones.
#include "models/core/athlon/athlon.h"

#include <gtest/gtest.h>

#include "testbench/tests/list_models/athlon_caches.h"
#include "testbench/tests/list_models/athlon_lists.h"
#include "testbench/tests/list_models/athlon_program.h"
#include "testbench/tests/list_models/programs.h"

namespace pmusim::testbench::athlon_lists {
namespace {

/// 16 lines in each L1 and 64 in L2, so that lines leave all the time.
const Changes small_caches = {
    {"core.l1i_bytes", 1024}, {"core.l1d_bytes", 1024}, {"core.l2_bytes", 4096}, {"core.l2_ways", 4}};
/// L1s whose sets are selected by more than the offset within a page.
const Changes wide_caches = {
    {"core.l1i_bytes", 16384}, {"core.l1d_bytes", 16384}, {"core.l2_bytes", 8192}, {"core.l2_ways", 2}};
const Changes small_tables = {{"core.itlb_entries", 2},         {"core.itlb2_entries", 8},
                              {"core.itlb2_ways", 2},           {"core.dtlb_entries", 2},
                              {"core.dtlb2_entries", 8},        {"core.dtlb2_ways", 2},
                              {"core.btb_entries", 64},         {"core.history_bits", 3},
                              {"core.history_address_bits", 2}, {"core.return_stack_entries", 3}};

/// Tells the model what the trace says beside its instructions.
void tell(CachesModel& model, trace::Reader& program) {
  const std::string states = "ISEOM";
  for (trace::Item item; program.next(item);) {
    if (item.directive == nullptr) {
      const trace::Code& code = *item.instruction.code;
      if (code.bytes[0] == 0x0f && code.bytes[1] == 0x0d && (code.bytes[2] >> 3 & 7) == 1)
        model.owned_prefetch(code.pc);
      continue;
    }
    const trace::Directive& say = *item.directive;
    if (say.name == "snoop") model.expect_snoop(address(say), operand(say, "kind") == "invalidate");
    if (say.name == "map") model.map_page(address(say) / 4096, address(say, "to") / 4096);
    if (say.name == "state") model.place(address(say), static_cast<LineState>(states.find(operand(say, "line"))));
    if (say.name == "bus") {
      const std::string kind = operand(say, "kind");
      model.answer(address(say), kind == "shared"  ? LineState::shared
                                 : kind == "owned" ? LineState::owned
                                                   : LineState::invalid);
    }
  }
}

struct Totals {
  std::array<std::uint64_t, activity::signal_count> compared{};
  std::uint64_t pending = 0, upgrades = 0, page_ends = 0;
  [[nodiscard]] std::uint64_t of(Signal signal) const { return compared[static_cast<std::size_t>(signal)]; }
};

Totals compare_caches(const std::vector<ListedProgram>& programs, const Changes& changes) {
  Totals totals;
  for_each_run(core::athlon_parameters(), {changes}, {programs}, [&](const ListedProgram& program, const auto& p) {
    CachesModel model(p);
    tell(model, *program.open());
    each_cycle(*core::make_athlon(program.open(), p), CachesModel::signals,
               [&](const CycleView& view) { return model.step(view); });
    model.finish();
    EXPECT_EQ(model.error(), "") << program.name;
    for (std::size_t i = 0; i < totals.compared.size(); ++i) totals.compared[i] += model.compared(Signal(i));
    totals.pending += model.pending_probes;
    totals.upgrades += model.upgrades;
    totals.page_ends += model.page_ends;
  });
  return totals;
}

TEST(AthlonCaches, HoldWhatTheListsHoldOnRecordedPrograms) {
  for (const Changes& changes : {Changes{}, small_caches}) {
    const Totals totals = compare_caches(recorded_programs("i386", changes.empty() ? 400'000 : 100'000), changes);
    if (programs_are_given()) continue;
    EXPECT_GT(totals.pending, 0u);
    for (const Signal signal : {Signal::dcache_lookup, Signal::fetch, Signal::line_fill, Signal::line_evict,
                                Signal::l2_lookup, Signal::l2_array, Signal::bus_request, Signal::cross_invalidate})
      EXPECT_GT(totals.of(signal), 0u) << static_cast<int>(signal);
  }
}

TEST(AthlonCaches, HoldWhatTheListsHoldOnRandomPrograms) {
  RandomProgram program;
  for (const bool snoops : {false, true}) {
    program.snoops = program.answers = snoops;
    const Totals totals = compare_caches(random_programs(trace::Isa::i386, program, 25), small_caches);
    EXPECT_GT(totals.page_ends, 0u);
    EXPECT_GT(totals.of(Signal::cross_invalidate), 0u);
    if (!snoops) continue;
    EXPECT_GT(totals.upgrades, 0u);
    EXPECT_GT(totals.of(Signal::snoop), 0u);
  }
  program.aliases = true;
  program.data_pages = 4;
  const Totals totals = compare_caches(random_programs(trace::Isa::i386, program, 25), wide_caches);
  EXPECT_GT(totals.of(Signal::cross_invalidate), 0u);
}

// With the default sizes and with small ones, where entries collide and are lost.
TEST(AthlonPredictor, SaysWhatCountersTargetsAndStackSay) {
  std::uint64_t branches = 0, mispredicted = 0, returns = 0, overwrites = 0, wrong_path = 0, targets_wrong = 0;
  const auto compare = [&](const ListedProgram& program, const models::Parameters& p) {
    const FrontEndRun run = FrontEndRun::of(*core::make_athlon(program.open(), p));
    DirectionModel directions(p);
    EXPECT_EQ(directions.check(run), "") << program.name;
    ReturnStackModel stack(p);
    EXPECT_EQ(stack.check(run), "") << program.name;
    branches += directions.branches;
    mispredicted += directions.mispredicted;
    targets_wrong += directions.targets_wrong;
    returns += stack.returns;
    overwrites += stack.overwrites;
    wrong_path += stack.wrong_path;
  };
  const auto random = random_programs(trace::Isa::i386, RandomProgram(), 40);
  for_each_run(core::athlon_parameters(), {{}}, {recorded_programs("i386", 250'000), random}, compare);
  for_each_run(core::athlon_parameters(), {small_tables}, {recorded_programs("i386"), random}, compare);
  for (const std::uint64_t seen : {branches, mispredicted, targets_wrong, returns, overwrites, wrong_path})
    EXPECT_GT(seen, 0u);
}

/// Instructions that follow a change of the process, for programs without repeated instructions.
std::set<std::uint64_t> changes_of_process(trace::Reader& program) {
  std::set<std::uint64_t> found;
  std::uint64_t id = 0;
  for (trace::Item item; program.next(item);) {
    if (item.directive == nullptr) {
      ++id;
    } else if (item.directive->name == "process") {
      found.insert(id);
    }
  }
  return found;
}

// What the order of the program alone gives needs a run without wrong paths.
TEST(AthlonOrder, OfWindowsProbesAndTranslationsIsThatOfTheProgram) {
  RandomProgram random;
  random.processes = true;
  random.data_pages = random.code_pages = 12;
  const auto compare = [&](const ListedProgram& program, const models::Parameters& p) {
    FrontEndRun run = FrontEndRun::of(*core::make_athlon(program.open(), p));
    run.new_process = changes_of_process(*program.open());
    if (run.resyncs) return;  // a store into code in flight fetches what follows once more
    EXPECT_EQ(WindowModel(p).check(run), "") << program.name;
    EXPECT_EQ(DataModel(p).check(run, *program.open()), "") << program.name;
  };
  for_each_run(changed(core::athlon_parameters(), {{"core.wrong_path", 0}}), {{}, small_tables},
               {recorded_programs("i386"), random_programs(trace::Isa::i386, random, 25)}, compare);
}

}  // namespace
}  // namespace pmusim::testbench::athlon_lists
