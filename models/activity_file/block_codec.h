// A block of activity as the payload of a file, and back.
//
// Payload: the signals that occur, the states, the tables with rows; each list begins with its length.
//   signal: number of its name; entries; columns at, amount, detail, ref (ref + 1; 0: none)
//   state: number of its name; initial value; changes; columns at, value
//   table: number of its name; rows; its columns, texts as a text each
#pragma once

#include <string>
#include <vector>

#include "models/activity/activity.h"
#include "models/activity_file/tables.h"

namespace pmusim::activity_file {

/// Makes the payloads of a file.
class BlockEncoder {
 public:
  /// The payload is valid until the next call.
  [[nodiscard]] const std::string& encode(const activity::Block& block);

 private:
  std::string out_;
  Numbers at_, amounts_, details_, refs_;
};

/// Takes blocks of a file whose names may have other numbers than here.
class BlockDecoder {
 public:
  /// The file's own names and numbers. They are translated by name to those of this program.
  explicit BlockDecoder(const Description& description);
  /// `begin` and `end` of the block are set; the rest is read. Throws trace::Malformed.
  void decode(std::string_view payload, activity::Block& block);

 private:
  struct Named {
    std::string name;
    int number;  ///< of this program; -1: it does not know the name
    Translation translation;
  };
  struct FileColumn {
    std::string name;
    bool text;
    const Column* own;  ///< null: unknown, or a text
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
