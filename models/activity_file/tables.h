// The records of a block as tables, with a column for each field of the records in models/activity/activity.h, ia64.h
// and alpha.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/activity/activity.h"
#include "models/activity_file/column.h"
#include "models/activity_file/description.h"

namespace pmusim::activity_file {

/// One field of all records of a table.
struct Column {
  ColumnName name;  ///< name and bit fields in files
  /// Copies the field of every record of the block to the numbers.
  void (*get)(const activity::Block&, Numbers&) = nullptr;
  /// Appends the column to a payload.
  void (*put)(const activity::Block&, ColumnWriter&) = nullptr;
  /// Sets the field of every record of the block. There must be one number for each record.
  void (*set)(activity::Block&, const Numbers&) = nullptr;
  std::uint64_t most = 0;  ///< largest value that the field holds
};

/// The records of one kind.
struct Table {
  std::string name;  ///< name in files
  /// Number of these records in the block.
  std::size_t (*rows)(const activity::Block&) = nullptr;
  /// Resizes the block's list of these records.
  void (*resize)(activity::Block&, std::size_t) = nullptr;
  std::vector<Column> columns;  ///< without columns of texts: RegisterAccess::name is the only such column
};

/// All tables. The last one contains register accesses; its last column is a text.
[[nodiscard]] const std::vector<Table>& tables();
inline constexpr std::string_view access_table = "access";  ///< name of the last table

/// The description of a file with this target's activity, without properties.
[[nodiscard]] const Description& describe(std::string_view target);

}  // namespace pmusim::activity_file
