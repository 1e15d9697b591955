// The plan of the Itanium 2: what is not common to the IA-64 processors.
#include "testbench/validate/plan_ia64.h"

namespace pmusim::testbench {
namespace {

/// Bits 12:0 are a syllable's 12:0, bits 26:13 its 40:27.
std::uint64_t compared_bits(std::uint64_t syllable) { return (syllable & 0x1fff) | (syllable >> 27 & 0x3fff) << 13; }

const ia64::Processor& processor = ia64::itanium2_processor;

}  // namespace

const ia64::Processor ia64::itanium2_processor{
    .target = "itanium2",
    .fine_page = 4096,
    .fine_granule = 32,
    .uncompared = 0x7ffe000,
    .opcode_bits = compared_bits,
    .has_ia32 = true,
    .has_prediction_details = true,
    .names_fetches = false,
    .branch_event = "BRANCH_EVENT",
    .branch_texts = &encoder::QualifierTexts::btb,
    .first_channel_row = "IA64_TAGGED_INST_RETIRED_IBRP0_PMC8",
    .needs_line_states = [](const oracle::Request&) { return false; },
    .prefetch_rows = {"L1I_PREFETCHES", "L1I_STRM_PREFETCHES", "L2_INST_PREFETCHES"}};

void itanium2_matrix(const std::string&, const std::vector<oracle::Request>& rows, const Landmarks& landmarks,
                     std::vector<Group>& groups) {
  ia64::Matrix matrix(processor, landmarks, groups);
  matrix.add_alone(rows);
  matrix.add_levels(rows);
  matrix.add_modes(rows);
  matrix.add_thresholds(rows);
  matrix.add_filters(rows);
  matrix.add_ignored_filters(rows);
  matrix.add_channels(rows);
  matrix.add_captures(rows);
}

void itanium2_sampled(const std::string&, const std::vector<oracle::Request>& rows, const Landmarks& landmarks,
                      std::vector<Group>& groups) {
  ia64::Matrix(processor, landmarks, groups).add_sampled(rows, ia64::sampled_period);
}

std::vector<Group> itanium2_sets(const std::string&, const std::vector<oracle::Request>& rows,
                                 const Landmarks& landmarks, const Levels& levels) {
  std::vector<Group> groups;
  ia64::Matrix(processor, landmarks, groups).add_all(rows, ia64::at_levels(levels));
  return groups;
}

void itanium2_complete(Group& group, const Landmarks& landmarks) { ia64::complete(processor, group, landmarks); }

// Under the default parameters no trace makes these happen: the core names one cause for each syllable that is held,
// and a buffer that fetch finds full, of bundles or of branches, is short of none at its exit. Variants of two traces
// show them under others (stimuli.cpp).
bool itanium2_holds(std::string_view row) {
  const std::string_view exit = row.starts_with("IDEAL_") ? row.substr(6) : row;
  return exit == "BE_LOST_BW_DUE_TO_FE_IBFULL" || exit == "BE_LOST_BW_DUE_TO_FE_BRQ" ||
         row.starts_with("SYLL_OVERCOUNT_");
}

bool itanium2_nameless(std::string_view) { return false; }

}  // namespace pmusim::testbench
