#include "testbench/cli/report_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace pmusim::testbench {
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

}  // namespace pmusim::testbench
