#include "testbench/explain/explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <stdexcept>

#include "testbench/driver/firmware.h"
#include "testbench/driver/wraps.h"
#include "testbench/explain/raw_counters.h"

namespace pmusim::testbench {

namespace {

using pmu::Step;

/// The whole value of a counter.
CounterReading final_value(const models::Target& target, const MonitorResult& result, const ExplainedCounter& counter) {
  const CounterReading reading = read_counter(target, result, counter.name);
  if (find_firmware(target.name)) return {whole_count(target, result, counter.name), reading.bits, reading.per_event};
  const pmu::RegisterInfo& info = result.reading(counter.name).info;
  return {counter_value(target, info, reading.value), counter_bits(target, info), 1};
}

/// Amounts that occurred and that the counter has not added yet.
std::uint64_t still_carried(const CounterRecord& record) {
  if (!record.left[static_cast<std::size_t>(Step::carried)]) return 0;
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(Step::carried); ++i) seen = record.left[i].value_or(seen);
  return seen - record.left_after(Step::carried);
}

template <class Map>
auto most_first(const Map& map) {
  std::vector<std::pair<typename Map::key_type, std::uint64_t>> sorted(map.begin(), map.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  return sorted;
}

void add_neighbours(const ExplainRequest& request, const SessionResult& session,
                    const std::vector<NeighbourRegisters>& candidates, Explanation& e) {
  for (const NeighbourRegisters& candidate : candidates) {
    const MonitorResult& result = session.monitors[candidate.monitor + e.thread];
    const CounterReading last = final_value(*request.target, result, e.counter);
    const std::uint64_t counted =
        low_bits(last.value - e.record.base, find_firmware(request.target->name) ? 64 : last.bits);
    if (counted == e.record.since + e.pending) {
      ++e.same_neighbours;
      continue;
    }
    const encoder::DecodedField &from = candidate.from, &to = candidate.to;
    Neighbour neighbour{candidate.reg, from.name, from.bits, from.value, to.value, to.meaning, {}, counted};
    const auto selections = raw_selections(request.target->name, candidate.registers);
    for (std::size_t i = 0; selections && i < selections->size(); ++i) {
      if ((*selections)[i].counter == e.counter.name) neighbour.event = (*selections)[i].canonical;
    }
    e.neighbours.push_back(std::move(neighbour));
  }
}

/// Limit of the culprits with a text, those with the largest amounts.
constexpr std::size_t most_texts = 1000;

void add_texts(const ExplainRequest& request, std::vector<Explanation>& explanations) {
  const auto traces = request.open();
  for (unsigned thread = 0; thread < traces.size(); ++thread) {
    std::map<Culprit, std::string> texts;
    for (const Explanation& e : explanations) {
      if (e.thread != thread) continue;
      for (std::size_t i = 0; i < std::min(most_texts, e.contributors.size()); ++i)
        texts.emplace(e.contributors[i].culprit, "");
    }
    add_code_text(*traces[thread], texts);
    for (Explanation& e : explanations) {
      for (Contributor& contributor : e.contributors) {
        if (e.thread == thread && texts.contains(contributor.culprit))
          contributor.instruction = texts.at(contributor.culprit);
      }
    }
  }
}

}  // namespace

void add_up(const models::Target& target, const MonitorResult& result, Explanation& e) {
  const CounterReading last = final_value(target, result, e.counter);
  const CounterRecord& record = e.record;
  e.unit = last.per_event;
  e.value = record.base + record.since;
  e.pending = low_bits(last.value - e.value, last.bits);
  if (e.pending > still_carried(record) || record.left_after(Step::added) != record.since + record.overwritten) {
    throw std::logic_error(
        fmt::format("{} holds {}, and the steps of its event add up to {}", e.counter.name, last.value, e.value));
  }
  e.value += e.pending;
}

void refuse_without_count(const models::Target& target, const MonitorResult& result) {
  const Firmware* const firmware = find_firmware(target.name);
  const std::string_view why = firmware == nullptr ? std::string_view{} : firmware->no_count(result);
  if (!why.empty()) throw std::invalid_argument(std::string(why));
}

ExplainResult explain(const ExplainRequest& request) {
  SessionOptions options = request.options;
  options.engine = Engine::direct;
  options.silence = silence_of_explanation;
  Session session(*request.target, request.parameters, options);
  const unsigned threads = request.threads;
  const auto thread_of = [&](unsigned thread) { return threads == 1 ? std::nullopt : std::optional{thread}; };
  const unsigned counters = request.target->make_monitor(request.parameters)->counter_count();
  std::vector<std::unique_ptr<Recorder>> recorders;
  const std::vector<RegisterWrite> writes = writes_of(*request.target, request.parameters, request.registers);
  for (unsigned thread = 0; thread < threads; ++thread) {
    recorders.push_back(std::make_unique<Recorder>(counters));
    session.add_monitor({writes, {}, thread_of(thread), recorders.back().get()});
  }
  std::vector<NeighbourRegisters> candidates;
  if (request.neighbours) {
    const bool ibm_bits = request.target->isa == trace::Isa::ppc;
    for (NeighbourRegisters& candidate : neighbours_of(request.target->name, ibm_bits, request.registers)) {
      std::vector<RegisterWrite> changed;
      try {
        changed = writes_of(*request.target, request.parameters, candidate.registers);
      } catch (const std::invalid_argument&) {
        continue;  // PALcode refuses the value
      }
      for (unsigned thread = 0; thread < threads; ++thread) {
        const std::size_t at = session.add_monitor({changed, {}, thread_of(thread)});
        if (thread == 0) candidate.monitor = at;
      }
      candidates.push_back(std::move(candidate));
    }
  }
  ExplainResult result;
  result.session = request.run(session);
  for (unsigned thread = 0; thread < threads; ++thread)
    refuse_without_count(*request.target, result.session.monitors[thread]);
  for (unsigned thread = 0; thread < threads; ++thread) {
    for (const ExplainedCounter& counter : request.counters) {
      Explanation e;
      e.counter = counter;
      e.thread = thread;
      e.record = recorders[thread]->counter(counter.index);
      add_up(*request.target, result.session.monitors[thread], e);
      for (const auto& [culprit, amount] : most_first(e.record.by_culprit))
        e.contributors.push_back({culprit, amount, ""});
      e.addresses = most_first(e.record.by_address);
      add_neighbours(request, result.session, candidates, e);
      result.explanations.push_back(std::move(e));
    }
  }
  if (request.open) add_texts(request, result.explanations);
  return result;
}

std::optional<BitRange> bits_in(const std::string& text, bool bit_0_is_topmost, unsigned width) {
  unsigned first = 0, last = 0;
  const char* const end = text.data() + text.size();
  auto parsed = std::from_chars(text.data(), end, first);
  last = first;
  if (parsed.ec == std::errc{} && parsed.ptr != end && *parsed.ptr == ':')
    parsed = std::from_chars(parsed.ptr + 1, end, last);
  if (parsed.ec != std::errc{} || parsed.ptr != end) return std::nullopt;
  const unsigned low = std::min(first, last), high = std::max(first, last);
  if (high >= width) return std::nullopt;
  return BitRange{bit_0_is_topmost ? width - 1 - high : low, high - low + 1};
}

namespace {

/// The other values of a field.
std::vector<std::uint64_t> others(std::uint64_t value, unsigned bits) {
  constexpr unsigned all_up_to = 4;
  std::vector<std::uint64_t> values;
  if (bits > all_up_to) {
    for (unsigned i = 0; i < bits; ++i) values.push_back(value ^ std::uint64_t{1} << i);
    std::sort(values.begin(), values.end());
    return values;
  }
  for (std::uint64_t other = 0; other < std::uint64_t{1} << bits; ++other) {
    if (other != value) values.push_back(other);
  }
  return values;
}

}  // namespace

std::vector<NeighbourRegisters> neighbours_of(std::string_view target, bool bit_0_is_topmost,
                                              const std::vector<encoder::RegisterValue>& registers) {
  constexpr unsigned widest = 8;
  std::vector<NeighbourRegisters> all;
  for (std::size_t i = 0; i < registers.size(); ++i) {
    const auto decoded = encoder::decode(target, registers[i].name, registers[i].value);
    if (!decoded) continue;  // a counter, an address
    for (std::size_t f = 0; f < decoded->fields.size(); ++f) {
      const encoder::DecodedField& field = decoded->fields[f];
      const auto place = bits_in(field.bits, bit_0_is_topmost, registers[i].width);
      if (field.name == "reserved" || field.name == "fixed" || !place || place->bits > widest) continue;
      for (const std::uint64_t other : others(field.value, place->bits)) {
        NeighbourRegisters neighbour{field, {}, registers[i].name, registers};
        neighbour.registers[i].value ^= (field.value ^ other) << place->shift;
        const auto changed = encoder::decode(target, registers[i].name, neighbour.registers[i].value);
        if (!changed) continue;
        neighbour.to = changed->fields.at(f);
        all.push_back(std::move(neighbour));
      }
    }
  }
  return all;
}

}  // namespace pmusim::testbench
