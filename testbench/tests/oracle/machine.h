// Hand-made activity of an IA-64 core, and the counts of the Itanium 2's event rows in it.
#pragma once

#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "machine.h"
#include "script.h"

namespace pmusim::oracle::script {

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
  void stall(Cycle from, Cycle cycles, alp::IssueStall cause) {
    state(State::issue_stall, from, static_cast<std::uint64_t>(cause));
    state(State::issue_stall, from + cycles, 0);
  }
};

inline Request row_of(const std::string& name) {
  Request request;
  request.event = name;
  return request;
}

// Stimuli for the tests of the Alphas' rows, with the counts on each chip.

/// Cycles reserved for one stimulus, which acts in cycle 5.
inline constexpr Cycle alpha_length = 30;

using AlphaAct = std::function<void(AlphaMachine&, Cycle)>;
/// A stimulus and its counts on each chip; `quad`: on both the 21164 and the 21164PC.
struct AlphaStimulus {
  std::string what;
  AlphaAct act;
  std::string ev4 = "", quad = "", ev5 = "", pca56 = "", ev6 = "", ev67 = "";
  [[nodiscard]] std::string rows(const std::string& target) const {
    if (target == "alpha-ev4") return ev4;
    if (target == "alpha-ev5") return quad + " " + ev5;
    if (target == "alpha-pca56") return quad + " " + pca56;
    return target == "alpha-ev6" ? ev6 : ev67;
  }
};

/// All stimuli.
[[nodiscard]] const std::vector<AlphaStimulus>& alpha_stimuli();

}  // namespace pmusim::oracle::script
