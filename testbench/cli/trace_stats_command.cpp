// pmusim trace stats.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iostream>
#include <nlohmann/json.hpp>

#include "isa-traces/edit/statistics.h"
#include "testbench/cli/command.h"
#include "testbench/cli/trace_command.h"

namespace pmusim::testbench {
namespace {

namespace edit = trace::edit;

constexpr HelpText trace_stats_help{
    "pmusim trace stats FILE [options]",
    "Prints statistics of a trace, independent of any processor model: kinds of instructions and the most frequent\n"
    "ones, branch outcomes, sizes of the code and data footprint, and privilege levels as far as directives specify\n"
    "them. A repeated string instruction of i386 is one instruction. On IA-64, instructions are executed slots;\n"
    "branches include those whose predicate was false.",
    "  pmusim trace stats i386-lz77\n"
    "  pmusim trace stats loop.pmt --line 32 --top 20 --format json"};

using Counts = std::vector<std::pair<std::string, std::uint64_t>>;

/// Sorts by count, the largest first; equal counts by name.
Counts sorted(Counts counts) {
  std::ranges::sort(counts, [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  return counts;
}

Json list_of(const Counts& counts, const char* what) {
  Json list = Json::array();
  for (const auto& [name, count] : counts) list.push_back({{what, name}, {"count", count}});
  return list;
}

struct View {
  edit::Statistics values;
  Counts classes, mnemonics;
};

View view_of(edit::Statistics values) {
  View view;
  for (std::size_t i = 0; i < edit::class_count; ++i) {
    if (values.classes[i] > 0) view.classes.emplace_back(name_of(static_cast<edit::Class>(i)), values.classes[i]);
  }
  view.classes = sorted(view.classes);
  for (const auto& [name, count] : values.mnemonics)
    view.mnemonics.emplace_back(name.empty() ? "unknown" : name, count);
  view.mnemonics = sorted(view.mnemonics);
  view.values = std::move(values);
  return view;
}

Json json_of(const View& view, const std::string& file, const trace::TraceInfo& info) {
  const edit::Statistics& s = view.values;
  Json result = {
      {"file", file}, {"isa", trace::name_of(info.isa)}, {"instructions", s.instructions}, {"lines", s.lines}};
  if (info.isa == trace::Isa::ia64) {
    result["bundles"] = s.lines;
    result["predicated_off"] = s.predicated_off;
  }
  result["mix"] = list_of(view.classes, "kind");
  result["mnemonics"] = list_of(view.mnemonics, "mnemonic");
  result["branches"] = {{"executed", s.branches},
                        {"taken", s.taken},
                        {"conditional", s.conditional},
                        {"conditional_taken", s.conditional_taken},
                        {"calls", s.calls},
                        {"returns", s.returns},
                        {"indirect", s.indirect},
                        {"places", s.branch_places}};
  result["code"] = {{"bytes", s.code_bytes}, {"lines", s.code.lines}, {"pages", s.code.pages}};
  result["data"] = {{"loads", s.loads},
                    {"stores", s.stores},
                    {"load_bytes", s.load_bytes},
                    {"store_bytes", s.store_bytes},
                    {"lines", s.data.lines},
                    {"pages", s.data.pages},
                    {"lines_read", s.read.lines},
                    {"pages_read", s.read.pages},
                    {"lines_written", s.written.lines},
                    {"pages_written", s.written.pages}};
  Json privilege = Json::array();
  for (const auto& [name, at] : s.privilege) {
    privilege.push_back({{"level", name},
                         {"instructions", at.instructions},
                         {"loads", at.loads},
                         {"stores", at.stores},
                         {"branches", at.branches},
                         {"taken", at.taken}});
  }
  result["privilege"] = privilege;
  result["directives"] = list_of({s.directives.begin(), s.directives.end()}, "directive");
  return result;
}

void print_shares(const std::string& title, const Counts& counts, std::uint64_t all, std::size_t most) {
  std::cout << '\n' << title << '\n';
  for (std::size_t i = 0; i < std::min(most, counts.size()); ++i) {
    std::cout << fmt::format("  {:<22} {:>15} {:>7.2f} %\n", counts[i].first, grouped(counts[i].second),
                             100.0 * static_cast<double>(counts[i].second) / static_cast<double>(all));
  }
  if (counts.size() > most) std::cout << fmt::format("  and {} more\n", counts.size() - most);
}

void print_text(const View& view, const trace::TraceInfo& info, std::size_t top) {
  const edit::Statistics& s = view.values;
  const auto line = [](const char* what, std::uint64_t count, const std::string& more = "") {
    print_wrapped(std::cout, fmt::format("  {:<22} {:>15}{}", what, grouped(count), more));
  };
  const auto of = [](std::uint64_t part, std::uint64_t all, const char* what) {
    return all == 0
               ? std::string()
               : fmt::format("   {:.2f} % of {}", 100.0 * static_cast<double>(part) / static_cast<double>(all), what);
  };
  std::cout << fmt::format("{} {} {}", grouped(s.instructions), trace::name_of(info.isa),
                           info.isa == trace::Isa::ia64 ? "executed slots" : "instructions");
  if (info.isa == trace::Isa::ia64)
    std::cout << fmt::format(" in {} bundles, {} predicated off", grouped(s.lines), grouped(s.predicated_off));
  if (info.isa == trace::Isa::i386 && s.lines != s.instructions)
    std::cout << fmt::format(" in {} lines, one for each iteration of a rep", grouped(s.lines));
  std::cout << '\n';
  if (s.instructions == 0) return;
  print_shares("kinds", view.classes, s.instructions, edit::class_count);
  print_shares("most frequent", view.mnemonics, s.instructions, top);
  std::cout << "\nbranches\n";
  line("executed", s.branches, fmt::format("   at {} places", grouped(s.branch_places)));
  line("taken", s.taken, of(s.taken, s.branches, "them"));
  line("conditional", s.conditional, of(s.conditional_taken, s.conditional, "them taken"));
  line("calls", s.calls);
  line("returns", s.returns);
  line("indirect", s.indirect);
  std::cout << "\ncode\n";
  line("bytes", s.code_bytes);
  line("lines", s.code.lines);
  line("pages", s.code.pages);
  std::cout << "\ndata\n";
  line("loads", s.loads, fmt::format("   {} bytes", grouped(s.load_bytes)));
  line("stores", s.stores, fmt::format("   {} bytes", grouped(s.store_bytes)));
  line("lines", s.data.lines, fmt::format("   {} read, {} written", grouped(s.read.lines), grouped(s.written.lines)));
  line("pages", s.data.pages, fmt::format("   {} read, {} written", grouped(s.read.pages), grouped(s.written.pages)));
  std::cout << "\nprivilege\n";
  for (const auto& [name, at] : s.privilege) {
    line(name.c_str(), at.instructions,
         fmt::format("   {} loads, {} stores, {} branches ({} taken)", grouped(at.loads), grouped(at.stores),
                     grouped(at.branches), grouped(at.taken)));
  }
  if (s.directives.empty()) return;
  std::cout << "\ndirectives\n";
  for (const auto& [name, count] : s.directives) line(name.c_str(), count);
}

std::uint64_t size_of(const Arguments& arguments, const char* option) {
  const auto size = arguments.get<std::uint64_t>(option);
  if (!std::has_single_bit(size)) throw UsageError("--{} {}: expected a power of two", option, size);
  return size;
}

Options trace_stats_options() {
  return Options{{"line", po::number<std::uint64_t>(64), "line size in bytes, for the number of lines touched"},
                 {"page", po::number<std::uint64_t>(4096), "page size in bytes"},
                 {"top", po::number<unsigned>(10), "number of most frequent instructions to print"}} +
         reading();
}

int trace_stats(const Arguments& arguments) {
  if (arguments.format() == Format::csv) throw UsageError("--format csv: statistics are no table; expected text, json");
  const std::string file = only_file(arguments, "the trace file");
  const std::uint64_t line = size_of(arguments, "line"), page = size_of(arguments, "page");
  const auto reader = trace::open(file, reading_of(arguments));
  const View view = view_of(edit::statistics_of(*reader, line, page));
  if (arguments.format() == Format::json) return print_object(json_of(view, file, reader->info()));
  print_text(view, reader->info(), arguments.get<unsigned>("top"));
  return exit_good;
}

}  // namespace

const CommandBody trace_stats_body{trace_stats_help, trace_stats_options, trace_stats};

}  // namespace pmusim::testbench
