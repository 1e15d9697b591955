// pmusim trace info and dump.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iostream>
#include <nlohmann/json.hpp>
#include <set>

#include "pmusim/trace/collection.h"
#include "pmusim/trace/numbering.h"
#include "pmusim/trace/text.h"
#include "testbench/cli/command.h"
#include "testbench/cli/trace_command.h"
#include "testbench/explain/disassembler.h"

namespace pmusim::testbench {
namespace {

constexpr HelpText info_help{
    "pmusim trace info FILE [options]",
    "Reads a whole trace and prints its instruction set, program, numbers of instructions (ia64: bundles), lines,\n"
    "accesses, taken branches and directives, and the bytes per instruction in the file. A repeated string "
    "instruction\n"
    "of i386 is one instruction and has a line for each iteration.",
    "  pmusim trace info ppc-lz77\n"
    "  pmusim trace info --isa i386 loop.txt --format json"};

constexpr HelpText dump_help{
    "pmusim trace dump FILE [--range BEGIN:END] [options]",
    "Prints instructions and directives as text interchange (docs/traces.md) or as JSON. --disasm adds the\n"
    "disassembled instruction as a comment above each line; the output can still be imported.",
    "  pmusim trace dump i386-units --range 0:20\n"
    "  pmusim trace dump loop.pmt --range 1000: --format json"};

Json summary(const std::string& file, const trace::ReadOptions& reading) {
  const auto reader = trace::open(file, reading);
  trace::Numbering numbering(reader->info().isa);
  std::uint64_t loads = 0, stores = 0, taken = 0, directives = 0, annotated = 0;
  for (trace::Item item; reader->next(item);) {
    if (item.directive != nullptr) {
      ++directives;
      continue;
    }
    numbering.take(item.instruction);
    taken += item.instruction.taken;
    annotated += item.instruction.annotations != nullptr;
    for (const trace::Access& access : item.instruction.accesses) ++(access.store ? stores : loads);
  }
  const std::uint64_t instructions = numbering.instructions();
  const auto bytes = trace::size_of(file);
  const trace::TraceInfo& info = reader->info();
  return {{"file", file},
          {"isa", trace::name_of(info.isa)},
          {"program", info.program},
          {"version", info.version},
          {"instructions", instructions},
          {"lines", numbering.lines()},
          {"static_instructions", reader->code_count()},
          {"loads", loads},
          {"stores", stores},
          {"taken_branches", taken},
          {"directives", directives},
          {"annotated", annotated},
          {"chunks", info.chunks},
          {"bytes", bytes},
          {"bytes_per_instruction",
           instructions == 0 ? 0.0 : static_cast<double>(bytes) / static_cast<double>(instructions)}};
}

std::string plain(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return fmt::format("{:.4f}", value.get<double>());
  return value.dump();
}

Json json_of(const trace::Directive& directive) {
  Json operands = Json::array();
  for (const auto& [key, value] : directive.operands) operands.push_back(key.empty() ? value : key + "=" + value);
  return {{"directive", directive.name}, {"operands", operands}};
}

Json json_of(std::uint64_t index, trace::Isa isa, const trace::Instruction& instruction) {
  std::string bytes;
  for (unsigned i = 0; i < instruction.code->length; ++i) bytes += fmt::format("{:02x}", instruction.code->bytes[i]);
  Json accesses = Json::array();
  for (const trace::Access& access : instruction.accesses) {
    Json one = {{"kind", access.store ? "store" : "load"},
                {"address", fmt::format("0x{:x}", access.address)},
                {"size", access.size}};
    if (isa == trace::Isa::ia64) one["slot"] = access.slot;
    accesses.push_back(one);
  }
  Json result = {{"index", index}, {"pc", fmt::format("0x{:x}", instruction.code->pc)}, {"bytes", bytes}};
  if (isa == trace::Isa::ia64) result["mask"] = std::string(instruction.mask.begin(), instruction.mask.end());
  result["accesses"] = accesses;
  if (instruction.taken) result["target"] = fmt::format("0x{:x}", instruction.target);
  std::string line;
  trace::append_line(line, isa, instruction);
  result["line"] = line;
  return result;
}

/// The texts of the instructions of the range.
InstructionTexts texts_of(const std::string& file, const trace::ReadOptions& reading, const TraceRange& range) {
  const auto reader = trace::open(file, reading);
  std::set<std::uint64_t> seen;
  std::vector<trace::Code> codes;
  trace::Numbering numbering(reader->info().isa);
  for (trace::Item item; numbering.instructions() < range.end && reader->next(item);) {
    if (item.directive != nullptr || numbering.take(item.instruction) < range.begin) continue;
    if (seen.insert(item.instruction.code->pc).second) codes.push_back(*item.instruction.code);
  }
  return disassemble(reader->info().isa, codes);
}

/// One text, or those of a bundle's slots. i386 code may change at its address.
std::vector<std::string> texts_at(const InstructionTexts& texts, trace::Isa isa, const trace::Code& code) {
  if (isa == trace::Isa::i386) return {instruction_text(code, isa, 0)};
  std::vector<std::string> all;
  for (auto text = texts.lower_bound({code.pc, 0}); text != texts.end() && text->first.first == code.pc; ++text)
    all.push_back(text->second);
  return all;
}

int trace_info(const Arguments& arguments) {
  const Json values = summary(only_file(arguments, "the trace file"), reading_of(arguments));
  if (arguments.format() == Format::text) {
    for (const auto& [key, value] : values.items()) std::cout << fmt::format("{:<22} {}\n", key, plain(value));
  } else if (arguments.format() == Format::json) {
    print_object(values);
  } else {
    std::vector<Table::Column> columns;
    std::vector<Json> cells;
    for (const auto& [key, value] : values.items()) {
      columns.push_back({key, key});
      cells.push_back(value.is_number_float() ? Json(plain(value)) : value);
    }
    Table table(columns);
    table.row(cells);
    table.print(std::cout, Format::csv);
  }
  return exit_good;
}

Options trace_dump_options() {
  return Options{{"range", po::text(), trace_range_help},
                 {"disasm", po::flag(), "also print disassembled instructions"}} +
         reading();
}

int trace_dump(const Arguments& arguments) {
  if (arguments.format() == Format::csv) throw UsageError("--format csv: a trace is no table; expected text, json");
  const TraceRange range = range_of(arguments.maybe<std::string>("range").value_or(":"));
  const std::string file = only_file(arguments, "the trace file");
  const bool disassembled = arguments.get<bool>("disasm");
  const InstructionTexts texts = disassembled ? texts_of(file, reading_of(arguments), range) : InstructionTexts{};
  const auto reader = trace::open(file, reading_of(arguments));
  const trace::Isa isa = reader->info().isa;
  const bool json = arguments.format() == Format::json;
  if (reader->info().isa_line && !json) std::cout << "! isa " << trace::name_of(isa) << '\n';
  trace::Numbering numbering(isa);
  std::string line;
  for (trace::Item item; numbering.instructions() < range.end && reader->next(item);) {
    const std::uint64_t index = numbering.instructions();
    const bool shown = index >= range.begin;
    line.clear();
    if (item.directive != nullptr) {
      if (!shown) continue;
      if (json) {
        line = json_of(*item.directive).dump();
      } else {
        trace::append_line(line, *item.directive);
      }
    } else {
      if (json && shown) {
        Json object = json_of(index, isa, item.instruction);
        if (disassembled) object["disassembled"] = texts_at(texts, isa, *item.instruction.code);
        line = object.dump();
      }
      if (!json && shown) {
        if (disassembled) line = fmt::format("# {}\n", fmt::join(texts_at(texts, isa, *item.instruction.code), " | "));
        trace::append_line(line, isa, item.instruction);
      }
      numbering.take(item.instruction);
    }
    if (shown) std::cout << line << '\n';
  }
  return exit_good;
}

}  // namespace

const CommandBody trace_info_body{info_help, reading, trace_info};
const CommandBody trace_dump_body{dump_help, trace_dump_options, trace_dump};

}  // namespace pmusim::testbench
