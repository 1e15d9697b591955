#include "pieces.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

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

namespace {

/// Throws TraceError unless the trace specifies each state that another trace has specified before.
void check_states(const Source& source, const std::set<std::string_view>& specified, const std::string& by) {
  const auto own = source.state().specified();
  for (const std::string_view name : specified) {
    if (std::find(own.begin(), own.end(), name) != own.end()) continue;
    throw TraceError(
        fmt::format("{}: does not say '! {}', which {} does, and would run in its state; expected a trace that "
                    "begins with '! {} ...'",
                    source.name(), name, by, name));
  }
}

}  // namespace

std::uint64_t merge(std::vector<std::unique_ptr<Source>>& sources, const MergeOptions& options, Writer& writer) {
  const Isa isa = sources.front()->isa();
  for (const auto& source : sources) {
    if (source->isa() != isa) {
      throw TraceError(fmt::format("{}: a trace of {} where {} is of {}; expected traces of one instruction set",
                                   source->name(), name_of(source->isa()), sources.front()->name(), name_of(isa)));
    }
  }
  if (options.as == MergeAs::threads && isa != Isa::ia64)
    throw TraceError(fmt::format("{} has no hardware threads; expected --as processes", name_of(isa)));

  PieceWriter out(writer, isa);
  std::set<std::string_view> specified;
  std::string specified_by;
  std::vector<bool> ended(sources.size());
  for (std::size_t left = sources.size(); left > 0;) {
    for (std::size_t i = 0; i < sources.size(); ++i) {
      if (ended[i]) continue;
      Source& source = *sources[i];
      Item item;
      std::vector<Directive> before;  // directives before the first instruction of the slice
      bool begun = false;
      Numbering slice(isa);
      while (options.quantum == 0 || slice.instructions() < options.quantum || source.state().depth() > 0) {
        if (!source.next(item)) {
          ended[i] = true;
          --left;
          if (!begun) {
            for (const Directive& directive : before) out.put(directive);
          }
          break;
        }
        if (item.directive != nullptr && !begun) {
          if (source.happens_once()) before.push_back(*item.directive);
          continue;
        }
        if (!begun) {
          begun = true;
          check_states(source, specified, specified_by);
          if (out.begun()) out.put(Directive{"switch", {}, 0});
          out.put(options.as == MergeAs::threads ? Directive{"thread", {{"", std::to_string(i)}}, 0}
                                                 : Directive{"process", {{"", std::to_string(i + 1)}}, 0});
          out.begin(source);
          for (const Directive& directive : before) out.put(directive);
        }
        out.put(source, item);
        if (item.directive == nullptr) slice.take(item.instruction);
      }
      for (const std::string_view name : source.state().specified()) {
        if (specified.insert(name).second) specified_by = source.name();
      }
    }
  }
  return out.instructions();
}

}  // namespace pmusim::trace::edit
