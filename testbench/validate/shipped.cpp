#include "testbench/validate/shipped.h"

#include <filesystem>
#include <system_error>

#include "testbench/validate/stimuli.h"

namespace pmusim::testbench {

namespace fs = std::filesystem;

std::string shipped(const std::string& name) {
  std::error_code error;
  if ((!name.starts_with("isa-traces/") && !name.starts_with("testbench/")) || fs::exists(name, error)) return name;
  const fs::path there = data_folder() / name;
  return fs::is_regular_file(there, error) ? there.string() : name;
}

}  // namespace pmusim::testbench
