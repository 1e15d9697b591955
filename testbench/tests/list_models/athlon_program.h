// What the front end of the Athlon does with a program, as lists: directions and targets of branches, the return stack,
// windows of fetch, and both TLBs. What the models know of a run is when an instruction was fetched and when it
// retired; everything else follows from the program.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "models/common/parameters.h"
#include "testbench/tests/list_models/athlon_lists.h"
#include "testbench/tests/list_models/cycles.h"

namespace pmusim::testbench::athlon_lists {

using namespace core_cycles;  // NOLINT: the words of one test

enum class BranchKind { none, conditional, jump, call, indirect_jump, indirect_call, ret, far, far_call };
/// From the first bytes of an instruction (AMD64 manual volume 3, appendix A).
[[nodiscard]] BranchKind kind_of(std::uint64_t encoding);

/// An instruction as it retired.
struct Retired {
  std::uint64_t id, ip, next, encoding;
  Cycle fetched, retired;
  std::uint16_t length;
  bool taken, predicted_taken, mispredicted;
  [[nodiscard]] std::uint64_t end() const { return ip + length; }
};

/// The run of a program, as far as the front end is concerned.
struct FrontEndRun {
  struct StackUse {
    Cycle cycle;
    std::uint64_t id, ip, end;
    bool wrong_path;
    std::uint16_t detail;
  };
  struct Restart {
    Cycle cycle;
    std::uint64_t id;  ///< of the instruction after which fetch goes elsewhere
  };
  struct Window {
    Cycle cycle;
    std::uint64_t address;
  };
  struct Translation {
    Cycle cycle;
    std::uint64_t address;
    bool walk;
  };
  struct Probe {
    Cycle cycle;
    std::uint64_t address;
    bool store, prefetch, second;
  };
  std::vector<Retired> program;
  std::vector<StackUse> stack;
  std::vector<Restart> restarts;
  std::vector<Window> windows;
  std::vector<Translation> code_pages, data_pages;
  std::vector<Probe> probes;
  std::set<std::uint64_t> new_process;  ///< instructions before which the TLBs are emptied
  bool resyncs = false;

  static FrontEndRun of(core::Core& core);
};

/// What the branch target buffer and the counters say of each branch, in the order of the program. 22007E p. 132: the
/// buffer has 2048 entries, global history selects a two-bit counter. The buffer and the counters learn when a branch
/// retires; fetch of the same cycle knows it.
class DirectionModel {
 public:
  explicit DirectionModel(const models::Parameters& parameters);
  /// Predicts all branches but returns, and compares. Returns the first difference, or nothing.
  std::string check(const FrontEndRun& run);
  std::uint64_t branches = 0, mispredicted = 0, targets_wrong = 0;

 private:
  struct Target {
    std::uint64_t pc = ~std::uint64_t{0}, target = 0;
  };
  std::vector<Target> targets_;
  std::vector<list_models::Counter> counters_;
  unsigned history_bits_, address_bits_;
};

/// The return stack (22007E pp. 132-133): near and far calls push, near returns pop; a push onto a full stack
/// overwrites the oldest address. What wrong-path instructions do to the addresses stays; the place of the top comes
/// back.
class ReturnStackModel {
 public:
  explicit ReturnStackModel(const models::Parameters& parameters);
  std::string check(const FrontEndRun& run);
  std::uint64_t returns = 0, mispredicted = 0, overwrites = 0, wrong_path = 0;

 private:
  struct Place {
    std::size_t top = 0, live = 0;
  };
  std::vector<std::uint64_t> addresses_;
};

/// Which windows are fetched, and which of them the ITLB looks up: 16 aligned bytes, from the target of each change of
/// course on (22007E p. 133). For a run without wrong paths.
class WindowModel {
 public:
  explicit WindowModel(const models::Parameters& parameters);
  std::string check(const FrontEndRun& run);
  std::uint64_t lookups = 0;

 private:
  TwoLevelTlb tlb_;
};

/// Which probes the accesses of a program make, and which translations miss: one of each aligned 8 bytes, a translation
/// of each page, in program order. For a run without wrong paths.
class DataModel {
 public:
  explicit DataModel(const models::Parameters& parameters);
  std::string check(const FrontEndRun& run, trace::Reader& program);

 private:
  TwoLevelTlb tlb_;
};

}  // namespace pmusim::testbench::athlon_lists
