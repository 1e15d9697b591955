#include "cut.h"

namespace pmusim::trace::edit {

std::uint64_t cut(Source& source, std::uint64_t begin, std::uint64_t end, Writer& writer) {
  PieceWriter out(writer, source.isa());
  std::vector<Directive> before;  // directives before the first instruction that take effect only once
  std::uint64_t index = 0;
  bool begun = false;
  for (Item item; index < end && source.next(item);) {
    if (index < begin) {
      index += item.directive == nullptr;
    } else if (item.directive != nullptr && !begun) {
      if (source.happens_once()) before.push_back(*item.directive);
    } else {
      if (!begun) {
        begun = true;
        out.begin(source);
        for (const Directive& directive : before) out.put(directive);
      }
      out.put(source, item);
      index += item.directive == nullptr;
    }
  }
  return out.instructions();
}

}  // namespace pmusim::trace::edit
