#include "testbench/mutate/inventions.h"

#include <algorithm>
#include <array>

namespace pmusim::testbench::mutate {
namespace {

using activity::Occurrence;
using activity::Signal;
using activity::State;
namespace ia64 = activity::ia64;
namespace detail = activity::ia64::detail;

/// Cycles in which one thing is the case.
constexpr std::uint32_t lasts = 2;

/// Reasons from 0 on, of requests of one side.
struct Reasons {
  Signal signal;
  bool of_data;
  std::uint16_t count;
  std::uint16_t beside = 0;  ///< bits that are set, too
};
constexpr std::array reasons{
    Reasons{Signal::queue_cancel, true, static_cast<std::uint16_t>(ia64::QueueCancel::sibling_order) + 1},
    Reasons{Signal::fetch_cancel, false, static_cast<std::uint16_t>(ia64::FetchCancel::fetch_bypass) + 1},
    Reasons{Signal::force_recirculate, true, static_cast<std::uint16_t>(ia64::Recirculate::secondary_write) + 1},
    Reasons{Signal::l3_cancel, true, static_cast<std::uint16_t>(ia64::L3Cancel::tail_disabled) + 1,
            ia64::l3_cancel_by_data},
    Reasons{Signal::l3_cancel, false, static_cast<std::uint16_t>(ia64::L3Cancel::tail_disabled) + 1,
            ia64::l3_cancel_by_fetch},
    Reasons{Signal::bypass, true, 2},
    Reasons{Signal::bypass, true, 2, detail::bypass_late},
    Reasons{Signal::bypass, false, 2, detail::bypass_instruction},
    Reasons{Signal::bypass, false, 2, detail::bypass_instruction | detail::bypass_late},
    Reasons{Signal::queue_issue, true, detail::operation_prefetch + 1},
    Reasons{Signal::l2_valid_victim, true, 1},
    Reasons{Signal::l2_store_shared, true, 1},
    Reasons{Signal::l2_probe, true, 1}};

/// Values of a state, one after the other; it then is 0 again.
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
      lengths({31, 15, 31, 31, 7});
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

/// Every kind of branch with every outcome, for one to retire after the other.
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
  // What the back end finds.
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

/// Transactions and snoops of every agent.
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

}  // namespace

ActivityLog inventions(const Block& sample, bool told_apart) {
  Block block = sample;
  for (std::vector<Occurrence>& column : block.columns) column.clear();
  const auto find = [&](ia64::Requester requester) {
    const auto found = std::find_if(block.ia64_requests.begin(), block.ia64_requests.end(),
                                    [&](const ia64::Request& request) { return request.requester == requester; });
    return static_cast<std::uint32_t>(found - block.ia64_requests.begin());
  };
  const std::uint32_t load = find(ia64::Requester::data), fetch = find(ia64::Requester::demand_fetch);
  std::uint32_t at = 1;
  // Each as often as no other one of its kind: two that are mistaken for one another show.
  const auto put = [&](Signal signal, std::uint32_t ref, std::uint16_t seen, unsigned number) {
    for (unsigned time = 0; time <= (told_apart ? number : 0); ++time, at += lasts) {
      block.columns[static_cast<std::size_t>(signal)].push_back({at, ref, 1, seen});
    }
  };
  for (const Reasons& row : reasons) {
    for (std::uint16_t reason = 0; reason < row.count; ++reason) {
      const auto seen = static_cast<std::uint16_t>(reason | row.beside);
      put(row.signal, row.of_data ? load : fetch, seen, reason);
    }
  }
  // Held for one reason, or for two at once.
  for (std::uint16_t why = 1; why < 16; ++why) put(Signal::syllable_held, 0, why, why);
  for (const Signal signal : {Signal::bus_transaction, Signal::bus_snoop}) {
    unsigned number = 0;
    for (const std::uint16_t seen : bus_details(signal)) put(signal, activity::no_ref, seen, number++ % 5);
  }
  // Lines in every state, found, put in or taken out.
  unsigned lines = 0;
  for (std::uint16_t state = 0; state <= static_cast<std::uint16_t>(activity::LineState::modified); ++state) {
    using activity::LineState;
    if (state == static_cast<std::uint16_t>(LineState::owned)) continue;
    namespace common = activity::detail;
    const std::uint16_t found = state == 0 ? common::lookup_miss : common::lookup_hit;
    const auto lookup = static_cast<std::uint16_t>(found | state << detail::l3_state_shift);
    put(Signal::l3_lookup, fetch, lookup, lines);
    for (const std::uint16_t access : {common::access_load, common::access_writeback, detail::l3_for_ownership}) {
      put(Signal::l3_lookup, load, static_cast<std::uint16_t>(lookup | common::side_data | access), ++lines);
    }
    put(Signal::l3_insert, load, state, lines);
    put(Signal::l2_fill, load, state, lines);
    put(Signal::line_evict, load,
        static_cast<std::uint16_t>(common::cache_l3 | state << common::evict_state_shift | common::evict_replacement),
        ++lines);
  }
  constexpr std::uint16_t pins = 6;
  for (std::uint16_t pin = 0; pin < pins; ++pin) put(Signal::pin_assert, activity::no_ref, pin, 1u << pin);
  const auto branch = std::find_if(sample.syllables.begin(), sample.syllables.end(),
                                   [](const auto& syllable) { return syllable.has(ia64::Kind::branch); });
  const activity::InstructionRecord record =
      sample.instructions[static_cast<std::size_t>(branch - sample.syllables.begin())];
  unsigned number = 0;
  constexpr std::uint64_t far = std::uint64_t{1} << 50;  // a bit that prediction details leave no place for
  for (const ia64::Syllable& syllable : branches_like(*branch)) {
    for (const bool taken : {false, true}) {
      const auto ref = static_cast<std::uint32_t>(block.instructions.size());
      block.instructions.push_back(record);
      block.instructions.back().id = ref + (std::uint64_t{1} << 20);
      block.instructions.back().taken = taken;
      block.instructions.back().next_ip ^= far;
      block.syllables.push_back(syllable);
      put(Signal::retire, ref, 0, number++);
    }
  }
  // Speculative loads that return NaT, for each reason and with an access of their own.
  for (unsigned why = 0; why <= static_cast<unsigned>(ia64::Deferral::psr_ed); ++why) {
    const std::uint32_t owner = block.ia64_requests[load].owner;
    if (owner == activity::no_ref) break;
    const auto ref = static_cast<std::uint32_t>(block.instructions.size());
    const auto access = static_cast<std::uint32_t>(block.requests.size());
    block.instructions.push_back(activity::InstructionRecord(block.instructions[owner]));
    block.instructions.back().id = ref + (std::uint64_t{1} << 20);
    block.syllables.push_back(ia64::Syllable(block.syllables[owner]));
    block.syllables.back().kinds = ia64::bit(ia64::Kind::integer_load) | ia64::bit(ia64::Kind::speculative);
    block.syllables.back().deferral = static_cast<ia64::Deferral>(why);
    block.requests.push_back(activity::RequestRecord(block.requests[load]));
    block.requests.back().id = access + (std::uint64_t{1} << 20);
    block.requests.back().instruction = block.instructions.back().id;
    block.ia64_requests.push_back(ia64::Request(block.ia64_requests[load]));
    block.ia64_requests.back().owner = ref;
    for (unsigned time = 0; time <= (told_apart ? why : 0); ++time) {
      block.columns[static_cast<std::size_t>(Signal::access_retire)].push_back({at, access, 1, 0});
      block.columns[static_cast<std::size_t>(Signal::l1i_snoop)].push_back({at, ref, 1, 0});
      put(Signal::retire, ref, 0, 0);
    }
  }
  const auto event = std::find_if(sample.syllables.begin(), sample.syllables.end(),
                                  [](const auto& syllable) { return syllable.has(ia64::Kind::rse_event); });
  const activity::InstructionRecord of_event =
      sample.instructions[static_cast<std::size_t>(event - sample.syllables.begin())];
  constexpr unsigned most_registers = 96;
  for (unsigned registers = 0; registers <= most_registers; registers += 3) {
    const auto ref = static_cast<std::uint32_t>(block.instructions.size());
    block.instructions.push_back(of_event);
    block.instructions.back().id = ref + (std::uint64_t{1} << 20);
    block.syllables.push_back(*event);
    block.syllables.back().frame_registers = static_cast<std::uint8_t>(registers);
    block.syllables.back().dirty_registers = static_cast<std::uint8_t>(most_registers - registers);
    put(Signal::retire, ref, 0, 0);
  }
  for (std::size_t s = 0; s < block.states.size(); ++s) {
    std::uint32_t change = at, longer = lasts;
    for (const std::uint64_t value : values_of(static_cast<State>(s))) {
      block.states[s].changes.push_back({change, value});
      change += told_apart ? longer++ : lasts;
    }
    if (change == at) continue;
    block.states[s].changes.push_back({change, 0});
    at = change + 1;
  }
  // What the front end is short of while the back end waits for something else.
  std::uint32_t change = at;
  block.states[static_cast<std::size_t>(State::back_end)].changes.push_back(
      {at, ia64::back_end(ia64::BackEnd::execute, ia64::cause::gr_load)});
  for (const std::uint64_t value : values_of(State::buffer_exit)) {
    block.states[static_cast<std::size_t>(State::buffer_exit)].changes.push_back({change, value});
    change += lasts;
  }
  for (const State state : {State::back_end, State::buffer_exit}) {
    block.states[static_cast<std::size_t>(state)].changes.push_back({change, 0});
  }
  at = change + 1;
  block.end = block.begin + at;
  ActivityLog log;
  log.append(block);
  return log;
}

}  // namespace pmusim::testbench::mutate
