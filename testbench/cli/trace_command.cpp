#include "testbench/cli/trace_command.h"

#include <fmt/format.h>

#include <boost/program_options.hpp>
#include <charconv>
#include <nlohmann/json.hpp>
#include <ostream>
#include <stdexcept>

#include "pmusim/trace/reader.h"
#include "pmusim/trace/text.h"
#include "pmusim/trace/writer.h"

namespace pmusim::testbench {
namespace {

namespace options = boost::program_options;
using Json = nlohmann::ordered_json;

struct WrongUsage : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Arguments {
  std::string file, output, format;
  options::variables_map values;
  trace::ReadOptions reading;
};

struct Subcommand {
  const char* name;
  const char* synopsis;
  std::vector<std::string> extra;    // options besides --isa and --salvage
  std::vector<std::string> formats;  // values of --format; the first is the default
  void (*run)(const Arguments&, std::ostream& out);
};

trace::Isa isa_of(const std::string& name) {
  const auto isa = trace::isa_by_name(name);
  if (!isa) throw WrongUsage(fmt::format("--isa {}: unknown instruction set; right: alpha, ppc, i386 or ia64", name));
  return *isa;
}

// --- info ------------------------------------------------------------------------------------------------------

Json summary(const Arguments& arguments) {
  const auto reader = trace::open(arguments.file, arguments.reading);
  std::uint64_t instructions = 0, loads = 0, stores = 0, taken = 0, directives = 0, annotated = 0;
  for (trace::Item item; reader->next(item);) {
    if (item.directive != nullptr) {
      ++directives;
      continue;
    }
    ++instructions;
    taken += item.instruction.taken;
    annotated += item.instruction.annotations != nullptr;
    for (const trace::Access& access : item.instruction.accesses) ++(access.store ? stores : loads);
  }
  const auto bytes = std::filesystem::file_size(arguments.file);
  const trace::TraceInfo& info = reader->info();
  return {{"file", arguments.file},
          {"isa", trace::name_of(info.isa)},
          {"program", info.program},
          {"version", info.version},
          {"instructions", instructions},
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

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == text.npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

void info(const Arguments& arguments, std::ostream& out) {
  const Json values = summary(arguments);
  if (arguments.format == "json") {
    out << values.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
  } else if (arguments.format == "csv") {
    std::string head, row;
    for (const auto& [key, value] : values.items()) {
      head += (head.empty() ? "" : ",") + key;
      row += (row.empty() ? "" : ",") + csv_field(plain(value));
    }
    out << head << '\n' << row << '\n';
  } else {
    for (const auto& [key, value] : values.items()) out << fmt::format("{:<22} {}\n", key, plain(value));
  }
}

// --- dump ------------------------------------------------------------------------------------------------------

struct Range {
  std::uint64_t begin = 0, end = ~std::uint64_t{0};
};

Range range_of(const std::string& text) {
  const auto number = [&](std::string_view part, std::uint64_t missing) {
    if (part.empty()) return missing;
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (error != std::errc{} || end != part.data() + part.size()) {
      throw WrongUsage(fmt::format("--range {}: right: BEGIN:END, instructions from 0, END not included", text));
    }
    return value;
  };
  const std::size_t colon = text.find(':');
  if (colon == text.npos) throw WrongUsage(fmt::format("--range {}: right: BEGIN:END, END not included", text));
  const Range range{number(std::string_view(text).substr(0, colon), 0),
                    number(std::string_view(text).substr(colon + 1), ~std::uint64_t{0})};
  if (range.begin > range.end) throw WrongUsage(fmt::format("--range {}: BEGIN is after END", text));
  return range;
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

void dump(const Arguments& arguments, std::ostream& out) {
  const Range range = arguments.values.count("range") ? range_of(arguments.values["range"].as<std::string>()) : Range{};
  const auto reader = trace::open(arguments.file, arguments.reading);
  const trace::Isa isa = reader->info().isa;
  const bool json = arguments.format == "json";
  if (reader->info().isa_line && !json) out << "! isa " << trace::name_of(isa) << '\n';
  std::uint64_t index = 0;
  std::string line;
  for (trace::Item item; index < range.end && reader->next(item);) {
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
      if (json && shown) line = json_of(index, isa, item.instruction).dump();
      if (!json && shown) trace::append_line(line, isa, item.instruction);
      ++index;
    }
    if (shown) out << line << '\n';
  }
}

// --- import and export -----------------------------------------------------------------------------------------

void report(const Arguments& arguments, std::uint64_t instructions, std::ostream& out) {
  out << fmt::format("{}: {} instructions\n", arguments.output, instructions);
}

void import(const Arguments& arguments, std::ostream& out) {
  const auto reader = trace::open(arguments.file, arguments.reading);
  if (reader->info().version != 0) {
    throw WrongUsage(fmt::format("{}: is a binary trace already; import takes a text", arguments.file));
  }
  trace::PmtOptions writing;
  writing.isa_line = reader->info().isa_line;
  if (arguments.values.count("level")) writing.level = arguments.values["level"].as<int>();
  std::string program = std::filesystem::path(arguments.file).filename().string();
  program = program.substr(0, program.find('.', 1));
  if (arguments.values.count("program")) program = arguments.values["program"].as<std::string>();
  const auto writer = trace::create_pmt(arguments.output, reader->info().isa, program, writing);
  const std::uint64_t instructions = trace::copy(*reader, *writer);
  writer->close();
  report(arguments, instructions, out);
}

void export_text(const Arguments& arguments, std::ostream& out) {
  const auto reader = trace::open(arguments.file, arguments.reading);
  const auto writer = trace::create_text(arguments.output, reader->info().isa, reader->info().isa_line);
  const std::uint64_t instructions = trace::copy(*reader, *writer);
  writer->close();
  report(arguments, instructions, out);
}

// --- usage -----------------------------------------------------------------------------------------------------

const std::vector<Subcommand>& commands() {
  static const std::vector<Subcommand> list = {
      {"info", "info FILE [--isa ISA] [--salvage] [--format text|json|csv]", {}, {"text", "json", "csv"}, info},
      {"dump",
       "dump FILE [--isa ISA] [--salvage] [--range BEGIN:END] [--format text|json]",
       {"range"},
       {"text", "json"},
       dump},
      {"import",
       "import TEXT -o FILE.pmt [--isa ISA] [--program NAME] [--level 1..22] [--salvage]",
       {"output", "program", "level"},
       {},
       import},
      {"export", "export FILE.pmt -o TEXT [--isa ISA] [--salvage]", {"output"}, {}, export_text},
  };
  return list;
}

const Subcommand* find_command(const std::string& name) {
  for (const Subcommand& command : commands()) {
    if (name == command.name) return &command;
  }
  return nullptr;
}

Arguments parse(const Subcommand& command, const std::vector<std::string>& words, std::ostream& err) {
  options::options_description known;
  auto add = known.add_options();
  add("file", options::value<std::string>());
  add("isa", options::value<std::string>());
  add("salvage", options::bool_switch());
  for (const std::string& name : command.extra) {
    if (name == "level") {
      add("level", options::value<int>());
    } else {
      add(name == "output" ? "output,o" : name.c_str(), options::value<std::string>());
    }
  }
  if (!command.formats.empty()) add("format", options::value<std::string>());
  options::positional_options_description positional;
  positional.add("file", 1);
  Arguments arguments;
  options::store(options::command_line_parser(words).options(known).positional(positional).run(), arguments.values);
  const auto text = [&](const char* name, const std::string& missing) {
    return arguments.values.count(name) ? arguments.values[name].as<std::string>() : missing;
  };
  arguments.file = text("file", "");
  arguments.output = text("output", "");
  if (arguments.file.empty()) throw WrongUsage("the trace file is missing");
  if (known.find_nothrow("output", false) != nullptr && arguments.output.empty())
    throw WrongUsage("-o FILE is missing");
  if (!command.formats.empty()) {
    arguments.format = text("format", command.formats.front());
    if (std::find(command.formats.begin(), command.formats.end(), arguments.format) == command.formats.end()) {
      throw WrongUsage(fmt::format("--format {}: right: {}", arguments.format, fmt::join(command.formats, ", ")));
    }
  }
  if (arguments.values.count("isa")) arguments.reading.isa = isa_of(text("isa", ""));
  arguments.reading.salvage = arguments.values["salvage"].as<bool>();
  arguments.reading.on_damage = [&err](const std::string& what) { err << "pmusim trace: salvaged: " << what << '\n'; };
  return arguments;
}

}  // namespace

bool is_trace_command(const std::string& name) { return find_command(name) != nullptr; }

int trace_command(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err) {
  const Subcommand* command = arguments.empty() ? nullptr : find_command(arguments.front());
  if (command == nullptr) {
    err << "pmusim trace: " << (arguments.empty() ? "a command is missing" : arguments.front() + ": unknown command")
        << "; right: info, dump, import or export\n";
    return 2;
  }
  const std::string prefix = fmt::format("pmusim trace {}: ", command->name);
  try {
    command->run(parse(*command, {arguments.begin() + 1, arguments.end()}, err), out);
    out.flush();
    if (!out) throw std::runtime_error("the output cannot be written");
    return 0;
  } catch (const WrongUsage& error) {
    err << prefix << error.what() << "; usage: pmusim trace " << command->synopsis << '\n';
  } catch (const options::error& error) {
    err << prefix << error.what() << "; usage: pmusim trace " << command->synopsis << '\n';
  } catch (const std::exception& error) {
    err << prefix << error.what() << '\n';
  }
  return 2;
}

}  // namespace pmusim::testbench
