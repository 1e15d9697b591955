#include "data_accesses.h"

#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include "models/targets.h"
#include "pmusim/trace/reader.h"

namespace pmusim::testbench::cachegrind_lines {
namespace {

using activity::Block;
using activity::Signal;
namespace d = activity::detail;

constexpr activity::Cycle block_cycles = 65536;
constexpr std::uint64_t line_bytes = 64, octet = 8;
constexpr std::size_t in_flight = 1024;  ///< more probes than the processor has in flight

/// Classifies the probes of the data cache, which come in program order.
class Probes {
 public:
  explicit Probes(DataAccesses& result) : result_(result) {}

  void watch(const Block& block) {
    const auto& losses = block.column(Signal::cross_invalidate);
    const auto& kills = block.column(Signal::kill);
    auto loss = losses.begin();
    auto kill = kills.begin();
    // Fetch takes a line before the probes of the cycle; an execution is killed after them.
    const auto catch_up = [&](std::uint64_t losses_before, std::uint64_t kills_before) {
      for (; loss != losses.end() && loss->at < losses_before; ++loss) lose(block, *loss);
      for (; kill != kills.end() && kill->at < kills_before; ++kill) repeat(block.instructions.at(kill->ref).id);
    };
    for (const activity::Occurrence& o : block.column(Signal::dcache_lookup)) {
      catch_up(o.at + std::uint64_t{1}, o.at);
      add(block.requests.at(o.ref), o.detail);
    }
    catch_up(activity::never, activity::never);
  }

 private:
  void lose(const Block& block, const activity::Occurrence& o) {
    if (o.detail == d::cross_from_data) lost_.insert(block.requests.at(o.ref).address / line_bytes);
  }

  void add(const activity::RequestRecord& request, std::uint16_t detail) {
    Instruction& instruction = result_.instructions.at(request.ip);
    const bool second = (detail & d::access_second_half) != 0;
    const bool missed = (detail & d::lookup_miss) != 0;
    instruction.probes += one(request.store, missed);
    const std::uint64_t probed = second ? (request.address / octet + 1) * octet : request.address;
    if (missed && lost_.erase(probed / line_bytes) != 0) {
      instruction.lost_to_code += request.store ? Counts{0, 0, 0, 1} : Counts{0, 1, 0, 0};
    }
    made_.emplace(request.instruction, std::pair{request.ip, one(request.store, false)});
    while (made_.size() > in_flight) made_.erase(made_.begin());
    if (second) {
      const bool both = missed && first_half_missed_.at(request.id);
      instruction.second_halves += one(request.store, both);
      first_half_missed_.erase(request.id);
      return;
    }
    if (request.crosses_octet) first_half_missed_[request.id] = missed;
    if (!request.store) {
      loaded_ = {request.instruction, request.address, request.size};
    } else if (loaded_ == Operand{request.instruction, request.address, request.size}) {
      instruction.modifies += one(true, false);
    }
  }

  void repeat(std::uint64_t execution) {
    const auto [first, last] = made_.equal_range(execution);
    for (auto made = first; made != last; ++made) {
      result_.instructions.at(made->second.first).replays += made->second.second;
    }
    made_.erase(first, last);
  }

  static Counts one(bool store, bool missed) {
    return store ? Counts{0, 0, 1, missed ? 1 : 0} : Counts{1, missed ? 1 : 0, 0, 0};
  }

  struct Operand {
    std::uint64_t instruction = ~std::uint64_t{0}, address = 0;
    std::uint32_t size = 0;
    bool operator==(const Operand&) const = default;
  };
  DataAccesses& result_;
  std::map<std::uint64_t, bool> first_half_missed_;                      ///< by request
  std::multimap<std::uint64_t, std::pair<std::uint64_t, Counts>> made_;  ///< by execution: address and probe
  std::set<std::uint64_t> lost_;  ///< numbers of the lines that fetches have taken
  Operand loaded_;
};

}  // namespace

Counts& Counts::operator+=(const Counts& other) {
  reads += other.reads;
  read_misses += other.read_misses;
  writes += other.writes;
  write_misses += other.write_misses;
  return *this;
}

DataAccesses data_accesses(const std::filesystem::path& trace, const Shape& l1d) {
  DataAccesses result;
  const auto reader = trace::open(trace);
  for (trace::Item item; reader->next(item);) {
    if (item.directive != nullptr) continue;
    const trace::Instruction& executed = item.instruction;
    if (result.instructions.empty()) {
      if (executed.accesses.size() != 1) throw std::runtime_error(trace.string() + ": does not begin with a call");
      result.stack = executed.accesses.front().address + executed.accesses.front().size;
    }
    const auto [place, added] = result.instructions.try_emplace(executed.code->pc);
    if (added) place->second = {executed.code->length, trace::x86::classify(*executed.code), {}, {}, {}, {}, {}};
  }
  const models::Target* athlon = models::find_target("athlon");
  models::Parameters parameters = athlon->parameters();
  parameters.set("core.wrong_path", "off");
  parameters.set("core.instruction_prefetch", "off");
  parameters.set("core.in_order_memory", "on");
  parameters.set("core.l1d_bytes", l1d.bytes);
  parameters.set("core.l1d_ways", l1d.ways);
  const auto core = athlon->make_core(trace::open(trace), parameters);
  Probes probes(result);
  Block block;
  for (bool more = true; more;) {
    block.restart(core->now());
    more = core->run(core->now() + block_cycles, block);
    probes.watch(block);
  }
  return result;
}

}  // namespace pmusim::testbench::cachegrind_lines
