// Hand-made activity: a few cycles with the given occurrences and states; and the counts of event rows in it.
#pragma once

#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "models/activity/activity.h"
#include "testbench/oracle/oracle.h"

namespace pmusim::oracle::script {

using activity::Block;
using activity::Cycle;
using activity::InstructionRecord;
using activity::RequestRecord;
using activity::Signal;
using activity::State;

/// A block of `length` cycles in which the clock runs, interrupts are enabled, and nothing occurs.
class Script {
 public:
  explicit Script(Cycle length, Cycle begin = 0) {
    block.begin = begin;
    block.end = begin + length;
    column(State::clock).initial = 1;
    column(State::interrupt_flag).initial = 1;
  }
  /// Sets a state from cycle `at` on.
  void state(State s, Cycle at, std::uint64_t value) {
    const auto offset = static_cast<std::uint32_t>(at - block.begin);
    if (offset == 0) {
      column(s).initial = value;
    } else {
      column(s).changes.push_back({offset, value});
    }
  }
  void happen(Signal s, Cycle at, std::uint16_t detail = 0, std::uint16_t amount = 1,
              std::uint32_t ref = activity::no_ref) {
    block.columns[static_cast<std::size_t>(s)].push_back(
        {static_cast<std::uint32_t>(at - block.begin), ref, amount, detail});
  }
  void happen(Signal s, Cycle at, const InstructionRecord& record, std::uint16_t detail = 0) {
    block.instructions.push_back(record);
    happen(s, at, detail, 1, static_cast<std::uint32_t>(block.instructions.size() - 1));
  }
  Block block;

 private:
  activity::StateColumn& column(State s) { return block.states[static_cast<std::size_t>(s)]; }
};

/// Values of parameters; those that are not named are 0.
class Values {
 public:
  Values() = default;
  Values(std::initializer_list<std::pair<std::string_view, std::int64_t>> values) : values_(values) {}
  std::int64_t operator()(std::string_view name) const {
    for (const auto& [n, v] : values_) {
      if (n == name) return v;
    }
    return 0;
  }

 private:
  std::vector<std::pair<std::string_view, std::int64_t>> values_;
};

inline Tally count(std::string_view target, const Request& request, const Block& block,
                   const ParameterLookup& parameters = Values()) {
  const auto counter = make_counter(target, {request}, parameters);
  counter->consume(block);
  return counter->tally(0);
}

// Hand-made activity of an IA-64 core.

namespace i64 = activity::ia64;

/// An instruction and its IA-64 part.
struct Insn {
  InstructionRecord record;
  i64::Syllable syllable;
};
/// A request and its IA-64 part.
struct Access {
  RequestRecord record;
  i64::Request request;
};

inline Insn insn(std::initializer_list<i64::Kind> kinds, i64::SlotType type = i64::SlotType::m) {
  Insn made;
  for (const i64::Kind kind : kinds) made.syllable.kinds |= i64::bit(kind);
  made.syllable.type = type;
  return made;
}
/// A copy with the caller's change applied.
template <class Made, class Change>
Made but(Made made, Change change) {
  change(made);
  return made;
}
inline Insn predicated_off(Insn i) {
  i.syllable.predicate = false;
  return i;
}
inline Access access(i64::Requester requester, bool load, bool store, std::uint64_t address = 0x9000) {
  Access made;
  made.record.address = address;
  made.record.size = 8;
  made.request.requester = requester;
  made.request.load = load;
  made.request.store = store;
  return made;
}
inline Access fetch_of(std::uint64_t address = 0x4000) {
  return access(i64::Requester::demand_fetch, false, false, address);
}
inline Access prefetch_of(std::uint64_t address = 0x4000) {
  return access(i64::Requester::prefetch_fetch, false, false, address);
}
inline Access load_of(std::uint64_t address = 0x9000) { return access(i64::Requester::data, true, false, address); }
inline Access store_of(std::uint64_t address = 0x9000) { return access(i64::Requester::data, false, true, address); }

/// A script in which unprivileged monitors run at level 3.
class Machine : public Script {
 public:
  explicit Machine(Cycle length = 10, Cycle begin = 0) : Script(length, begin) {
    state(State::psr, begin, i64::psr::up);
    state(State::cpl, begin, 3);
  }
  std::uint32_t add(const Insn& made) {
    block.instructions.push_back(made.record);
    block.syllables.push_back(made.syllable);
    return static_cast<std::uint32_t>(block.instructions.size() - 1);
  }
  std::uint32_t add(const Access& made) {
    block.requests.push_back(made.record);
    block.ia64_requests.push_back(made.request);
    return static_cast<std::uint32_t>(block.requests.size() - 1);
  }
  template <class Made>
  std::uint32_t put(Signal s, Cycle at, const Made& made, unsigned detail = 0, std::uint16_t amount = 1) {
    const std::uint32_t ref = add(made);
    happen(s, at, static_cast<std::uint16_t>(detail), amount, ref);
    return ref;
  }
  void again(Signal s, Cycle at, std::uint32_t ref, unsigned detail = 0) {
    happen(s, at, static_cast<std::uint16_t>(detail), 1, ref);
  }
};

inline Request row(const std::string& name) {
  Request request;
  request.event = name;
  return request;
}
inline std::uint64_t counted(const Machine& machine, const Request& request,
                             const ParameterLookup& parameters = Values()) {
  return count("itanium2", request, machine.block, parameters).expected;
}
inline std::uint64_t counted_by_montecito(const Machine& machine, const Request& request,
                                          const ParameterLookup& parameters = Values()) {
  return count("montecito", request, machine.block, parameters).expected;
}
inline std::uint64_t counted(const Machine& machine, const std::string& name,
                             const ParameterLookup& parameters = Values()) {
  return counted(machine, row(name), parameters);
}

/// "A_{B,C}_{D,E}=2 F" -> A_B_D, A_B_E, A_C_D, A_C_E twice each, F once.
inline std::map<std::string, std::uint64_t> rows_of(const std::string& text) {
  std::map<std::string, std::uint64_t> rows;
  const std::function<void(const std::string&, std::uint64_t)> expand = [&](const std::string& word, std::uint64_t n) {
    const std::size_t open = word.find('{'), close = word.find('}');
    if (open == std::string::npos) {
      rows[word] = n;
      return;
    }
    for (std::size_t from = open + 1; from <= close;) {
      const std::size_t to = std::min(word.find(',', from), close);
      expand(word.substr(0, open) + word.substr(from, to - from) + word.substr(close + 1), n);
      from = to + 1;
    }
  };
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t to = std::min(text.find(' ', from), text.size());
    const std::string word = text.substr(from, to - from);
    const std::size_t times = word.find('=');
    if (!word.empty())
      expand(word.substr(0, times), times == std::string::npos ? 1 : std::stoull(word.substr(times + 1)));
    from = to + 1;
  }
  return rows;
}

// Hand-made activity of an Alpha core.

namespace alp = activity::alpha;

/// An instruction and its Alpha part.
struct AlphaInsn {
  InstructionRecord record;
  alp::Instruction alpha;
};
inline AlphaInsn alpha_insn(std::initializer_list<alp::Kind> kinds) {
  AlphaInsn made;
  for (const alp::Kind kind : kinds) made.alpha.kinds |= alp::bit(kind);
  return made;
}

/// A script in which the issue of instructions never stalls.
class AlphaMachine : public Script {
 public:
  using Script::happen;
  using Script::Script;
  std::uint32_t add(const AlphaInsn& made) {
    block.instructions.push_back(made.record);
    block.alpha_instructions.push_back(made.alpha);
    return static_cast<std::uint32_t>(block.instructions.size() - 1);
  }
  void put(Signal s, Cycle at, const AlphaInsn& made, unsigned detail = 0) {
    happen(s, at, static_cast<std::uint16_t>(detail), 1, add(made));
  }
};

}  // namespace pmusim::oracle::script
