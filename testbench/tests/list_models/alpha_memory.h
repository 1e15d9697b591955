// List model of the memory side of the Alphas: Dcache, miss file, write buffer, Icache and refill buffer, Scache,
// Bcache with their victims and write-backs, commands of the system. The rules are those of docs/targets/alpha-core.md,
// "Memory" and "Directives" (21164PC Hardware Reference Manual 2.1.1.2, 2.1.4; 21264/EV67 manual 2.1).
//
// From activity the model takes in which cycle a load or store probes the Dcache, a fetch the Icache, and a request the
// next levels. It says what each of them finds, what it starts, in which cycle its data comes, and what leaves the
// caches then. All occurrences of a cycle are compared.
#pragma once

#include <map>
#include <tuple>

#include "models/common/parameters.h"
#include "testbench/tests/list_models/alpha_lists.h"

namespace pmusim::testbench::alpha::lists {

class Memory : public Watcher {
 public:
  /// `write_back`: the Dcache of the 21264. Otherwise stores pass the Dcache, through the write buffer.
  Memory(const models::Parameters& parameters, bool write_back, std::vector<Command> commands);

 protected:
  void see(Cycle now, std::span<const Seen> seen) override;
  void end() override;

 private:
  enum class Kind : std::uint8_t { load, own, fetch, prefetch, write };
  enum class Stage : std::uint8_t {
    gather,   ///< write: in the buffer
    blocked,  ///< waits for the write to its block
    asks,     ///< its first lookup comes
    asks_bcache,
    comes,  ///< its data, in cycle `due`
    held    ///< in the refill buffer
  };
  /// A request, in a place of the miss file, of the code's requests, or of the write buffer.
  struct Trip {
    std::uint64_t id = 0, address = 0, line = 0, age = 0;
    Kind kind = Kind::load;
    Stage stage = Stage::asks;
    bool from_memory = false, written = false, wanted = false, urgent = false;
    Cycle asked = 0, due = activity::never;
    std::vector<std::uint64_t> loads;  ///< addresses of those that wait
  };
  using Places = std::vector<std::optional<Trip>>;
  /// Signal, detail, and the address of the request (0: of none).
  using Fact = std::tuple<Signal, std::uint16_t, std::uint64_t>;

  void process(Cycle now, std::span<const Seen> seen);
  void compare(std::span<const Seen> seen);
  [[nodiscard]] Cycle next_due() const;
  void expect(Signal signal, unsigned detail, std::uint64_t address = 0) {
    expected_.emplace_back(signal, static_cast<std::uint16_t>(detail), address);
  }
  [[nodiscard]] std::string held(std::uint64_t address);

  // alpha_memory.cpp: the first level
  void probe(const Seen& seen);
  void miss(const Seen& seen, Kind kind);
  void store(const Seen& seen);
  void fetch(const Seen& seen);
  void ask_code(std::uint64_t line, std::uint64_t address, Kind kind, std::uint64_t id);
  void prefetch_after(std::uint64_t line);
  void name_prefetches(std::span<const Seen> seen);
  void fill_code(std::uint64_t line, std::uint64_t address);
  void send_writes();
  void make_urgent(std::uint64_t age);
  void retired(const Seen& seen);
  [[nodiscard]] static std::optional<Trip>* free_place(Places& places);
  [[nodiscard]] static Trip* in_flight(Places& places, std::uint64_t line);
  [[nodiscard]] static std::size_t used(const Places& places);
  [[nodiscard]] std::uint64_t youngest_write(std::uint64_t line) const;

  // alpha_memory_levels.cpp
  void steps(std::span<const Seen> seen);
  void look_up(Trip& trip, bool in_scache);
  void arrives(std::optional<Trip>& place);
  void fill_data(const Trip& trip);
  void install_below(const Trip& trip);
  void write_back(std::uint64_t line, std::uint64_t cause);
  Mesi leaves(LineList& cache, unsigned name, std::uint64_t block, std::uint64_t bytes, unsigned why);
  void evicted(unsigned name, Mesi state, unsigned why);
  void command(const Seen& seen);
  void unblock(std::uint64_t line);
  [[nodiscard]] static unsigned side_of(Kind kind);

  std::uint64_t scache_bytes_, bcache_bytes_;
  bool write_back_;
  std::uint64_t stream_lines_, write_start_, writes_at_a_time_;
  Cycle write_age_, scache_read_, bcache_read_, bcache_write_, memory_read_;
  Cycle to_bcache_;  ///< from the request to the lookup in the Bcache
  std::int64_t pin_events_;
  LineList l1d_, l1i_, scache_, bcache_;
  Places data_, code_, writes_;
  std::vector<Command> commands_;
  std::size_t next_command_ = 0;
  std::vector<Fact> expected_;
  Cycle now_ = 0, last_ = 0;
  Cycle filled_ = activity::never;  ///< cycle of the last fill of the Dcache
  std::uint64_t ages_ = 0, outstanding_ = 0;
  Cycle sent_early_ = activity::never;  ///< a write was sent that no rule but a barrier or the end explains
  std::vector<Trip*> unnamed_;          ///< prefetches of this cycle
};

}  // namespace pmusim::testbench::alpha::lists
