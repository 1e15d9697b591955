#include "testbench/mutate/synthetic_activity.h"

#include <algorithm>
#include <array>

namespace pmusim::testbench::mutate {
namespace {

using activity::Occurrence;
using activity::Signal;
using activity::State;
namespace ia64 = activity::ia64;
namespace detail = activity::ia64::detail;

/// Duration of each condition in cycles.
constexpr std::uint32_t lasts = 2;
/// First id of the records that are made here.
constexpr std::uint64_t first_id = std::uint64_t{1} << 20;

using Details = std::vector<std::uint16_t>;

template <class Cause>
std::uint16_t with(Cause cause, unsigned facts = 0) {
  return static_cast<std::uint16_t>(static_cast<unsigned>(cause) | facts);
}

/// Each cause of a cancelled attempt with the facts that unit masks of either processor distinguish.
Details queue_cancels() {
  using C = ia64::QueueCancel;
  using S = ia64::QueueStage;
  using ia64::queue_stage;
  namespace q = ia64::queue_cancel;
  return {with(C::missed_bypass, q::first),
          with(C::acquire),
          with(C::acquire, q::first),
          with(C::acquire, q::adjacent),
          with(C::acquire, q::first | q::adjacent),
          with(C::release),
          with(C::release, q::first),
          with(C::bypass_of_release, q::first),
          with(C::sync),
          with(C::fence),
          with(C::compare_value, q::store),
          with(C::semaphore),
          with(C::sibling_order, q::first),
          with(C::uncacheable, q::first),
          with(C::store_data, queue_stage(S::l2a)),
          with(C::store_data, queue_stage(S::l2m)),
          with(C::store_data, queue_stage(S::l2d)),
          with(C::store_data, queue_stage(S::l2c)),
          with(C::store_order, q::store | queue_stage(S::l2m)),
          with(C::store_order, q::store | queue_stage(S::l2d)),
          with(C::store_order, q::store | queue_stage(S::l2c)),
          with(C::bank),
          with(C::fill),
          with(C::fill, q::same_set),
          with(C::fill, q::store),
          with(C::fill, q::store | q::same_set),
          with(C::l1d_fill, q::first),
          with(C::write_back_read),
          with(C::return_port),
          with(C::l2_error),
          with(C::system_error),
          with(C::fetch),
          with(C::fetch, q::walker),
          with(C::recirculating),
          with(C::recirculating, q::first),
          with(C::no_attempt_left, q::first),
          with(C::still_missing)};
}

Details fetch_cancels() {
  using C = ia64::FetchCancel;
  namespace f = ia64::fetch_cancel;
  Details all{with(C::data, f::first), with(C::data, f::first | f::prefetch),
              with(C::recirculating),  with(C::fill_or_write_back),
              with(C::snoop),          with(C::still_missing)};
  for (unsigned earlier = 0; earlier < 4; ++earlier) all.push_back(with(C::data, earlier << f::after_data_shift));
  return all;
}

Details recirculations() {
  using C = ia64::Recirculate;
  namespace r = ia64::recirculate;
  Details all{with(C::line_under_way, r::prefetch), with(C::line_under_way, r::for_code_prefetch)};
  for (unsigned cause = 0; cause <= static_cast<unsigned>(C::set_under_way); ++cause) {
    if (cause != static_cast<unsigned>(C::line_under_way)) all.push_back(with(cause));
  }
  for (const ia64::LinePhase phase :
       {ia64::LinePhase::requested, ia64::LinePhase::accepted, ia64::LinePhase::in_tags, ia64::LinePhase::arrives}) {
    all.push_back(with(C::line_under_way, ia64::line_phase(phase)));
    all.push_back(with(C::line_under_way, ia64::line_phase(phase) | r::store));
  }
  return all;
}

Details l3_cancels(std::uint16_t side) {
  using C = ia64::L3Cancel;
  Details all{with(C::l3_busy, side | ia64::l3_cancel_during_write_back)};
  for (unsigned cause = 0; cause <= static_cast<unsigned>(C::write_back); ++cause) all.push_back(with(cause, side));
  return all;
}

/// `count` details from 0 on, each with the bits of `beside`.
Details from_zero(std::uint16_t count, std::uint16_t beside = 0) {
  Details all;
  for (std::uint16_t detail = 0; detail < count; ++detail) all.push_back(with(detail, beside));
  return all;
}

/// The details of a signal about requests of one side.
struct Reasons {
  Signal signal;
  bool of_data;
  Details details;
};
std::vector<Reasons> reasons() {
  return {{Signal::queue_cancel, true, queue_cancels()},
          {Signal::fetch_cancel, false, fetch_cancels()},
          {Signal::force_recirculate, true, recirculations()},
          {Signal::l3_cancel, true, l3_cancels(ia64::l3_cancel_by_data)},
          {Signal::l3_cancel, false, l3_cancels(ia64::l3_cancel_by_fetch)},
          {Signal::bypass, true, from_zero(2)},
          {Signal::bypass, true, from_zero(2, detail::bypass_late)},
          {Signal::bypass, false, from_zero(2, detail::bypass_instruction)},
          {Signal::bypass, false, from_zero(2, detail::bypass_instruction | detail::bypass_late)},
          {Signal::queue_issue, true, from_zero(detail::operation_prefetch + 1)},
          {Signal::l2_valid_victim, true, from_zero(1)},
          {Signal::l2_store_shared, true, from_zero(1)},
          {Signal::l2_probe, true, from_zero(1)}};
}

/// The values that a state takes in turn, before it returns to 0.
std::vector<std::uint64_t> values_of(State state) {
  std::vector<std::uint64_t> values;
  const auto count_up = [&](std::uint64_t most) {
    for (std::uint64_t value = 1; value <= most; ++value) values.push_back(value);
  };
  // Queue lengths, 8 bits each.
  const auto lengths = [&](const std::vector<std::uint64_t>& most) {
    for (std::size_t field = 0; field < most.size(); ++field) {
      for (std::uint64_t length = 1; length <= most[field]; ++length) values.push_back(length << (8 * field));
    }
  };
  switch (state) {
    case State::back_end:
      for (unsigned stage = 1; stage <= static_cast<unsigned>(ia64::BackEnd::front_end); ++stage) {
        for (unsigned why = 0; why <= ia64::cause::nat_conflict; ++why) {
          values.push_back(ia64::back_end(static_cast<ia64::BackEnd>(stage), why));
        }
      }
      break;
    case State::front_end:
    case State::buffer_exit:
      for (unsigned why = 1; why <= static_cast<unsigned>(ia64::FrontEnd::unreached); ++why) {
        for (const unsigned missing : {1u, 2u}) {
          values.push_back(ia64::front_end(static_cast<ia64::FrontEnd>(why), missing));
        }
      }
      break;
    case State::bus_clocks:
      for (std::uint64_t agent = 0; agent < 4; ++agent) {
        for (std::uint64_t bits = 1; bits < 16; ++bits) {
          values.push_back(bits | agent << ia64::bus_clocks::data_agent_shift |
                           agent << ia64::bus_clocks::stall_agent_shift);
        }
      }
      break;
    case State::pins:
      count_up(63);
      break;
    case State::fetch_buffers:
      count_up(15);
      break;
    case State::l2_queue:
      count_up(63);
      break;
    case State::bus_queues:
      lengths({31, 15, 31, 31, 31});
      break;
    case State::interface_self:
    case State::interface_both:
      lengths({15, 15, 15, 15, 15});
      break;
    case State::request_reject:
      count_up(3);
      break;
    case State::switching:
      count_up(31);
      break;
    default:
      break;
  }
  return values;
}

/// Every kind of branch with every outcome, to retire one after the other.
std::vector<ia64::Syllable> branches_like(const ia64::Syllable& branch) {
  std::vector<ia64::Syllable> all;
  for (const auto type : {ia64::BranchClass::ip_relative, ia64::BranchClass::return_, ia64::BranchClass::indirect}) {
    for (const auto outcome :
         {ia64::Prediction::correct, ia64::Prediction::wrong_path, ia64::Prediction::wrong_target}) {
      for (const bool unknown : {false, true}) {
        for (const bool multiway : {false, true}) {
          ia64::Syllable syllable = branch;
          syllable.branch_class = type;
          syllable.prediction = outcome;
          syllable.unknown_prediction = unknown;
          if (multiway) syllable.kinds |= ia64::bit(ia64::Kind::multiway);
          all.push_back(syllable);
        }
      }
    }
  }
  // Mispredictions that the back end detects.
  for (unsigned why = 0; why < 4; ++why) {
    ia64::Syllable& syllable = all.emplace_back(branch);
    syllable.prediction = ia64::Prediction::wrong_path;
    syllable.back_end_flush = true;
    syllable.wrong_rotation = why == 1;
    syllable.wrong_stage = why == 2;
    syllable.wrong_previous_state = why == 3;
  }
  return all;
}

/// Details of transactions and snoops by every agent.
std::vector<std::uint16_t> bus_details(Signal signal) {
  std::vector<std::uint16_t> all;
  const bool snoop = signal == Signal::bus_snoop;
  const std::uint16_t kinds = snoop ? 1 : static_cast<std::uint16_t>(ia64::BusKind::other) + 1;
  const std::uint16_t flags = snoop ? detail::snoop_self : detail::bus_clean_castout;
  for (std::uint16_t kind = 0; kind < kinds; ++kind) {
    for (std::uint16_t agent = 0; agent < 4; ++agent) {
      for (std::uint16_t bits = 0; bits < 2 * flags; bits += detail::bus_full_line) {
        all.push_back(static_cast<std::uint16_t>(kind | agent << detail::bus_agent_shift | bits));
      }
    }
  }
  return all;
}

/// Details of the entries of the system interface's queues, of both cores.
std::vector<std::uint16_t> queue_entries() {
  struct Entries {
    ia64::InterfaceQueue queue;
    std::uint16_t kinds;
  };
  constexpr std::array queues{
      Entries{ia64::InterfaceQueue::request, 1},       Entries{ia64::InterfaceQueue::write, 7},
      Entries{ia64::InterfaceQueue::clean_castout, 1}, Entries{ia64::InterfaceQueue::snoop_coalescing, 3},
      Entries{ia64::InterfaceQueue::in_order, 1},      Entries{ia64::InterfaceQueue::write_address, 1}};
  std::vector<std::uint16_t> all;
  for (const std::uint16_t core : {std::uint16_t{0}, ia64::interface_other_core}) {
    for (const Entries& entries : queues) {
      for (std::uint16_t kind = 0; kind < entries.kinds; ++kind) {
        all.push_back(static_cast<std::uint16_t>(static_cast<std::uint16_t>(entries.queue) |
                                                 kind << ia64::interface_kind_shift | core));
      }
    }
  }
  return all;
}

/// Builds a block from groups of occurrences, each after the one before.
class Synthesizer {
 public:
  Synthesizer(const Block& sample, bool told_apart) : sample_(sample), block_(sample), told_apart_(told_apart) {
    for (std::vector<Occurrence>& column : block_.columns) column.clear();
    load_ = find(ia64::Requester::data);
    fetch_ = find(ia64::Requester::demand_fetch);
    prefetch_ = find(ia64::Requester::prefetch_fetch);
  }

  ActivityLog all() {
    constexpr std::array chapters{&Synthesizer::why_requests_wait,
                                  &Synthesizer::why_syllables_wait,
                                  &Synthesizer::bus,
                                  &Synthesizer::system_interface,
                                  &Synthesizer::lines_of_each_state,
                                  &Synthesizer::prefetches_as_fetches,
                                  &Synthesizer::pins,
                                  &Synthesizer::instruction_sets,
                                  &Synthesizer::halts,
                                  &Synthesizer::thread_switches,
                                  &Synthesizer::levels,
                                  &Synthesizer::errors,
                                  &Synthesizer::retries,
                                  &Synthesizer::deferred_loads,
                                  &Synthesizer::checks,
                                  &Synthesizer::register_frames,
                                  &Synthesizer::outcomes_of_branches,
                                  &Synthesizer::values_of_each_state,
                                  &Synthesizer::front_end_behind_a_held_back_end};
    for (const auto chapter : chapters) (this->*chapter)();
    return log();
  }

  ActivityLog switches() {
    constexpr auto causes = static_cast<std::uint16_t>(ia64::SwitchCause::debug);
    constexpr auto gates = static_cast<std::uint16_t>(ia64::SwitchGate::forward_progress);
    unsigned number = 0;
    for (std::uint16_t cause = 0; cause <= causes; ++cause) {
      put(Signal::thread_switch, activity::no_ref, cause, number++);
      put(Signal::thread_switch_missed, activity::no_ref, cause, number++);
    }
    for (std::uint16_t gate = 0; gate <= gates; ++gate) {
      put(Signal::thread_switch_gated, activity::no_ref, gate, number++);
    }
    return log();
  }

 private:
  [[nodiscard]] ActivityLog log() {
    block_.end = block_.begin + at_;
    ActivityLog log;
    log.append(block_);
    return log;
  }
  [[nodiscard]] std::uint32_t find(ia64::Requester requester) const {
    const auto found = std::find_if(block_.ia64_requests.begin(), block_.ia64_requests.end(),
                                    [&](const ia64::Request& request) { return request.requester == requester; });
    return static_cast<std::uint32_t>(found - block_.ia64_requests.begin());
  }
  std::vector<Occurrence>& column(Signal signal) { return block_.columns[static_cast<std::size_t>(signal)]; }
  activity::StateColumn& state(State state) { return block_.states[static_cast<std::size_t>(state)]; }
  [[nodiscard]] unsigned times(unsigned number) const { return told_apart_ ? number + 1 : 1; }

  /// Repeats each occurrence a different number of times within its kind, so that confusing two of them is visible.
  void put(Signal signal, std::uint32_t ref, std::uint16_t seen, unsigned number) {
    for (unsigned time = times(number); time > 0; --time, at_ += lasts) column(signal).push_back({at_, ref, 1, seen});
  }
  /// Adds an instruction record, to be retired.
  std::uint32_t add(const activity::InstructionRecord& record, const ia64::Syllable& syllable) {
    const auto ref = static_cast<std::uint32_t>(block_.instructions.size());
    block_.instructions.push_back(activity::InstructionRecord(record));
    block_.instructions.back().id = ref + first_id;
    block_.syllables.push_back(ia64::Syllable(syllable));
    return ref;
  }
  /// The first instruction of a kind, in the sample.
  [[nodiscard]] std::size_t first(ia64::Kind kind) const {
    const auto found = std::find_if(sample_.syllables.begin(), sample_.syllables.end(),
                                    [&](const auto& syllable) { return syllable.has(kind); });
    return static_cast<std::size_t>(found - sample_.syllables.begin());
  }

  void why_requests_wait() {
    for (const Reasons& row : reasons()) {
      unsigned number = 0;
      for (const std::uint16_t seen : row.details) put(row.signal, row.of_data ? load_ : fetch_, seen, number++);
    }
  }

  /// Syllables held for one reason, or for several at once.
  void why_syllables_wait() {
    for (std::uint16_t why = 1; why < 16; ++why) put(Signal::syllable_held, 0, why, why);
  }

  void bus() {
    for (const Signal signal : {Signal::bus_transaction, Signal::bus_snoop}) {
      unsigned number = 0;
      for (const std::uint16_t seen : bus_details(signal)) put(signal, activity::no_ref, seen, number++ % 5);
    }
  }

  void system_interface() {
    unsigned number = 0;
    for (const std::uint16_t seen : queue_entries()) put(Signal::interface_insert, activity::no_ref, seen, number++);
  }

  /// Lines of each state looked up, inserted and evicted. Insertions into L2, into L3 and evictions from L3 differ in
  /// number.
  void lines_of_each_state() {
    using activity::LineState;
    namespace common = activity::detail;
    unsigned lines = 0;
    for (std::uint16_t state = 0; state <= static_cast<std::uint16_t>(LineState::modified); ++state) {
      if (state == static_cast<std::uint16_t>(LineState::owned)) continue;
      const std::uint16_t found = state == 0 ? common::lookup_miss : common::lookup_hit;
      const auto lookup = static_cast<std::uint16_t>(found | state << detail::l3_state_shift);
      put(Signal::l3_lookup, fetch_, lookup, lines);
      for (const std::uint16_t access : {common::access_load, common::access_writeback, detail::l3_for_ownership}) {
        put(Signal::l3_lookup, load_, static_cast<std::uint16_t>(lookup | common::side_data | access), ++lines);
      }
      if (prefetch_ < block_.requests.size()) {
        put(Signal::l3_lookup, prefetch_, static_cast<std::uint16_t>(lookup | common::access_prefetch), ++lines);
      }
      put(Signal::l3_insert, load_, state, lines);
      put(Signal::l2_fill, load_, state, lines + 1);
      const auto evicted =
          static_cast<std::uint16_t>(common::cache_l3 | state << common::evict_state_shift | common::evict_replacement);
      put(Signal::line_evict, load_, evicted, lines + 2);
    }
  }

  /// Fills of lines by prefetches as if they were fetches, and a prefetch of a line in flight: cores produce neither.
  void prefetches_as_fetches() {
    if (prefetch_ >= block_.requests.size()) return;
    put(Signal::line_fill, prefetch_, 0, 0);
    put(Signal::fetch, prefetch_, activity::detail::lookup_pending, 0);
  }

  void pins() {
    constexpr std::uint16_t pins = 6;
    for (std::uint16_t pin = 0; pin < pins; ++pin) put(Signal::pin_assert, activity::no_ref, pin, 1u << pin);
  }

  /// Switches to the other instruction set and back.
  void instruction_sets() {
    activity::StateColumn& psr = state(State::psr);
    for (const std::uint64_t other : {ia64::psr::is, std::uint64_t{0}}) {
      psr.changes.push_back({at_, psr.initial ^ other});
      at_ += lasts;
    }
  }

  /// Stops the clock and restarts it.
  void halts() {
    for (const std::uint64_t runs : {0, 1}) {
      state(State::clock).changes.push_back({at_, runs});
      at_ += lasts;
    }
  }

  /// Thread switches after stalls with a length between each two limits.
  void thread_switches() {
    constexpr std::uint32_t longest = 8191;
    const auto cause = static_cast<std::uint32_t>(ia64::SwitchCause::l3_miss);
    unsigned number = 0;
    for (std::uint32_t stall = 3; stall <= longest; stall *= 2) {
      put(Signal::thread_switch, activity::no_ref,
          static_cast<std::uint16_t>(stall << detail::switch_stall_shift | cause), number++);
    }
  }

  /// Changes from each level to each other one, and back.
  void levels() {
    activity::StateColumn& cpl = state(State::cpl);
    const auto go_to = [&](std::uint64_t level) {
      cpl.changes.push_back({at_, level});
      at_ += lasts;
    };
    unsigned number = 0;
    for (std::uint64_t from = 0; from < 4; ++from) {
      for (std::uint64_t to = from + 1; to < 4; ++to) {
        for (unsigned time = times(number++); time > 0; --time) {
          go_to(from);
          go_to(to);
        }
      }
    }
    go_to(cpl.initial);
  }

  /// Errors in the data of the system interface's write queue.
  void errors() {
    unsigned number = 0;
    for (const std::uint16_t core : {std::uint16_t{0}, ia64::interface_other_core}) {
      for (const std::uint16_t kind : {std::uint16_t{0}, ia64::interface_double_error}) {
        put(Signal::interface_ecc, activity::no_ref, static_cast<std::uint16_t>(core | kind), number++);
      }
    }
  }

  /// Retries of demand fetches and of prefetches, for each reason.
  void retries() {
    namespace common = activity::detail;
    unsigned number = 0;
    for (const std::uint16_t why : {detail::retry_recirculated, detail::retry_rejected, detail::retry_conflict}) {
      for (const std::uint16_t found : {common::lookup_hit, common::lookup_miss}) {
        for (const std::uint16_t kind : {std::uint16_t{0}, common::access_prefetch}) {
          put(Signal::l2i_retry, fetch_, static_cast<std::uint16_t>(why | found | kind), number++);
        }
      }
    }
  }

  /// Checks of speculation and of the ALAT, of integer and floating-point registers, failed or not.
  void checks() {
    const std::size_t load = first(ia64::Kind::integer_load);
    unsigned number = 0;
    for (const auto kind : {ia64::Kind::check_speculative, ia64::Kind::check_advanced}) {
      for (const std::uint32_t fp : {0u, ia64::bit(ia64::Kind::fp_check)}) {
        for (const bool failed : {true, false}) {
          const std::uint32_t ref = add(sample_.instructions[load], sample_.syllables[load]);
          block_.syllables.back().kinds = ia64::bit(kind) | fp;
          block_.syllables.back().predicate = true;
          block_.syllables.back().check_failed = failed;
          put(Signal::retire, ref, 0, number++);
        }
      }
    }
  }

  /// Branches with each outcome, after everything else that retires, because the branch buffer keeps them.
  void outcomes_of_branches() {
    constexpr std::uint64_t far = std::uint64_t{1} << 50;  // a bit that the format with prediction details has no space
                                                           // for
    const std::size_t branch = first(ia64::Kind::branch);
    unsigned number = 0;
    for (const ia64::Syllable& syllable : branches_like(sample_.syllables[branch])) {
      for (const bool taken : {false, true}) {
        const std::uint32_t ref = add(sample_.instructions[branch], syllable);
        block_.instructions.back().taken = taken;
        block_.instructions.back().next_ip ^= far;
        put(Signal::retire, ref, 0, number++);
      }
    }
  }

  /// Speculative loads that return NaT, for each reason, each with its own access.
  void deferred_loads() {
    const std::uint32_t owner = block_.ia64_requests[load_].owner;
    if (owner == activity::no_ref) return;
    for (unsigned why = 0; why <= static_cast<unsigned>(ia64::Deferral::psr_ed); ++why) {
      const auto access = static_cast<std::uint32_t>(block_.requests.size());
      const std::uint32_t ref = add(block_.instructions[owner], block_.syllables[owner]);
      block_.syllables.back().kinds = ia64::bit(ia64::Kind::integer_load) | ia64::bit(ia64::Kind::speculative);
      block_.syllables.back().deferral = static_cast<ia64::Deferral>(why);
      block_.requests.push_back(activity::RequestRecord(block_.requests[load_]));
      block_.requests.back().id = access + first_id;
      block_.requests.back().instruction = block_.instructions.back().id;
      block_.ia64_requests.push_back(ia64::Request(block_.ia64_requests[load_]));
      block_.ia64_requests.back().owner = ref;
      for (unsigned time = times(why); time > 0; --time) {
        column(Signal::access_retire).push_back({at_, access, 1, 0});
        column(Signal::data_reference).push_back({at_, access, 1, activity::detail::access_load});
        column(Signal::l1i_snoop).push_back({at_, ref, 1, 0});
        put(Signal::retire, ref, 0, 0);
      }
    }
  }

  void register_frames() {
    constexpr unsigned most_registers = 96;
    const std::size_t event = first(ia64::Kind::rse_event);
    for (unsigned registers = 0; registers <= most_registers; registers += 3) {
      const std::uint32_t ref = add(sample_.instructions[event], sample_.syllables[event]);
      block_.syllables.back().frame_registers = static_cast<std::uint8_t>(registers);
      block_.syllables.back().dirty_registers = static_cast<std::uint8_t>(most_registers - registers);
      put(Signal::retire, ref, 0, 0);
    }
  }

  void values_of_each_state() {
    for (std::size_t s = 0; s < block_.states.size(); ++s) {
      // The duration differs from that of the same value of another state.
      auto longer = static_cast<std::uint32_t>(lasts + s);
      std::uint32_t change = at_;
      for (const std::uint64_t value : values_of(static_cast<State>(s))) {
        block_.states[s].changes.push_back({change, value});
        change += told_apart_ ? longer++ : lasts;
      }
      if (change == at_) continue;
      block_.states[s].changes.push_back({change, 0});
      at_ = change + 1;
    }
  }

  /// What the front end lacks while the back end waits for another reason.
  void front_end_behind_a_held_back_end() {
    std::uint32_t change = at_;
    state(State::back_end).changes.push_back({at_, ia64::back_end(ia64::BackEnd::execute, ia64::cause::gr_load)});
    for (const std::uint64_t value : values_of(State::buffer_exit)) {
      state(State::buffer_exit).changes.push_back({change, value});
      change += lasts;
    }
    for (const State held : {State::back_end, State::buffer_exit}) state(held).changes.push_back({change, 0});
    at_ = change + 1;
  }

  const Block& sample_;
  Block block_;
  bool told_apart_;
  std::uint32_t load_ = 0, fetch_ = 0, prefetch_ = 0;
  std::uint32_t at_ = 1;
};

}  // namespace

ActivityLog synthetic_activity(const Block& sample, bool told_apart) { return Synthesizer(sample, told_apart).all(); }

ActivityLog thread_switches(const Block& sample) { return Synthesizer(sample, true).switches(); }

}  // namespace pmusim::testbench::mutate
