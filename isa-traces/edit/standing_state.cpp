#include "standing_state.h"

#include <algorithm>
#include <utility>

namespace pmusim::trace::edit {
namespace {

constexpr Meaning meanings[] = {
    // name, duration of the effect, belongs to the program, enters a handler
    {"bus"},
    {"cpl", Lasting::whole, true},
    {"dcr", Lasting::by_key},
    {"ecc"},
    {"function", Lasting::by_place},
    {"halt"},
    {"idle"},
    {"if", Lasting::whole, true},
    {"image", Lasting::by_place},
    {"init"},
    {"interface"},
    {"interrupt", Lasting::no, false, true},
    {"ipl", Lasting::whole, true},
    {"line", Lasting::by_place},
    {"map", Lasting::by_place},
    {"mcheck", Lasting::no, false, true},
    {"memory", Lasting::by_place},
    {"mode", Lasting::whole, true},
    {"msr", Lasting::by_key, true},
    {"nmi", Lasting::no, false, true},
    {"parity"},
    {"pcb", Lasting::by_key},
    {"pcr", Lasting::whole},
    {"pin", Lasting::by_place},
    {"preempt"},
    {"process", Lasting::whole},
    {"psr", Lasting::by_key, true},
    {"reset"},
    {"return"},
    {"smi", Lasting::no, false, true},
    {"snoop"},
    {"state"},
    {"stop"},
    {"switch"},
    {"tb", Lasting::whole},
    {"thread", Lasting::whole},
};

/// True for a state that ends without a directive: the level of a pin for some cycles.
bool passes(const Directive& directive) {
  return directive.name == "pin" && std::any_of(directive.operands.begin(), directive.operands.end(),
                                                [](const auto& operand) { return operand.first == "cycles"; });
}

/// Appends a directive to `list` and removes the older one that it replaces.
void put(std::vector<Directive>& list, const Directive& newer, Lasting lasting) {
  const auto older = std::find_if(list.begin(), list.end(), [&](const Directive& one) {
    return one.name == newer.name && (lasting != Lasting::by_place || one.operands[0] == newer.operands[0]);
  });
  Directive merged = newer;
  merged.line = 0;
  if (older != list.end()) {
    if (lasting == Lasting::by_key) {
      merged.operands = std::move(older->operands);
      for (const auto& operand : newer.operands) {
        const auto same = std::find_if(merged.operands.begin(), merged.operands.end(),
                                       [&](const auto& one) { return one.first == operand.first; });
        if (same == merged.operands.end()) {
          merged.operands.push_back(operand);
        } else {
          *same = operand;
        }
      }
    }
    list.erase(older);
  }
  list.push_back(std::move(merged));
}

}  // namespace

const Meaning* meaning_of(std::string_view name) {
  const auto* const found =
      std::find_if(std::begin(meanings), std::end(meanings), [&](const Meaning& one) { return one.name == name; });
  return found == std::end(meanings) ? nullptr : found;
}

bool StandingState::observe(const Directive& directive) {
  const Meaning* const meaning = meaning_of(directive.name);
  if (meaning == nullptr) return false;
  if (meaning->enters) {
    levels_.push_back({directive, {}});
    levels_.back().entry.line = 0;
    return true;
  }
  if (directive.name == "return" && levels_.size() > 1) {
    const Level left = std::move(levels_.back());
    levels_.pop_back();
    for (const Directive& one : left.lasting) {
      const Meaning& of = *meaning_of(one.name);
      if (!of.of_program) put(levels_.back().lasting, one, of.lasting);
    }
    return true;
  }
  if (directive.name == "reset" || directive.name == "init") {
    levels_.resize(1);
    std::erase_if(levels_[0].lasting, [](const Directive& one) { return meaning_of(one.name)->of_program; });
  }
  if (meaning->lasting == Lasting::no || passes(directive)) return false;
  put(levels_.back().lasting, directive, meaning->lasting);
  return true;
}

std::vector<Directive> StandingState::directives() const {
  std::vector<Directive> list;
  for (const Level& level : levels_) {
    if (!level.entry.name.empty()) list.push_back(level.entry);
    list.insert(list.end(), level.lasting.begin(), level.lasting.end());
  }
  return list;
}

std::vector<std::string_view> StandingState::specified() const {
  std::vector<std::string_view> names;
  for (const Directive& one : levels_.front().lasting) {
    if (const Meaning* const meaning = meaning_of(one.name); meaning->of_program) names.push_back(meaning->name);
  }
  return names;
}

}  // namespace pmusim::trace::edit
