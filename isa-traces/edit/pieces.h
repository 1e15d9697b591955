// Reads traces and writes pieces of them so that each piece has the same meaning as in its own trace.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "pmusim/trace/ia64.h"
#include "pmusim/trace/numbering.h"
#include "pmusim/trace/reader.h"
#include "pmusim/trace/writer.h"
#include "standing_state.h"

namespace pmusim::trace::edit {

/// Reads a trace item by item and tracks the state that its directives have established.
class Source {
 public:
  Source(std::unique_ptr<Reader> reader, std::string name);

  bool next(Item& item);
  [[nodiscard]] Isa isa() const { return reader_->info().isa; }
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const TraceInfo& info() const { return reader_->info(); }
  /// State after the last returned item.
  [[nodiscard]] const StandingState& state() const { return state_; }
  /// True if the last returned item was a directive without a lasting effect.
  [[nodiscard]] bool happens_once() const { return happens_once_; }
  /// IA-64: the bundle of the last returned instruction, and the register stack after it.
  [[nodiscard]] const ia64::Bundle& bundle() const { return *bundle_; }
  [[nodiscard]] const ia64::FrameTracker& stack() const { return stack_; }

 private:
  std::unique_ptr<Reader> reader_;
  std::string name_;
  StandingState state_;
  bool happens_once_ = false;
  std::vector<std::unique_ptr<ia64::Bundle>> bundles_;  // by id of the code
  const ia64::Bundle* bundle_ = nullptr;
  ia64::FrameTracker stack_;
};

class PieceWriter {
 public:
  PieceWriter(Writer& writer, Isa isa) : writer_(writer), isa_(isa), numbering_(isa) {}

  /// Writes directives that establish the current state of the source.
  void begin(const Source& source);
  void put(const Directive& directive);
  /// Writes the last item of the source.
  void put(const Source& source, Item item);
  [[nodiscard]] std::uint64_t instructions() const { return numbering_.instructions(); }
  [[nodiscard]] bool begun() const { return numbering_.lines() > 0; }  ///< an instruction has been written

 private:
  Writer& writer_;
  Isa isa_;
  Numbering numbering_;
  ia64::FrameTracker reader_;  // register stack that a reader of the file computes
};

/// Writes the instructions from `begin` (0: the first) up to, not including, `end` (numbering.h), after directives that
/// establish the state at `begin`. Returns the number of instructions.
std::uint64_t cut(Source& source, std::uint64_t begin, std::uint64_t end, Writer& writer);

enum class MergeAs : std::uint8_t {
  processes,  ///< `! switch` and `! process N` where the next trace continues, N from 1
  threads     ///< `! switch` and `! thread N`, N from 0; ia64 only
};

struct MergeOptions {
  MergeAs as = MergeAs::processes;
  std::uint64_t quantum = 0;  ///< instructions (numbering.h) until the next trace, 0: all of it; no switch in a handler
};

/// Merges traces of one instruction set. Throws TraceError, also if one trace specifies a state of the program
/// (privilege, mode) and another does not, because the latter would run in the state of the former. Returns the number
/// of instructions.
std::uint64_t merge(std::vector<std::unique_ptr<Source>>& sources, const MergeOptions& options, Writer& writer);

}  // namespace pmusim::trace::edit
