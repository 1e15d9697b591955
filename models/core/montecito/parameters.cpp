#include <fmt/format.h>

#include "models/core/ia64/core.h"
#include "models/core/ia64/settings.h"
#include "models/core/montecito/montecito.h"

namespace pmusim::core {
namespace {

using ia64::Settings;
using models::number;
using models::off_or_on;
using Rows = models::ParameterRows<Settings>;

constexpr std::string_view known = "Wikipedia \"Montecito (processor)\"";
constexpr std::string_view update = "Intel 308065 as generally known, not checked";
constexpr std::string_view lecture = "NPTEL, lecture 41 on multi-core architecture: Intel Montecito";
constexpr std::string_view open = "no document settles it";

/// A default that is not the Itanium 2's.
struct Change {
  std::string_view name;
  std::int64_t value;
  std::string_view source;
  bool confirmed;
};

Rows table() {
  constexpr std::int64_t kilo = 1024, mega = 1024 * kilo;
  constexpr Change changes[] = {
      {"core.l3_bytes", 12 * mega, known, true},
      {"core.l3_ways", 12, update, false},
      {"core.l3_extra", 9, "Wikipedia, HP Caliper's bucket of 14 cycles", true},
      {"core.l2_bytes", 256 * kilo, known, true},
      {"core.l2_ways", 8, update, false},
      {"core.l2_instruction", 7, update, false},
      {"core.shifters", 2, "OpenSSL chacha-ia64.S: the Itanium 9xxx has a pair of shifters", true},
  };
  Rows rows = ia64::common_rows();
  for (const Change& change : changes) {
    for (auto& row : rows) {
      if (row.info.name != change.name) continue;
      row.info.default_value = change.value;
      row.info.source = change.source;
      row.info.confirmed = change.confirmed;
    }
  }
  using S = Settings;
  const Rows own = {
      number<&S::l2i_bytes>("core.l2i_bytes", mega, kilo, 64 * mega, "bytes", "L2I", known, true),
      number<&S::l2i_ways>("core.l2i_ways", 8, 1, 32, "ways", "L2I", update, false),
      number<&S::switch_cycles>("core.switch_cycles", 15, 1, 1024, "cycles",
                                "from a thread switch to the other thread's first dispersal", update, false),
      number<&S::quantum>("core.quantum", 32768, 1, INT64_MAX, "cycles",
                          "that a thread is active before its time is over", update, false),
      off_or_on<&S::switch_on_miss>("core.switch_on_miss", 1, "an L3 miss of the active thread asks for a switch",
                                    known, true),
      off_or_on<&S::urgency>(
          "core.urgency", 1,
          "threads have urgencies: one less for each L3 miss, one more up to 5 for each return, 7 when the time is "
          "over, "
          "6 when an interrupt arrives in the background; a miss or return switches to the more urgent thread",
          lecture, false),
      off_or_on<&S::switch_on_return>("core.switch_on_return", 1,
                                      "data of the background thread's L3 miss asks for a switch", lecture, false),
      off_or_on<&S::switch_on_fill>("core.switch_on_fill", 1,
                                    "an L3 miss of a register stack fill asks for a switch as a load's does", open,
                                    false),
      off_or_on<&S::switch_on_alat>(
          "core.switch_on_alat", 0,
          "a store or snoop that takes an entry out of the other thread's ALAT asks for a switch (one memory: "
          "core.second_memory=0)",
          "the lecture names the event, not its conditions", false),
      off_or_on<&S::forward_progress>("core.forward_progress", 1,
                                      "a thread retires something before it can be switched away from", open, false),
      off_or_on<&S::shared_prediction>("core.shared_prediction", 1,
                                       "both threads use one branch predictor, each with its return stack", open,
                                       false),
      number<&S::second_memory>(
          "core.second_memory", std::int64_t{1} << 46, 0, INT64_MAX, "bytes",
          "added to the physical addresses of the second thread; 0: both traces mean the same memory", open, false),
  };
  rows.insert(rows.end(), own.begin(), own.end());
  return rows;
}

}  // namespace

models::Parameters montecito_parameters() { return models::parameters_of(table()); }

std::unique_ptr<Core> make_montecito(std::vector<std::unique_ptr<trace::Reader>> traces,
                                     const models::Parameters& parameters) {
  constexpr std::size_t threads = 2;
  if (traces.empty() || traces.size() > threads) {
    throw CoreError(fmt::format("the montecito core has {} threads: it runs 1 or {} traces, not {}", threads, threads,
                                traces.size()));
  }
  for (const auto& trace : traces) require_isa(*trace, trace::Isa::ia64, "montecito");
  return std::make_unique<ia64::Ia64Core>(std::move(traces), ia64::settings_of(table(), parameters));
}

std::unique_ptr<Core> make_montecito_single(std::unique_ptr<trace::Reader> trace,
                                            const models::Parameters& parameters) {
  std::vector<std::unique_ptr<trace::Reader>> traces;
  traces.push_back(std::move(trace));
  return make_montecito(std::move(traces), parameters);
}

}  // namespace pmusim::core
