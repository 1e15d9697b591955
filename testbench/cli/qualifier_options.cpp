#include "testbench/cli/qualifier_options.h"

#include <fmt/format.h>

#include "testbench/cli/command.h"

namespace pmusim::testbench {
namespace {

Json to_json(const std::vector<encoder::CoveredRange>& ranges) {
  Json list = Json::array();
  for (const encoder::CoveredRange& range : ranges)
    list.push_back({{"start", hex(range.start, 64)}, {"end", hex(range.end, 64)}});
  return list;
}

}  // namespace

void add_qualifier_options(Arguments::Description& options) {
  namespace po = boost::program_options;
  const auto texts = [](const char* form) {
    return po::value<std::vector<std::string>>()->composing()->value_name(form);
  };
  Arguments::Description group("filters of the whole run (IA-64 targets)");
  group.add_options()("irange", texts("START-END[:PLM]"),
                      "only code at these addresses, END after the last; both multiples of 16. Up to four; PLM: levels "
                      "at which it is compared")(
      "drange", texts("START-END[:PLM]"),
      "only accesses to these data addresses; up to four. PLM is written, and no monitor looks at it")(
      "no-fine", po::bool_switch(), "code ranges as aligned blocks, not with the bounds inside a 4 KiB page")(
      "inverse", po::bool_switch(), "only code outside of --irange")(
      "opcode", texts("MATCH/MASK[:mifb]"),
      "only instructions whose 41 bits equal MATCH where MASK is 0, in slots of these types. Two: itanium2 PMC8 and "
      "PMC9, where bits 26 to 13 of MASK must be 1; montecito PMC32-33 and PMC34-35")(
      "ear", texts("KEY=VALUE,..."),
      "an event address register: unit=data|instruction, mode=cache|tlb|alat, then latency=N, level=l2+vhpt+fault or "
      "umask=N; plm=N, ism=both|ia32|ia64. One for each unit")(
      "btb", texts("KEY=VALUE,..."),
      "the branch trace buffer: tm=taken|nottaken|all, ptm=wrong|right|all, ppm=wrong|right|all, "
      "brt=all|iprel|return|indirect, ds=target|prediction, plm=N")("etb", texts("KEY=VALUE,..."),
                                                                    "the same by its name on montecito, without ds")(
      "ipear", texts("KEY=VALUE,..."),
      "montecito: the buffer takes in the addresses of retiring bundles instead of branches: delay=N, cycles by which "
      "it freezes later than the counters; plm=N")(
      "fetch", texts("KIND"),
      "montecito: events about fetches of both kinds follow --irange for demand, prefetch or both");
  options.add(group);
}

encoder::Qualifiers qualifiers_of(const Arguments& arguments, std::string_view target) {
  encoder::QualifierTexts texts;
  texts.irange = arguments.list("irange");
  texts.drange = arguments.list("drange");
  texts.opcode = arguments.list("opcode");
  texts.ear = arguments.list("ear");
  texts.btb = arguments.list("btb");
  texts.etb = arguments.list("etb");
  texts.ipear = arguments.list("ipear");
  texts.fetch = arguments.list("fetch");
  texts.no_fine = arguments.get<bool>("no-fine");
  texts.inverse = arguments.get<bool>("inverse");
  auto qualifiers = encoder::parse_qualifiers(target, texts);
  if (!qualifiers) throw UsageError(qualifiers.error().message);
  return *std::move(qualifiers);
}

void add_notes(const encoder::Encoding& encoding, Json& object) {
  if (!encoding.code.empty()) object["code_ranges"] = to_json(encoding.code);
  if (!encoding.data.empty()) object["data_ranges"] = to_json(encoding.data);
  if (!encoding.sample_registers.empty()) object["sample_registers"] = encoding.sample_registers;
  if (!encoding.warnings.empty()) object["warnings"] = encoding.warnings;
}

std::vector<std::string> note_lines(const Json& object) {
  std::vector<std::string> lines;
  const auto each = [&](const char* key, const auto& text) {
    if (!object.contains(key)) return;
    for (const Json& value : object.at(key)) lines.push_back(text(value));
  };
  const auto covered = [](const char* what) {
    return [what](const Json& range) {
      return fmt::format("{} range covers {} to {}", what, range.at("start").get<std::string>(),
                         range.at("end").get<std::string>());
    };
  };
  each("code_ranges", covered("code"));
  each("data_ranges", covered("data"));
  each("warnings", [](const Json& warning) { return "warning: " + warning.get<std::string>(); });
  return lines;
}

}  // namespace pmusim::testbench
