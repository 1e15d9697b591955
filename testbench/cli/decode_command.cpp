// pmusim decode: prints register values as fields, in words.
#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "pmusim/encoder/encoder.h"
#include "testbench/cli/command.h"
#include "testbench/cli/examples.h"
#include "testbench/support/arguments.h"

namespace pmusim::testbench {
namespace {

constexpr HelpText decode_help{
    "pmusim decode -t TARGET NAME=VALUE ...",
    "Decodes register values: each field with its bits, value and effect, and then the event of each enabled counter.\n"
    "NAME is the manual's (PerfEvtSel0, MMCR1); VALUE is decimal or 0x hexadecimal.",
    examples::decode};

/// A register with its fields.
Json described(const encoder::DecodedRegister& decoded) {
  Json object = to_json(decoded.reg);
  object["fields"] = Json::array();
  for (const encoder::DecodedField& field : decoded.fields)
    object["fields"].push_back(
        {{"field", field.name}, {"bits", field.bits}, {"value", field.value}, {"meaning", field.meaning}});
  return object;
}

/// The number that is written for a register: as in `run --write`.
std::uint64_t number_of(const std::string& target, const std::string& name, const std::string& text) {
  const auto known = encoder::registers(target);
  for (const encoder::RegisterValue& reg : known ? *known : std::vector<encoder::RegisterValue>{}) {
    if (!same_word(reg.name, name)) continue;
    const RegisterNumber number = register_number(reg.name, reg.width, carried_bits(reg.space), text, "decode");
    if (number.left_out)
      std::cerr << fmt::format("pmusim: warning: {}={}: the register has {} bits; the others are left out\n", reg.name,
                               text, reg.width);
    return number.value;
  }
  return parse_number(text, "value of " + name);
}

Options decode_options() { return {{"target,t", po::text(), "target"}}; }

int run_decode(const Arguments& arguments) {
  const std::string target = arguments.required("target", examples::name_a_target);
  check_encodable(target);
  if (arguments.positional().empty())
    throw UsageError("no register given; write NAME=VALUE, as in PerfEvtSel0=0x4300c0");

  Table table({{"register", "register"},
               {"value", "value", true},
               {"field", "field"},
               {"bits", "bits"},
               {"field_value", "is", true},
               {"meaning", "meaning", false, Table::Fit::below}});
  std::vector<encoder::RegisterValue> values;
  std::vector<Json> objects;
  for (const std::string& text : arguments.positional()) {
    const auto [name, value] = parse_assignment(text, "register");
    const auto decoded = encoder::decode(target, name, number_of(target, name, value));
    if (!decoded) throw UsageError(decoded.error().message);
    values.push_back(decoded->reg);
    objects.push_back(described(*decoded));
    for (const encoder::DecodedField& field : decoded->fields) {
      table.row({decoded->reg.name, hex(decoded->reg.value, decoded->reg.width), field.name, field.bits, field.value,
                 field.meaning});
    }
  }
  const auto selections = encoder::selections(target, values);
  if (!selections) throw UsageError(selections.error().message);
  if (arguments.format() == Format::json) {
    for (const encoder::Selection& selection : *selections)
      objects.push_back({{"counter", selection.counter},
                         {"event", selection.canonical},
                         {"known", selection.known},
                         {"notes", selection.notes}});
    for (const Json& object : objects) std::cout << line_of(object) << '\n';
    return exit_good;
  }
  table.print(std::cout, arguments.format());
  if (arguments.format() == Format::text && !selections->empty()) {
    std::cout << '\n';
    for (const encoder::Selection& selection : *selections) {
      std::cout << fmt::format("{} counts {}\n", selection.counter, selection.canonical);
      for (const std::string& note : selection.notes) std::cout << "  " << note << '\n';
    }
  }
  return exit_good;
}

}  // namespace

const CommandBody decode_body{decode_help, decode_options, run_decode};

}  // namespace pmusim::testbench
