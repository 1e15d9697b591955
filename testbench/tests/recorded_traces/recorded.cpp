#include "recorded.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "pmusim/trace/reader.h"
#include "testbench/tests/sampling.h"

namespace pmusim::testbench {

namespace fs = std::filesystem;

std::vector<fs::path> recorded_traces() {
  std::vector<fs::path> traces;
  for (const auto& entry : fs::directory_iterator(fs::path(PMUSIM_SOURCE_DIR) / "isa-traces" / "recorded")) {
    if (entry.path().extension() != ".pmt" || trace::open(entry.path())->info().instructions > longest_program)
      continue;
    traces.push_back(entry.path());
  }
  std::sort(traces.begin(), traces.end());
  return traces;
}

Output run(const std::string& command) {
  Output output;
  std::FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error(command);
  char buffer[4096];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe)) output.text.append(buffer, n);
  const int status = ::pclose(pipe);
  output.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return output;
}

}  // namespace pmusim::testbench
