// The 750GX core against lists: what its caches, TLBs, branch history and target instructions hold, on every recorded
// program and on random ones.
#include "models/core/ppc750/ppc750.h"

#include <gtest/gtest.h>

#include "testbench/tests/list_models/ppc750_caches.h"
#include "testbench/tests/list_models/ppc750_lists.h"
#include "testbench/tests/list_models/ppc750_program.h"
#include "testbench/tests/list_models/programs.h"

namespace pmusim::testbench::ppc750_lists {
namespace {

/// Two sets in each L1 and four in L2, so that blocks leave all the time.
const Changes small_caches = {{"core.l1i.sets", 2}, {"core.l1d.sets", 2}, {"core.l2.sets", 4}};
const Changes small_tables = {
    {"core.tlb.sets", 2}, {"core.bht.entries", 8}, {"core.btic.sets", 2}, {"core.btic.ways", 2}};

void tell(CachesModel& model, trace::Reader& program) {
  for (trace::Item item; program.next(item);) {
    if (item.directive == nullptr) {
      for (const Piece& piece : pieces_of(item.instruction)) {
        if (piece.store || piece.operation) model.expect_store({piece.kind, piece.address});
      }
    } else if (item.directive->name == "snoop") {
      model.expect_snoop(operand(*item.directive, "kind"), address(*item.directive));
    }
  }
}

struct Totals {
  std::array<std::uint64_t, activity::signal_count> compared{};
  std::uint64_t castouts = 0, l2_castouts = 0, pending = 0, pushes = 0, retries = 0, walks = 0;
};

/// Follows a program with a model to its end.
template <class Model>
void follow(const ListedProgram& program, const models::Parameters& p, Model& model) {
  each_cycle(*core::make_ppc750(program.open(), p), Model::signals,
             [&](const CycleView& view) { return model.step(view); });
  model.finish();
  EXPECT_EQ(model.error(), "") << program.name;
}

Totals compare_caches(const std::vector<ListedProgram>& programs, const Changes& changes) {
  Totals totals;
  for_each_run(core::ppc750_parameters(), {changes}, {programs}, [&](const ListedProgram& program, const auto& p) {
    CachesModel model(p);
    tell(model, *program.open());
    follow(program, p, model);
    for (std::size_t i = 0; i < totals.compared.size(); ++i) totals.compared[i] += model.compared(Signal(i));
    totals.castouts += model.castouts;
    totals.l2_castouts += model.l2_castouts;
    totals.pending += model.pending;
    totals.pushes += model.pushes;
    totals.retries += model.retries;
    totals.walks += model.walks;
  });
  return totals;
}

TEST(Ppc750Caches, HoldWhatTheListsHoldOnRecordedPrograms) {
  for (const Changes& changes : {Changes{}, small_caches}) {
    const Totals totals = compare_caches(recorded_programs("ppc", changes.empty() ? 400'000 : 100'000), changes);
    if (programs_are_given()) continue;
    for (const std::uint64_t seen : {totals.castouts, totals.pending, totals.walks}) EXPECT_GT(seen, 0u);
    for (const Signal signal : {Signal::dcache_lookup, Signal::fetch, Signal::line_fill, Signal::line_evict,
                                Signal::l2_lookup, Signal::bus_request})
      EXPECT_GT(totals.compared[static_cast<std::size_t>(signal)], 0u) << static_cast<int>(signal);
  }
}

TEST(Ppc750Caches, HoldWhatTheListsHoldOnRandomPrograms) {
  RandomProgram program;
  for (const auto& [operations, snoops] : {std::pair{false, false}, {true, false}, {false, true}, {true, true}}) {
    program.operations = operations;
    program.snoops = snoops;
    const Totals totals = compare_caches(random_programs(trace::Isa::ppc, program, 25), small_caches);
    for (const std::uint64_t seen : {totals.castouts, totals.l2_castouts, totals.pending, totals.walks})
      EXPECT_GT(seen, 0u);
    if (!snoops) continue;
    EXPECT_GT(totals.pushes, 0u);
    EXPECT_GT(totals.retries, 0u);
  }
}

TEST(Ppc750Branches, FollowHistoryTargetInstructionsAndRegisters) {
  std::uint64_t predicted = 0, wrong = 0, found = 0, missed = 0, indirect = 0, waited = 0, at_once = 0;
  const auto compare = [&](const ListedProgram& program, const models::Parameters& p) {
    BranchModel model(p, *program.open());
    follow(program, p, model);
    predicted += model.predicted;
    wrong += model.wrong;
    found += model.targets_found;
    missed += model.targets_missed;
    indirect += model.indirect;
    waited += model.waited;
    at_once += model.at_once;
  };
  const auto random = random_programs(trace::Isa::ppc, RandomProgram(), 30);
  for_each_run(core::ppc750_parameters(), {{}}, {recorded_programs("ppc", 250'000), random}, compare);
  for_each_run(core::ppc750_parameters(), {small_tables}, {recorded_programs("ppc"), random}, compare);
  for (const std::uint64_t seen : {predicted, wrong, found, missed, indirect, waited, at_once}) EXPECT_GT(seen, 0u);
}

// Without wrong paths every fetch is one of the program.
TEST(Ppc750Order, OfLoadsAndTranslationsIsThatOfTheProgram) {
  std::uint64_t loads = 0, data_walks = 0, code_walks = 0;
  RandomProgram random;
  random.operations = true;
  random.data_pages = random.code_pages = 12;
  const auto compare = [&](const ListedProgram& program, const models::Parameters& p) {
    OrderModel model(p, *program.open());
    follow(program, p, model);
    loads += model.loads;
    data_walks += model.data_walks;
    code_walks += model.code_walks;
  };
  for_each_run(changed(core::ppc750_parameters(), {{"core.wrong_path", 0}}), {{}, small_tables},
               {recorded_programs("ppc"), random_programs(trace::Isa::ppc, random, 25)}, compare);
  for (const std::uint64_t seen : {loads, data_walks, code_walks}) EXPECT_GT(seen, 0u);
}

}  // namespace
}  // namespace pmusim::testbench::ppc750_lists
