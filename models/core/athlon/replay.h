// Replay of earlier pipeline activity (after FastSim: Schnarr and Larus, 1998). A stretch is the activity from one
// cycle, after a backward branch has retired, to another. While the memory side is at rest, a stretch depends only on
// the pipeline's state at its start, the instructions of the trace, and the answers of caches, TLBs, predictor and
// dictionary and the order of addresses, which the tape records. If all of these recur, the activity of the stretch is
// written without running the pipeline. Nothing is changed before everything has been compared.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/core/athlon/athlon.h"
#include "models/core/athlon/tape.h"
#include "models/core/parts/block_delta.h"

namespace pmusim::core::athlon {

class AthlonCore;
struct Chunk;

class Replay {
 public:
  Replay(AthlonCore& core, Replays when);
  [[nodiscard]] std::uint64_t replayed() const { return replayed_; }
  /// Call between two cycles, after a backward branch has retired. May advance the core.
  void between_steps(Cycle limit, std::uint64_t instructions);

 private:
  /// Increasing numbers to which states and stretches are relative.
  struct Bases {
    Cycle cycle = 0;                    ///< the next one
    std::uint64_t sequence = 0;         ///< oldest in flight
    std::uint64_t begin = 0, line = 0;  ///< oldest line in flight, next to fetch
    std::uint64_t place = 0;            ///< position of the head of the reorder buffer
    std::uint32_t dispatch_line = 0, record = 0;
    std::uint64_t retired = 0;
    std::uint64_t id = 0, wrong_id = 0, request = 0;
    Bases operator-(const Bases& other) const;
    Bases operator+(const Bases& other) const;
    [[nodiscard]] RecordBases records() const { return {cycle, id, wrong_id, request}; }
  };
  struct Node;
  struct Stretch {
    Node* to = nullptr;
    Bases distance;
    Cycle last_step = 0;  ///< its last cycle, relative to its first
    std::vector<Tape::Line> lines;
    std::vector<Tape::LineAccess> accesses;
    const trace::Code* peeked = nullptr;  ///< the line after them
    std::vector<Question> questions;
    std::vector<OrderedStore> stores;
    std::vector<BranchStep> branches;
    std::vector<std::uint64_t> code_lines, code_pages;
    std::vector<std::pair<std::uint64_t, const StaticCode*>> found;
    std::vector<std::uint64_t> code_in_flight;  ///< pages with code that a store must not hit
    std::vector<std::uint32_t> carried;         ///< numbers of the accesses in flight at its end
    BlockDelta delta;
    [[nodiscard]] std::size_t bytes() const;
  };
  struct Node {
    std::vector<std::uint8_t> state;
    std::vector<std::unique_ptr<Stretch>> stretches;
    int worth = 0;  ///< above 0: worth trying to replay
  };

  [[nodiscard]] Bases bases() const;
  [[nodiscard]] bool eligible() const;
  template <class Archive>
  void describe(Archive& a, const Bases& b);
  template <class Archive>
  void describe_chunk(Archive& a, const Bases& b, Chunk& chunk, std::uint64_t sequence);
  template <class Archive>
  void describe_window(Archive& a, const Bases& b);
  template <class Archive>
  void describe_load_store(Archive& a, const Bases& b);
  template <class Archive>
  void describe_front(Archive& a, const Bases& b);
  template <class Archive>
  void describe_core(Archive& a, const Bases& b);

  void list_load_store();
  /// The node of the present state, and whether it existed.
  [[nodiscard]] std::pair<Node*, bool> node_of_present_state(std::uint64_t mark, const Bases& b);
  [[nodiscard]] const Stretch* find(Node& node, const Bases& b, Cycle limit, std::uint64_t instructions, bool& room);
  [[nodiscard]] std::uint64_t mark_of_state();
  [[nodiscard]] bool seen_before(std::uint64_t mark);
  void earn();
  [[nodiscard]] bool leads_on(std::uint64_t mark);
  void begin_stretch(Node& node, const Bases& b);
  void end_stretch(Node& node, const Bases& b);
  template <class Each>
  void each_access(Each each);
  [[nodiscard]] bool matches(const Stretch& s, const Bases& b);
  [[nodiscard]] bool same_trace(const Stretch& s, const Bases& b);
  [[nodiscard]] bool same_answers(const Stretch& s);
  void apply(const Stretch& s, Bases& b);
  void restore(const Node& node, const Bases& b);
  void forget_all();

  AthlonCore& core_;
  const bool off_, always_;
  const std::uint64_t fewest_lines_;  ///< least number of trace lines of a stretch
  std::unordered_multimap<std::uint64_t, std::unique_ptr<Node>> nodes_;
  std::size_t bytes_ = 0;
  std::vector<std::uint8_t> state_;
  std::vector<std::uint16_t> order_;      ///< entries of the load-store unit, in the order of the state
  std::vector<std::uint16_t> position_;   ///< position in `order_`, by index of the entry
  std::vector<std::uint64_t> addresses_;  ///< of accesses, by number
  std::vector<std::uint64_t> carried_;
  std::vector<std::uint32_t> touched_data_, touched_code_;
  std::vector<std::uint64_t> touched_pages_;

  // the stretch being learnt
  Node* from_ = nullptr;
  Bases from_bases_;
  Cycle last_step_ = 0;
  BlockDelta::Mark mark_;
  std::vector<std::uint64_t> code_in_flight_;

  // cost and savings
  std::uint64_t replayed_ = 0;  ///< instructions
  std::uint64_t executed_ = 0;  ///< instructions without replay for which the allowance was granted
  std::int64_t balance_ = 0;    ///< instructions of the host
  std::uint64_t tried_line_ = 0;
  std::uint64_t wait_ = fewest_lines_;  ///< lines until the next try
  std::array<std::uint64_t, 4096> seen_{};
};

}  // namespace pmusim::core::athlon
