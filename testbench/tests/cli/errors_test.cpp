// Every kind of bad input: exit code 2, nothing on standard output, one line that names the valid input.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "command.h"

namespace pmusim::cli_test {
namespace {

struct Case {
  const char* name;
  const char* arguments;  ///< $A, $P, $I, $L: valid traces of i386, ppc, ia64, alpha; $E: an event of the Athlon
  std::vector<const char*> says;  ///< texts that the line must contain
};

void PrintTo(const Case& c, std::ostream* out) { *out << "pmusim " << c.arguments; }

const Case cases[] = {
    {"command", "valdate", {"valdate", "validate"}},
    {"option", "run --traec x", {"--traec", "--trace"}},
    {"option_value", "encode -t", {"--target"}},
    {"target", "targets -t atlon", {"atlon", "athlon"}},
    {"target_far", "events -t z80", {"z80", "ppc750gx"}},
    {"target_missing", "run", {"--target", "-t"}},
    {"trace_missing", "run -t athlon -e $E", {"--trace"}},
    {"two_traces", "run -t athlon --trace $A --trace $A -e $E", {"one trace", "2"}},
    {"no_event", "run -t athlon --trace $A", {"-e", "--write"}},
    {"event_and_write", "run -t athlon --trace $A -e $E --write PerfEvtSel0=1", {"either"}},
    {"event", "run -t athlon --trace $A -e RETIRED_INSTRUCTION", {"RETIRED_INSTRUCTIONS"}},
    {"event_empty", "run -t athlon --trace $A -e ''", {"empty event name"}},
    {"other_target", "run -t athlon --trace $A -e ppc750gx::$E", {"ppc750gx"}},
    {"umask", "encode -t athlon -e DATA_CACHE_REFILLS:L2_SHARD", {"L2_SHARD", "L2_SHARED"}},
    {"attribute", "encode -t athlon -e $E:t=3", {"c=0..255"}},
    {"attribute_limit", "encode -t athlon -e $E:c=256", {"256", "255"}},
    {"attribute_twice", "encode -t athlon -e $E:c=1:c=2", {"c"}},
    {"ppc_threshold", "encode -t ppc750gx -e L1_LOAD_MISSES:t=64", {"64", "63"}},
    {"parameter", "run -t athlon --trace $A -e $E --set core.handlr=1", {"core.handlr", "core.handler"}},
    {"parameter_form", "run -t athlon --trace $A -e $E --set core.handler", {"NAME=VALUE"}},
    {"parameter_value", "run -t athlon --trace $A -e $E --set pmu.has_apic=maybe", {"pmu.has_apic", "maybe"}},
    {"register", "run -t athlon --trace $A --write PerfEvtSel9=1", {"PerfEvtSel9", "PerfEvtSel0"}},
    {"register_wide_ppc", "run -t ppc750gx --trace $P --write MMCR0=0x100000000", {"32 bits", "MMCR0"}},
    {"register_number", "run -t athlon --trace $A --write PerfEvtSel0=0x43zz", {"0x43zz", "hexadecimal"}},
    {"register_form", "run -t athlon --trace $A --write PerfEvtSel0", {"NAME=VALUE"}},
    {"decode_negative", "decode -t athlon PerfCtr0=-0x1000000000000", {"48 bits", "PerfCtr0"}},
    {"encoder_nonesuch",
     "validate -t athlon --no-cache --encoder ./nonesuch",
     {"./nonesuch", "cannot be run", "expected"}},
    {"encoder_no_path", "validate -t athlon --no-cache --encoder 'nonesuch x'", {"nonesuch x", "cannot be run"}},
    {"decode_register", "decode -t athlon PerfEvtSl0=1", {"PerfEvtSl0", "PerfEvtSel0"}},
    {"roi_form", "run -t athlon --trace $A -e $E --roi 5", {"--roi", "BEGIN:END"}},
    {"roi_empty", "run -t athlon --trace $A -e $E --roi 5:5", {"5:5"}},
    {"roi_number", "run -t athlon --trace $A -e $E --roi a:5", {"--roi", "'a'"}},
    {"warmup", "run -t athlon --trace $A -e $E --warmup x", {"--warmup", "x"}},
    {"too_many", "run -t athlon --trace $A -e $E -e $E -e $E -e $E -e $E", {"--passes"}},
    {"wrong_isa", "run -t athlon --trace $P -e $E", {"ppc", "i386"}},
    {"empty_trace",
     "run -t athlon --trace /dev/null -e $E",
     {"/dev/null: no trace, for nothing is in it; a trace begins with '! isa alpha|ppc|i386|ia64'"}},
    {"no_file", "run -t athlon --trace gone.pmt -e $E", {"gone.pmt", "No such file"}},
    {"format", "targets --format xml", {"xml", "text, json, csv"}},
    {"extra_word", "targets athlon", {"unexpected 'athlon'"}},
    {"extra_word_run", "run -t athlon --trace $A -e $E more", {"unexpected 'more'"}},
    {"period_missing", "record -t athlon --trace $A -e $E", {"--period"}},
    {"period_zero", "record -t athlon --trace $A -e $E --period 0", {"period 0"}},
    {"period_long", "record -t ppc750gx --trace $P -e PROCESSOR_CYCLES --period 2147483649", {"2147483648"}},
    {"period_long_athlon", "record -t athlon --trace $A -e $E --period 140737488355329", {"140737488355328"}},
    {"too_many_ppc",
     "run -t ppc750gx --trace $P -e PROCESSOR_CYCLES -e PROCESSOR_CYCLES -e PROCESSOR_CYCLES -e PROCESSOR_CYCLES -e "
     "PROCESSOR_CYCLES",
     {"--passes", "4"}},
    {"too_many_itanium2",
     "run -t itanium2 --trace $I -e CPU_CYCLES -e CPU_CYCLES -e CPU_CYCLES -e CPU_CYCLES -e CPU_CYCLES",
     {"--passes", "4"}},
    {"itanium2_c", "encode -t itanium2 -e LOADS_RETIRED:c=2", {"no attribute c", "t=0..7"}},
    {"itanium2_threshold", "encode -t itanium2 -e LOADS_RETIRED:t=8", {"0 to 7", "'8'"}},
    {"itanium2_event", "encode -t itanium2 -e LOAD_RETIRED", {"LOADS_RETIRED"}},
    {"itanium2_sets", "encode -t itanium2 -e L2_OZQ_CANCELS0_ANY -e L2_OZQ_CANCELS1_REL", {"one", "L2_OZQ_CANCELS"}},
    {"itanium2_period", "record -t itanium2 --trace $I -e CPU_CYCLES --period 140737488355329", {"140737488355328"}},
    {"itanium2_register", "run -t itanium2 --trace $I --write PMC16=1", {"PMC16", "PMC1"}},
    {"itanium2_trace", "run -t itanium2 --trace $A -e CPU_CYCLES", {"i386", "ia64"}},
    {"filter_option", "encode -t itanium2 -e LOADS_RETIRED --irang 0-16", {"--irang", "--irange"}},
    {"filter_of_athlon", "encode -t athlon -e $E --irange 0-16", {"athlon", "itanium2"}},
    {"filter_of_ppc", "run -t ppc750gx --trace $P -e PROCESSOR_CYCLES --inverse", {"ppc750gx", "itanium2"}},
    {"filter_record", "record -t athlon --trace $A -e $E --period 5 --btb tm=taken", {"athlon", "itanium2"}},
    {"filter_write", "run -t itanium2 --trace $I --write PMC4=0x801208 --btb tm=taken", {"--write", "-e EVENT"}},
    {"irange_form", "encode -t itanium2 -e LOADS_RETIRED --irange 5", {"--irange", "START-END"}},
    {"irange_unaligned", "encode -t itanium2 -e LOADS_RETIRED --irange 0x401-0x480", {"multiples of 16"}},
    {"irange_ignored", "encode -t itanium2 -e CPU_CYCLES --irange 0x400-0x480", {"CPU_CYCLES", "unchecked"}},
    {"drange_form", "encode -t itanium2 -e LOADS_RETIRED --drange 5:8", {"--drange", "START-END"}},
    {"inverse_alone", "encode -t itanium2 -e LOADS_RETIRED --inverse", {"--inverse", "no"}},
    {"no_fine_alone", "run -t itanium2 --trace $I -e LOADS_RETIRED --no-fine", {"--no-fine"}},
    {"opcode_form", "encode -t itanium2 -e LOADS_RETIRED --opcode zz", {"MATCH/MASK"}},
    {"opcode_mask", "encode -t itanium2 -e LOADS_RETIRED --opcode 1/2", {"26 to 13", "0x7ffe002"}},
    {"opcode_slots", "encode -t itanium2 -e LOADS_RETIRED --opcode 0/0x1ffffffffff:q", {"mifb"}},
    {"ear_unit", "encode -t itanium2 -e DATA_EAR_EVENTS --ear mode=cache", {"unit=data"}},
    {"ear_key", "encode -t itanium2 -e DATA_EAR_EVENTS --ear unit=data,latncy=4", {"latncy", "latency"}},
    {"ear_latency", "encode -t itanium2 -e DATA_EAR_EVENTS --ear unit=data,latency=5", {"4 to 4096"}},
    {"ear_twice", "encode -t itanium2 -e DATA_EAR_EVENTS --ear unit=data --ear unit=data", {"twice"}},
    {"ear_and_btb", "encode -t itanium2 -e DATA_EAR_TLB_ALL -e BRANCH_EVENT", {"branch trace buffer", "separate"}},
    {"btb_value", "encode -t itanium2 -e BRANCH_EVENT --btb tm=tken", {"tm", "taken"}},
    {"btb_and_etb", "encode -t itanium2 -e BRANCH_EVENT --btb tm=taken --etb tm=all", {"--btb", "2 times"}},
    {"btb_twice", "record -t itanium2 --trace $I -e BRANCH_EVENT --period 9 --btb tm=taken --btb tm=all", {"--btb"}},
    {"parameter_gone",
     "run -t athlon --trace $A -e $E --set pmu.init=clear",
     {"'pmu.init' is gone", "INIT leaves the counters' registers unchanged"}},
    {"mutate_and_trace", "validate -t athlon --mutate --trace $A", {"--trace", "--mutate"}},
    {"sample", "validate -t athlon --sample 5", {"--sample", "--mutate"}},
    {"mutate_and_quick", "validate -t athlon --mutate --quick", {"--quick does not go with --mutate"}},
    {"mutate_and_question", "validate -t athlon --mutate --question $E", {"--question does not go with --mutate"}},
    {"mutate_and_coverage", "validate --mutate --require-coverage 9", {"--require-coverage does not go with --mutate"}},
    {"mutate_and_defects", "validate -t athlon --mutate --defects", {"--defects does not go with --mutate"}},
    {"mutate_and_activity", "validate --mutate --activity x.pma", {"--activity does not go with --mutate"}},
    {"mutate_and_cache", "validate -t athlon --mutate --no-cache", {"--no-cache does not go with --mutate"}},
    {"markdown_and_format",
     "validate -t athlon --mutate --markdown --format csv",
     {"--format does not go with --markdown"}},
    {"cache_size_of_none", "validate -t athlon --no-cache --cache-size 5", {"--cache-size", "--no-cache"}},
    {"conformance_and_quick",
     "validate -t athlon --conformance --encoder true --quick",
     {"--quick does not go with --conformance"}},
    {"conformance_and_mutate",
     "validate -t athlon --mutate --conformance --encoder true",
     {"--mutate does not go with --conformance"}},
    {"defects_and_sample", "validate -t athlon --defects --sample 5", {"--sample does not go with --defects"}},
    {"defects_and_floor", "validate -t athlon --defects --floor 5", {"--floor does not go with --defects"}},
    {"defects_and_sandbox", "validate -t athlon --defects --sandbox", {"--sandbox does not go with --defects"}},
    {"merge_and_question", "validate --merge x --question $E", {"--question does not go with --merge"}},
    {"merge_and_defects", "validate --merge x --defects", {"--defects does not go with --merge"}},
    {"merge_and_quick", "validate --merge x --quick", {"--quick does not go with --merge"}},
    {"timeout_alone", "validate -t athlon --encoder-timeout 5", {"--encoder-timeout goes with --encoder"}},
    {"journal_twice", "validate -t athlon --journal x --resume y", {"--resume does not go with --journal"}},
    {"all_traces_and_trace", "validate --all-traces --trace x.txt", {"--all-traces does not go with --trace"}},
    {"all_traces_and_quick", "validate --all-traces --quick", {"--all-traces does not go with --quick"}},
    {"coverage_high", "validate -t athlon --require-coverage 100.5", {"--require-coverage", "'100.5'", "0 to 100"}},
    {"coverage_low", "validate -t athlon --require-coverage=-1", {"--require-coverage", "-1"}},
    {"coverage_none", "validate -t athlon --require-coverage nan", {"--require-coverage", "nan"}},
    {"floor_high", "validate -t athlon --mutate --floor 101", {"--floor", "'101'", "0 to 100"}},
    {"only", "validate -t athlon --only RETIRED_INSTRUCTIOSN", {"RETIRED_INSTRUCTIOSN", "mean RETIRED_INSTRUCTIONS?"}},
    {"only_lower", "validate -t athlon --only retired_instructiosn:u", {"mean RETIRED_INSTRUCTIONS?"}},
    {"only_attribute",
     "validate -t athlon --trace $A --only $E:none",
     {"INSTRUCTIONS:none' selects no event of athlon"}},
    {"only_quick", "validate -t athlon --quick --only $E:none", {"INSTRUCTIONS:none' selects no quick", "--quick"}},
    {"event_undefined", "run -t itanium2 --trace $I -e TAGGED_L2_DATA_RETURN_POR", {"not modelled", "Intel's event"}},
    {"event_undefined_raw", "run -t itanium2 --trace $I --write PMC4=0x80bb09", {"0xbb", "not modelled"}},
    {"event_undefined_page", "events -t itanium2 tagged_l2_data_return_por", {"not modelled", "rUEE"}},
    {"only_undefined", "validate -t itanium2 --only TAGGED_L2_DATA_RETURN_POR", {"--only", "not modelled"}},
    {"only_of_another", "validate -t ppc750gx --only $E", {"selects no event of ppc750gx"}},
    {"only_excludes", "validate -t athlon --only '!*'", {"'!*' selects no event of athlon", "pmusim events"}},
    {"snapshot", "encode -t athlon -e $E --snapshot x", {"--snapshot"}},
    {"symbols_gone", "record -t athlon --trace $A -e $E --period 1 --symbols gone.nm", {"gone.nm"}},
    {"vcd", "run -t athlon --trace $A -e $E --vcd gone/wave.vcd", {"gone/wave.vcd"}},
    {"perfetto", "run -t athlon --trace $A -e $E --perfetto gone/line.json", {"gone/line.json"}},
    {"question", "validate -t ppc750gx --quick --no-cache --question none", {"--question", "'none'", "expected"}},
    {"shard", "validate -t athlon --shard 3/2", {"--shard", "3/2"}},
    {"attribute_wide", "encode -t athlon -e $E:c=18446744073709551616", {"c takes a number from 0 to 255"}},
    {"period_wide", "record -t athlon --trace $A -e $E --period 18446744073709551616", {"0 to 18446744073709551615"}},
    {"drange_long", "encode -t itanium2 -e LOADS_RETIRED --drange 0-0x400000000000001", {"at most 2^56 bytes"}},
    {"drange_wide", "encode -t itanium2 -e LOADS_RETIRED --drange 0-0x10000000000000000", {"with numbers"}},
    {"drange_empty", "encode -t itanium2 -e LOADS_RETIRED --drange 5-5", {"the start must lie below the end"}},
    {"validate_trace", "validate -t athlon --trace gone.pmt", {"gone.pmt"}},
    {"pattern", "events -t athlon NOTHING_LIKE_IT", {"NOTHING_LIKE_IT"}},
    {"trace_command", "trace inf", {"inf", "info", "capture"}},
    {"trace_no_command", "trace", {"info"}},
    {"trace_no_file", "trace info", {"trace info", "usage"}},
    {"trace_gone", "trace info gone.pmt", {"gone.pmt"}},
    {"warmup_negative", "run -t athlon --trace $A -e $E --warmup -1", {"--warmup", "'-1'", "0 to"}},
    {"handler_negative", "record -t athlon --trace $A -e $E --period 9 --perturb --handler -1", {"--handler", "'-1'"}},
    {"handler_long", "run -t athlon --trace $A -e $E --perturb --handler 1000000000", {"1000000000", "1000000"}},
    {"handler_wide", "run -t athlon --trace $A -e $E --perturb --handler 4294967296", {"--handler", "4294967295"}},
    {"handler_alone", "run -t athlon --trace $A -e $E --handler 50", {"--handler", "--perturb"}},
    {"jobs_negative", "validate -t athlon --jobs -1", {"--jobs", "'-1'"}},
    {"sample_negative", "validate -t athlon --mutate --sample -5", {"--sample", "'-5'"}},
    {"period_negative", "record -t athlon --trace $A -e $E --period -1", {"--period", "'-1'"}},
    {"period_blank", "record -t athlon --trace $A -e $E --period ' 5'", {"--period", "' 5'"}},
    {"by_of_athlon", "record -t athlon --trace $A -e $E --period 9 --by function", {"--by", "--statistic"}},
    {"kernel_of_athlon", "record -t athlon --trace $A -e $E --period 9 --kernel", {"--kernel", "--statistic"}},
    {"stride_of_athlon", "record -t athlon --trace $A -e $E --period 9 --stride 4", {"--stride", "--statistic"}},
    {"range_of_athlon", "record -t athlon --trace $A -e $E --period 9 --range 0:4", {"--range", "--statistic"}},
    {"statistic_of_athlon", "record -t athlon --trace $A --statistic retired", {"Alpha", "athlon"}},
    {"stride_zero", "record -t alpha-ev67 --trace $L --statistic retired --stride 0", {"--stride 0", "power of two"}},
    {"stride_odd", "record -t alpha-ev67 --trace $L --statistic retired --stride 3", {"--stride 3", "power of two"}},
    {"range_form", "record -t alpha-ev67 --trace $L --statistic retired --range 5", {"--range", "BEGIN:END"}},
    {"range_empty", "record -t alpha-ev67 --trace $L --statistic retired --range 8:4", {"--range", "below END"}},
    {"range_unaligned", "record -t alpha-ev67 --trace $L --statistic retired --range 2:8", {"multiples of 4"}},
    {"range_long", "record -t alpha-ev67 --trace $L --statistic retired --range 0:0x100000000", {"67108864"}},
    {"kernel_without", "record -t alpha-ev67 --trace $L --statistic retired --kernel", {"no code in kernel mode"}},
    {"random_or_not", "record -t alpha-ev67 --trace $L --statistic retired --randomize --no-randomize", {"either"}},
    {"statistic_period", "record -t alpha-ev67 --trace $L --statistic retired --period 15", {"16 to 1048576"}},
    {"vcd_group", "run -t athlon --trace $A -e $E --vcd w.vcd --vcd-signals counter", {"no group 'counter'", "or all"}},
    {"vcd_group_alone", "run -t athlon --trace $A -e $E --vcd-signals pmu", {"--vcd"}},
    {"vcd_cycles",
     "run -t athlon --trace $A -e $E --vcd w.vcd --vcd-cycles=0",
     {"'0': expected a whole number from 1"}},
    {"vcd_cycles_form", "run -t athlon --trace $A -e $E --vcd w.vcd --vcd-cycles=1k", {"'1k': expected", "or all"}},
    {"vcd_cycles_alone", "run -t athlon --trace $A -e $E --vcd-cycles 5", {"--vcd"}},
    {"interval", "run -t athlon --trace $A -e $E -I 0", {"-I 0: expected at least 1 cycle"}},
    {"interval_form", "run -t athlon --trace $A -e $E -I x", {"'x'"}},
    {"interval_line", "run -t athlon --trace $A -e $E -I 5 --perfetto t.json", {"-I does not go with --perfetto"}},
    {"interval_many", "run -t athlon --trace i386-lz77 -e $E -I 1", {"more than 100000 intervals", "at least -I "}},
    {"perf_json", "events --format perf-json", {"--format perf-json is for one target; add -t"}},
    {"events_ratios", "events -t athlon --ratios --format showevtinfo", {"showevtinfo"}},
    {"events_format", "events -t athlon --format xml", {"'xml'; legal: text, json, csv, perf-json, showevtinfo"}},
    {"encode_format", "encode -t athlon -e $E --format perf-json", {"perf-json"}},
    {"perf_of_750", "encode --perf -t ppc750gx -e PROCESSOR_CYCLES", {"no driver for the 750"}},
    {"perf_of_itanium2", "encode --perf -t itanium2 -e CPU_CYCLES", {"perfmon"}},
    {"perf_of_montecito", "encode --perf -t montecito -e CPU_OP_CYCLES_ALL", {"perfmon"}},
    {"perf_of_21264", "encode --perf -t alpha-ev6 -e PF6_MUX1_CYCLES", {"begins with the 21264A"}},
    {"perf_of_no_level", "encode -t athlon --perf -e DATA_CACHE_MISSES:u=0:k=0", {"DATA_CACHE_MISSES"}},
    {"explain_nothing", "explain -t athlon --trace $A", {"give either -e EVENT or --write"}},
    {"explain_disabled", "explain -t athlon --trace $A --write PerfEvtSel0=0", {"enable no counter"}},
    {"explain_format", "explain -t athlon --trace $A -e $E --format csv", {"text or json"}},
    {"explain_profile",
     "explain -t alpha-ev67 --trace $L --write PCTR_CTL=0x10 --write I_CTL=0xc0001 --no-neighbours",
     {"record --statistic"}},
    {"report_by", "report -t athlon --trace $A --by page", {"--by 'page': function, line or instruction"}},
    {"report_line", "report -t itanium2 --trace ia64-pipelined --by line", {"lines of source: --elf FILE"}},
    {"report_period", "report -t athlon --trace $A --period 5", {"name one with -e"}},
    {"report_perturb", "report -t athlon --trace $A -e $E --perturb", {"--perturb"}},
    {"report_elf", "report -t athlon --trace $A -e $E --elf /nowhere/program", {"/nowhere/program: "}},
    {"report_export", "report -t athlon --trace $A -e $E --export gprof", {"legal: callgrind, pprof, speedscope"}},
    {"report_script", "report -t athlon --trace $A -e $E --export perf-script", {"give --period"}},
    {"report_pprof", "report -t athlon --trace $A --export pprof", {"needs an event"}},
    {"report_output", "report -t athlon --trace $A -o file", {"--output goes with --export"}},
    {"report_gone", "report -t athlon --trace $A --export callgrind -o /no/file", {"/no/file: cannot be made"}},
    {"report_limit", "report -t athlon --trace $A --percent-limit 101", {"--percent-limit 101: expected 0 to 100"}},
    {"annotate_csv", "annotate -t athlon --trace $A --format csv", {"report --by instruction"}},
    {"two_traces_itanium2", "run -t itanium2 --trace $I --trace $I -e CPU_CYCLES", {"runs one trace; 2 are given"}},
    {"three_traces",
     "run -t montecito --trace $I --trace $I --trace $I -e ETB_EVENT",
     {"target montecito runs one trace or two; 3 are given"}},
    {"second_trace", "run -t montecito --trace $I --trace $A -e ETB_EVENT", {"i386-units"}},
    {"path", "run -t montecito --trace $I -e CPU_OP_CYCLES_ALL --path", {"--path needs"}},
    {"path_filter", "run -t montecito --trace $I -e ETB_EVENT --path --etb brt=return", {"--path needs"}},
    {"path_ipear", "run -t montecito --trace $I -e ETB_EVENT --path --ipear delay=0", {"IP-EAR"}},
    {"ipear_itanium2", "run -t itanium2 --trace $I -e CPU_CYCLES --ipear delay=0", {"has no IP-EAR"}},
    {"perturb_no_progress",
     "record -t athlon --trace $A -e $E --period 1 --perturb --handler 50 >/dev/null",
     {"handler's own events"}},
    {"encoder_empty", "validate -t athlon --only CPU_CLK --encoder ''", {"--encoder names no program; leave it out"}},
    {"encoder_blank", "validate -t athlon --only CPU_CLK --encoder ' '", {"--encoder names no program; leave it out"}},
    {"encoder_timeout", "validate -t athlon --encoder true --encoder-timeout 0", {"--encoder-timeout"}},
    {"sandbox", "validate -t athlon --sandbox", {"--sandbox"}},
    {"capture_isa", "trace capture --isa vax prog -o x.pmt", {"vax", "ppc"}},
    {"capture_program", "trace capture --isa ppc -o x.pmt", {"PROGRAM"}},
};

void expect_one_line(const Outcome& outcome) {
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, testing::StartsWith("pmusim: "));
  EXPECT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
}

class Errors : public testing::TestWithParam<Case> {};

TEST_P(Errors, OneLineAndCode2) {
  const std::string variables = "A='" + recorded("i386-units") + "' P='" + recorded("ppc-units") + "' I='" +
                                recorded("ia64-recursion-O2") + "' L='" + recorded("alpha-recursion-O2") +
                                "' E=RETIRED_INSTRUCTIONS IFS=; ";  // without IFS, $A is one word
  const Outcome outcome = shell(variables + "\"$PMUSIM\" " + GetParam().arguments);
  expect_one_line(outcome);
  for (const char* text : GetParam().says) EXPECT_THAT(outcome.err, testing::HasSubstr(text));
}

INSTANTIATE_TEST_SUITE_P(Cli, Errors, testing::ValuesIn(cases), [](const auto& info) { return info.param.name; });

// A byte flipped in the middle of the data: the line reports its position.
TEST(DamagedTrace, NamesTheByte) {
  std::string bytes = read_file(recorded("i386-units"));
  ASSERT_GT(bytes.size(), 1000u);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 0x55);
  write_file("damaged.pmt", bytes);
  for (const char* arguments : {"run -t athlon --trace damaged.pmt -e RETIRED_UOPS", "trace dump damaged.pmt"}) {
    const Outcome outcome = pmusim(arguments);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, testing::StartsWith("pmusim: "));
    EXPECT_THAT(outcome.err, testing::ContainsRegex("damaged.pmt: .*byte [0-9]+"));
    EXPECT_EQ(lines_of(outcome.err).size(), 1u);
  }
}

TEST(DamagedText, NamesTheLine) {
  write_file("bad.txt", "! isa i386\n10000 90\n10001 9\n");
  const Outcome outcome = pmusim("run -t athlon --trace bad.txt -e RETIRED_UOPS");
  expect_one_line(outcome);
  EXPECT_THAT(outcome.err, testing::ContainsRegex("bad.txt:.*3"));
}

TEST(FullDisk, IsAnError) {
  for (const char* arguments : {"targets", "events -t athlon", "--version", "completion"}) {
    const Outcome outcome = pmusim(std::string(arguments) + " > /dev/full");
    EXPECT_EQ(outcome.code, 2) << arguments;
    EXPECT_THAT(outcome.err, testing::StartsWith("pmusim: cannot write"));
    EXPECT_EQ(lines_of(outcome.err).size(), 1u);
  }
}

}  // namespace
}  // namespace pmusim::cli_test
