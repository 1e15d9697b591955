#include "testbench/lab/bindings/laboratory.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "testbench/driver/activity_file_source.h"

namespace pmusim::lab {

namespace {

/// The rows from number `from` on.
template <class T>
Json table(Rows& rows, const std::vector<T>& all, std::size_t from = 0) {
  static_assert(sizeof(T) % sizeof(std::uint32_t) == 0);
  const std::size_t count = all.size() - from;
  return {{"at", rows.place(all.data() + from, count * sizeof(T))}, {"count", count}};
}

}  // namespace

void Laboratory::load(testbench::ActivityLog activity) {
  stepper_.reset();
  timeline_ = {};
  activity_ = std::move(activity);
}

Json Laboratory::open(std::string_view content, const std::string& name) {
  testbench::ActivityFileSource source(std::make_unique<activity_file::Reader>(std::string(content), name));
  testbench::ActivityLog log;
  while (const activity::Block* const block = source.next(activity::never)) log.append(*block);
  const std::string target = source.properties().get("target").value_or("");
  if (models::find_target(target) == nullptr) throw std::invalid_argument(name + ": there is no target " + target);
  load(std::move(log));
  const unsigned threads = source.properties().get("threads").value_or("1") == "2" ? 2 : 1;
  return {{"target", target},
          {"threads", threads},
          {"cycles", activity_.cycles()},
          {"traces", source.properties().list("trace")}};
}

Json Laboratory::begin(const Json& request, Rows& rows) {
  stepper_.reset();
  threads_ = request.value("threads", 1u);
  timeline_ = timeline_of(activity_.blocks());
  return {{"cycles", activity_.cycles()},
          {"instructions", table(rows, timeline_.instructions)},
          {"requests", table(rows, timeline_.requests)}};
}

Json Laboratory::start_steps(const Json& request) {
  sent_.clear();
  stepper_ = std::make_unique<Stepper>(request, activity_.blocks(), threads_);
  Json initial = Json::array();
  for (unsigned thread = 0; thread < threads_; ++thread)
    for (unsigned i = 0; i < stepper_->counters(); ++i) initial.push_back(stepper_->initial(thread, i));
  return {{"counters", stepper_->counters()}, {"initial", initial}, {"levels", stepper_->level_names()}};
}

Json Laboratory::go_on(const Json& request, Rows& rows) {
  if (stepper_ == nullptr) throw std::logic_error("no steps were started");
  const bool more = stepper_->step(request.at("cycles").get<std::uint64_t>());
  const auto fresh = [&](const auto& all) {
    std::size_t& sent = sent_[&all];
    return table(rows, all, std::exchange(sent, all.size()));
  };
  Json counters = Json::array(), levels = Json::array();
  const std::size_t level_count = stepper_->level_names().size();
  for (unsigned thread = 0; thread < threads_; ++thread) {
    for (unsigned i = 0; i < stepper_->counters(); ++i) counters.push_back(fresh(stepper_->steps(thread, i)));
    for (std::size_t i = 0; i < level_count; ++i) levels.push_back(fresh(stepper_->levels(thread, i)));
  }
  Json answer{{"more", more},
              {"reached", stepper_->reached()},
              {"counters", counters},
              {"levels", levels},
              {"marks", fresh(stepper_->marks())}};
  if (!more) answer["causes"] = table(rows, stepper_->causes());
  return answer;
}

Json Laboratory::answer(const Json& request, Rows& rows) {
  const auto op = request.at("op").get<std::string>();
  if (op == "targets") return list_targets();
  if (op == "describe") return describe(request);
  if (op == "encode") return encode(request);
  if (op == "decode") return decode(request);
  if (op == "begin") return begin(request, rows);
  if (op == "run") return replay(request, activity_, threads_);
  if (op == "explain") return explain(request, activity_, threads_);
  if (op == "neighbours") return neighbours(request, activity_, threads_);
  if (op == "start_steps") return start_steps(request);
  if (op == "go_on") return go_on(request, rows);
  throw std::invalid_argument("there is no request '" + op + "'");
}

namespace {

using activity::Block;
using activity::Cycle;
using activity::InstructionRecord;
using activity::RequestRecord;
using activity::Signal;
using activity::Trait;

std::uint32_t low(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
std::uint32_t high(std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32); }

class Collector {
 public:
  explicit Collector(Cycle first) : first_(first) {}

  void add(const Block& block) {
    for (const auto& [signal, stage] : stages) {
      for (const activity::Occurrence& occurrence : block.column(signal)) {
        if (occurrence.ref == activity::no_ref) continue;
        InstructionRow& row = row_of(block, occurrence.ref);
        if (row.*stage == no_cycle) row.*stage = since(block.begin + occurrence.at);
      }
    }
    for (const RequestRecord& request : block.requests) add(request);
    for (const Signal signal : ends) {
      for (const activity::Occurrence& occurrence : block.column(signal)) {
        if (occurrence.ref == activity::no_ref) continue;
        RequestRow& row = requests_[block.requests[occurrence.ref].id];
        const std::uint32_t cycle = since(block.begin + occurrence.at);
        if (row.end == no_cycle || row.end < cycle) row.end = cycle;
      }
    }
  }
  Timeline take() {
    Timeline timeline;
    for (auto& [key, row] : instructions_) timeline.instructions.push_back(row);
    std::sort(timeline.instructions.begin(), timeline.instructions.end(),
              [](const InstructionRow& a, const InstructionRow& b) {
                return std::tuple(begin_of(a), a.id, a.flags & 3) < std::tuple(begin_of(b), b.id, b.flags & 3);
              });
    for (auto& [id, row] : requests_)
      if (row.end != no_cycle && row.end > row.start) timeline.requests.push_back(row);
    std::sort(timeline.requests.begin(), timeline.requests.end(),
              [](const RequestRow& a, const RequestRow& b) { return a.start < b.start; });
    return timeline;
  }

 private:
  static constexpr std::pair<Signal, std::uint32_t InstructionRow::*> stages[] = {
      {Signal::dispatch, &InstructionRow::dispatch}, {Signal::issue, &InstructionRow::issue},
      {Signal::finish, &InstructionRow::finish},     {Signal::retire, &InstructionRow::retire},
      {Signal::fold, &InstructionRow::retire},       {Signal::kill, &InstructionRow::kill}};

  /// A request that waited for a line ends when the line, or its data, arrives.
  static constexpr Signal ends[] = {Signal::load_return, Signal::line_fill, Signal::fetch_return};

  static std::uint32_t begin_of(const InstructionRow& row) {
    return std::min({row.fetch, row.dispatch, row.issue, row.finish, row.retire, row.kill});
  }
  std::uint32_t since(Cycle cycle) const { return cycle < first_ ? 0 : static_cast<std::uint32_t>(cycle - first_); }
  InstructionRow& row_of(const Block& block, std::uint32_t ref) {
    const InstructionRecord& record = block.instructions[ref];
    const auto key = std::tuple(record.thread, record.id, record.slot);
    const auto [place, fresh] = instructions_.try_emplace(key);
    InstructionRow& row = place->second;
    if (fresh) {
      row = {low(record.ip), high(record.ip), since(record.tagged), no_cycle, no_cycle, no_cycle, no_cycle, no_cycle, 0,
             low(record.id)};
    }
    const auto flag = [](bool on, unsigned bit) { return on ? 1u << bit : 0u; };
    row.flags = (record.slot & 3u) | flag(record.thread == 1, 2) | flag(record.wrong_path, 3) |
                flag(record.mispredicted, 4) | flag(record.has(Trait::load), 5) | flag(record.has(Trait::store), 6) |
                flag(record.has(Trait::branch), 7);
    return row;
  }
  void add(const RequestRecord& request) {
    RequestRow& row = requests_[request.id];
    const bool fetch = !request.has_instruction && !request.store;
    row = {low(request.address),
           high(request.address),
           low(request.ip),
           high(request.ip),
           since(request.start),
           request.end > request.start ? since(request.end) : row.end,
           (request.store ? 1u : 0u) | (request.has_instruction ? 2u : 0u) | (request.thread == 1 ? 4u : 0u) |
               (request.wrong_path ? 8u : 0u) | (fetch ? 16u : 0u),
           low(request.instruction),
           low(request.id)};
  }

  Cycle first_;
  std::map<std::tuple<std::uint8_t, std::uint64_t, std::uint8_t>, InstructionRow> instructions_;
  std::map<std::uint64_t, RequestRow> requests_;
};

}  // namespace

Timeline timeline_of(const std::vector<Block>& blocks) {
  Collector collector(blocks.empty() ? 0 : blocks.front().begin);
  for (const Block& block : blocks) collector.add(block);
  return collector.take();
}

}  // namespace pmusim::lab
