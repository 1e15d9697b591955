// The privilege level of the instructions of a trace, as specified by its directives.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "pmusim/trace/instruction.h"

namespace pmusim::trace::edit {

class Privilege {
 public:
  explicit Privilege(Isa isa) : isa_(isa) {}
  void observe(const Directive& directive);
  /// `user`, `supervisor`, `kernel`, `PALcode`, `level 3`, ...; `not told` before the first directive that specifies
  /// it.
  [[nodiscard]] std::string_view name() const;

 private:
  Isa isa_;
  unsigned level_ = untold;
  bool pal_ = false;
  struct Saved {
    unsigned level;
    bool pal;
  };
  std::vector<Saved> saved_;  // one entry for each handler that was entered
  static constexpr unsigned untold = ~0U;
};

}  // namespace pmusim::trace::edit
