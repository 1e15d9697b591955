// Instructions at their addresses, as an ELF file for disassemblers.
#pragma once

#include <string>
#include <vector>

#include "pmusim/trace/instruction.h"

namespace pmusim::testbench {

/// A file in memory without a name; gone with its object. ppc, alpha and ia64 alone.
class CodeImage {
 public:
  /// Of several instructions at one address the first counts. Throws std::runtime_error if there is no room.
  CodeImage(trace::Isa isa, const std::vector<trace::Code>& codes);
  ~CodeImage();
  CodeImage(const CodeImage&) = delete;
  CodeImage& operator=(const CodeImage&) = delete;
  /// By which this process and those that it starts can open it.
  [[nodiscard]] std::string path() const;

 private:
  int descriptor_ = -1;
};

}  // namespace pmusim::testbench
