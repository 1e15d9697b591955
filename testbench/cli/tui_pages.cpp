#include "testbench/cli/tui_pages.h"

#include <unistd.h>

#include <limits>

#include "testbench/cli/listing.h"
#include "testbench/cli/report_table.h"

namespace pmusim::testbench {
namespace {

TuiPage listing_page(const ProfiledProgram& program, const Listing& listing, Sources& sources) {
  ListingText text = listing_text(program, listing, listing_json(program, listing, sources), true);
  return {{std::move(text.title)}, std::move(text.table), text.hottest};
}

/// The listing of a row of the report; none for a row without instructions or names.
std::optional<TuiPage> opened(const ProfiledProgram& program, const Json& row, Sources& sources) {
  if (!program.named() || row.at("function").is_null()) return std::nullopt;
  for (const Listing& listing : listings(program, {row.at("function").get<std::string>()})) {
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

void add_tui_option(Arguments::Description& options) {
  options.add_options()("tui", po::bool_switch(), "show the output in the terminal, to move and search in it");
}

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
  const std::vector<Listing> all = listings(program, arguments.positional());
  if (!all.empty()) pages.push_back(listing_page(program, all.front(), sources));
  show_pages()(std::move(pages));
}

}  // namespace pmusim::testbench
