#include "privilege.h"

#include <string>

#include "standing_state.h"

namespace pmusim::trace::edit {

void Privilege::observe(const Directive& directive) {
  if (directive.name == "cpl") {
    level_ = static_cast<unsigned>(std::stoul(directive.operands[0].second));
  } else if (directive.name == "msr") {
    for (const auto& [key, value] : directive.operands) {
      if (key == "pr") level_ = value == "1" ? 3 : 0;
    }
  } else if (directive.name == "mode" && isa_ == Isa::alpha) {
    pal_ = directive.operands[0].second == "pal";
  } else if (directive.name == "return" && !saved_.empty()) {
    level_ = saved_.back().level;
    pal_ = saved_.back().pal;
    saved_.pop_back();
  } else if (directive.name == "reset" || directive.name == "init") {
    level_ = 0;
    saved_.clear();
  } else if (const Meaning* const meaning = meaning_of(directive.name); meaning != nullptr && meaning->enters) {
    saved_.push_back({level_, pal_});
    level_ = 0;
  }
}

std::string_view Privilege::name() const {
  constexpr std::string_view levels[] = {"level 0", "level 1", "level 2", "level 3"};
  constexpr std::string_view modes[] = {"kernel", "executive", "supervisor", "user"};
  if (pal_) return "PALcode";
  if (level_ > 3) return "not told";
  if (isa_ == Isa::alpha) return modes[level_];
  if (isa_ == Isa::ppc) return level_ == 0 ? "supervisor" : "user";
  return levels[level_];
}

}  // namespace pmusim::trace::edit
