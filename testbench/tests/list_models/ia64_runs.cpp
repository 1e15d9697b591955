#include "testbench/tests/list_models/ia64_runs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <sstream>

#include "models/core/itanium2/itanium2.h"
#include "models/core/montecito/montecito.h"
#include "testbench/tests/core_itanium2/mixture.h"
#include "testbench/tests/list_models/ia64_lists.h"
#include "testbench/tests/sampling.h"

namespace pmusim::testbench::ia64::lists {
namespace {

/// A trace in which the outside acts at regular distances in bundles: nothing else occurs then, so that the place
/// among the requests is known.
class Disturbed final : public trace::Reader {
 public:
  Disturbed(std::unique_ptr<trace::Reader> inner, unsigned every, unsigned seed, std::deque<Outside>& done)
      : inner_(std::move(inner)), every_(every), draw_(seed), done_(done) {}
  [[nodiscard]] const trace::TraceInfo& info() const override { return inner_->info(); }
  [[nodiscard]] const trace::Code* find(std::uint64_t pc) const override { return inner_->find(pc); }
  [[nodiscard]] std::uint32_t code_count() const override { return inner_->code_count(); }

  std::span<const trace::Item> read() override {
    if (due_.empty() && bundles_ >= every_ && !seen_.empty()) plan();
    if (!due_.empty()) {
      now_ = due_.front();
      due_.pop_front();
      item_ = {};
      item_.directive = &now_;
      return {&item_, 1};
    }
    if (!inner_->next(item_)) return {};
    if (item_.directive != nullptr) return {&item_, 1};
    ++bundles_;
    note(item_.instruction.code->pc);
    for (const trace::Access& a : item_.instruction.accesses) note(a.address);
    return {&item_, 1};
  }

 private:
  void note(std::uint64_t address) {
    constexpr std::size_t remembered = 64;
    if (seen_.size() < remembered) {
      seen_.push_back(address);
    } else if (draw_.below(4) == 0) {
      seen_[draw_.below(remembered)] = address;
    }
  }
  void plan() {
    bundles_ = 0;
    say("idle cycles=2000");
    constexpr std::array kinds{act::BusKind::read_line,    act::BusKind::read_line,
                               act::BusKind::read_line,    act::BusKind::read_invalidate_line,
                               act::BusKind::read_current, act::BusKind::invalidate_line,
                               act::BusKind::read_partial, act::BusKind::write_partial,
                               act::BusKind::write_line};
    const std::uint64_t address = seen_[draw_.below(seen_.size())] / 8 * 8;
    act({Outside::What::transaction, kinds[draw_.below(kinds.size())], address, Mesi::invalid});
    constexpr std::array states{Mesi::shared, Mesi::exclusive, Mesi::modified};
    const std::uint64_t other = seen_[draw_.below(seen_.size())] / 8 * 8;
    // Another agent holds a line in any state; here it is shared with one, or the only copy.
    if (draw_.below(2) == 0) act({Outside::What::state, {}, other, states[draw_.below(2)]});
  }
  void act(const Outside& outside) {
    done_.push_back(outside);
    say(outside.text());
  }
  void say(const std::string& text) {
    std::istringstream words(text);
    trace::Directive directive;
    words >> directive.name;
    for (std::string word; words >> word;) {
      const std::size_t at = word.find('=');
      directive.operands.emplace_back(word.substr(0, at), word.substr(at + 1));
    }
    due_.push_back(directive);
  }
  std::unique_ptr<trace::Reader> inner_;
  unsigned every_;
  Draw draw_;
  std::deque<Outside>& done_;
  std::deque<trace::Directive> due_;
  trace::Directive now_;
  trace::Item item_;
  std::vector<std::uint64_t> seen_;
  unsigned bundles_ = 0;
};

/// Gives every fourth load of a trace's text the hint .nt1: bit 28 of the syllable in slot 0, bit 33 of the bundle.
std::string hint_loads(const std::string& text) {
  std::istringstream lines(text);
  std::string hinted;
  unsigned loads = 0;
  for (std::string line; std::getline(lines, line);) {
    const bool load = line.find(" L0 ") != std::string::npos && line.find("S0 ") == std::string::npos;
    const bool flush = line.find(" 64") != std::string::npos;
    if (load && !flush && ++loads % 4 == 0) {
      constexpr std::size_t low_digit = 1 + 2 * 4 + 1;  // of the fifth byte
      char& digit = line[line.find(' ') + low_digit];
      const unsigned value = static_cast<unsigned>(std::stoul(std::string(1, digit), nullptr, 16)) | 2u;
      digit = fmt::format("{:x}", value)[0];
    }
    hinted += line + "\n";
  }
  return hinted;
}

std::string text_of(const RetiredBranch& b) {
  constexpr std::uint64_t slots = 4;
  return Predicted{b.id / slots, b.ip, b.slot, b.predicted_taken, b.taken, b.unknown, b.flush, b.prediction}.text();
}

}  // namespace

Processor itanium2() { return {false, core::itanium2_parameters(), core::make_itanium2}; }
Processor montecito() { return {true, core::montecito_parameters(), core::make_montecito_single}; }

Processor small(Processor processor) {
  constexpr std::pair<const char*, std::int64_t> sizes[] = {
      {"core.l1d_bytes", 1024},     {"core.l1d_ways", 2},       {"core.l1i_bytes", 1024},   {"core.l1i_ways", 2},
      {"core.l2_bytes", 8192},      {"core.l2_ways", 4},        {"core.l3_bytes", 65536},   {"core.l3_ways", 4},
      {"core.l1dtlb_entries", 3},   {"core.l2dtlb_entries", 5}, {"core.l1itlb_entries", 2}, {"core.l2itlb_entries", 3},
      {"core.page_bytes", 8192},    {"core.return_entries", 3}, {"core.target_entries", 8}, {"core.history_bits", 4},
      {"core.history_entries", 256}};
  for (const auto& [name, value] : sizes) processor.parameters.set(name, value);
  if (processor.split) {
    processor.parameters.set("core.l2i_bytes", std::int64_t{4096});
    processor.parameters.set("core.l2i_ways", std::int64_t{2});
  }
  return processor;
}

Compared compare(const Processor& processor, const Source& source, unsigned disturb_every, unsigned seed) {
  Findings findings;
  Machine machine(processor.parameters, processor.split, findings);
  Branches branches(source(), processor.parameters);
  std::deque<Outside> outside;
  Compared sums;
  Reader reader;
  const auto compare_hints = [&](bool end) {
    std::deque<Hinted>& wanted = branches.hinted();
    auto& seen = machine.hinted();
    while (!wanted.empty() && !seen.empty()) {
      if (!wanted.front().fits(seen.front()))
        findings.add(
            fmt::format("a hint asks for line {:x}, the core prefetches {:x}", wanted.front().line, seen.front().line));
      wanted.pop_front();
      seen.pop_front();
    }
    if (end && wanted.size() != seen.size())
      findings.add(fmt::format("{} prefetches by hints are missing, {} are too many", wanted.size(), seen.size()));
  };
  reader.trip = [&](Trip&& trip) { machine.take(std::move(trip)); };
  reader.unowned = [&](const Event& event) { findings.see_unowned(event); };
  reader.snoop = [&](const Event& event) {
    if (outside.empty()) return findings.add("a snoop that the trace does not have");
    do {
      machine.act(outside.front(), event.cycle);
      ++sums.outside;
      outside.pop_front();
    } while (!outside.empty() && outside.front().what != Outside::What::transaction);
  };
  reader.branch = [&](const RetiredBranch& seen) {
    Predicted wanted;
    const std::string core = text_of(seen);
    if (!branches.next(wanted)) return findings.add("a branch that the trace does not have: " + core);
    if (wanted.text() != core || seen.mispredicted != (wanted.prediction != act::Prediction::correct))
      findings.add("branch " + std::to_string(branches.count()) + "\n  the model: " + wanted.text() +
                   "\n  the core:  " + core);
    compare_hints(false);
  };
  auto trace = source();
  if (disturb_every != 0) trace = std::make_unique<Disturbed>(std::move(trace), disturb_every, seed, outside);
  read_run(*processor.make(std::move(trace), processor.parameters), reader);
  machine.finish();
  if (Predicted more; branches.next(more)) findings.add("the core retires no " + more.text());
  compare_hints(true);
  findings.finish();
  sums.requests = machine.requests();
  sums.branches = branches.count();
  sums.differences = findings.count();
  return sums;
}

Source random_trace(unsigned seed, unsigned bundles, std::uint64_t bytes) {
  const std::string text = hint_loads(mixture({seed, bundles, bytes, false, true, false}).text());
  return [text] {
    trace::ReadOptions options;
    options.isa = trace::Isa::ia64;
    return trace::open_text(text, "random", options);
  };
}

}  // namespace pmusim::testbench::ia64::lists
