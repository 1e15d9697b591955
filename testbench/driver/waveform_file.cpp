#include "testbench/driver/waveform_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
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

namespace {

/// GTKWave writes a line of its own here when its user saves a layout.
constexpr std::string_view first_line = "[*] Layout written by pmusim; saved from GTKWave it is kept";

/// Flags of a line in GTKWave's save file: what follows is aligned to the right unless it is a heading.
constexpr unsigned right = 0x20, blank = 0x200;
/// GTKWave's zoom, a power of two: a window shows a few hundred cycles of 1000 ps.
constexpr double zoom = -15;
constexpr unsigned markers = 27;  ///< of the time; -1: not set
constexpr unsigned opens_group = 0x800000, closes_group = 0x1000000, shut = 0x400000;

bool written_by_others(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line;
  return in && (!std::getline(in, line) || line != first_line);
}

bool in_place(const std::filesystem::path& file) {
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(file, ignored);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
}

}  // namespace

WaveformLayout::WaveformLayout(const std::filesystem::path& waveform) {
  const std::filesystem::path file = file_of(waveform);
  if (in_place(waveform) || written_by_others(file)) return;
  out_.emplace(file);
  lines_ = fmt::format("{}\n[dumpfile] \"{}\"\n[timestart] 0\n[size] 1400 900\n[pos] -1 -1\n*{:f}", first_line,
                       waveform.filename().string(), zoom);
  for (unsigned i = 0; i < markers; ++i) lines_ += " -1";
  lines_ += "\n[treeopen] SystemC.\n[sst_width] 220\n[signals_width] 320\n";
}

void WaveformLayout::begin(const std::string& heading, bool closed) {
  lines_ += fmt::format("@{:x}\n-{}\n", opens_group | blank | (closed ? shut : 0), heading);
  headings_.push_back(heading);
}

void WaveformLayout::end() {
  lines_ += fmt::format("@{:x}\n-{}\n", closes_group | blank, headings_.back());
  headings_.pop_back();
}

void WaveformLayout::comment(std::string_view text) { lines_ += fmt::format("@{:x}\n-{}\n", blank, text); }

void WaveformLayout::signal(const std::string& name, unsigned width, Look look) {
  lines_ += fmt::format("@{:x}\n{}\n", right | static_cast<unsigned>(look),
                        width == 1 ? name : fmt::format("{}[{}:0]", name, width - 1));
}

std::filesystem::path WaveformLayout::file_of(const std::filesystem::path& waveform) {
  std::filesystem::path file = waveform;
  return file.replace_extension(".gtkw");
}

void WaveformLayout::close() {
  if (!out_) return;
  out_->write(lines_);
  out_->close();
}

}  // namespace pmusim::testbench
