// The 750GX core against lists: what its caches, TLBs, branch history and target instructions hold, on every recorded
// program and on random ones.
#include "models/core/ppc750/ppc750.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "testbench/tests/list_models/ppc750_caches.h"
#include "testbench/tests/list_models/ppc750_lists.h"
#include "testbench/tests/list_models/ppc750_program.h"
#include "testbench/tests/list_models/programs.h"
#include "testbench/tests/sampling.h"

namespace pmusim::testbench::ppc750_lists {
namespace {

using Changes = std::vector<std::pair<std::string, std::int64_t>>;

struct Program {
  std::string name;
  std::function<std::unique_ptr<trace::Reader>()> open;
};

std::vector<Program> recorded() {
  std::vector<Program> found;
  for (const std::filesystem::path& file : recorded_programs("ppc"))
    found.push_back({file.stem().string(), [file] { return trace::open(file); }});
  return found;
}

std::vector<Program> random_programs(RandomProgram program, unsigned number) {
  std::vector<Program> made;
  for (unsigned seed = 1; seed <= std::max<unsigned>(number / static_cast<unsigned>(sampling), 1); ++seed) {
    program.seed = seed;
    made.push_back({fmt::format("random program {}", seed),
                    [text = text_of(program)] { return trace::open_text(text, "random"); }});
  }
  return made;
}

models::Parameters parameters(const Changes& changes) {
  models::Parameters p = core::ppc750_parameters();
  for (const auto& [name, value] : changes) p.set(name, value);
  return p;
}

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
      std::string kind, address;
      for (const auto& [key, value] : item.directive->operands) (key == "kind" ? kind : address) = value;
      model.expect_snoop(kind, std::stoull(address, nullptr, 16));
    }
  }
}

struct Totals {
  std::array<std::uint64_t, activity::signal_count> compared{};
  std::uint64_t castouts = 0, l2_castouts = 0, pending = 0, pushes = 0, retries = 0, walks = 0;
};

Totals compare_caches(const std::vector<Program>& programs, const Changes& changes) {
  Totals totals;
  for (const Program& program : programs) {
    const models::Parameters p = parameters(changes);
    CachesModel model(p);
    tell(model, *program.open());
    each_cycle(*core::make_ppc750(program.open(), p), CachesModel::signals,
               [&](const CycleView& view) { return model.step(view); });
    model.finish();
    EXPECT_EQ(model.error(), "") << program.name;
    for (std::size_t i = 0; i < totals.compared.size(); ++i) totals.compared[i] += model.compared(Signal(i));
    totals.castouts += model.castouts;
    totals.l2_castouts += model.l2_castouts;
    totals.pending += model.pending;
    totals.pushes += model.pushes;
    totals.retries += model.retries;
    totals.walks += model.walks;
  }
  return totals;
}

TEST(Ppc750Caches, HoldWhatTheListsHoldOnRecordedPrograms) {
  for (const Changes& changes : {Changes{}, small_caches}) {
    const Totals totals = compare_caches(recorded(), changes);
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
    const Totals totals = compare_caches(random_programs(program, 60), small_caches);
    for (const std::uint64_t seen : {totals.castouts, totals.l2_castouts, totals.pending, totals.walks})
      EXPECT_GT(seen, 0u);
    if (!snoops) continue;
    EXPECT_GT(totals.pushes, 0u);
    EXPECT_GT(totals.retries, 0u);
  }
}

TEST(Ppc750Branches, FollowHistoryTargetInstructionsAndRegisters) {
  std::uint64_t predicted = 0, wrong = 0, found = 0, missed = 0, indirect = 0, waited = 0, at_once = 0;
  for (const auto& programs : {recorded(), random_programs({}, 60)}) {
    for (const Changes& changes : {Changes{}, small_tables}) {
      for (const Program& program : programs) {
        const models::Parameters p = parameters(changes);
        BranchModel model(p, *program.open());
        each_cycle(*core::make_ppc750(program.open(), p), BranchModel::signals,
                   [&](const CycleView& view) { return model.step(view); });
        model.finish();
        EXPECT_EQ(model.error(), "") << program.name;
        predicted += model.predicted;
        wrong += model.wrong;
        found += model.targets_found;
        missed += model.targets_missed;
        indirect += model.indirect;
        waited += model.waited;
        at_once += model.at_once;
      }
    }
  }
  for (const std::uint64_t seen : {predicted, wrong, found, missed, indirect, waited, at_once}) EXPECT_GT(seen, 0u);
}

// Without wrong paths every fetch is one of the program.
TEST(Ppc750Order, OfLoadsAndTranslationsIsThatOfTheProgram) {
  std::uint64_t loads = 0, data_walks = 0, code_walks = 0;
  RandomProgram random;
  random.operations = true;
  random.data_pages = random.code_pages = 12;
  for (const auto& programs : {recorded(), random_programs(random, 40)}) {
    for (Changes changes : {Changes{}, small_tables}) {
      changes.push_back({"core.wrong_path", 0});
      for (const Program& program : programs) {
        const models::Parameters p = parameters(changes);
        OrderModel model(p, *program.open());
        each_cycle(*core::make_ppc750(program.open(), p), OrderModel::signals,
                   [&](const CycleView& view) { return model.step(view); });
        model.finish();
        EXPECT_EQ(model.error(), "") << program.name;
        loads += model.loads;
        data_walks += model.data_walks;
        code_walks += model.code_walks;
      }
    }
  }
  for (const std::uint64_t seen : {loads, data_walks, code_walks}) EXPECT_GT(seen, 0u);
}

}  // namespace
}  // namespace pmusim::testbench::ppc750_lists
