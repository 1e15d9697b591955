// Owning copies of items, temporary files and small helpers for the tests of the formats.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <string>
#include <vector>

#include "pmusim/trace/reader.h"
#include "pmusim/trace/text.h"
#include "pmusim/trace/writer.h"
#include "testbench/tests/scratch.h"

namespace pmusim::trace::test {

/// An item that owns its contents.
struct Record {
  bool is_directive = false;
  Directive directive;
  Code code;
  bool taken = false;
  std::uint64_t target = 0;
  std::vector<Access> accesses;
  bool annotated = false;
  Annotations annotations;
  std::array<char, 3> mask{'x', 'x', 'x'};

  Record() = default;
  explicit Record(const Item& item) : is_directive(item.directive != nullptr) {
    if (is_directive) {
      directive = *item.directive;
      return;
    }
    const Instruction& i = item.instruction;
    code = *i.code;
    taken = i.taken;
    target = i.taken ? i.target : 0;
    accesses.assign(i.accesses.begin(), i.accesses.end());
    annotated = i.annotations != nullptr;
    if (annotated) annotations = *i.annotations;
    mask = i.mask;
  }

  [[nodiscard]] Item item() const {
    Item result;
    if (is_directive) {
      result.directive = &directive;
      return result;
    }
    result.instruction = {&code, taken, target, accesses, annotated ? &annotations : nullptr, mask};
    return result;
  }

  /// Compares without ids and line numbers, which depend on the reader.
  bool operator==(const Record& other) const {
    if (is_directive != other.is_directive) return false;
    if (is_directive) return directive.name == other.directive.name && directive.operands == other.directive.operands;
    return code.pc == other.code.pc && code.length == other.code.length && code.bytes == other.code.bytes &&
           taken == other.taken && target == other.target && accesses == other.accesses &&
           annotated == other.annotated && annotations == other.annotations && mask == other.mask;
  }
};

inline std::ostream& operator<<(std::ostream& out, const Record& record) {
  std::string line;
  if (record.is_directive) {
    append_line(line, record.directive);
  } else {
    append_line(line, record.mask == std::array<char, 3>{'x', 'x', 'x'} ? Isa::i386 : Isa::ia64,
                record.item().instruction);
  }
  return out << line;
}

inline std::vector<Record> read_all(Reader& reader) {
  std::vector<Record> records;
  for (Item item; reader.next(item);) records.emplace_back(item);
  return records;
}

/// A temporary folder that counts its files.
struct TemporaryFolder : testbench::Scratch {
  [[nodiscard]] std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path()), {}));
  }
};

using testbench::content_of;

inline void make_file(const std::filesystem::path& file, const std::string& content) {
  std::ofstream(file, std::ios::binary) << content;
}

/// Message of the TraceError that `action` throws; empty if none is thrown.
template <typename Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const TraceError& error) {
    return error.what();
  }
  return {};
}

/// Writes records as `.pmt` and returns the file's bytes.
inline std::string pmt_of(const std::vector<Record>& records, Isa isa, const PmtOptions& options = {},
                          const std::string& program = "program") {
  const TemporaryFolder folder;
  const auto writer = create_pmt(folder / "t.pmt", isa, program, options);
  for (const Record& record : records) writer->write(record.item());
  writer->close();
  return content_of(folder / "t.pmt");
}

inline std::vector<Record> records_of_text(const std::string& text, std::optional<Isa> isa = std::nullopt) {
  ReadOptions options;
  options.isa = isa;
  return read_all(*open_text(text, "t", options));
}

}  // namespace pmusim::trace::test
