#include "testbench/cli/qualifier_options.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

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
  const auto texts = [](const char* form) { return po::value<std::vector<std::string>>()->value_name(form); };
  Arguments::Description group("filters of the whole run (IA-64 targets)");
  group.add_options()("irange", texts("START-END[:PLM]"),
                      "count only code at these addresses, END exclusive; both multiples of 16. Up to four ranges; "
                      "PLM: privilege levels at which the range is compared")(
      "drange", texts("START-END[:PLM]"),
      "count only accesses to these data addresses; up to four ranges. PLM is written to the register; no monitor uses "
      "it")("no-fine", po::bool_switch(),
            "encode code ranges as aligned blocks, without fine mode (bounds inside a 4 KiB page)")(
      "inverse", po::bool_switch(), "count only code outside of --irange")(
      "opcode", texts("MATCH/MASK[:mifb]"),
      "count only instructions whose 41 bits equal MATCH where MASK is 0, in slots of these types. Up to two: itanium2 "
      "PMC8 and PMC9, where bits 26 to 13 of MASK must be 1; montecito PMC32-33 and PMC34-35")(
      "ear", texts("KEY=VALUE,..."),
      "program an event address register: unit=data|instruction, mode=cache|tlb|alat, then latency=N, "
      "level=l2+vhpt+fault or umask=N; plm=N, ism=both|ia32|ia64. One per unit")(
      "btb", texts("KEY=VALUE,..."),
      "program the branch trace buffer: tm=taken|nottaken|all, ptm=wrong|right|all, ppm=wrong|right|all, "
      "brt=all|iprel|return|indirect, ds=target|prediction, plm=N")(
      "etb", texts("KEY=VALUE,..."), "the same under its montecito name (execution trace buffer), without ds")(
      "ipear", texts("KEY=VALUE,..."),
      "montecito: the buffer records the addresses of retiring bundles instead of branches: delay=N, number of cycles "
      "by which it freezes later than the counters; plm=N")(
      "fetch", texts("KIND"),
      "montecito: apply --irange to demand fetches, prefetches or both, for events that count both kinds");
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
