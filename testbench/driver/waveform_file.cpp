#include "testbench/driver/waveform_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <system_error>
#include <systemc>
#include <utility>

namespace pmusim::testbench {
namespace {

/// SystemC appends this suffix itself.
constexpr const char* extension = ".vcd";

}  // namespace

WaveformFile::WaveformFile(const std::filesystem::path& file) : out_(file) {
  // SystemC opens the pipe by its name in this folder, and terminates the program if that fails.
  if (access("/proc/self/fd", X_OK) != 0)
    throw std::runtime_error(fmt::format("{}: a waveform needs /proc, which is not mounted", file.string()));
  std::array<int, 2> ends{};
  std::string folder = (std::filesystem::temp_directory_path() / "pmusim-XXXXXX").string();
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error(fmt::format("no pipe: {}", std::strerror(errno)));
  read_ = ends[0];
  write_ = ends[1];
  if (mkdtemp(folder.data()) == nullptr) {
    const int error = errno;
    ::close(read_);
    ::close(write_);
    throw std::runtime_error(fmt::format("{}: cannot be made: {}; TMPDIR names another folder for temporary files",
                                         folder, std::strerror(error)));
  }
  folder_ = folder;
  const std::filesystem::path name = folder_ / "wave";
  std::filesystem::create_symlink(fmt::format("/proc/self/fd/{}", write_), name.string() + extension);
  try {
    reader_ = std::thread([this] { pump(); });
  } catch (const std::system_error&) {  // no room for the thread's stack
    remove_pipe();
    throw std::runtime_error(
        fmt::format("{}: a thread writes the waveform, and there is not enough memory for it; free some or raise the "
                    "limit (ulimit -v)",
                    file.string()));
  }
  waveform_ = sc_core::sc_create_vcd_trace_file(name.c_str());
}

WaveformFile::~WaveformFile() { finish(); }

void WaveformFile::pump() {
  std::array<char, 1 << 16> chunk{};
  for (;;) {
    const ssize_t n = read(read_, chunk.data(), chunk.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    if (error_) continue;  // SystemC must not wait for a full pipe
    try {
      out_.write({chunk.data(), static_cast<std::size_t>(n)});
    } catch (...) {
      error_ = std::current_exception();
    }
  }
}

/// SystemC's end of the pipe is closed with its file, and this end here. The thread has read everything then.
void WaveformFile::finish() {
  if (waveform_ == nullptr) return;
  sc_core::sc_close_vcd_trace_file(std::exchange(waveform_, nullptr));
  ::close(std::exchange(write_, -1));
  reader_.join();
  remove_pipe();
}

void WaveformFile::remove_pipe() {
  if (write_ != -1) ::close(write_);
  ::close(read_);
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

void WaveformFile::close() {
  finish();
  if (error_) std::rethrow_exception(error_);
  out_.close();
}

}  // namespace pmusim::testbench
