#include "testbench/judge/stimulus/modes.h"

#include <map>
#include <utility>

namespace pmusim::testbench::questions {
namespace {

using Operands = std::vector<std::pair<std::string, std::string>>;

trace::Directive directive(std::string name, Operands operands) { return {std::move(name), std::move(operands), 0}; }
trace::Directive level(const char* number) { return directive("cpl", {{"", number}}); }

// Amounts in a cycle: the number of threshold steps of the plan plus one.
std::vector<Mode> modes_i386() { return {{"", {}, 4}, {"system", {level("0")}, 4}}; }

std::vector<Mode> modes_ppc() {
  const auto msr = [](const char* pr, const char* pm, const char* ee) {
    return std::vector{directive("msr", {{"pr", pr}, {"pm", pm}, {"ee", ee}})};
  };
  return {{"", {}, 1},
          {"system", msr("0", "0", "1"), 1},
          {"marked", msr("1", "1", "1"), 1},
          {"marked system", msr("0", "1", "1"), 1},
          {"interrupts held", msr("1", "0", "0"), 1}};
}

// The manual limits the occurrences of each event per cycle, so occurrences are not multiplied.
std::vector<Mode> modes_ia64() { return {{"", {}, 0, true}}; }

// Many system events occur in few modes, but a filter must work in all of them.
std::vector<Mode> modes_alpha() {
  using activity::State;
  const auto mode = [](const char* name, std::uint64_t cpl, std::uint64_t pal, std::uint64_t marked) {
    return Mode{name, {}, 0, false, {{State::cpl, cpl}, {State::pal_mode, pal}, {State::process_marked, marked}}};
  };
  return {{"", {}, 0},
          mode("kernel", 0, 0, 0),
          mode("executive", 1, 0, 0),
          mode("supervisor", 2, 0, 0),
          mode("user", 3, 0, 0),
          mode("PALmode", 0, 1, 0),
          mode("marked", 3, 0, 1),
          mode("marked kernel", 0, 0, 1),
          mode("marked executive", 1, 0, 1),
          mode("marked supervisor", 2, 0, 1),
          mode("marked PALmode", 0, 1, 1),
          {"marked process", {}, 0, false, {{State::process_marked, 1}}}};
}

class ModeReader final : public trace::Reader {
 public:
  ModeReader(std::unique_ptr<trace::Reader> trace, const Mode& mode) : trace_(std::move(trace)), mode_(mode) {}
  const trace::TraceInfo& info() const override { return trace_->info(); }
  std::span<const trace::Item> read() override {
    if (at_ == mode_.directives.size()) return trace_->read();
    first_.directive = &mode_.directives[at_++];
    return {&first_, 1};
  }
  const trace::Code* find(std::uint64_t pc) const override { return trace_->find(pc); }
  std::uint32_t code_count() const override { return trace_->code_count(); }

 private:
  std::unique_ptr<trace::Reader> trace_;
  const Mode& mode_;
  std::size_t at_ = 0;
  trace::Item first_;
};

}  // namespace

std::span<const Mode> modes_of(trace::Isa isa) {
  static const std::map<trace::Isa, std::vector<Mode>> modes{{trace::Isa::i386, modes_i386()},
                                                             {trace::Isa::ppc, modes_ppc()},
                                                             {trace::Isa::ia64, modes_ia64()},
                                                             {trace::Isa::alpha, modes_alpha()}};
  static const std::vector<Mode> others{{"", {}, 0}};
  const auto found = modes.find(isa);
  return found == modes.end() ? others : found->second;
}

std::unique_ptr<trace::Reader> in_mode(std::unique_ptr<trace::Reader> trace, const Mode& mode) {
  if (mode.directives.empty()) return trace;
  return std::make_unique<ModeReader>(std::move(trace), mode);
}

}  // namespace pmusim::testbench::questions
