// Counts the rows of a table from the instructions of a trace. It uses no code of a core.
#include "testbench/judge/trial/trace_tellers.h"

#include <algorithm>
#include <bit>

namespace pmusim::testbench {

using trace::Directive;
using trace::Instruction;

TableTeller::Rows TableTeller::row(std::string_view name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  return found == names_.end() ? 0 : Rows{1} << (found - names_.begin());
}

bool TableTeller::line(const Instruction& executed, TraceCounts::Counts& /*counts*/, unsigned level) {
  const Told& told = told_.of(*executed.code, [this](const trace::Code& code) { return decode(code); });
  if (told.silent || !look(executed)) return false;
  untold_ |= told.untold;
  if (told.iterates && executed.taken && executed.target == executed.code->pc) return true;
  Rows rows = told.always | (executed.taken ? told.taken : 0);
  if (told.stored != 0) {
    const auto stores = [](const trace::Access& access) { return access.store; };
    if (std::any_of(executed.accesses.begin(), executed.accesses.end(), stores)) rows |= told.stored;
  }
  for (; rows != 0; rows &= rows - 1) ++counts_[static_cast<std::size_t>(std::countr_zero(rows))][level];
  return true;
}

void TableTeller::finish(TraceCounts::Counts& counts) {
  const Rows without = untold() | untold_;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if ((without >> i & 1) == 0) counts[names_[i]] = counts_[i];
  }
}

bool TableTeller::directive(const Directive& directive, unsigned& /*level*/) {
  return leaves_instructions_alone(directive.name);
}

bool leaves_instructions_alone(std::string_view directive) {
  constexpr std::string_view names[] = {"isa", "idle", "snoop", "bus"};
  return std::find(std::begin(names), std::end(names), directive) != std::end(names);
}

std::optional<unsigned> level_operand(const Directive& directive, std::string_view key) {
  for (const auto& [name, value] : directive.operands) {
    if (name == key && value.size() == 1 && value[0] >= '0' && value[0] <= '7')
      return static_cast<unsigned>(value[0] - '0');
    if (key.empty() && name.size() == 1 && value.empty() && name[0] >= '0' && name[0] <= '7')
      return static_cast<unsigned>(name[0] - '0');
  }
  return std::nullopt;
}

}  // namespace pmusim::testbench
