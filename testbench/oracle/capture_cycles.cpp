#include <algorithm>

#include "testbench/oracle/occurrences.h"

namespace pmusim::oracle {

using activity::Block;
using activity::Cycle;

Request without_filters(const Request& request) {
  Request all = request;
  ia64::Qualifiers& q = all.ia64;
  q.levels = 15;
  q.instruction_set = ia64::InstructionSet::both;
  q.code.clear();
  q.opcodes.clear();
  q.data.clear();
  q.branches = {};
  const auto widest = [](std::string_view row) -> std::string_view {
    if (row.starts_with("DATA_EAR_CACHE")) return "DATA_EAR_CACHE_LAT4";
    if (row.starts_with("DATA_EAR_TLB")) return "DATA_EAR_TLB_ALL";
    if (row.starts_with("L1I_EAR_CACHE_LAT")) return "L1I_EAR_CACHE_LAT0";
    if (row.starts_with("L1I_EAR_TLB")) return "L1I_EAR_TLB_ALL";
    return row;
  };
  if (!q.armed.empty()) {
    q.armed = widest(q.armed);
  } else if (!all.umasks.empty()) {
    all.event = widest(request.event + "_" + request.umasks.front());
    all.umasks.clear();
  }
  return all;
}

CaptureCycles::CaptureCycles(CaptureUnit unit, const Request& request, const ParameterLookup& parameters,
                             std::string_view target) {
  if (unit == CaptureUnit::branch_buffer) {
    branches_ = std::make_unique<BranchList>(request, parameters, target);
  } else {
    list_ = make_capture_list(request, parameters, target);
  }
}

void CaptureCycles::read(const Block& block) {
  cycles_.clear();
  if (branches_) {
    branches_->consume(block);
    for (const RecordedBranch& branch : branches_->branches()) cycles_.push_back(branch.at);
    branches_->forget();
  } else {
    list_->consume(block);
    for (const Capture& capture : list_->captures()) cycles_.push_back(capture.at);
    list_->forget();
  }
}

void CaptureCycles::enter(const Block& block, Cycle at) {
  if (block.end > read_until_) read(block);
  read_until_ = std::max(read_until_, block.end);
  asked_ = activity::never;
  index_ = static_cast<std::size_t>(std::lower_bound(cycles_.begin(), cycles_.end(), at) - cycles_.begin());
}

std::uint32_t CaptureCycles::at(Cycle cycle) {
  if (cycle == asked_) return answer_;
  while (next() < cycle) ++index_;
  asked_ = cycle;
  answer_ = next() == cycle ? 1 : 0;
  index_ += answer_;
  return answer_;
}

}  // namespace pmusim::oracle
