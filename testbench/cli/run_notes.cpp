#include "testbench/cli/run_notes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "isa-traces/edit/mix.h"
#include "pmusim/trace/x86.h"
#include "testbench/cli/command_facts.h"
#include "testbench/explain/disassembler.h"

namespace pmusim::testbench {

namespace {

/// An event as the tables of ratios know it.
struct PlainEvent {
  std::string_view name;
  std::string levels;  ///< attributes that say at which privilege levels it is counted
};

/// True for an attribute that does not change what one occurrence of the event is.
bool says_when(std::string_view key) {
  constexpr std::array<std::string_view, 7> keys = {"u", "k", "plm", "ism", "pm", "me", "freq"};
  return std::ranges::find(keys, key) != keys.end();
}

/// Empty for an event with a unit mask, a threshold, an edge, an inversion or a filter.
std::optional<PlainEvent> plain(std::string_view event) {
  const std::size_t target = event.find("::");
  if (target != event.npos) event.remove_prefix(target + 2);
  PlainEvent found{event.substr(0, event.find(':')), ""};
  event.remove_prefix(found.name.size());
  while (!event.empty()) {
    const std::size_t end = std::min(event.find(':', 1), event.size());
    const std::string_view attribute = event.substr(1, end - 1);
    event.remove_prefix(end);
    const std::size_t equals = std::min(attribute.find('='), attribute.size());
    const std::string_view key = attribute.substr(0, equals);
    if (says_when(key)) {
      if (key != "freq") found.levels += fmt::format(":{}", attribute);
    } else if (attribute.substr(equals) != "=0") {
      return std::nullopt;
    }
  }
  return found;
}

}  // namespace

Json metrics_of(const models::Target& target, const std::vector<Counted>& counts) {
  Json metrics = Json::array();
  const bool threads = std::ranges::any_of(counts, [](const Counted& one) { return one.thread > 0; });
  for (const Counted& over : counts) {
    const auto upper = plain(over.event);
    for (const Counted& under : counts) {
      const auto lower = plain(under.event);
      if (!upper || !lower || upper->levels != lower->levels || over.thread != under.thread || under.value == 0)
        continue;
      for (const Ratio& ratio : ratios_of(target.name)) {
        if (ratio.over != upper->name || ratio.under != lower->name) continue;
        metrics.push_back(
            {{"name", ratio.name}, {"over", ratio.over}, {"under", ratio.under}, {"value", over.value / under.value}});
        if (threads) metrics.back()["thread"] = over.thread;
      }
    }
  }
  return metrics;
}

std::string metric_in_words(const models::Target& target, const Json& metric) {
  const auto name = metric.at("name").get<std::string>();
  const std::span<const Ratio> all = ratios_of(target.name);
  const auto ratio = std::ranges::find(all, name, &Ratio::name);
  const auto value = metric.at("value").get<double>();
  std::string text = fmt::format("{:.2f} {}", value, name);
  if (ratio->shown == Ratio::Shown::percent) text = fmt::format("{:.2f} % {}", value * 100, name);
  if (ratio->shown == Ratio::Shown::per_thousand) text = fmt::format("{:.2f} {}", value * 1000, name);
  const std::string thread =
      metric.contains("thread") ? fmt::format("thread {}: ", metric.at("thread").get<unsigned>()) : "";
  if (!ratio->inverse.empty() && value > 0) text += fmt::format(", {:.2f} {}", 1 / value, ratio->inverse);
  return thread + text;
}

namespace {

constexpr auto key = "unknown_instructions";
constexpr std::size_t most_named = 8;
constexpr double share_of_a_warning = 0.001;
constexpr auto model = "core.model";

/// The mnemonic; the encoding if there is no text.
std::string name_of(const trace::Code& code, trace::Isa isa) {
  const std::string text = instruction_text(code, isa, 0);
  return text.substr(0, text.find(' '));
}

}  // namespace

class WatchedReader final : public trace::Reader {
 public:
  WatchedReader(std::unique_ptr<trace::Reader> reader, UnknownCode& watcher)
      : reader_(std::move(reader)), watcher_(watcher) {}
  [[nodiscard]] const trace::TraceInfo& info() const override { return reader_->info(); }
  [[nodiscard]] const trace::Code* find(std::uint64_t pc) const override { return reader_->find(pc); }
  [[nodiscard]] std::uint32_t code_count() const override { return reader_->code_count(); }
  ~WatchedReader() override { count(); }
  std::span<const trace::Item> read() override {
    count();
    return reader_->read();
  }

 private:
  /// Counts the items that were taken.
  void count() {
    const std::span<const trace::Item> instructions =
        taken().subspan(!taken().empty() && taken()[0].directive != nullptr ? 1 : 0);
    watcher_.read_ += instructions.size();
    for (const trace::Item& item : instructions) {
      look(*item.instruction.code);
      if (all_have_rows_) break;  // only the first one of a read() can be new
    }
  }
  static constexpr std::uint8_t has_row = static_cast<std::uint8_t>(UnknownCode::Known::yes), not_judged = 0xff;
  void look(const trace::Code& code) {
    if (code.id >= known_.size()) known_.resize(code.id + 1, not_judged);
    std::uint8_t& known = known_[code.id];
    if (known == not_judged) known = static_cast<std::uint8_t>(watcher_.judge(code));
    if (known == has_row) return;
    all_have_rows_ = false;
    watcher_.note(static_cast<UnknownCode::Known>(known), code);
  }
  std::unique_ptr<trace::Reader> reader_;
  UnknownCode& watcher_;
  std::vector<std::uint8_t> known_;  ///< by id: a Known, or not_judged
  bool all_have_rows_ = true;        ///< of the instructions so far
};

UnknownCode::UnknownCode(const SessionSetup& setup) : isa_(setup.target->isa), target_(setup.target->name) {
  without_sse_ = setup.parameters.has(model) && setup.parameters.get(model) == 0;
}

UnknownCode::Readers UnknownCode::watch(Readers readers) {
  for (auto& reader : readers) reader = std::make_unique<WatchedReader>(std::move(reader), *this);
  return readers;
}

UnknownCode::Known UnknownCode::judge(const trace::Code& code) const {
  if (isa_ == trace::Isa::i386 && without_sse_ && trace::x86::classify(code).kind == trace::x86::Kind::sse) {
    return Known::faults;
  }
  const std::vector<trace::edit::Work> works = trace::edit::works_of(isa_, code);
  const bool unknown = std::ranges::any_of(
      works, [](const trace::edit::Work& work) { return work.kind == trace::edit::Class::unknown; });
  return unknown ? Known::unknown : Known::yes;
}

void UnknownCode::note(Known known, const trace::Code& code) {
  ++unknown_;
  if (known == Known::faults) ++faulting_;
  ++by_name_[name_of(code, isa_)];
}

void UnknownCode::add_to(Json& notes) const {
  if (unknown_ == 0) return;
  Json object{{"count", unknown_}, {"of", read_}, {"by_name", Json::array()}};
  for (const auto& [name, count] : by_name_) object["by_name"].push_back({{"instruction", name}, {"count", count}});
  if (faulting_ != 0) object["faulting"] = faulting_;
  notes[key] = object;
  const double share = static_cast<double>(unknown_) / static_cast<double>(read_);
  if (share <= share_of_a_warning) return;
  notes["warnings"].push_back(fmt::format(
      "{:.1f} % of the trace are instructions of which the {}'s core knows nothing: it gives them a default "
      "time, and nothing waits for them{}",
      100 * share, target_, faulting_ != 0 ? "; a processor of model 4 would fault on SSE" : ""));
}

std::string unknown_line(const Json& notes) {
  if (!notes.contains(key)) return "";
  const Json& object = notes.at(key);
  std::vector<std::pair<std::uint64_t, std::string>> names;
  for (const Json& row : object.at("by_name")) names.emplace_back(row.at("count"), row.at("instruction"));
  std::sort(names.rbegin(), names.rend());
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(names.size(), most_named); ++i) {
    texts.push_back(fmt::format("{} {}", names[i].second, names[i].first));
  }
  if (names.size() > most_named) texts.push_back(fmt::format("{} others", names.size() - most_named));
  return fmt::format("{} of {} instructions have no row in the core's tables{}: {}", object.at("count").dump(),
                     object.at("of").dump(),
                     object.contains("faulting")
                         ? fmt::format(" ({} of them SSE, on which model 4 faults)", object.at("faulting").dump())
                         : "",
                     fmt::join(texts, ", "));
}

}  // namespace pmusim::testbench
