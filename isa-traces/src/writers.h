// Base of both writers: checks the rules and formats the messages.
#pragma once

#include <fmt/format.h>

#include <string>

#include "pmusim/trace/numbering.h"
#include "pmusim/trace/output_file.h"
#include "pmusim/trace/writer.h"
#include "rules.h"

namespace pmusim::trace {

class WriterBase : public Writer {
 public:
  WriterBase(const std::filesystem::path& file, Isa isa, OutputFile::Kind kind = OutputFile::Kind::any)
      : file_(file, kind), isa_(isa), numbering_(isa), rules_(isa) {}

  void write(const Item& item) final {
    if (closed_) throw TraceError(fmt::format("{}: written to after close()", file_.name()));
    if (item.directive != nullptr) {
      check(rules_.directive(*item.directive), "before");
      put(*item.directive);
    } else {
      check(rules_.instruction(item.instruction), "");
      put(item.instruction);
      numbering_.take(item.instruction);
    }
  }
  void close() final {
    if (closed_) return;
    finish();
    file_.close();
    closed_ = true;
  }

 protected:
  OutputFile file_;
  Isa isa_;
  Numbering numbering_;

 private:
  virtual void put(const Directive& directive) = 0;
  virtual void put(const Instruction& instruction) = 0;
  virtual void finish() = 0;
  void check(const std::string& wrong, const char* where) const {
    if (wrong.empty()) return;
    throw TraceError(fmt::format("{}: {}{}instruction {}: {}", file_.name(), where, *where ? " " : "",
                                 numbering_.instructions(), wrong));
  }

  SequenceRules rules_;
  bool closed_ = false;
};

}  // namespace pmusim::trace
