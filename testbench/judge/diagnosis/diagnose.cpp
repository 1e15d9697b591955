#include "testbench/judge/diagnosis/diagnose.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>

#include "testbench/judge/diagnosis/causes.h"
#include "testbench/judge/diagnosis/words.h"
#include "testbench/support/output.h"

namespace pmusim::testbench::diagnose {
namespace {

// The registers that this project's encoder gives for a question, with each event on the counter that another encoder
// chose for it.

constexpr std::string_view refused = "pmusim refuses it, too";

struct Reference {
  /// In write order, each once with its last value; includes processor registers written by calls.
  std::vector<encoder::RegisterValue> registers;
  std::vector<std::string> order;  ///< names in write order, without processor registers written by calls
  std::string elsewhere;           ///< the counter that this encoder chooses for the event, if it is another one
  std::string problem;  ///< why there are no registers: the question is refused, or a counter cannot count its event
};

/// Adds a register, or changes its value.
void put(std::vector<encoder::RegisterValue>& registers, const encoder::RegisterValue& value) {
  if (encoder::RegisterValue* const known = find_register(registers, value.name))
    known->value = value.value;
  else
    registers.push_back(value);
}

unsigned counters_of(const std::string& target) {
  for (const encoder::TargetInfo& info : encoder::targets()) {
    if (info.name == target) return info.counters;
  }
  return 0;
}

std::vector<std::string> counters_of(const encoder::Encoding& encoding) {
  std::vector<std::string> names;
  for (const encoder::EncodedEvent& event : encoding.events) names.push_back(event.counter);
  return names;
}

/// One event with counter `number` as the only one available.
encoder::Result<encoder::Encoding> alone(const Request& question, std::size_t event, unsigned number) {
  encoder::EncodeOptions options = question.options;
  options.unavailable_counters.clear();
  for (unsigned other = 0; other < counters_of(question.target); ++other) {
    if (other != number) options.unavailable_counters.push_back(other);
  }
  const std::vector<std::string> events{question.events[event]};
  return encoder::encode(question.target, events, options);
}

/// One event on the counter of that name. If that is impossible, its possible counters are added to `possible`.
std::optional<encoder::Encoding> alone_on(const Request& question, std::size_t event, const std::string& counter,
                                          std::string& possible) {
  for (unsigned number = 0; number < counters_of(question.target); ++number) {
    const auto encoding = alone(question, event, number);
    if (!encoding) continue;
    const std::string& name = encoding->events.front().counter;
    if (name == counter) return *encoding;
    possible += (possible.empty() ? "" : ", ") + name;
  }
  return std::nullopt;
}

void add(Reference& reference, const encoder::Encoding& encoding) {
  for (const encoder::RegisterValue& reg : encoding.registers) {
    put(reference.registers, reg);
    reference.order.push_back(reg.name);
  }
  for (const encoder::RegisterValue& reg : encoding.images) put(reference.registers, reg);
}

/// Each event is encoded alone on its counter; the results are combined.
Reference one_by_one(const Request& question, const std::vector<std::string>& counters, std::size_t event) {
  Reference reference;
  for (std::size_t i = 0; i < question.events.size(); ++i) {
    std::string possible;
    const auto encoding = alone_on(question, i, counters[i], possible);
    if (!encoding) {
      if (i != event) continue;
      reference.problem = fmt::format("{} does not count {}, only {} can", counters[i], question.events[i],
                                      possible.empty() ? "no counter" : possible);
      return reference;
    }
    for (const std::vector<encoder::RegisterValue>* list : {&encoding->registers, &encoding->images}) {
      for (encoder::RegisterValue reg : *list) {
        if (const encoder::RegisterValue* known = find_register(reference.registers, reg.name))
          reg.value |= known->value;
        put(reference.registers, reg);
      }
    }
  }
  return reference;
}

/// Reference registers for all events. Problems with counters of events other than `event` are ignored.
Reference reference_for(const Request& question, const std::vector<std::string>& counters, std::size_t event) {
  Reference reference;
  const auto encoding = encoder::encode(question.target, question.events, question.options);
  if (!encoding) {
    reference.problem = fmt::format("{}: {}", refused, encoding.error().message);
    return reference;
  }
  const std::vector<std::string> own = counters_of(*encoding);
  if (own != counters) {
    reference = one_by_one(question, counters, event);
    if (event < own.size() && own[event] != counters[event]) reference.elsewhere = own[event];
    return reference;
  }
  add(reference, *encoding);
  return reference;
}

/// True if both have the same values, whatever their registers.
bool same_values(const std::map<std::string, std::uint64_t>& a, const std::map<std::string, std::uint64_t>& b) {
  std::vector<std::uint64_t> of_a, of_b;
  for (const auto& [reg, value] : a) of_a.push_back(value);
  for (const auto& [reg, value] : b) of_b.push_back(value);
  std::sort(of_a.begin(), of_a.end());
  std::sort(of_b.begin(), of_b.end());
  return of_a == of_b;
}

/// Further differences are counted and not named, to keep the sentence readable.
constexpr std::size_t named_differences = 3;

/// A difference and its relevance to the event.
struct Finding {
  enum class Weight { selection, other, no_count };
  Difference difference;
  Weight weight = Weight::other;
};

class Diagnostician {
 public:
  Diagnostician(const Request& question, const Given& given, std::size_t event)
      : question_(question), given_(given), event_(event), reference_(reference_for(question, given.counters, event)) {
    for (const encoder::RegisterValue& reg : given.registers) put(given_last_, reg);
    drop_calls_or_images();
    if (reference_.problem.empty()) right_ = selections(question.target, reference_.registers);
  }

  [[nodiscard]] const std::string& problem() const { return reference_.problem; }
  [[nodiscard]] const std::string& elsewhere() const { return reference_.elsewhere; }

  /// The differences that concern the event; if there are none, those of other events, then those in bits that the
  /// encoder leaves open.
  [[nodiscard]] std::vector<Difference> differences() {
    for (const Scope scope : {Scope::event, Scope::all_events, Scope::all_bits}) {
      scope_ = scope;
      std::vector<Difference> found = differences_in_scope();
      if (!found.empty()) return found;
    }
    return {};
  }

  /// Words for differences that the encoder left open.
  [[nodiscard]] std::string where() const {
    return scope_ == Scope::all_bits ? "among the bits marked dont_care, " : "";
  }

  /// Two registers of a kind, the second of which has the value of the first, if all registers of that kind have each
  /// other's values; empty names otherwise. `differences`: those of the event.
  [[nodiscard]] std::pair<std::string, std::string> misplaced(const std::vector<Difference>& differences) const {
    for (const Difference& difference : differences) {
      std::map<std::string, std::uint64_t> right, given;
      for (const auto* const list : {&reference_.registers, &given_last_}) {
        for (const encoder::RegisterValue& reg : *list) {
          if (kind_of(reg.name) != kind_of(difference.reg)) continue;
          right[reg.name] = value_in(reference_.registers, reg.name);
          given[reg.name] = value_in(given_last_, reg.name);
        }
      }
      if (!same_values(right, given)) continue;
      const std::string& own = difference.reg;
      for (const auto& [name, value] : given) {
        if (name != own && value == right.at(own) && value != right.at(name)) return {own, name};
      }
    }
    return {};
  }

  /// The writes in another order than pmusim's.
  [[nodiscard]] std::string order_problem() const {
    std::vector<std::string> written;
    for (const encoder::RegisterValue& reg : given_.registers) written.push_back(reg.name);
    std::vector<std::string> right = reference_.order;
    const auto absent_in = [](const std::vector<std::string>& list) {
      return [&list](const std::string& name) { return std::find(list.begin(), list.end(), name) == list.end(); };
    };
    const std::vector<std::string> all_written = written;
    std::erase_if(written, absent_in(right));
    std::erase_if(right, absent_in(all_written));
    if (written == right) return {};
    return fmt::format("the registers have the right values, but are written in the order {} instead of {}",
                       fmt::join(written, ", "), fmt::join(right, ", "));
  }

 private:
  /// What is compared.
  enum class Scope { event, all_events, all_bits };

  [[nodiscard]] std::vector<Difference> differences_in_scope() const {
    std::vector<Finding> findings;
    for (const encoder::RegisterValue& right : reference_.registers) {
      if (const encoder::RegisterValue* given = find_register(given_last_, right.name)) {
        compare(*given, right, findings);
      } else if (right.value != reset_of(right.name)) {
        missing(right, findings);
      }
    }
    for (const encoder::RegisterValue& given : given_last_) {
      if (given.value != 0 && find_register(reference_.registers, given.name) == nullptr) superfluous(given, findings);
    }
    std::stable_sort(findings.begin(), findings.end(),
                     [](const Finding& a, const Finding& b) { return a.weight < b.weight; });
    std::vector<Difference> differences;
    for (Finding& finding : findings) {
      if (finding.weight == Finding::Weight::no_count && findings.front().weight != finding.weight) break;
      differences.push_back(std::move(finding.difference));
    }
    return differences;
  }

  /// Alpha: an encoder may answer with PALcode calls, or with the registers that they write.
  void drop_calls_or_images() {
    const auto is_call = [](const encoder::RegisterValue& reg) { return reg.space == "wrperfmon"; };
    const bool calls = std::any_of(given_last_.begin(), given_last_.end(), is_call);
    const bool calls_known = std::any_of(reference_.registers.begin(), reference_.registers.end(), is_call);
    if (!calls_known) return;
    std::erase_if(reference_.registers, [&](const auto& reg) { return is_call(reg) != calls; });
  }

  /// The selection of the right registers with one of them changed.
  [[nodiscard]] std::vector<encoder::Selection> selections_with(const encoder::RegisterValue& other) const {
    std::vector<encoder::RegisterValue> registers = reference_.registers;
    put(registers, other);
    return selections(question_.target, registers);
  }

  /// The effect of a change of a register on the event; empty if only another counter is affected.
  [[nodiscard]] std::optional<Finding::Weight> weight_of(const std::vector<encoder::Selection>& changed) const {
    bool others = false;
    for (const std::string& counter : given_.counters) {
      if (same(find(changed, counter), find(right_, counter))) continue;
      if (counter == counter_of_event()) return Finding::Weight::selection;
      others = true;
    }
    if (others && scope_ == Scope::event) return std::nullopt;
    return Finding::Weight::other;
  }
  [[nodiscard]] const std::string& counter_of_event() const { return given_.counters[event_]; }
  [[nodiscard]] std::uint64_t reset_of(const std::string& reg) const {
    const auto found = given_.reset.find(reg);
    return found == given_.reset.end() ? 0 : found->second;
  }
  [[nodiscard]] std::uint64_t value_in(const std::vector<encoder::RegisterValue>& registers,
                                       const std::string& reg) const {
    const encoder::RegisterValue* const found = find_register(registers, reg);
    return found == nullptr ? reset_of(reg) : found->value;
  }
  [[nodiscard]] std::uint64_t ignored_in(const std::string& reg) const {
    const auto ignored = given_.dont_care.find(reg);
    return ignored == given_.dont_care.end() || scope_ == Scope::all_bits ? 0 : ignored->second;
  }

  void compare(const encoder::RegisterValue& given, const encoder::RegisterValue& right,
               std::vector<Finding>& findings) const {
    if (!weight_of(selections_with(given))) return;  // another counter's register
    std::vector<FieldDifference> fields = differing_fields(question_.target, given, right, ignored_in(given.name));
    join_selectors(fields);
    for (FieldDifference& field : fields) {
      encoder::RegisterValue changed = right;
      changed.value = (right.value & ~field.mask) | (given.value & field.mask);
      const std::vector<encoder::Selection> selected = selections_with(changed);
      auto weight = weight_of(selected);
      if (!weight) continue;
      if (counts_nothing(field.difference.field, question_.options.sampling)) weight = Finding::Weight::no_count;
      field.difference.text = text_of(
          field.difference,
          {question_.target, counter_of_event(), find(selected, counter_of_event()), find(right_, counter_of_event())});
      findings.push_back({std::move(field.difference), *weight});
    }
  }

  /// A register that is not written matters least if the selection is the same without it.
  void missing(const encoder::RegisterValue& right, std::vector<Finding>& findings) const {
    encoder::RegisterValue unwritten = right;
    unwritten.value = reset_of(right.name);
    const auto weight = weight_of(selections_with(unwritten));
    if (!weight) return;
    findings.push_back({{.kind = Kind::not_written,
                         .reg = right.name,
                         .right = right.value,
                         .text = fmt::format("{} is not written and should be {}", right.name, hex(right.value, 0))},
                        *weight == Finding::Weight::selection ? *weight : Finding::Weight::no_count});
  }

  void superfluous(const encoder::RegisterValue& given, std::vector<Finding>& findings) const {
    const auto weight = weight_of(selections_with(given));
    if (!weight) return;
    findings.push_back(
        {{.kind = Kind::not_asked,
          .reg = given.name,
          .given = given.value,
          .text = fmt::format("{} is written with {}, which nothing asks for", given.name, hex(given.value, 0))},
         *weight});
  }

  const Request& question_;
  const Given& given_;
  std::size_t event_;
  Scope scope_ = Scope::event;
  Reference reference_;
  std::vector<encoder::RegisterValue> given_last_;  ///< each register once, with its last value
  std::vector<encoder::Selection> right_;
};

std::string joined(const std::vector<Difference>& differences) {
  std::vector<std::string> texts;
  for (const Difference& difference : differences) texts.push_back(difference.text);
  const std::size_t more = texts.size() - std::min(texts.size(), named_differences);
  texts.resize(texts.size() - more);
  std::string text = join(texts, more == 0 ? " and " : ", ");
  if (more != 0) text += fmt::format(" and {} more {}", more, more == 1 ? "difference" : "differences");
  return text;
}

}  // namespace

std::string loss(const std::string& event, const Observed& observed) {
  if (!observed.problem.empty()) return observed.problem;
  const std::uint64_t counted = observed.counted, expected = observed.expected;
  if (counted == expected) return fmt::format("{} {} counted, as many as there are", grouped(counted), event);
  if (counted < expected)
    return fmt::format("{} of {} {} not counted", grouped(expected - counted), grouped(expected), event);
  if (expected == 0) return fmt::format("{} counted where there is no {}", grouped(counted), event);
  return fmt::format("{} counted besides the {} {}", grouped(counted - expected), grouped(expected), event);
}

std::string refusal(const Request& question, const std::string& message) {
  const auto encoding = encoder::encode(question.target, question.events, question.options);
  if (!encoding)
    return fmt::format("the encoder refused it: {}; so does pmusim: {}", message, encoding.error().message);
  std::string values;
  std::size_t written = 0;
  for (const encoder::RegisterValue& reg : encoding->registers) {
    if (reg.value != 0 && ++written <= named_differences) values += fmt::format(" {}={}", reg.name, hex(reg.value, 0));
  }
  if (written > named_differences) values += fmt::format(" and {} more registers", written - named_differences);
  return fmt::format("the encoder refused it: {}; pmusim gives{}", message, values);
}

Diagnosis diagnose(const Request& question, const Given& given, std::size_t event, const Observed& observed) {
  Diagnosis diagnosis;
  const std::string& name = question.events.at(event);
  if (observed.by_itself) {
    diagnosis.sentence = observed.problem;
    return diagnosis;
  }
  Diagnostician diagnostician(question, given, event);
  std::string cause = diagnostician.problem();
  if (!cause.empty() && !cause.starts_with(refused))
    diagnosis.cause = "the counter that it names cannot count the event";
  if (cause.empty()) {
    diagnosis.differences = diagnostician.differences();
    cause = diagnostician.where() + joined(diagnosis.differences);
    if (diagnosis.differences.empty()) {
      cause = diagnostician.order_problem();
      if (!cause.empty()) diagnosis.cause = "the registers are written in another order";
    } else if (const auto [own, other] = diagnostician.misplaced(diagnosis.differences); !own.empty()) {
      cause = fmt::format("{} has the value of {}", other, own);
      diagnosis.cause = fmt::format("one {} has the value of another", kind_of(own));
    }
  }
  if (cause.empty() && !diagnostician.elsewhere().empty() && question.events.size() > 1) {
    cause = fmt::format("{} has the fields that count {} alone, but beside the other events it is {} that counts it",
                        given.counters.at(event), name, diagnostician.elsewhere());
  }
  if (cause.empty() && !given.policies.empty()) {
    diagnosis.cause = "the answer does not keep to the policy that it declares";
    cause = fmt::format("{}, {}", diagnosis.cause, fmt::join(given.policies, ", "));
  }
  if (cause.empty()) {
    cause = fmt::format(
        "every register field is as pmusim encodes it, and so are start values and the order of writes: please report "
        "what {} makes of {}, because pmusim's encoder, model or oracle may be wrong",
        given.counters.at(event), name);
  }
  diagnosis.sentence = cause + "; " + loss(name, observed);
  if (!given.policies.empty() && diagnosis.cause.empty())
    diagnosis.sentence += fmt::format("; judged by the policy {}", fmt::join(given.policies, ", "));
  return diagnosis;
}

}  // namespace pmusim::testbench::diagnose
