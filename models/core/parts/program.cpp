#include "models/core/parts/program.h"

#include <fmt/format.h>

#include <utility>

#include "models/core/core.h"
#include "pmusim/trace/names.h"

namespace pmusim::core {

Program::Program(std::unique_ptr<trace::Reader> reader)
    : reader_(std::move(reader)), ring_(32), last_(ring_.size() - 1), numbering_(reader_->info().isa) {
  for (auto& entry : ring_) entry = std::make_unique<Entry>();
}

std::string Program::never_completes(std::uint64_t cycle) {
  const Entry* const oldest = at(begin_);
  if (oldest == nullptr) return fmt::format("cycle {}: nothing is left to wait for after the last instruction", cycle);
  const trace::Code& code = *oldest->instruction.code;
  std::string bytes;
  for (unsigned i = 0; i < code.length; ++i) bytes += fmt::format("{:02x}", code.bytes[i]);
  return fmt::format(
      "trace instruction {} at {:08x} ({}), {} accesses: does not complete, nothing is left to wait for in cycle {}; "
      "expected the accesses that the instruction makes",
      oldest->number, code.pc, bytes, oldest->instruction.accesses.size(), cycle);
}

Program::Entry* Program::read_next() {
  if (ended_) return nullptr;
  if (read_ - begin_ > last_) [[unlikely]]
    grow();
  Entry& e = entry(read_);
  if (!e.directives.list.empty()) [[unlikely]]
    e.directives = {};
  e.done = false;
  const bool more = reader_->next(e) && (e.directive == nullptr || pass_directives(e));
  if (!more) [[unlikely]]
    return end(e);
  e.accesses.clear();
  if (!e.instruction.accesses.empty() || e.instruction.annotations != nullptr) keep(e);
  if (!found_.empty()) {
    const trace::Code* const code = e.instruction.code;
    if (Found& found = found_at(code->pc); found.pc == code->pc) found.code = code;
  }
  e.number = numbering_.take(e.instruction);
  ++read_;
  return &e;
}

/// Keeps directives; false if no instruction follows.
bool Program::pass_directives(Entry& e) {
  do {
    if (!trace::is_name(*e.directive)) e.directives.list.push_back(*e.directive);
    if (!reader_->next(e)) return false;
  } while (e.directive != nullptr);
  return true;
}

/// Copies what the reader keeps for one step only.
void Program::keep(Entry& e) {
  e.accesses.assign(e.instruction.accesses.begin(), e.instruction.accesses.end());
  e.instruction.accesses = e.accesses;
  if (e.instruction.annotations == nullptr) return;
  if (e.annotations == nullptr) e.annotations = std::make_unique<trace::Annotations>();
  *e.annotations = *e.instruction.annotations;
  e.instruction.annotations = e.annotations.get();
}

Program::Entry* Program::end(Entry& e) {
  ended_ = true;
  trailing_ = std::exchange(e.directives, {});
  return nullptr;
}

void Program::grow() {
  std::vector<std::unique_ptr<Entry>> larger(ring_.size() * 2);
  for (std::uint64_t i = begin_; i < read_; ++i) {
    larger[i & (larger.size() - 1)] = std::move(ring_[i & last_]);
  }
  for (auto& entry : larger) {
    if (entry == nullptr) entry = std::make_unique<Entry>();
  }
  ring_ = std::move(larger);
  last_ = ring_.size() - 1;
}

void require_isa(const trace::Reader& trace, trace::Isa isa, std::string_view core) {
  const trace::Isa given = trace.info().isa;
  if (given == isa) return;
  throw CoreError(
      fmt::format("the {} core runs {} traces; this one is {}", core, trace::name_of(isa), trace::name_of(given)));
}

}  // namespace pmusim::core
