#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <iostream>

#include "capture.h"
#include "subprocess.h"
#include "testbench/cli/trace_command.h"
#include "testbench/support/descriptor.h"
#include "testbench/support/words.h"

namespace pmusim::testbench {
namespace {

/// Sends standard output to standard error while it exists.
class OutputToError {
 public:
  OutputToError() : kept_(::dup(STDOUT_FILENO)) {
    std::cout.flush();
    ::dup2(STDERR_FILENO, STDOUT_FILENO);
  }
  ~OutputToError() { ::dup2(kept_.get(), STDOUT_FILENO); }
  OutputToError(const OutputToError&) = delete;
  OutputToError& operator=(const OutputToError&) = delete;

 private:
  Descriptor kept_;
};

}  // namespace

RecordedProgram::RecordedProgram(const models::Target& target, const std::vector<std::string>& words, Format format) {
  namespace fs = std::filesystem;
  const fs::path name = fs::path(words.at(0)).filename();
  folder_ = std::make_unique<trace::Workspace>(fs::temp_directory_path() / name);
  trace_ = folder_->file(name.string() + ".pmt").string();
  std::unique_ptr<OutputToError> redirected;
  if (format != Format::text) redirected = std::make_unique<OutputToError>();
  constexpr std::uint64_t most = 1'000'000'000;
  const trace::CaptureResult result =
      trace::capture(target.isa, words[0], {words.begin() + 1, words.end()}, trace_, most, {}, true);
  for (const std::string& note : result.notes) std::cerr << fmt::format("pmusim: {}\n", printable(note));
  if (result.exit_status != 0)
    std::cerr << fmt::format("pmusim: {} ends with exit status {}\n", printable(words[0]), result.exit_status);
}

RecordedProgram::~RecordedProgram() = default;

}  // namespace pmusim::testbench
