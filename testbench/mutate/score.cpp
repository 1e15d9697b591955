#include "testbench/mutate/score.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "testbench/mutate/equivalence.h"
#include "testbench/mutate/order.h"
#include "testbench/mutate/requests.h"
#include "testbench/support/heap.h"
#include "testbench/validate/jobs.h"

namespace pmusim::testbench::mutate {
namespace {

/// Limit of the survivors, and of the contradictions, that are listed per part; all are counted.
constexpr std::size_t listed = 200;
/// One in this many of the mutants that a rule makes equivalent is run, on one trace, to check the rule; fewer for the
/// first rule, which is that of reserved bits.
constexpr std::uint64_t checked_equivalents = 16, checked_reserved = 256;
/// Requests are divided into parts with similar run times.
constexpr std::size_t parts = 32;

/// The requests [begin, end) with all their mutants.
class Part {
 public:
  Part(Requests& requests, std::uint64_t stride)
      : requests_(requests), stride_(stride), order_(sizes_of(requests.stimuli())) {}

  Score run(std::size_t begin, std::size_t end) {
    for (std::size_t r = begin; r < end; ++r) mutate(r);
    return std::move(score_);
  }

  /// The number of live bits of an answer: most mutants flip one.
  static std::uint64_t count(const Requests& requests, std::size_t r) {
    std::uint64_t bits = 0;
    for (const encoder::RegisterValue& reg : *requests.answers()[r]) {
      const std::uint64_t all = reg.width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << reg.width) - 1;
      bits += static_cast<std::uint64_t>(std::popcount(all & ~reserved_bits(requests.target(), reg.name)));
    }
    return bits;
  }

 private:
  /// The request on one trace, computed when first needed.
  struct OnTrace {
    bool known = false;
    std::optional<Requests::Placed> placed;
    std::optional<Replay::Run> promised;
  };

  void mutate(std::size_t r) {
    const Registers& own = *requests_.answers()[r];
    const Registers reset = requests_.reset_of(own);
    std::vector<std::uint64_t> reset_values;
    for (const encoder::RegisterValue& reg : reset) reset_values.push_back(reg.value);
    const Layout layout = requests_.layout_of(own);
    const Equivalents equivalents(requests_.target(), reset, own);
    on_trace_.assign(requests_.stimuli().size(), {});
    ++score_.requests;
    std::uint64_t number = 0;
    for (const Mutation& mutation : mutations_of(layout, requests_.answers(), r, reset_values)) {
      if (scattered(r * 0x10000 + number++) % stride_ != 0) continue;
      const Registers* const donor = mutation.needs_donor() ? requests_.answers()[mutation.donor] : nullptr;
      Cell cell;
      const Rule* const rule = equivalents.rule_for(apply(mutation, own, donor));
      if (rule != nullptr) {
        cell.equivalent = 1;
        cell.by_rule[std::string(rule->name)] = 1;
        const bool is_first = rule == &rules_of(requests_.target()).front();
        const std::uint64_t turn = scattered(number), every = is_first ? checked_reserved : checked_equivalents;
        if (turn % every == 0 && differs(r, mutation, donor, checking(turn))) {
          note_contradiction(r, mutation, *rule);
        }
      } else if (is_killed(r, mutation, donor, own[mutation.reg].name)) {
        cell.killed = 1;
      } else {
        cell.survived = 1;
        note_survivor(r, mutation, donor);
      }
      score_.fields[{own[mutation.reg].name, mutation.field.name}].add(cell);
      score_.by_kind[static_cast<std::size_t>(mutation.kind)].add(cell);
    }
  }

  static std::vector<std::size_t> sizes_of(const std::vector<Stimulus>& stimuli) {
    std::vector<std::size_t> sizes;
    for (const Stimulus& stimulus : stimuli) {
      std::size_t size = 0;
      for (const Block& block : stimulus.log.blocks()) {
        for (const auto& column : block.columns) size += column.size();
      }
      sizes.push_back(size);
    }
    return sizes;
  }

  /// The stimulus on which a rule is checked: the shortest one, or each of them in turn.
  std::size_t checking(std::uint64_t turn) const {
    constexpr std::uint64_t on_the_shortest = 15, of = 16;
    turn /= checked_reserved;
    return turn % of < on_the_shortest ? 0 : turn / of % requests_.stimuli().size();
  }

  bool is_killed(std::size_t r, const Mutation& mutation, const Registers* donor, const std::string& reg) {
    const std::string like = fmt::format("{} {} {} {}", stem(reg), mutation.field.name,
                                         static_cast<unsigned>(mutation.kind), mutation.change);
    return order_.find(like, [&](std::size_t trace) { return differs(r, mutation, donor, trace); });
  }

  bool differs(std::size_t r, const Mutation& mutation, const Registers* donor, std::size_t trace) {
    Stimulus& stimulus = requests_.stimuli()[trace];
    OnTrace& here = on_trace_[trace];
    if (!here.known) {
      here.known = true;
      const Group& request = requests_.list()[r];
      here.placed = requests_.place(request, stimulus);
      if (here.placed && here.placed->registers.size() != requests_.answers()[r]->size()) here.placed.reset();
      if (here.placed) {
        requests_.set_starts(request, *here.placed, stimulus);
        here.promised.emplace(*stimulus.replay).start(here.placed->program);
      }
    }
    if (!here.placed) return false;
    Program program = here.placed->program;
    program.registers = requests_.writes_of(apply(mutation, here.placed->registers, donor), here.placed->starts);
    return stimulus.replay->differs(program, *here.promised);
  }

  void note_survivor(std::size_t r, const Mutation& mutation, const Registers* donor) {
    if (score_.survivors.size() >= listed) return;
    const Registers& own = *requests_.answers()[r];
    const Registers mutant = apply(mutation, own, donor);
    std::string registers;
    for (const encoder::RegisterValue& reg : mutant) {
      if (std::find(own.begin(), own.end(), reg) == own.end()) {
        registers += fmt::format("{}{}={}", registers.empty() ? "" : " ", reg.name, hex(reg.value, reg.width));
      }
    }
    score_.survivors.push_back({requests_.list()[r].question(), text_of(mutation, own), registers});
  }
  void note_contradiction(std::size_t r, const Mutation& mutation, const Rule& rule) {
    if (score_.contradictions.size() >= listed) return;
    score_.contradictions.push_back(fmt::format("{}: {} is no equivalent by '{}'", requests_.list()[r].question(),
                                                text_of(mutation, *requests_.answers()[r]), rule.name));
  }

  Requests& requests_;
  std::uint64_t stride_;
  Order order_;
  std::vector<OnTrace> on_trace_;
  Score score_;
};

Score verified(const Requests& requests, const Stimulus& stimulus) {
  Score score;
  const JobVerdict verdict = requests.verify(stimulus);
  for (const auto& [row, result] : verdict.rows) score.verified += result.checks;
  for (const Mismatch& mismatch : verdict.mismatches) {
    score.disagreements.push_back(fmt::format("{} on {}: counted {}, expected {}", mismatch.sample.event,
                                              mismatch.sample.trace, mismatch.sample.counted,
                                              mismatch.sample.expected));
  }
  return score;
}

Json to_json(const Cell& cell) {
  return Json{
      {"killed", cell.killed}, {"equivalent", cell.equivalent}, {"survived", cell.survived}, {"by_rule", cell.by_rule}};
}

Cell cell_from_json(const Json& object) {
  return {object.at("killed"), object.at("equivalent"), object.at("survived"),
          object.at("by_rule").get<std::map<std::string, std::uint64_t>>()};
}

}  // namespace

void Cell::add(const Cell& other) {
  killed += other.killed;
  equivalent += other.equivalent;
  survived += other.survived;
  for (const auto& [rule, count] : other.by_rule) by_rule[rule] += count;
}

void Score::add(const Score& other) {
  for (const auto& [place, cell] : other.fields) fields[place].add(cell);
  for (std::size_t k = 0; k < kinds; ++k) by_kind[k].add(other.by_kind[k]);
  requests += other.requests;
  verified += other.verified;
  const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  append(disagreements, other.disagreements);
  append(contradictions, other.contradictions);
  append(survivors, other.survivors);
}

Cell Score::total() const {
  Cell all;
  for (const Cell& cell : by_kind) all.add(cell);
  return all;
}

bool Score::good(double floor) const {
  const Cell all = total();
  const auto killed = static_cast<double>(all.killed), due = static_cast<double>(all.killed + all.survived);
  return killed * 100 >= floor * due && disagreements.empty() && contradictions.empty();
}

Json to_json(const Score& score) {
  Json fields = Json::array(), by_kind = Json::array(), survivors = Json::array();
  for (const auto& [place, cell] : score.fields)
    fields.push_back({{"register", place.first}, {"field", place.second}, {"cell", to_json(cell)}});
  for (const Cell& cell : score.by_kind) by_kind.push_back(to_json(cell));
  for (const Survivor& s : score.survivors)
    survivors.push_back({{"request", s.request}, {"change", s.change}, {"registers", s.registers}});
  return Json{{"fields", fields},
              {"by_kind", by_kind},
              {"requests", score.requests},
              {"verified", score.verified},
              {"disagreements", score.disagreements},
              {"contradictions", score.contradictions},
              {"survivors", survivors}};
}

Score score_from_json(const Json& object) {
  Score score;
  for (const Json& field : object.at("fields")) {
    score.fields[{field.at("register"), field.at("field")}] = cell_from_json(field.at("cell"));
  }
  for (std::size_t k = 0; k < kinds; ++k) score.by_kind[k] = cell_from_json(object.at("by_kind").at(k));
  score.requests = object.at("requests");
  score.verified = object.at("verified");
  score.disagreements = object.at("disagreements").get<std::vector<std::string>>();
  score.contradictions = object.at("contradictions").get<std::vector<std::string>>();
  for (const Json& s : object.at("survivors"))
    score.survivors.push_back({s.at("request"), s.at("change"), s.at("registers")});
  return score;
}

Score score_target(const std::string& target, const ScoreOptions& options,
                   const std::function<void(std::size_t, std::size_t)>& progress) {
  Requests requests(target, options.only, options.traces);
  const std::size_t all = requests.list().size();
  std::uint64_t mutants = 0;
  for (std::size_t r = 0; r < all; ++r) mutants += Part::count(requests, r);
  const std::uint64_t stride = options.sample == 0 ? 1 : std::max<std::uint64_t>(1, mutants / options.sample);
  // For a sample the unchanged requests are not verified: `pmusim validate` does that.
  std::vector<std::size_t> to_verify;
  for (std::size_t i = 0; i < requests.stimuli().size(); ++i) {
    if (stride == 1 && !requests.stimuli()[i].made_up) to_verify.push_back(i);
  }
  std::vector<std::size_t> share;
  for (std::size_t part = options.shard - 1; part < parts + to_verify.size(); part += options.shards)
    share.push_back(part);
  std::vector<Score> results(share.size());
  std::size_t done = 0;
  run_jobs(
      share.size(), options.jobs,
      [&](std::size_t job) {
        return on_own_heap([&, part = share[job]] {
          if (part >= parts) return to_json(verified(requests, requests.stimuli()[to_verify[part - parts]])).dump();
          return to_json(Part(requests, stride).run(part * all / parts, (part + 1) * all / parts)).dump();
        });
      },
      [&](std::size_t job, const std::string& line) {
        results[job] = score_from_json(Json::parse(line));
        if (progress) progress(++done, results.size());
      },
      [&](std::size_t job) { return fmt::format("mutants of {}, part {}", target, share[job] + 1); });
  Score score;
  for (const Score& result : results) score.add(result);
  return score;
}

}  // namespace pmusim::testbench::mutate
