// The file of a waveform. SystemC opens it by name and ignores write errors; this class reports all of them.
#pragma once

#include <exception>
#include <filesystem>
#include <thread>

#include "pmusim/trace/output_file.h"

namespace sc_core {
class sc_trace_file;
}

namespace pmusim::testbench {

/// SystemC writes into a pipe. A thread reads the pipe and writes the file, which appears with close().
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
