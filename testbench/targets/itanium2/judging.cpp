// The plan of the Itanium 2: parts that are not common to the IA-64 processors.
#include "testbench/targets/ia64/judging.h"

namespace pmusim::testbench {
namespace {

/// Bits 12:0 are a syllable's 12:0, bits 26:13 its 40:27.
std::uint64_t compared_bits(std::uint64_t syllable) { return (syllable & 0x1fff) | (syllable >> 27 & 0x3fff) << 13; }

const ia64::Processor processor{.target = "itanium2",
                                .fine_page = 4096,
                                .fine_granule = 32,
                                .uncompared = 0x7ffe000,
                                .opcode_bits = compared_bits,
                                .has_ia32 = true,
                                .has_prediction_details = true,
                                .names_fetches = false,
                                .has_threads = false,
                                .traces_addresses = false,
                                .branch_event = "BRANCH_EVENT",
                                .branch_texts = &encoder::QualifierTexts::btb,
                                .first_channel_row = "IA64_TAGGED_INST_RETIRED_IBRP0_PMC8"};

void apart(const std::string&, const std::vector<oracle::Request>& rows, const Landmarks& landmarks,
           std::vector<Group>& groups) {
  ia64::Planner(processor, landmarks, groups).add_short(rows);
}

void apart_on_long(const std::string&, const std::vector<oracle::Request>& rows, const Landmarks& landmarks,
                   std::vector<Group>& groups) {
  ia64::Planner(processor, landmarks, groups).add_sampled(rows, ia64::sampled_period);
}

constexpr BrokenPromise promises[] = {ia64::memory_tag_of_pmc13<processor>, ia64::all_data_channels<processor>};

constexpr std::string_view traces[] = {"itanium2"};

/// Sources: Linux ia64 perfmon, pfmon's sample decoders and libpfm-3's header.
constexpr RingLayout ring{
    .full = 8, .flags = 3, .flags_shift = [](std::size_t entry) { return static_cast<unsigned>(4 + 4 * entry); }};

}  // namespace

const JudgingFacts targets::itanium2::judging = [] {
  JudgingFacts facts = ia64::common_facts<processor>(ring);
  facts.apart = apart;
  facts.apart_on_long = apart_on_long;
  facts.broken_promises = promises;
  facts.traces = traces;
  return facts;
}();

}  // namespace pmusim::testbench
