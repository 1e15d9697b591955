// Pieces of traces, written so that each means what it meant in its own trace.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "pmusim/trace/ia64.h"
#include "pmusim/trace/reader.h"
#include "pmusim/trace/writer.h"
#include "standing_state.h"

namespace pmusim::trace::edit {

/// A trace that is read item by item, and what has been established in it so far.
class Source {
 public:
  Source(std::unique_ptr<Reader> reader, std::string name);

  bool next(Item& item);
  [[nodiscard]] Isa isa() const { return reader_->info().isa; }
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const TraceInfo& info() const { return reader_->info(); }
  /// After the item handed out last.
  [[nodiscard]] const StandingState& state() const { return state_; }
  /// The item handed out last was a directive that leaves nothing behind.
  [[nodiscard]] bool happens_once() const { return happens_once_; }
  /// IA-64: the bundle of the instruction handed out last, and the register stack after it.
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
  PieceWriter(Writer& writer, Isa isa) : writer_(writer), isa_(isa) {}

  /// Establishes what has been established in the source.
  void begin(const Source& source);
  void put(const Directive& directive);
  /// The source's last item.
  void put(const Source& source, Item item);
  [[nodiscard]] std::uint64_t instructions() const { return instructions_; }

 private:
  Writer& writer_;
  Isa isa_;
  std::uint64_t instructions_ = 0;
  ia64::FrameTracker reader_;  // what a reader of the file makes of it
};

}  // namespace pmusim::trace::edit
