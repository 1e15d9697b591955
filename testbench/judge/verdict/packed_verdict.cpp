#include "testbench/judge/verdict/packed_verdict.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace pmusim::testbench {
namespace {

/// An array without the search for keys that an object needs.
using Packed = nlohmann::json;

Packed pack(const Comparison& sample) {
  return {sample.trace, sample.event, sample.registers, sample.counter, sample.counted, sample.expected};
}

/// Of a row: it may have none.
Packed pack_any(const Comparison& sample) { return sample.event.empty() ? Packed() : pack(sample); }

/// Moves a text out of the array: it is read once.
std::string text(Packed& value) { return std::move(value.get_ref<std::string&>()); }

Comparison comparison(Packed& p) {
  if (p.is_null()) return {};
  return {text(p.at(0)), text(p.at(1)), text(p.at(2)), text(p.at(3)), p.at(4), p.at(5)};
}

Packed pack(const std::map<std::string, std::uint64_t>& numbers) {
  Packed list = Packed::array();
  for (const auto& [name, number] : numbers) list.push_back({name, number});
  return list;
}

std::map<std::string, std::uint64_t> numbers(Packed& list) {
  std::map<std::string, std::uint64_t> result;
  for (Packed& entry : list) result.emplace(text(entry.at(0)), entry.at(1));
  return result;
}

}  // namespace

std::string packed(const JobVerdict& v) {
  Packed rows = Packed::array(), mismatches = Packed::array(), asked = Packed::array(), identities = Packed::array();
  for (const auto& [name, row] : v.rows) {
    rows.push_back({name, row.checks, row.vacuous, row.mismatches, row.unsupported, row.encoded, row.exercised,
                    pack_any(row.best), pack_any(row.failed)});
  }
  for (const Mismatch& m : v.mismatches)
    mismatches.push_back({pack(m.sample), m.problem, m.diagnosis, m.reproduce, m.cause});
  for (const QuestionVerdict& q : v.questions)
    asked.push_back({q.question, q.verdict, q.detail, q.traces, q.number, q.at_once});
  for (const IdentityVerdict& i : v.identities)
    identities.push_back({i.relation, i.traces, i.exercised, i.broken, i.example});
  const Packed driver = {v.driver.counts, v.driver.ticks, v.driver.untaken, v.driver.remainder};
  const Packed whole = {v.job,
                        v.target,
                        v.trace,
                        static_cast<int>(v.provenance),
                        rows,
                        mismatches,
                        driver,
                        v.unsupported,
                        v.not_modelled,
                        pack(v.causes),
                        asked,
                        identities,
                        pack(v.policies),
                        v.seconds};
  std::string bytes;
  Packed::to_cbor(whole, bytes);
  return bytes;
}

JobVerdict unpacked(std::string_view bytes) {
  Packed whole = Packed::from_cbor(bytes);
  JobVerdict v;
  v.job = text(whole.at(0));
  v.target = text(whole.at(1));
  v.trace = text(whole.at(2));
  v.provenance = static_cast<Provenance>(whole.at(3).get<int>());
  for (Packed& p : whole.at(4)) {
    RowVerdict& row = v.rows[text(p.at(0))];
    row = {p.at(1), p.at(2), p.at(3), p.at(4), p.at(5), p.at(6), comparison(p.at(7)), comparison(p.at(8))};
  }
  for (Packed& p : whole.at(5)) {
    v.mismatches.push_back({comparison(p.at(0)), text(p.at(1)), text(p.at(2)), text(p.at(3)), text(p.at(4))});
  }
  const Packed& driver = whole.at(6);
  v.driver = {driver.at(0), driver.at(1), driver.at(2), driver.at(3)};
  v.unsupported = whole.at(7);
  v.not_modelled = whole.at(8).get<std::vector<std::string>>();
  v.causes = numbers(whole.at(9));
  for (Packed& p : whole.at(10))
    v.questions.push_back({text(p.at(0)), text(p.at(1)), text(p.at(2)), p.at(3), p.at(4), p.at(5)});
  for (Packed& p : whole.at(11)) v.identities.push_back({text(p.at(0)), p.at(1), p.at(2), p.at(3), text(p.at(4))});
  v.policies = numbers(whole.at(12));
  v.seconds = whole.at(13);
  return v;
}

}  // namespace pmusim::testbench
