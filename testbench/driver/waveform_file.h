// The file of a waveform, and the layout in which GTKWave opens it.
#pragma once

#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "pmusim/trace/output_file.h"

namespace sc_core {
class sc_trace_file;
}

namespace pmusim::testbench {

/// SystemC opens its file by name and ignores write errors; this class reports all of them: SystemC writes into a pipe.
/// A thread reads the pipe and writes the file, which appears with close().
class WaveformFile {
 public:
  /// Throws trace::TraceError or std::runtime_error when it cannot be written.
  explicit WaveformFile(const std::filesystem::path& file);
  ~WaveformFile();
  WaveformFile(const WaveformFile&) = delete;
  WaveformFile& operator=(const WaveformFile&) = delete;

  [[nodiscard]] sc_core::sc_trace_file* get() const { return waveform_; }
  /// Throws trace::TraceError if a part could not be written; the file is removed then.
  void close();

 private:
  void finish();
  void remove_pipe();
  void pump();

  trace::OutputFile out_;
  std::filesystem::path folder_;  ///< name under which SystemC opens the pipe
  int read_ = -1;
  int write_ = -1;
  std::exception_ptr error_;
  std::thread reader_;
  sc_core::sc_trace_file* waveform_ = nullptr;
};

}  // namespace pmusim::testbench

/// The layout in which GTKWave opens a waveform: which signals, in which order, how their values are written.
namespace pmusim::testbench {

class WaveformLayout {
 public:
  /// How a signal's value is written: flags of its line in GTKWave's save file.
  enum class Look : unsigned { hexadecimal = 0x2, decimal = 0x4, binary = 0x8 };
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
