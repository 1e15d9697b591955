#include "cut.h"

namespace pmusim::trace::edit {

std::uint64_t cut(Source& source, std::uint64_t begin, std::uint64_t end, Writer& writer) {
  PieceWriter out(writer, source.isa());
  std::vector<Directive> before;  // directives before the first instruction that take effect only once
  Numbering numbering(source.isa());
  bool begun = false;
  for (Item item; numbering.instructions() < end && source.next(item);) {
    const std::uint64_t number = numbering.instructions();
    if (item.directive == nullptr) numbering.take(item.instruction);
    if (number < begin) continue;
    if (item.directive != nullptr && !begun) {
      if (source.happens_once()) before.push_back(*item.directive);
    } else {
      if (!begun) {
        begun = true;
        out.begin(source);
        for (const Directive& directive : before) out.put(directive);
      }
      out.put(source, item);
    }
  }
  return out.instructions();
}

}  // namespace pmusim::trace::edit
