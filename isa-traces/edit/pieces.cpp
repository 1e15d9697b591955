#include "pieces.h"

namespace pmusim::trace::edit {

Source::Source(std::unique_ptr<Reader> reader, std::string name) : reader_(std::move(reader)), name_(std::move(name)) {}

bool Source::next(Item& item) {
  if (!reader_->next(item)) return false;
  if (item.directive != nullptr) {
    happens_once_ = !state_.observe(*item.directive);
    return true;
  }
  if (isa() == Isa::ia64) {
    const Code& code = *item.instruction.code;
    if (code.id >= bundles_.size()) bundles_.resize(code.id + 1U);
    auto& bundle = bundles_[code.id];
    if (bundle == nullptr) bundle = std::make_unique<ia64::Bundle>(ia64::decode(code));
    bundle_ = bundle.get();
    stack_.step(*bundle_, item.instruction);
  }
  return true;
}

void PieceWriter::put(const Directive& directive) {
  Item item;
  item.directive = &directive;
  writer_.write(item);
}

void PieceWriter::begin(const Source& source) {
  for (const Directive& directive : source.state().directives()) put(directive);
}

void PieceWriter::put(const Source& source, Item item) {
  Annotations completed;
  if (item.directive == nullptr) {
    if (isa_ == Isa::ia64) {
      reader_.step(source.bundle(), item.instruction);
      const bool same = reader_.frame() == source.stack().frame() && reader_.bsp() == source.stack().bsp();
      if (!same || !begun()) {
        if (item.instruction.annotations != nullptr) completed = *item.instruction.annotations;
        completed.cfm = source.stack().frame().marker();
        completed.bsp = source.stack().bsp();
        completed.order.clear();
        item.instruction.annotations = &completed;
        reader_.apply(completed);
      }
    }
    numbering_.take(item.instruction);
  }
  writer_.write(item);
}

}  // namespace pmusim::trace::edit
