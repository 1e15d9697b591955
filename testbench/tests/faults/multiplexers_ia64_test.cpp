// Faults of the IA-64 processors' multiplexers: the line of an entry connected to another signal or state, each
// condition inverted or dropped, another kind of qualification, another thread.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "models/ia64/monitor.h"
#include "models/itanium2/events.h"
#include "models/montecito/events.h"
#include "pmusim/encoder/encoder.h"
#include "testbench/tests/faults/multiplexer_faults.h"
#include "testbench/tests/faults/noticed.h"

namespace pmusim::testbench::faults::ia64 {
namespace {

using activity::Signal;
using activity::State;
using pmu::ia64::Event;
using pmu::ia64::Qualifier;
using pmu::ia64::Source;
using pmu::ia64::Type;

/// Detail bits of a signal that form a number: without one of them the entry would also match numbers that do not
/// exist.
std::uint16_t numbers_in(Signal signal) {
  return signal == Signal::bus_transaction ? activity::ia64::detail::bus_kind_mask
         : signal == Signal::line_evict    ? activity::detail::cache_mask
                                           : std::uint16_t{0};
}

/// The level function of the next entry that has a different one.
Event::Level another_level(std::span<const Event> table, const Event& entry) {
  const auto own = static_cast<std::size_t>(std::find_if(table.begin(), table.end(),
                                                         [&](const Event& e) {
                                                           return e.code == entry.code && e.umasks == entry.umasks &&
                                                                  e.level == entry.level;
                                                         }) -
                                            table.begin());
  for (std::size_t next = own + 1;; ++next) {
    const Event& other = table[next % table.size()];
    if (other.level != nullptr && other.level != entry.level) return other.level;
  }
}

void change_line(std::span<const Event> table, Variants<Event>& changes) {
  const Event& entry = changes.row();
  if (entry.source != Source::activity) {
    return changes.add("a line of retirement", [](Event& e) {
      e.source = Source::activity;
      e.signal = Signal::retire;
    });
  }
  if (entry.level != nullptr) {
    changes.add("the next state", [](Event& e) { e.state = next_of(e.state); });
    if (entry.second_state != State::count_) changes.add("one state", [](Event& e) { e.second_state = State::count_; });
    return changes.add("another's level", [&](Event& e) { e.level = another_level(table, entry); });
  }
  changes.add("the next signal", [](Event& e) { e.signal = next_of(e.signal); });
  if (entry.second_signal != Signal::count_)
    changes.add("one signal", [](Event& e) { e.second_signal = Signal::count_; });
  if (entry.first_of_cycle) changes.add("all of a cycle", [](Event& e) { e.first_of_cycle = false; });
  if (entry.amount != nullptr) changes.add("all occurrences", [](Event& e) { e.amount = nullptr; });
  changes.for_each_bit("detail turned round", entry.mask, [](Event& e, std::uint16_t bit) { e.value ^= bit; });
  const auto flags = static_cast<std::uint16_t>(entry.mask & ~numbers_in(entry.signal));
  changes.for_each_bit("detail ignored", flags, [](Event& e, std::uint16_t bit) {
    e.mask &= static_cast<std::uint16_t>(~bit);
    e.value &= static_cast<std::uint16_t>(~bit);
  });
}

void change_qualifier(Variants<Event>& changes) {
  static constexpr std::array<std::string_view, 8> names{"none", "address",      "prefetch", "fetch",
                                                         "tag",  "tag of umask", "data",     "data address"};
  const Event& entry = changes.row();
  if (entry.source != Source::activity || entry.level != nullptr) return;
  for (std::size_t q = 0; q < names.size(); ++q) {
    const auto other = static_cast<Qualifier>(q);
    if (other != entry.qualifier)
      changes.add(fmt::format("qualified by {}", names[q]), [&](Event& e) { e.qualifier = other; });
  }
}

/// Changes the thread and the line states of an entry. Active and causal events count alike, because only the active
/// thread causes active ones; level entries belong to no thread.
void change_thread(Variants<Event>& changes) {
  const Event& entry = changes.row();
  if (entry.line_state >= 0) changes.add("any line", [](Event& e) { e.line_state = -1; });
  if (entry.source != Source::activity || entry.level != nullptr || entry.type == Type::active) return;
  const Type other = entry.type == Type::causal ? Type::floating : Type::active;
  changes.add(entry.type == Type::causal ? "floating" : "the active thread's", [&](Event& e) { e.type = other; });
  if (entry.type == Type::self_floating) changes.add("no self-floating", [](Event& e) { e.type = Type::floating; });
}

template <const pmu::ia64::Family& (*family_of)()>
struct Processor {
  using Row = Event;
  static constexpr bool each_counts = false;  ///< some count nothing, or only what never occurs
  static constexpr bool numbered = false;
  static inline std::string target;
  static std::vector<Row> table() { return {family_of().events.begin(), family_of().events.end()}; }
  static std::unique_ptr<pmu::Monitor> make(const models::Parameters& parameters) {
    static pmu::ia64::Family family = family_of();
    std::vector<Event>& events = Multiplexer<Processor>::changed;
    std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) { return a.code < b.code; });
    family.events = events;
    return std::make_unique<pmu::ia64::Ia64Monitor>(family, parameters);
  }
  static bool is_connected(const Row&) { return true; }
  static std::string place(const Row& row) { return fmt::format("event {:02x}h masks {:04x}h", row.code, row.umasks); }
  static void exchange_places(Row& a, Row& b) {
    std::swap(a.code, b.code);
    std::swap(a.umasks, b.umasks);
  }
  static Rows rows_of(const Row& row) {
    static const std::vector<encoder::EventInfo> events = *encoder::events(target);
    static const std::vector<std::string> holding = holding_rows(target);
    Rows rows;
    for (const encoder::EventInfo& event : events) {
      const bool by_register = row.source == Source::data_ear || row.source == Source::fetch_ear;
      if (event.code != row.code || (!by_register && (row.umasks >> event.fixed_mask & 1) == 0)) continue;
      if (std::find(holding.begin(), holding.end(), event.name) == holding.end()) rows.insert(event.name);
    }
    return rows;
  }
  static std::vector<Variant<Row>> variants(const Row& row) {
    Variants<Row> variants(row);
    change_line(Multiplexer<Processor>::original, variants);
    if (row.most > 1) variants.add("at most one", [](Row& other) { other.most = 1; });
    change_qualifier(variants);
    if (family_of().threads > 1) change_thread(variants);
    return variants.list;
  }
  static void expect_all_noticed(const char* name, const Excuses& excuses, std::size_t usually) {
    target = name;
    expect_noticed(target, "model " + target, Multiplexer<Processor>::faults(), excuses, usually);
  }
};

/// Changes without effect on either processor.
Excuses excuses_of_both() {
  constexpr std::string_view one_channel = "events of one kind of fetches, or of none, follow one channel";
  constexpr std::string_view demand_fills = "only demand fetches fill L1I";
  constexpr std::string_view demand_hits = "prefetches count only under pmu.fetch_hits=all";
  constexpr std::string_view plain_umask = "unit mask 0 is that of channel 0";
  constexpr std::string_view one_frame = "instructions of one cycle change the frame once";
  constexpr std::string_view one_walk = "the walker makes one walk at a time";
  constexpr std::string_view told = "the rest of the line tells as much";
  constexpr std::string_view one_outcome = "a lookup has one outcome";
  constexpr std::string_view retires = "what passes the memory pipe retires, with as many accesses";
  constexpr std::string_view choice = "other amounts only under pmu.ia32_retirement and pmu.long_instruction";
  return {{"event 0[3569b]h masks 0001h: qualified by fetch", one_channel},
          {"event 4[0-8bde]h masks *: qualified by fetch", one_channel},
          {"event 5fh masks 0001h: qualified by fetch", one_channel},
          {"event 41h masks 0001h: qualified by address", demand_fills},
          {"event 6[56]h masks 0001h: qualified by address", demand_hits},
          {"event 5[01]h masks 0001h: qualified by tag of umask", plain_umask},
          {"event 2[4689ab]h masks 0001h: all of a cycle", one_frame},
          {"event 2dh masks 0001h: at most one", one_walk},
          {"event c[19]h masks 0001h: at most one", one_walk},
          {"event 45h masks 0001h: detail ignored 0x1", told},
          {"event 47h masks 000eh: detail ignored 0x1", told},
          {"event 5fh masks 0001h: detail ignored 0x40", told},
          {"event c0h masks 0001h: detail ignored 0x1", told},
          {"event cbh masks 0001h: detail ignored 0x[248]", one_outcome},
          {"event c[46]h masks 0001h: the next signal", retires},
          {"event 08h masks 000[3c]h: all occurrences", choice}};
}

TEST(Multiplexers, Itanium2EntriesAreAllWatched) {
  Processor<pmu::itanium2::family>::expect_all_noticed(
      "itanium2", excuses_of_both() + Excuses{{"event b9h masks 0001h: at most one", "lines come to L2 one at a time"}},
      1);
}

TEST(Multiplexers, MontecitoEntriesAreAllWatched) {
  constexpr std::string_view of_no_thread = "what belongs to no thread is the active one's",
                             foreground = "it happens before the instruction retires, and a switch waits for that",
                             served = "a switch waits for what L2I serves",
                             wrong_path = "only fetches of the wrong path are dropped, and that ends before a switch",
                             data_alone = "L2D sees data alone", no_ia32 = "there are no IA-32 instructions";
  const Excuses own{
      {"event 08h masks 0003h: place exchanged with the next", no_ia32},
      {"event 08h masks 0003h: one signal", no_ia32},
      {"event 0bh masks 0003h: qualified by fetch", "what retires was fetched on demand"},
      {"event 12h masks 0002h: floating", foreground},
      {"event 18h masks 0001h: at most one", "the clock stands in a cycle or does not"},
      {"event 4[ab]h masks 0001h: floating",
       "what an instruction does here it does in the foreground, the rest belongs to no thread"},
      {"event 7[9bd]h masks eee0h: the active thread's", served},
      {"event 7eh masks 0001h: qualified by fetch", wrong_path},
      {"event 7eh masks 0001h: the active thread's", wrong_path},
      {"event 7fh masks 0001h: floating", of_no_thread},
      {"event 89h masks 000ah: floating", of_no_thread},
      {"event 9[01]h masks 000fh: the active thread's", "only directives read devices, for no thread"},
      {"event 9[01]h masks 000fh: no self-floating", "only directives read devices, for no thread"},
      {"event a[48]h masks 0003h: floating", of_no_thread},
      {"event aah masks 0001h: floating", of_no_thread},
      {"event abh masks 3333h: floating", of_no_thread},
      {"event aeh masks 1111h: floating", of_no_thread},
      {"event afh masks 0333h: floating", of_no_thread},
      {"event b[01]h masks 0001h: the active thread's", foreground},
      {"event bbh masks 0001h: floating", of_no_thread},
      {"event c9h masks 0001h: the active thread's", "a switch waits for the walker"},
      {"event e2h masks 000fh: the active thread's", "the first attempt of a request is made in the foreground"},
      {"event e6h masks 000eh: detail ignored 0x1", data_alone},
      {"event e6h masks 000eh: the active thread's", foreground},
      {"event ebh masks 0001h: detail ignored 0x1", data_alone},
      {"event ech masks 0001h: at most one", "lines of one set of L2D come one at a time"},
      {"event ech masks 0001h: the active thread's", of_no_thread}};
  Processor<pmu::montecito::family>::expect_all_noticed("montecito", excuses_of_both() + own, 29);
}

}  // namespace
}  // namespace pmusim::testbench::faults::ia64
