#include "testbench/store/this_program.h"

#include <fmt/format.h>

#include <filesystem>

#include "testbench/store/digest.h"
#include "testbench/support/error.h"
#include "testbench/support/program_file.h"
#include "testbench/support/text_lines.h"
#include "testbench/support/version.h"

namespace pmusim::testbench {

std::string this_program() {
  static const std::string name = [] {
    const std::filesystem::path file = readable_code_file();
    if (file.empty()) throw UsageError("the file of the program is not known: /proc is not mounted");
    return fmt::format("pmusim {} ({})", version, digest_of(content_of(file)));
  }();
  return name;
}

}  // namespace pmusim::testbench
