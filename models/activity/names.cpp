#include "models/activity/names.h"

#include <algorithm>
#include <array>

namespace pmusim::activity {
namespace {

// In the order of the enumerations.
constexpr std::array signal_names = std::to_array<std::string_view>({"fetch",
                                                                     "translation",
                                                                     "return_stack",
                                                                     "dispatch",
                                                                     "issue",
                                                                     "finish",
                                                                     "retire",
                                                                     "operation_retire",
                                                                     "iteration_retire",
                                                                     "kill",
                                                                     "fold",
                                                                     "trap",
                                                                     "resync",
                                                                     "register_access",
                                                                     "branch_handled",
                                                                     "branch_resolved",
                                                                     "segment_load",
                                                                     "dcache_lookup",
                                                                     "load_return",
                                                                     "code_store",
                                                                     "line_request",
                                                                     "line_fill",
                                                                     "line_evict",
                                                                     "l2_lookup",
                                                                     "l2_array",
                                                                     "bus_request",
                                                                     "snoop",
                                                                     "ecc_correction",
                                                                     "cross_invalidate",
                                                                     "syllable_held",
                                                                     "bundle_pair_in",
                                                                     "fetch_return",
                                                                     "request_kill",
                                                                     "prefetch_lost",
                                                                     "tlb_insert",
                                                                     "tlb_purge",
                                                                     "walk_read",
                                                                     "data_reference",
                                                                     "access_retire",
                                                                     "alat_displace",
                                                                     "safety_stall",
                                                                     "l1i_snoop",
                                                                     "l2_reference",
                                                                     "queue_issue",
                                                                     "queue_cancel",
                                                                     "fetch_cancel",
                                                                     "force_recirculate",
                                                                     "recirculate_try",
                                                                     "recirculate_done",
                                                                     "bypass",
                                                                     "l2_probe",
                                                                     "l2_valid_victim",
                                                                     "l2_store_shared",
                                                                     "l3_lookup",
                                                                     "l3_cancel",
                                                                     "bus_transaction",
                                                                     "bus_queue_insert",
                                                                     "bus_snoop",
                                                                     "ia32_retire",
                                                                     "pin_assert",
                                                                     "thread_switch",
                                                                     "thread_switch_missed",
                                                                     "thread_switch_gated",
                                                                     "l2i_lookup",
                                                                     "l2i_retry",
                                                                     "l2i_evict",
                                                                     "l2i_abort",
                                                                     "l2i_snoop_hit",
                                                                     "l2_fill",
                                                                     "l3_insert",
                                                                     "interface_insert",
                                                                     "interface_collision",
                                                                     "interface_signoff",
                                                                     "interface_ecc",
                                                                     "instruction_fetch",
                                                                     "replay_trap",
                                                                     "pal_entry",
                                                                     "load_merged",
                                                                     "read_miss",
                                                                     "bcache_fill",
                                                                     "system_command"});
constexpr std::array state_names = std::to_array<std::string_view>({"clock",
                                                                    "cpl",
                                                                    "msr",
                                                                    "interrupt_flag",
                                                                    "interrupt_pending",
                                                                    "operating_mode",
                                                                    "process",
                                                                    "thread",
                                                                    "bus_ratio",
                                                                    "table_walk",
                                                                    "load_misses",
                                                                    "branch_unit",
                                                                    "dispatch_hold",
                                                                    "decoder_empty",
                                                                    "fetch_stall",
                                                                    "l2_fill_wait",
                                                                    "psr",
                                                                    "dcr",
                                                                    "back_end",
                                                                    "front_end",
                                                                    "buffer_exit",
                                                                    "fetch_buffers",
                                                                    "l2_queue",
                                                                    "bus_queues",
                                                                    "bus_clocks",
                                                                    "pins",
                                                                    "background_cpl",
                                                                    "background_psr",
                                                                    "switching",
                                                                    "request_reject",
                                                                    "interface_self",
                                                                    "interface_both",
                                                                    "pal_mode",
                                                                    "ipl",
                                                                    "process_marked",
                                                                    "idle_thread",
                                                                    "issue_stall"});
static_assert(signal_names.size() == static_cast<std::size_t>(Signal::count_));
static_assert(state_names.size() == static_cast<std::size_t>(State::count_));

template <class Enum, std::size_t N>
std::optional<Enum> find(const std::array<std::string_view, N>& names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

}  // namespace

std::string_view name_of(Signal signal) { return signal_names.at(static_cast<std::size_t>(signal)); }
std::string_view name_of(State state) { return state_names.at(static_cast<std::size_t>(state)); }
std::optional<Signal> find_signal(std::string_view name) { return find<Signal>(signal_names, name); }
std::optional<State> find_state(std::string_view name) { return find<State>(state_names, name); }

}  // namespace pmusim::activity
