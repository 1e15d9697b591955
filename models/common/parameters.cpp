#include "models/common/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <numeric>
#include <utility>

namespace pmusim::models {

namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t substitute = diagonal + (lower(a[i]) == lower(b[j]) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({substitute, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

bool parse_number(std::string_view text, std::int64_t& value) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  if (hexadecimal) text.remove_prefix(2);
  std::uint64_t magnitude = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), magnitude, hexadecimal ? 16 : 10);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size() || magnitude > INT64_MAX) return false;
  value = negative ? -static_cast<std::int64_t>(magnitude) : static_cast<std::int64_t>(magnitude);
  return true;
}

std::string legal_values(const ParameterInfo& info) {
  if (info.choices.empty()) return fmt::format("{} to {}", info.minimum, info.maximum);
  std::string names;
  for (const Choice& choice : info.choices) {
    if (!names.empty()) names += ", ";
    names += choice.name;
  }
  return names;
}

}  // namespace

std::string nearest(std::string_view word, std::span<const std::string_view> candidates) {
  std::string_view best;
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 2) + 1;
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return std::string(best);
}

Parameters::Parameters() : Parameters(std::vector<ParameterInfo>()) {}

Parameters::Parameters(std::vector<ParameterInfo> infos)
    : infos_(std::make_shared<const std::vector<ParameterInfo>>(std::move(infos))) {
  values_.reserve(infos_->size());
  for (const ParameterInfo& info : *infos_) values_.push_back(info.default_value);
}

void Parameters::append(const Parameters& other) {
  std::vector<ParameterInfo> infos = *infos_;
  for (std::size_t i = 0; i < other.infos_->size(); ++i) {
    const ParameterInfo& info = (*other.infos_)[i];
    if (has(info.name)) continue;
    infos.push_back(info);
    values_.push_back(other.values_[i]);
  }
  infos_ = std::make_shared<const std::vector<ParameterInfo>>(std::move(infos));
}

bool Parameters::has(std::string_view name) const {
  return std::any_of(infos_->begin(), infos_->end(), [&](const ParameterInfo& info) { return info.name == name; });
}

std::size_t Parameters::index(std::string_view name) const {
  // Settings are read in the order of the table, so the search starts after the previous result.
  for (std::size_t tried = 0, i = next_; tried < infos_->size(); ++tried, ++i) {
    if (i >= infos_->size()) i = 0;
    if ((*infos_)[i].name != name) continue;
    next_ = i + 1;
    return i;
  }
  if (const std::string_view behaviour = behaviour_instead_of(name); !behaviour.empty())
    throw ParameterError(fmt::format("parameter '{}' is gone, as no source has another reading: {}", name, behaviour));
  std::vector<std::string_view> names;
  for (const ParameterInfo& info : *infos_) names.push_back(info.name);
  const std::string near = nearest(name, names);
  throw ParameterError(
      fmt::format("unknown parameter '{}'{}", name, near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
}

std::int64_t Parameters::get(std::string_view name) const { return values_[index(name)]; }

void Parameters::set(std::string_view name, std::int64_t value) {
  const std::size_t i = index(name);
  const ParameterInfo& info = (*infos_)[i];
  const bool known_choice = info.choices.empty() || std::any_of(info.choices.begin(), info.choices.end(),
                                                                [&](const Choice& c) { return c.value == value; });
  if (value < info.minimum || value > info.maximum || !known_choice) {
    throw ParameterError(fmt::format("parameter '{}' cannot be {}; legal: {}", name, value, legal_values(info)));
  }
  values_[i] = value;
}

void Parameters::set(std::string_view name, std::string_view value) {
  const ParameterInfo& info = (*infos_)[index(name)];
  for (const Choice& choice : info.choices) {
    if (choice.name == value) return set(name, choice.value);
  }
  std::int64_t number = 0;
  if (!parse_number(value, number)) {
    throw ParameterError(fmt::format("parameter '{}' cannot be '{}'; legal: {}", name, value, legal_values(info)));
  }
  set(name, number);
}

std::string Parameters::text(std::string_view name) const {
  const std::size_t i = index(name);
  for (const Choice& choice : (*infos_)[i].choices) {
    if (choice.value == values_[i]) return std::string(choice.name);
  }
  return std::to_string(values_[i]);
}

namespace {

struct Removed {
  std::string_view name, behaviour;
};
constexpr std::array removed{
    Removed{"pmu.all_threads_mode",
            "plm and pm of a counter with all = 1 are compared with the occurrence's own thread"},
    Removed{"pmu.background_interrupt", "the interrupt of a thread in the background waits until it is active"},
    Removed{"pmu.both_log_options", "argument 3 of function 3 of WRPERFMON means all processes"},
    Removed{"pmu.btb_frozen_target", "the target entry of the last branch before the freeze is written"},
    Removed{"pmu.btb_not_taken", "a branch that is not taken writes no target entry"},
    Removed{"pmu.btb_untaken_filter", "to ptm, the target of a branch that is not taken is right"},
    Removed{"pmu.counter_wrap", "a counter that passes 0xFFFFFFFF starts again at 0 with bit 0 clear (750GX)"},
    Removed{"pmu.cycle_privilege", "events have the CPL that held before the clock's end"},
    Removed{"pmu.data_extent", "data ranges are compared with the first byte of an access"},
    Removed{"pmu.dcache_probes", "PF_DCACHE counts probes of loads and stores"},
    Removed{"pmu.dear_choice", "the D-EAR keeps the oldest capture of a cycle in TLB and ALAT mode"},
    Removed{"pmu.dear_latency", "the D-EAR's latency begins in the load's first EXE cycle"},
    Removed{"pmu.dear_tlb_latency", "the D-EAR's latency field is 0 in TLB and ALAT mode"},
    Removed{"pmu.dear_wrong_path", "the D-EAR does not track loads of a wrong path"},
    Removed{"pmu.decoder_empty", "event D0h does not count clocks with a cause of events D2h to DAh"},
    Removed{"pmu.discount_cycle", "the cycle of a signal that stops counting by DISCOUNT is counted"},
    Removed{"pmu.dispatch_folded", "select code 4 does not count folded branches"},
    Removed{"pmu.dispatch_wrong_path", "select code 4 counts instructions of a wrong path, too"},
    Removed{"pmu.ear_reconfigured", "an EAR forgets what it follows when its configuration is written"},
    Removed{"pmu.edge_on_select_write", "a write that changes PerfEvtSel clears the edge flop"},
    Removed{"pmu.edge_when_disabled", "the edge flop is 0 while EN is 0"},
    Removed{"pmu.empty_mask", "UNIT_MASK 0 on an event that has unit masks counts nothing"},
    Removed{"pmu.fine_upper", "channels 2 and 3 have the fine ranges of channels 0 and 1"},
    Removed{"pmu.freeze_blocks_signal", "DIS, DP, DU, DMS and DMR stop counting, not signalling"},
    Removed{"pmu.iabr_be", "IABR[BE] plays no part in PMC1's select code 9"},
    Removed{"pmu.ibr_match", "instruction ranges are compared at any PSR.db"},
    Removed{"pmu.iear_squashed", "the I-EAR does not capture misses that are given up"},
    Removed{"pmu.indirect_returns", "event CAh does not count returns"},
    Removed{"pmu.init", "INIT leaves the counters' registers unchanged"},
    Removed{"pmu.interrupts_taken_scope", "event CFh counts NMI and SMI, too"},
    Removed{"pmu.ipear_cut", "a thread switch, an interruption or a freeze by software ends the IP-EAR's delay"},
    Removed{"pmu.ipear_flush", "the IP-EAR's f bit reports every flush of the pipeline"},
    Removed{"pmu.ipear_modes", "PMC42.mode other than 4 is off"},
    Removed{"pmu.line_states_none", "L3 events with M = E = S = I = 0 count nothing"},
    Removed{"pmu.masked_request", "an overflow while the APIC entry is masked makes no interrupt"},
    Removed{"pmu.merged_request", "an overflow while an interrupt is pending is part of it"},
    Removed{"pmu.misaligned_scope", "event 47h counts references across 8 bytes"},
    Removed{"pmu.msr_effect", "MSR[PR] and MSR[PM] gate counting from the cycle after their change"},
    Removed{"pmu.pending_probe", "event 41h does not count loads and stores whose line is on its way"},
    Removed{"pmu.prefetch_access", "events 40h and 41h count prefetches as other probes"},
    Removed{"pmu.request_privilege", "events of caches, TLBs and the bus have the CPL of their own clock"},
    Removed{"pmu.retire_privilege", "retired events have the CPL that held before the clock's end"},
    Removed{"pmu.same_cycle_write", "the increment of the cycle in which a program writes a counter is lost"},
    Removed{"pmu.short_period", "a counter that interrupts every 256 keeps its width"},
    Removed{"pmu.sia_threshold_first", "of the threshold event and another cause in one cycle SIA holds the load"},
    Removed{"pmu.sia_when_disabled", "a signal while MMCR0[DIS] = 1 loads SIA"},
    Removed{"pmu.split_access", "event 40h counts both probes of a reference that crosses 8 bytes"},
    Removed{"pmu.sreset", "SRESET leaves the monitor's registers unchanged"},
    Removed{"pmu.string_iterations", "event C0h counts a repeated string instruction once"},
    Removed{"pmu.taken_to_next", "event C4h counts taken conditional branches to the next address"},
    Removed{"pmu.tb_write_edge", "a write to the time base that raises the selected bit is an edge"},
    Removed{"pmu.trigger_cycle", "a PMC1 that became negative releases PMCTRIGGER in the cycle after it"},
    Removed{"pmu.undefined_mask", "unit mask bits that an event does not have select nothing"},
    Removed{"pmu.unlisted_umask", "unit masks that an event does not have count nothing"},
    Removed{"pmu.unmasked_event", "UNIT_MASK is ignored on an event that has no unit masks"},
    Removed{"pmu.update_probes", "event 40h counts the store of an operand that was loaded beside the load"},
    Removed{"pmu.user_write_fault", "mtspr to a user copy is an illegal instruction"},
    Removed{"pmu.write_conflict", "a WRMSR to PerfCtr replaces the increment of its clock"},
    Removed{"pmu.x_slot", "the syllable of an L+X pair has type I to the opcode matchers"},
};

}  // namespace

std::string_view behaviour_instead_of(std::string_view parameter) {
  const auto* const found =
      std::find_if(removed.begin(), removed.end(), [&](const Removed& row) { return row.name == parameter; });
  return found == removed.end() ? std::string_view{} : found->behaviour;
}

}  // namespace pmusim::models
