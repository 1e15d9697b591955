// The instructions between fetch and retirement, in fetch order. Four marks divide them into queue, decode pipe and
// reorder buffer; a kill moves the marks back.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/core/athlon/branch_prediction.h"
#include "models/core/athlon/machine.h"
#include "models/core/athlon/static_code.h"
#include "models/core/parts/program.h"
#include "models/core/parts/recorder.h"
#include "models/core/parts/renew.h"

namespace pmusim::core::athlon {

using Sequence = std::uint64_t;
inline constexpr std::uint64_t no_line = ~std::uint64_t{0};

/// The chunk that produces a result.
struct Producer {
  std::uint16_t back : 10;   ///< distance from its consumer, in chunks
  std::uint16_t second : 6;  ///< 1: its second result
};

/// Results that a chunk waits for.
struct Awaited {
  Cycle ready;                                                 ///< latest cycle of the known results
  std::uint8_t count;                                          ///< results that were unknown at the last check
  std::array<Producer, trace::x86::register_count> producers;  ///< of the unknown results
};

/// One trace line, wrong-path or handler instruction in flight. A repeated string instruction has one chunk per
/// iteration; these chunks share a record. Most chunks of a wrong path are killed before they dispatch: what only later
/// stages need is set at dispatch.
struct Chunk {
  // set by fetch
  const StaticCode* code;
  std::uint64_t line = no_line;     ///< its ordinal in the trace, or no_line (wrong path, handler)
  Program::Entry* entry = nullptr;  ///< of that line, or null
  std::uint64_t id;                 ///< of its instruction
  PredictorState before;            ///< state of the predictor before its prediction
  Cycle decode_at;                  ///< cycle from which it may be decoded
  std::uint32_t next;               ///< address of its successor in the program (correct path)
  std::uint32_t counter;            ///< index of the counter of its prediction (a branch)
  std::uint32_t record;             ///< index of its record
  bool first = true, last = true;   ///< of its instruction's iterations
  bool wrong_path = false;
  bool handler = false;
  bool taken = false;
  bool mispredicted = false;
  bool ends_line = false;                 ///< it is predicted taken: nothing follows it in a line of the decoder
  bool resyncs = false;                   ///< it stored into code in flight: fetch restarts after it
  bool recorded = false;                  ///< its record has been made
  std::uint8_t decoded = 0, retired = 0;  ///< macro-operations
  std::uint16_t accesses = 0;             ///< number of accesses in the trace
  // set by dispatch and execution
  bool stores;              ///< it has stores in the load-store unit
  bool issued;              ///< the first part has started
  std::uint8_t dispatched;  ///< macro-operations
  std::uint8_t loads_left;  ///< loads whose data the last macro-operation needs
  std::uint8_t parts_left;  ///< accesses and executions dispatched and not done
  std::uint32_t stack;      ///< names of the x87 registers before it
  Cycle data_ready;         ///< cycle in which the data of its loads is ready
  Cycle finish;             ///< the latest end of its parts
  std::uint64_t reorder;    ///< position of its first macro-operation in the reorder buffer
  Awaited address, data;    ///< the registers of its addresses; all other registers that it reads

  void begin_dispatch() {
    stores = issued = false;
    dispatched = loads_left = parts_left = 0;
    data_ready = finish = address.ready = data.ready = 0;
    address.count = data.count = 0;
  }
  [[nodiscard]] bool transfers() const { return code->is_branch && (taken || !code->may_not_transfer); }
  [[nodiscard]] std::uint8_t operations() const { return code->macro_ops; }
};

/// Up to three macro-operations that dispatch together.
struct DispatchLine {
  struct Part {
    Sequence sequence = 0;
    std::uint8_t operation = 0;
  };
  std::array<Part, dispatch_width> parts{};
  unsigned count = 0;
  // What it needs to dispatch:
  std::uint32_t accesses = 0;  ///< entries of the load-store unit
  std::uint8_t fp = 0;         ///< entries of the floating-point scheduler
  std::uint8_t stations = 0;   ///< one bit for each station that gets an entry
  Cycle ready = 0;

  void begin() { count = accesses = fp = stations = 0; }
  void add(Sequence sequence, std::uint8_t operation, const Chunk& chunk) {
    const StaticCode& code = *chunk.code;
    if (operation == 0) accesses += chunk.accesses;
    fp += code.fp ? 1 : 0;
    stations |= static_cast<std::uint8_t>(code.takes_station << count);
    parts[count++] = {sequence, operation};
  }
};

class InFlight {
 public:
  static constexpr std::size_t capacity = 512;  ///< within the range of Producer::back
  Chunk& at(Sequence s) { return chunks_[s & mask_]; }
  /// First cycle in which a consumer of the chunk can start; never: not known. `second` 1: of those of its results that
  /// have a time of their own (StaticCode::second_results). Schedulers read this field often, so all of these fields
  /// are kept together.
  Cycle& result(Sequence s, unsigned second = 0) { return results_[(s & mask_) * 2 + second]; }
  /// The record of a chunk; made when it is first needed. Without a subscriber most instructions need none.
  NamedInstruction& record(Chunk& chunk) {
    NamedInstruction& named = records_[chunk.record & mask_];
    if (chunk.recorded) return named;
    chunk.recorded = true;
    named.block = 0;
    InstructionRecord& record = named.record = chunk.code->record;
    record.id = chunk.id;
    record.tagged = chunk.decode_at - fetch_to_decode;
    record.wrong_path = chunk.wrong_path;
    record.predicted_taken = chunk.ends_line;
    return named;
  }
  /// Adds the youngest chunk. References to other chunks may become invalid.
  Chunk& push() {
    if (fetched - retired > mask_) grow();
    return renew(at(fetched++));
  }
  /// The first macro-operation of a chunk dispatches.
  void begin_dispatch(Chunk& chunk) {
    result(dispatched) = result(dispatched, 1) = activity::never;
    ++dispatched;
    chunk.begin_dispatch();
  }
  [[nodiscard]] bool full() const { return fetched - retired >= capacity - 1; }

  Sequence retired = 0;     ///< oldest not retired
  Sequence dispatched = 0;  ///< first chunk of which nothing has dispatched
  Sequence decoded = 0;     ///< first chunk with macro-operations to decode
  Sequence fetched = 0;     ///< one after the youngest
  std::uint32_t next_record = 0;

 private:
  void grow();

  // A small ring stays in the host's L1 cache; it grows only if necessary.
  std::vector<Chunk> chunks_{128};
  std::vector<Cycle> results_ = std::vector<Cycle>(256);  ///< two of each chunk
  std::vector<NamedInstruction> records_{128};
  std::size_t mask_ = 127;
};

}  // namespace pmusim::core::athlon
