// The records of a block as tables of columns: a row for each field of models/activity/activity.h, ia64.h and alpha.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/activity/activity.h"
#include "models/activity_file/column.h"
#include "models/activity_file/description.h"

namespace pmusim::activity_file {

/// A field of all records of a table.
struct Column {
  ColumnName name;  ///< name and fields in files
  /// Appends the field of every record of the block.
  void (*get)(const activity::Block&, Numbers&) = nullptr;
  /// Sets the field of every record of the block, which has as many.
  void (*set)(activity::Block&, const Numbers&) = nullptr;
  std::uint64_t most = 0;  ///< largest value that the field holds
};

/// The records of one kind.
struct Table {
  std::string name;  ///< name in files
  /// Records of the block.
  std::size_t (*rows)(const activity::Block&) = nullptr;
  /// Makes room in the block for this number of entries.
  void (*resize)(activity::Block&, std::size_t) = nullptr;
  std::vector<Column> columns;  ///< none for texts: RegisterAccess::name is the only one
};

/// All tables; the last is that of the accesses, whose last column is a text.
[[nodiscard]] const std::vector<Table>& tables();
inline constexpr std::string_view access_table = "access";  ///< the last of tables()

/// What a file of this target says of its blocks.
[[nodiscard]] Description describe(std::string_view target);

}  // namespace pmusim::activity_file
