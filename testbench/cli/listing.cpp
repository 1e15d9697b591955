#include "testbench/cli/listing.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>
#include <string_view>
#include <utility>

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
Window window_of(const ProfiledProgram& program, const FunctionListing& listing, bool all) {
  constexpr std::size_t around = 10;
  const bool counted = program.profile.asked() != 0;
  const auto heat = [&](const ProfileRow* row) { return counted ? row->events[0].exact : row->cycles; };
  const auto hottest =
      std::ranges::max_element(listing.rows, [&](const auto* a, const auto* b) { return heat(a) < heat(b); });
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

std::string title_of(const FunctionListing& listing, const Json& object, const Window& window) {
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

std::vector<FunctionListing> listings(const ProfiledProgram& program, const std::vector<std::string>& functions) {
  std::vector<FunctionListing> all;
  std::vector<std::string_view> known;
  std::vector<ProfileRow> sums = grouped_rows(program.profile, Grouping::function);
  known.reserve(sums.size());
  for (const ProfileRow& sum : sums) known.emplace_back(sum.location.function);
  for (const std::string& function : functions) {
    if (std::ranges::find(known, function) != known.end()) continue;
    throw UsageError("the trace executes no function '{}'{}", function,
                     did_you_mean(function, known, "see pmusim report"));
  }
  for (ProfileRow& sum : sums) {
    const bool wanted = functions.empty() ? all.size() < program.top
                                          : std::ranges::find(functions, sum.location.function) != functions.end();
    if (!wanted || !sum.instruction) continue;
    FunctionListing listing{std::move(sum), {}};
    for (const ProfileRow& row : program.profile.rows) {
      if (row.instruction && row.thread == listing.sum.thread && row.location.function == listing.sum.location.function)
        listing.rows.push_back(&row);
    }
    all.push_back(std::move(listing));
  }
  return all;
}

Json listing_json(const ProfiledProgram& program, const FunctionListing& listing, Sources& sources) {
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

ListingText listing_text(const ProfiledProgram& program, const FunctionListing& listing, const Json& object, bool all) {
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

namespace {

std::vector<Table::Column> place_columns(const ProfiledProgram& program, Grouping grouping, Format format) {
  std::vector<Table::Column> columns;
  if (program.setup.traces.size() > 1) columns.push_back({"thread", "thread", true});
  if (format != Format::text || grouping != Grouping::instruction || program.named())
    columns.push_back({"function", "function", false, Table::Fit::cut});
  if (grouping == Grouping::function) return columns;
  if (format == Format::text) {
    if (grouping == Grouping::line || program.has_lines()) columns.push_back({"line", "line", false, Table::Fit::cut});
  } else {
    columns.push_back({"file", "file"});
    columns.push_back({"line", "line"});
  }
  if (grouping == Grouping::line) return columns;
  columns.push_back({"ip", "address"});
  if (format != Format::text) columns.push_back({"slot", "slot"});
  columns.push_back({"instruction", "instruction", false, Table::Fit::cut});
  return columns;
}

/// Cells of the columns of place_columns().
std::vector<Json> place_cells(const ProfiledProgram& program, const Json& place, Grouping grouping, Format format) {
  std::vector<Json> cells;
  for (const Table::Column& column : place_columns(program, grouping, format)) {
    Json cell = place.at(column.key);
    if (format == Format::text) {
      if (column.key == "line") cell = short_line(place);
      if (column.key == "function" && cell.is_null()) cell = "no instruction";
      if (column.key == "ip" && cell.is_null() && !program.named()) cell = "no instruction";
      if (column.key == "ip" && !place.at("ip").is_null() && !place.at("slot").is_null())
        cell = fmt::format("{}.{}", cell.get<std::string>(), place.at("slot").get<unsigned>());
      if (cell.is_null()) cell = "";
    }
    cells.push_back(std::move(cell));
  }
  return cells;
}

}  // namespace

ReportTable report_table(const ProfiledProgram& program, Grouping grouping, Format format) {
  const std::vector<ProfileRow> rows = grouped_rows(program.profile, grouping);
  std::vector<std::uint64_t> before;
  // In text the place comes first; columns that a narrow terminal has no room for are at the end.
  const auto joined = [&](auto place, auto amounts) {
    if (format != Format::text) std::swap(place, amounts);
    place.insert(place.end(), std::make_move_iterator(amounts.begin()), std::make_move_iterator(amounts.end()));
    return place;
  };
  ReportTable report{Table(joined(place_columns(program, grouping, format), amount_columns(program, true, format))),
                     Json::array(), rows.size()};
  for (std::size_t i = 0; i < std::min(rows.size(), program.top); ++i) {
    const Json amounts = amounts_json(program, rows[i], before), place = place_json(program, rows[i], grouping);
    if (!shown(program, amounts)) break;  // the rest has no more
    Json row = place;
    row.update(amounts);
    report.rows.push_back(std::move(row));
    report.table.row(
        joined(place_cells(program, place, grouping, format), amount_cells(program, amounts, true, format)));
  }
  return report;
}

namespace {

TuiPage listing_page(const ProfiledProgram& program, const FunctionListing& listing, Sources& sources) {
  ListingText text = listing_text(program, listing, listing_json(program, listing, sources), true);
  return {{std::move(text.title)}, std::move(text.table), text.hottest};
}

/// The listing of a row of the report; none for a row without instructions or names.
std::optional<TuiPage> opened(const ProfiledProgram& program, const Json& row, Sources& sources) {
  if (!program.named() || row.at("function").is_null()) return std::nullopt;
  for (const FunctionListing& listing : listings(program, {row.at("function").get<std::string>()})) {
    if (!row.contains("thread") || row["thread"].get<unsigned>() == listing.sum.thread)
      return listing_page(program, listing, sources);
  }
  return std::nullopt;
}

/// All rows, unless the user limits them, and the instructions' texts.
void complete(ProfiledProgram& program, const Arguments& arguments) {
  if (!arguments.has("top")) program.top = std::numeric_limits<std::size_t>::max();
  add_instructions(program);
}

TuiPage report_page(const ProfiledProgram& program, Grouping grouping, Sources& sources) {
  ReportTable report = report_table(program, grouping, Format::text);
  const auto open = [&program, &sources, rows = std::move(report.rows)](std::size_t row) {
    return opened(program, rows.at(row), sources);
  };
  return {head_lines(program), std::move(report.table), 0, open};
}

}  // namespace

ShowPages& show_pages() {
  static ShowPages shows = nullptr;
  return shows;
}

Options tui_option() { return {{"tui", po::flag(), "show the output in the terminal, to move and search in it"}}; }

bool wants_tui(const Arguments& arguments) {
  if (!arguments.get<bool>("tui")) return false;
  if (arguments.format() != Format::text) throw UsageError("--tui shows text: leave out --format");
  if (show_pages() == nullptr || ::isatty(STDIN_FILENO) == 0 || ::isatty(STDOUT_FILENO) == 0)
    throw UsageError("--tui: expected a terminal as standard input and output");
  return true;
}

void show_report(ProfiledProgram program, const Arguments& arguments, Grouping grouping) {
  complete(program, arguments);
  Sources sources("");
  show_pages()({report_page(program, grouping, sources)});
}

void show_listing(ProfiledProgram program, const Arguments& arguments) {
  complete(program, arguments);
  Sources sources(arguments.get<std::string>("source"));
  std::vector<TuiPage> pages{report_page(program, Grouping::function, sources)};
  const std::vector<FunctionListing> all = listings(program, arguments.positional());
  if (!all.empty()) pages.push_back(listing_page(program, all.front(), sources));
  show_pages()(std::move(pages));
}

}  // namespace pmusim::testbench
