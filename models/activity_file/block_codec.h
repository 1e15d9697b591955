// Encodes a block of activity as a payload of a file, and decodes it.
//
// Payload: the signals with occurrences, the states, the tables with rows. Each list begins with its length.
//   signal: number of its name; number of entries; columns at, amount, detail, ref (ref + 1; 0: none)
//   state: number of its name; initial value; number of changes; columns at, value
//   table: number of its name; number of rows; its columns. A column of texts is a sequence of texts.
#pragma once

#include <string>
#include <vector>

#include "models/activity/activity.h"
#include "models/activity_file/tables.h"

namespace pmusim::activity_file {

/// Encodes the payloads of a file.
class BlockEncoder {
 public:
  /// Returns the payload, which is valid until the next call.
  [[nodiscard]] std::string_view encode(const activity::Block& block);

 private:
  ColumnWriter columns_;
};

/// Decodes the payloads of a file, in which names may have other numbers than in this program.
class BlockDecoder {
 public:
  /// `description`: the file's names and numbers. They are translated by name to those of this program.
  explicit BlockDecoder(const Description& description);
  /// Reads a block. The caller has set its `begin` and `end`. Throws trace::Malformed.
  void decode(std::string_view payload, activity::Block& block);

 private:
  struct Named {
    std::string name;
    int number;  ///< in this program; -1: the name is unknown
    Translation translation;
  };
  struct FileColumn {
    std::string name;
    bool text;
    const Column* own;  ///< this program's column of that name; null: unknown, or a column of texts
    Translation translation;
  };
  struct FileTable {
    std::string name;
    const Table* own;
    std::vector<FileColumn> columns;
  };
  void read_signal(trace::ByteCursor& from, activity::Block& block);
  void read_state(trace::ByteCursor& from, activity::Block& block);
  void read_table(trace::ByteCursor& from, activity::Block& block);
  void translate(const trace::ByteCursor& from, const Translation& translation, const std::string& what,
                 Numbers& values) const;

  std::vector<Named> signals_, states_;
  std::vector<FileTable> tables_;
  Numbers at_, amounts_, details_, values_;
};

}  // namespace pmusim::activity_file
