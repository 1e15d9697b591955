// The layout in which GTKWave opens a waveform: which signals, in which order, how their values are written.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pmusim/trace/output_file.h"

namespace pmusim::testbench {

class WaveformLayout {
 public:
  enum class Look { binary, decimal, hexadecimal };
  /// The layout of this waveform. Throws trace::TraceError if it cannot be written. No layout is written for a waveform
  /// on a device or a pipe. A layout file that another program wrote stays.
  explicit WaveformLayout(const std::filesystem::path& waveform);
  /// Groups the following signals under this heading, until end(). `closed`: the group is shown collapsed.
  void begin(const std::string& heading, bool closed = false);
  void end();
  void comment(std::string_view text);
  /// `name` as the waveform has it, with its scopes and, if it is wider than a bit, its range.
  void signal(const std::string& name, unsigned width, Look look);
  /// Name of the layout file of a waveform: the same name with the ending .gtkw.
  [[nodiscard]] static std::filesystem::path file_of(const std::filesystem::path& waveform);
  /// Writes it. Throws trace::TraceError.
  void close();

 private:
  std::optional<trace::OutputFile> out_;
  std::string lines_;
  std::vector<std::string> headings_;
};

}  // namespace pmusim::testbench
