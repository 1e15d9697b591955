#include "testbench/driver/waveform_layout.h"

#include <fmt/format.h>

#include <fstream>
#include <system_error>

namespace pmusim::testbench {
namespace {

/// GTKWave writes a line of its own here when its user saves a layout.
constexpr std::string_view first_line = "[*] Layout written by pmusim; saved from GTKWave it is kept";

/// Flags of a line in GTKWave's save file: what follows is aligned to the right unless it is a heading.
constexpr unsigned right = 0x20, hexadecimal = 0x2, decimal = 0x4, binary = 0x8, blank = 0x200;
/// GTKWave's zoom, a power of two: a window shows a few hundred cycles of 1000 ps.
constexpr double zoom = -15;
constexpr unsigned markers = 27;  ///< of the time; -1: not set
constexpr unsigned opens_group = 0x800000, closes_group = 0x1000000, shut = 0x400000;

unsigned flags_of(WaveformLayout::Look look) {
  switch (look) {
    case WaveformLayout::Look::binary:
      return right | binary;
    case WaveformLayout::Look::decimal:
      return right | decimal;
    case WaveformLayout::Look::hexadecimal:
      return right | hexadecimal;
  }
  return right;
}

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
  lines_ += fmt::format("@{:x}\n{}\n", flags_of(look), width == 1 ? name : fmt::format("{}[{}:0]", name, width - 1));
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
