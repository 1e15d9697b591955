// Reads the text interchange line by line.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "line_source.h"
#include "reader_base.h"
#include "rules.h"
#include "text_parser.h"

namespace pmusim::trace {

class TextReader final : public ReaderBase {
 public:
  TextReader(std::unique_ptr<ByteSource> source, std::string name, ReadOptions options);

 private:
  std::span<const Item> read_whole() override;
  /// Reads the next line that is neither blank nor a comment, without leading blanks.
  bool next_line(std::string_view& line);
  void read_isa();
  void fill(std::string_view line, Instruction& instruction);
  [[noreturn]] void fail(const std::string& what) const;

  LineSource lines_;
  std::string_view first_;  // the first line if it is not `! isa`
  bool has_first_ = false;
  SequenceRules rules_{Isa::ppc};
  ParsedLine parsed_;
  Directive directive_;
  Item item_;
  std::uint64_t count_ = 0;
};

}  // namespace pmusim::trace
