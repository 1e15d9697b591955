#include "testbench/oracle/family.h"

#include <algorithm>
#include <deque>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>

#include "testbench/oracle/family_alpha.h"
#include "testbench/oracle/qualifiers.h"

namespace pmusim::oracle {
namespace {

using activity::State;

// Bits of a privilege on the 750GX: user level (problem state), marked process.
constexpr Privilege user_level = 1, marked_process = 2;

bool admits_level(const Request& request, Privilege p, const Choices&) {
  const bool level = (p & user_level) != 0 ? request.user : request.kernel;
  return level && (!request.marked || *request.marked == ((p & marked_process) != 0));
}

// On the Athlon: user level, and above it the operating mode.
constexpr unsigned mode_shift = 1;
Privilege athlon_privilege(std::uint64_t cpl, std::uint64_t mode, std::uint64_t) {
  return (cpl > 0 ? user_level : 0) | static_cast<Privilege>(mode << mode_shift);
}
bool admits_athlon(const Request& request, Privilege p, const Choices& choices) {
  return counts_at(request, p & user_level, p >> mode_shift, choices);
}
Privilege ppc750gx_privilege(std::uint64_t msr, std::uint64_t, std::uint64_t) {
  return ((msr & activity::msr::pr) != 0 ? user_level : 0) | ((msr & activity::msr::pm) != 0 ? marked_process : 0);
}
void check_athlon(const Request& r) {
  if (r.marked) throw std::invalid_argument(r.event + ": the Athlon has no marked processes");
  if (r.threshold > 255) throw std::invalid_argument(r.event + ": a counter mask is 0 to 255");
  const std::uint32_t kind = r.breakpoint & 3u, length = r.breakpoint >> breakpoint_length_shift;
  if (kind == 2 || (length & (length - 1)) != 0 || length > 8 || (kind != breakpoint_execute && length == 0)) {
    throw std::invalid_argument(r.event + ": a breakpoint is execute, write or read_write, of 1, 2, 4 or 8 bytes");
  }
}
void check_ppc750gx(const Request& r) {
  if (r.invert || r.edge) throw std::invalid_argument(r.event + ": the 750GX neither inverts nor detects edges");
  if (r.threshold > 63) throw std::invalid_argument(r.event + ": a threshold is 0 to 63 cycles");
}

const Family athlon = {
    "athlon",
    State::cpl,
    State::operating_mode,
    athlon_privilege,
    8,
    admits_athlon,
    [](const Request& r) { return r.threshold; },
    athlon_events,
    athlon_choices,
    [](const Event& e, const Choices& c) { return e.at_retirement ? c.retire_charged_to_new : c.units_charged_to_new; },
    true,
    false,
    check_athlon};
// A 750GX counter adds what occurs; its threshold belongs to one event's rule, not to the counter.
const Family ppc750gx = {"ppc750gx",
                         State::msr,
                         State::msr,
                         ppc750gx_privilege,
                         4,
                         admits_level,
                         [](const Request&) { return 0u; },
                         ppc750gx_events,
                         ppc750gx_choices,
                         [](const Event&, const Choices& c) { return c.msr_of_next_cycle; },
                         false,
                         false,
                         check_ppc750gx};
// The Itanium counts cycles with more occurrences than the threshold.
const Family itanium2 = {"itanium2",
                         State::cpl,
                         State::psr,
                         [](std::uint64_t level, std::uint64_t psr, std::uint64_t) { return gates_of(level, psr); },
                         psr_gates,
                         [](const Request& r, Privilege p, const Choices&) { return runs_under(r, p); },
                         [](const Request& r) { return r.threshold > 0 ? r.threshold + 1 : 0; },
                         itanium2_events,
                         itanium2_choices,
                         [](const Event&, const Choices&) { return false; },
                         true,
                         true,
                         check_itanium2,
                         8};
// There is no IA-32 mode on the Montecito: the place of its gate says which thread is active.
constexpr Privilege other_thread = 16;
bool admits_thread(const Request& request, Privilege p, const Choices& choices) {
  const unsigned active = (p & other_thread) != 0 ? 1 : 0;
  return (request.ia64.all_threads || active == choices.thread) && runs_under(request, p & ~other_thread);
}
Family montecito_family() {
  Family family = itanium2;
  family.name = "montecito";
  family.privilege = [](std::uint64_t level, std::uint64_t psr, std::uint64_t thread) {
    return gates_of(level, psr & ~activity::ia64::psr::is) | (thread != 0 ? other_thread : 0);
  };
  family.admits = admits_thread;
  family.events = montecito_events;
  family.choices = montecito_choices;
  family.check = check_montecito;
  family.trace_entries = 16;
  return family;
}
const Family montecito = montecito_family();

/// Events by their names, and by those of their rows.
using Index = std::map<std::string, const Event*, std::less<>>;

Index index_of(const Family& family) {
  Index index;
  for (const Event& event : family.events()) {
    index.try_emplace(std::string(event.name), &event);
    if (!family.flat_names) continue;
    for (const std::string_view umask : event.umasks) {
      if (!umask.empty()) index.try_emplace(std::string(event.name) + '_' + std::string(umask), &event);
    }
  }
  return index;
}

std::vector<EventName> names_of(const Family& family) {
  static std::deque<std::string> rows;  // keeps what the names point to
  std::vector<EventName> names;
  for (const Event& event : family.events()) {
    if (family.flat_names) {
      const Honours h = event.honours;
      if (event.umasks.empty()) names.push_back({event.name, {}, h.code, h.opcode, h.data});
      for (const auto umask : event.umasks) {
        if (umask.empty()) continue;  // a place that another processor has
        const std::string& row = rows.emplace_back(std::string(event.name) + "_" + std::string(umask));
        names.push_back({row, {}, h.code, h.opcode, h.data});
      }
      continue;
    }
    names.push_back({event.name, event.umasks, false, false, false});
    if (!event.umasks.empty()) names.back().umasks.insert(names.back().umasks.begin(), "ALL");
  }
  return names;
}

}  // namespace

bool counts_at(const Request& request, std::uint64_t cpl, std::uint64_t mode, const Choices& choices) {
  constexpr std::int64_t kernel = 0, user = 1;
  const bool has_levels = mode == static_cast<std::uint64_t>(activity::OperatingMode::protected_mode);
  const std::int64_t level = !has_levels ? choices.level_of_mode.at(mode) : cpl > 0 ? user : kernel;
  return (request.kernel && level == kernel) || (request.user && level == user);
}

const Family& family_of(std::string_view target) {
  if (target == "athlon") return athlon;
  if (target == "ppc750gx" || target == "ppc750gl") return ppc750gx;
  if (target == "itanium2") return itanium2;
  if (target == "montecito") return montecito;
  if (const Family* alpha = alpha_family_of(target)) return *alpha;
  throw std::invalid_argument("no target " + std::string(target) +
                              "; there are athlon, ppc750gx, ppc750gl, itanium2, montecito, alpha-ev4, alpha-ev5, "
                              "alpha-pca56, alpha-ev6, alpha-ev67");
}

const Event& event_of(const Family& family, std::string_view name) {
  static std::map<std::string_view, Index> all;
  static std::mutex making;
  const std::lock_guard lock(making);
  const auto [index, added] = all.try_emplace(family.name);
  if (added) index->second = index_of(family);
  const auto found = index->second.find(name);
  if (found == index->second.end()) throw std::invalid_argument("no event " + std::string(name));
  return *found->second;
}

const std::vector<EventName>& events(std::string_view target) {
  static std::map<std::string_view, std::vector<EventName>> all;
  static std::mutex making;
  const Family& family = family_of(target);
  const std::lock_guard lock(making);
  const auto [entry, added] = all.try_emplace(family.name);
  if (added) entry->second = names_of(family);
  return entry->second;
}

std::string_view pass_of(std::string_view target, std::string_view event) {
  return event_of(family_of(target), event).name;
}

}  // namespace pmusim::oracle
