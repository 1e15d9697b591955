// C++ interface to pmusim_activity.h: a writer that closes the file in its destructor and reports errors by exceptions.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>

#include "pmusim_activity.h"

namespace pmusim_activity {

inline constexpr std::uint32_t no_ref = PMA_NO_REF;

class Writer {
 public:
  Writer(const std::string& file, const std::string& target)
      : file_(file), writer_(pma_open(file.c_str(), target.c_str())) {
    if (writer_ == nullptr) throw std::runtime_error(file + ": no memory");
  }
  ~Writer() {
    if (writer_ != nullptr) pma_close(writer_, 0);
  }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  void property(const std::string& key, const std::string& value) { pma_property(writer_, key.c_str(), value.c_str()); }
  int signal(const std::string& name) { return pma_signal(writer_, name.c_str()); }
  int state(const std::string& name) { return pma_state(writer_, name.c_str()); }
  int table(const std::string& name, const std::string& columns) {
    return pma_table(writer_, name.c_str(), columns.c_str());
  }
  std::uint64_t field(int number, const std::string& name, unsigned bits = 1, const std::string& values = "") {
    return pma_field(writer_, number, name.c_str(), bits, values.c_str());
  }
  std::uint64_t field(int table, const std::string& column, const std::string& name, unsigned bits,
                      const std::string& values) {
    return pma_column_field(writer_, table, column.c_str(), name.c_str(), bits, values.c_str());
  }
  /// Adds a record, with one number for each column of the table. Returns its reference.
  std::uint32_t row(int table, std::initializer_list<std::uint64_t> values) {
    return pma_row(writer_, table, values.begin());
  }
  void occur(int signal, std::uint64_t cycle, std::uint32_t ref = no_ref, std::uint64_t detail = 0,
             unsigned amount = 1) {
    pma_occur(writer_, signal, cycle, ref, amount, detail);
  }
  void change(int state, std::uint64_t cycle, std::uint64_t value) { pma_change(writer_, state, cycle, value); }
  void retired(int thread, std::uint64_t instructions) { pma_retired(writer_, thread, instructions); }
  void end_block(std::uint64_t end) { pma_end_block(writer_, end); }
  /// Throws std::runtime_error if the file could not be written, or if functions were called in a wrong order.
  void close(std::uint64_t end) {
    pma_writer* const writer = writer_;
    writer_ = nullptr;
    if (pma_close(writer, end) != 0) throw std::runtime_error(file_ + ": cannot be written, or was used wrongly");
  }

 private:
  std::string file_;
  pma_writer* writer_;
};

}  // namespace pmusim_activity
