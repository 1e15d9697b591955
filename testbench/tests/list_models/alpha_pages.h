// List models of the translation buffers of the Alphas (docs/targets/alpha-core.md, "Memory" and "PALcode"; 21264/EV67
// manual 2.1.1.3, 2.1.4): fully associative; the 21264 fills its entries in turn, the others replace the least recently
// used one. The ITB is used where the Icache has no line. The page table is read through the DTB.
#pragma once

#include <map>
#include <set>

#include "models/common/parameters.h"
#include "testbench/tests/list_models/alpha_lists.h"

namespace pmusim::testbench::alpha::lists {

/// What both buffers have in common.
class Pages : public Watcher {
 protected:
  Pages(const models::Parameters& parameters, const char* entries)
      : list_(1, static_cast<std::size_t>(parameters.get(entries)), parameters.get("core.tb_round_robin") != 0) {}
  static std::uint64_t page_of(std::uint64_t address) { return address / 8192; }
  /// A miss of the DTB: true if the page of the page table, which has 1024 entries of 8 bytes, is missing as well.
  bool walk(std::uint64_t page);
  bool use(std::uint64_t page) { return list_.use(0, page); }
  void put(std::uint64_t page) { list_.add(0, page); }

 private:
  list_models::UseLists list_;
};

/// ITB: every fetch that does not find its line in the Icache. From activity the model takes which these are.
class Itb : public Pages {
 public:
  /// In order, the ITB is looked up for lines that neither the Icache nor the refill buffer has.
  Itb(const models::Parameters& parameters, bool in_order)
      : Pages(parameters, "core.itb_entries"), in_order_(in_order) {}

 protected:
  void see(Cycle now, std::span<const Seen> seen) override;
  void end() override;

 private:
  bool in_order_;
  std::multiset<std::uint64_t> misses_;  ///< addresses that have missed, and PALcode has not been entered for them
};

/// DTB of an in-order chip: accesses are in program order, so the program alone says all misses and double misses. The
/// probes of the Dcache are compared with the program's accesses one by one, too.
class InOrderDtb : public Pages {
 public:
  InOrderDtb(const models::Parameters& parameters, const Program& program, bool has_bwx);

 protected:
  void see(Cycle now, std::span<const Seen> seen) override;
  void end() override;

 private:
  /// The next access that has not probed the Dcache, or the end.
  void find_next();
  void access(Cycle now, const Seen& seen);
  const Program& program_;
  bool has_bwx_;
  std::size_t next_ = 0;
  const trace::Access* access_ = nullptr;
  unsigned singles_ = 0, doubles_ = 0;  ///< entries of PALcode that are still to come
};

/// DTB of the 21264: loads and stores in the order of their issue, which is taken from activity.
class OutOfOrderDtb : public Pages {
 public:
  OutOfOrderDtb(const models::Parameters& parameters, const Program& program)
      : Pages(parameters, "core.dtb_entries"), program_(program) {}

 protected:
  void see(Cycle now, std::span<const Seen> seen) override;
  void end() override;

 private:
  void issued(Cycle now, std::span<const Seen> seen, const activity::InstructionRecord& instruction);
  const Program& program_;
  /// Issued, and no miss was reported though the page is not there: legitimate if the instruction is replayed for a
  /// full queue, or takes the trap of a miss that was found before.
  std::map<std::uint64_t, std::string> doubtful_;
  std::map<std::uint64_t, bool> walks_;  ///< instructions that have missed; true: doubly
  bool double_comes_ = false;            ///< the flow for a miss finds one, too
};

}  // namespace pmusim::testbench::alpha::lists
