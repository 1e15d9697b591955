// The table of the directives of a text trace, and the check of a directive against its row.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>

#include "in_quotes.h"
#include "keys.h"
#include "pmusim/trace/text.h"

namespace pmusim::trace {

namespace {

constexpr DirectiveForm forms[] = {
    // name, operands, minimum of optional operands, explains a jump
    {"bus", "kind=NAME addr=ADDRESS [agent=any|io|self|core]"},   // a bus transaction not caused by an instruction
    {"cpl", "0|1|2|3"},                                           // current privilege level
    {"dcr", "[pp=0|1] [dm=0|1]", 1},                              // IA-64 default control register
    {"ecc", "source=l2|system addr=ADDRESS"},                     // next transfer of the line has a single-bit error
    {"function", "addr=ADDRESS name=TEXT [size=COUNT]"},          // a function of the program, for display
    {"halt", "cycles=COUNT"},                                     // halted until woken
    {"idle", "cycles=COUNT"},                                     // nothing to execute
    {"if", "0|1"},                                                // x86 interrupt flag
    {"image", "addr=ADDRESS size=COUNT base=ADDRESS name=TEXT"},  // code of a file that was loaded here, for display
    {"init", "", 0, true},                                        // the processor is initialised here: x86 INIT
    {"interface", "kind=NAME [queue=NAME] [entry=NAME] [core=self|other] [cycles=COUNT]"},  // system interface
    {"interrupt", "[vector=NUMBER]", 0, true},                  // an external interrupt is taken here
    {"ipl", "0|1|2|3|4|5|6|7"},                                 // Alpha interrupt priority level
    {"line", "addr=ADDRESS [file=TEXT] [line=COUNT]"},          // source line of the code from here on, or none
    {"map", "addr=ADDRESS to=ADDRESS"},                         // virtual page to physical page
    {"mcheck", "", 0, true},                                    // a machine check is taken here
    {"memory", "addr=ADDRESS size=COUNT type=uc|wc|wt|wp|wb"},  // memory type of a region
    {"mode", "pal|native|ia32|protected|real|v86|smm"},         // instruction set, PALcode, x86 operating mode
    {"msr", "[pr=0|1] [pm=0|1] [ee=0|1]", 1},                   // PowerPC MSR bits
    {"nmi", "", 0, true},                                       // a non-maskable interrupt is taken here
    {"parity", "addr=ADDRESS"},                                 // next fetch from the Icache line has a parity error
    {"pcb", "[asn=NUMBER] [pme=0|1] [fen=0|1]", 1},             // Alpha: process control block
    {"pcr", "sd=0|1"},                                          // Montecito: thread switches disabled
    {"pin", "NAME level=0|1 [cycles=COUNT]"},                   // level of an input pin
    {"preempt", "cause=low_power|debug|interrupt"},             // the other hardware thread is requested
    {"process", "NUMBER"},                                      // running process or address space
    {"psr", "[up=0|1] [pp=0|1] [sp=0|1] [is=0|1] [db=0|1] [ed=0|1]", 1},  // IA-64 PSR bits
    {"reset", "", 0, true},                                               // the processor is reset here
    {"return", "", 0, true},                                              // return from an interrupt
    {"smi", "", 0, true},                                                 // a system management interrupt is taken here
    {"snoop", "kind=NAME addr=ADDRESS"},                                  // another agent requests a line
    {"state", "addr=ADDRESS line=M|O|E|S|I [at=elsewhere]"},              // state of a line, set by other agents
    {"stop", "cycles=COUNT"},                                             // core clock stopped
    {"switch", "", 0, true},                                              // the system switches to other work
    {"tb", "ratio=RATIO"},                                                // core clocks per bus clock
    {"thread", "NUMBER"},                                                 // hardware thread of the following items
};
static_assert(std::is_sorted(std::begin(forms), std::end(forms),
                             [](const auto& a, const auto& b) { return a.name < b.name; }));

struct Operand {
  std::string_view key, value;
  bool optional = false;
};

std::vector<Operand> operands_of(const DirectiveForm& form) {
  std::vector<Operand> result;
  for (std::string_view rest = form.operands; !rest.empty();) {
    std::string_view token = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(rest.size(), token.size() + 1));
    Operand operand;
    if (token.front() == '[') {
      operand.optional = true;
      token = token.substr(1, token.size() - 2);
    }
    const std::size_t equals = token.find('=');
    operand.key = equals == token.npos ? std::string_view{} : token.substr(0, equals);
    operand.value = equals == token.npos ? token : token.substr(equals + 1);
    result.push_back(operand);
  }
  return result;
}

bool is_number(std::string_view text, int base, std::uint64_t least) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return error == std::errc{} && end == text.data() + text.size() && value >= least;
}

bool is_word(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '-' || c == '.' || c == '#' || c == '[' || c == ']';
  });
}

bool is_text(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7f'; });
}

bool fits(std::string_view form, std::string_view text) {
  if (form == "NAME") return is_word(text);
  if (form == "TEXT") return is_text(text);
  if (form == "COUNT") return is_number(text, 10, 1);
  if (form == "ADDRESS") return is_number(text, 16, 0);
  if (form == "NUMBER") return text.starts_with("0x") ? is_number(text.substr(2), 16, 0) : is_number(text, 10, 0);
  if (form == "RATIO") {
    const std::size_t slash = text.find('/');
    return is_number(text.substr(0, slash), 10, 1) && (slash == text.npos || is_number(text.substr(slash + 1), 10, 1));
  }
  for (std::size_t from = 0; from <= form.size();) {  // a|b|c
    const std::size_t bar = std::min(form.find('|', from), form.size());
    if (form.substr(from, bar - from) == text) return true;
    from = bar + 1;
  }
  return false;
}

std::string_view meaning(std::string_view form) {
  if (form == "NAME") return "a name";
  if (form == "TEXT") return "printable and without blanks, which are %20";
  if (form == "COUNT") return "a decimal number from 1";
  if (form == "ADDRESS") return "an address in hexadecimal without 0x";
  if (form == "NUMBER") return "a number, decimal or hexadecimal with 0x";
  if (form == "RATIO") return "N or N/M, decimal from 1";
  return form;
}

std::string spelled(const std::pair<std::string, std::string>& operand) {
  return in_quotes(operand.first.empty() ? operand.second : operand.first + "=" + operand.second);
}

std::string right_form(const DirectiveForm& form) {
  return fmt::format("'! {}{}{}'", form.name, form.operands.empty() ? "" : " ", form.operands);
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::span<const DirectiveForm> directive_forms() { return forms; }

const DirectiveForm* find_directive_form(std::string_view name) {
  const auto* const found =
      std::find_if(std::begin(forms), std::end(forms), [&](const auto& f) { return f.name == name; });
  return found == std::end(forms) ? nullptr : found;
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> known) {
  if (word.size() > 32) return {};
  std::string_view best;
  std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string_view candidate : known) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

std::string complaint_about(const Directive& directive) {
  const DirectiveForm* form = find_directive_form(directive.name);
  if (form == nullptr) {
    std::vector<std::string_view> names;
    for (const DirectiveForm& known : forms) names.push_back(known.name);
    const std::string_view close = nearest(directive.name, names);
    if (!close.empty())
      return fmt::format("{}: unknown directive; did you mean '{}'?", in_quotes(directive.name), close);
    return fmt::format("{}: unknown directive; known: {}", in_quotes(directive.name), fmt::join(names, " "));
  }
  const std::vector<Operand> operands = operands_of(*form);
  std::vector<bool> given(operands.size());
  for (const auto& operand : directive.operands) {
    std::size_t i = 0;
    while (i < operands.size() && operands[i].key != operand.first) ++i;
    if (i == operands.size()) {
      return fmt::format("{}: '{}' takes no such operand; expected {}", spelled(operand), form->name,
                         right_form(*form));
    }
    if (given[i]) return fmt::format("{}: given twice; expected {}", spelled(operand), right_form(*form));
    given[i] = true;
    if (!fits(operands[i].value, operand.second)) {
      return fmt::format("{}: wrong value, must be {}; expected {}", spelled(operand), meaning(operands[i].value),
                         right_form(*form));
    }
  }
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (!operands[i].optional && !given[i]) {
      return fmt::format("'{}': operand '{}' is missing; expected {}", form->name,
                         operands[i].key.empty() ? operands[i].value : operands[i].key, right_form(*form));
    }
  }
  if (directive.operands.size() < form->at_least) {
    return fmt::format("'{}': at least {} operand is needed; expected {}", form->name, form->at_least,
                       right_form(*form));
  }
  return {};
}

namespace {

std::vector<Key> usual_order(const Annotations& annotations) {
  std::vector<Key> keys;
  for (const RegisterUse& use : annotations.registers) keys.push_back(use.write ? Key::wr : Key::rd);
  for (unsigned i = static_cast<unsigned>(Key::mispredict); i < key_names.size(); ++i) {
    const auto key = static_cast<Key>(i);
    if (key == Key::defer) keys.insert(keys.end(), annotations.deferrals.size(), key);
    visit_value(key, annotations, [&]<typename Value>(const Value& value) {
      if (value != Value{}) keys.push_back(key);
    });
  }
  return keys;
}

/// True if `order` is a permutation of the usual order that keeps the order of rd and wr.
bool is_order_of(const std::vector<Key>& order, const std::vector<Key>& usual) {
  if (order.size() != usual.size() || !std::is_permutation(order.begin(), order.end(), usual.begin())) return false;
  auto next = usual.begin();
  return std::all_of(order.begin(), order.end(), [&](Key key) { return key > Key::wr || key == *next++; });
}

}  // namespace

std::vector<Key> keys_of(const Annotations& annotations) {
  std::vector<Key> usual = usual_order(annotations);
  return is_order_of(annotations.order, usual) ? annotations.order : usual;
}

void set_order(Annotations& annotations, std::vector<Key> order) {
  annotations.order.clear();
  if (order != usual_order(annotations)) annotations.order = std::move(order);
}

}  // namespace pmusim::trace
