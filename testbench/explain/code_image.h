// Instructions at their addresses, as an ELF file for disassemblers.
#pragma once

#include <string>
#include <vector>

#include "pmusim/trace/instruction.h"

namespace pmusim::testbench {

/// A file in memory without a name, freed with its object. For ppc, alpha and ia64 only.
class CodeImage {
 public:
  /// Of several instructions at one address the first is used. Throws std::runtime_error if memory is short.
  CodeImage(trace::Isa isa, const std::vector<trace::Code>& codes);
  ~CodeImage();
  CodeImage(const CodeImage&) = delete;
  CodeImage& operator=(const CodeImage&) = delete;
  /// Path under which this process and its children can open it.
  [[nodiscard]] std::string path() const;

 private:
  int descriptor_ = -1;
};

}  // namespace pmusim::testbench
