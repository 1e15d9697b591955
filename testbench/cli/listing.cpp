#include "testbench/cli/listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

#include "models/common/parameters.h"
#include "testbench/support/words.h"

namespace pmusim::testbench {
namespace {

constexpr std::streamsize largest_source = 1 << 24;  // bytes
constexpr std::size_t longest_line = 500;            // bytes that are shown

/// The terminal's tab stops, so that a line is as wide as it is long.
std::string without_tabs(const std::string& text) {
  constexpr std::size_t stop = 8;
  std::string spaced;
  for (const char c : text) {
    if (c == '\t')
      spaced.append(stop - spaced.size() % stop, ' ');
    else
      spaced += c;
  }
  return spaced;
}

/// The source line of an instruction, in the form in which it is printed above the instruction.
std::string line_text(const Json& row) {
  const std::string line = short_line(row);
  return row.at("source").is_null() ? line : line + "  " + without_tabs(row.at("source").get<std::string>());
}

std::string address_text(const Json& row) {
  const auto ip = row.at("ip").get<std::string>();
  return row.at("slot").is_null() ? ip : fmt::format("{}.{}", ip, row.at("slot").get<unsigned>());
}

/// True if there is code between the rows that was not executed. Only known if all instructions have the same length.
bool has_gap(const ProfiledProgram& program, const ProfileRow& before, const ProfileRow& row) {
  const trace::Isa isa = program.setup.target->isa;
  if (isa == trace::Isa::i386) return false;
  return row.ip - before.ip > (isa == trace::Isa::ia64 ? 16 : 4);
}

/// The rows that are printed: all, or those around the hottest one.
struct Window {
  std::size_t begin, end, hottest;
};
Window window_of(const ProfiledProgram& program, const Listing& listing, bool all) {
  constexpr std::size_t around = 10;
  const bool counted = program.profile.asked() != 0;
  const auto heat = [&](const ProfileRow* row) { return counted ? row->events[0].exact : row->cycles; };
  const auto hottest = std::max_element(listing.rows.begin(), listing.rows.end(),
                                        [&](const auto* a, const auto* b) { return heat(a) < heat(b); });
  const auto at = static_cast<std::size_t>(hottest - listing.rows.begin());
  const std::size_t rows = listing.rows.size();
  if (all) return {0, rows, at};
  return {at - std::min(at, around), std::min(at + around + 1, rows), at};
}

std::vector<Table::Column> listing_columns(const ProfiledProgram& program) {
  std::vector<Table::Column> columns = amount_columns(program, false, Format::text);
  columns.push_back({"ip", "address"});
  columns.push_back({"instruction", "instruction", false, Table::Fit::cut, false, 44});
  return columns;
}

std::string title_of(const Listing& listing, const Json& object, const Window& window) {
  const auto thread = object.contains("thread") ? fmt::format(" of thread {}", object["thread"].get<unsigned>()) : "";
  const std::size_t left_out = listing.rows.size() - (window.end - window.begin);
  const std::string name = listing.sum.location.function;
  return fmt::format("{}{}: hottest at {}{}", name, thread, address_text(object.at("rows").at(window.hottest)),
                     left_out == 0 ? "" : fmt::format(", {} more instructions with annotate {}", left_out, name));
}

}  // namespace

std::string Sources::line(const std::string& file, unsigned number) {
  auto [entry, fresh] = files_.try_emplace(file);
  if (fresh) entry->second = read(file);
  return number == 0 || number > entry->second.size() ? "" : entry->second[number - 1];
}

// The name of the file comes from the trace: only regular files are read, and of these the beginning.
std::vector<std::string> Sources::read(const std::string& file) const {
  const std::filesystem::path path = folder_.empty() ? file : folder_ + '/' + file.substr(file.find_last_of('/') + 1);
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return {};
  std::ifstream in(path, std::ios::binary);
  std::string text(largest_source, '\0');
  in.read(text.data(), largest_source);
  text.resize(static_cast<std::size_t>(in.gcount()));
  std::vector<std::string> lines;
  std::istringstream all(std::move(text));
  for (std::string line; std::getline(all, line);) {
    if (line.ends_with('\r')) line.pop_back();
    const bool cut = line.size() > longest_line;
    lines.push_back(printable(line.substr(0, longest_line), "\t") + (cut ? "..." : ""));
  }
  return lines;
}

std::vector<Listing> listings(const ProfiledProgram& program, const std::vector<std::string>& functions) {
  std::vector<Listing> all;
  std::vector<std::string_view> known;
  std::vector<ProfileRow> sums = grouped_rows(program.profile, Grouping::function);
  known.reserve(sums.size());
  for (const ProfileRow& sum : sums) known.emplace_back(sum.location.function);
  for (const std::string& function : functions) {
    if (std::find(known.begin(), known.end(), function) != known.end()) continue;
    const std::string near = models::nearest(function, known);
    throw UsageError(fmt::format("the trace executes no function '{}'{}", function,
                                 near.empty() ? "; see pmusim report" : fmt::format("; did you mean '{}'?", near)));
  }
  for (ProfileRow& sum : sums) {
    const bool wanted = functions.empty()
                            ? all.size() < program.top
                            : std::find(functions.begin(), functions.end(), sum.location.function) != functions.end();
    if (!wanted || !sum.instruction) continue;
    Listing listing{std::move(sum), {}};
    for (const ProfileRow& row : program.profile.rows) {
      if (row.instruction && row.thread == listing.sum.thread && row.location.function == listing.sum.location.function)
        listing.rows.push_back(&row);
    }
    all.push_back(std::move(listing));
  }
  return all;
}

Json listing_json(const ProfiledProgram& program, const Listing& listing, Sources& sources) {
  std::vector<std::uint64_t> before;
  Json object = place_json(program, listing.sum, Grouping::function);
  object.update(amounts_json(program, listing.sum, before));
  object["rows"] = Json::array();
  for (const ProfileRow* row : listing.rows) {
    Json one = place_json(program, *row, Grouping::instruction);
    one.erase("function");
    one.update(amounts_json(program, *row, before));
    for (Json& event : one["events"]) event.erase("cumulative_share");
    const std::string source = sources.line(row->location.file, row->location.line);
    one["source"] = source.empty() ? Json(nullptr) : Json(source);
    object["rows"].push_back(std::move(one));
  }
  for (Json& event : object["events"]) event.erase("cumulative_share");
  return object;
}

ListingText listing_text(const ProfiledProgram& program, const Listing& listing, const Json& object, bool all) {
  const Window window = window_of(program, listing, all);
  const std::vector<Table::Column> columns = listing_columns(program);
  ListingText text{title_of(listing, object, window), Table(columns), 0};
  text.table.complete_in("json");  // annotate has no CSV
  std::size_t rows = 0;
  const auto add = [&](std::vector<Json> cells) {
    text.table.row(std::move(cells));
    return rows++;
  };
  const auto only = [&](const std::string& words) {
    std::vector<Json> cells(columns.size(), Json(""));
    cells.back() = words;
    add(std::move(cells));
  };
  std::string last;
  if (window.begin != 0) only("...");
  for (std::size_t i = window.begin; i < window.end; ++i) {
    const Json& row = object.at("rows").at(i);
    if (i != window.begin && has_gap(program, *listing.rows[i - 1], *listing.rows[i])) only("...");
    if (const std::string line = line_text(row); !line.empty() && line != last) {
      only(line);
      last = line;
    }
    std::vector<Json> cells = amount_cells(program, row, false, Format::text);
    cells.push_back(address_text(row));
    cells.push_back("  " + row.at("instruction").get<std::string>());
    const std::size_t at = add(std::move(cells));
    if (i == window.hottest) text.hottest = at;
  }
  if (window.end != listing.rows.size()) only("...");
  return text;
}

}  // namespace pmusim::testbench
