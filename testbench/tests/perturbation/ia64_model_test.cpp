// Every entry of the IA-64 processors' multiplexers changed: removed, one unit mask fewer, its code exchanged with the
// next entry's, its line connected to another signal or state, each condition inverted or dropped, another kind of
// qualification, another thread.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "models/ia64/monitor.h"
#include "models/itanium2/events.h"
#include "models/montecito/events.h"
#include "pmusim/encoder/encoder.h"
#include "tally.h"

namespace pmusim::perturbation {
namespace {

using activity::Signal;
using activity::State;
using pmu::ia64::Event;
using pmu::ia64::Qualifier;
using pmu::ia64::Source;
using pmu::ia64::Type;

struct Itanium2 {
  static constexpr const char* target = "itanium2";
  static constexpr std::size_t usually = 1;
  static constexpr auto family = pmu::itanium2::family;
};
struct Montecito {
  static constexpr const char* target = "montecito";
  static constexpr std::size_t usually = 29;
  static constexpr auto family = pmu::montecito::family;
};

/// The table of monitors made from now on.
template <class Processor>
struct Table {
  static inline std::vector<Event> events;
  static inline pmu::ia64::Family family = Processor::family();
  static std::unique_ptr<pmu::Monitor> make(const models::Parameters& parameters) {
    std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) { return a.code < b.code; });
    family.events = events;
    return std::make_unique<pmu::ia64::Ia64Monitor>(family, parameters);
  }
};

/// Detail bits of a signal that form a number: without one of them the entry would also match numbers that do not
/// exist.
std::uint16_t numbers_in(Signal signal) {
  return signal == Signal::bus_transaction ? activity::ia64::detail::bus_kind_mask
         : signal == Signal::line_evict    ? activity::detail::cache_mask
                                           : std::uint16_t{0};
}

template <class Processor>
class Multiplexer {
 public:
  explicit Multiplexer(std::vector<Equivalent> equivalents)
      : tally_(bench_of(Processor::target), std::string("model ") + Processor::target, std::move(equivalents),
               Processor::usually) {}

  void change_everything() {
    for (std::size_t i = 0; i < original_.size(); ++i) {
      const Event& entry = original_[i];
      entry_ = i;
      rows_ = rows_of(entry);
      if (rows_.empty()) continue;  // counts nothing, or only what never occurs
      change("removed", [&](auto& table) { table.erase(table.begin() + static_cast<std::ptrdiff_t>(i)); });
      exchange_with_next();
      change_line(entry);
      if (entry.most > 1) change("at most one", [&](auto& table) { table[i].most = 1; });
      change_qualifier(entry);
      if (Processor::family().threads > 1) change_thread(entry);
    }
  }

 private:
  static const std::vector<encoder::EventInfo>& events() {
    static const std::vector<encoder::EventInfo> all = *encoder::events(Processor::target);
    return all;
  }
  static Rows rows_of(const Event& entry) {
    static const std::vector<std::string> holding = testbench::holding_rows(Processor::target);
    Rows rows;
    for (const encoder::EventInfo& event : events()) {
      const bool by_register = entry.source == Source::data_ear || entry.source == Source::fetch_ear;
      if (event.code != entry.code || (!by_register && (entry.umasks >> event.fixed_mask & 1) == 0)) continue;
      if (std::find(holding.begin(), holding.end(), event.name) == holding.end()) rows.insert(event.name);
    }
    return rows;
  }
  static std::string place_of(const Event& entry) {
    return fmt::format("event {:02x}h masks {:04x}h", entry.code, entry.umasks);
  }

  template <class Make>
  void change(const std::string& name, const Rows& rows, Make make) {
    if (!tally_.next()) return;
    Table<Processor>::events = original_;
    make(Table<Processor>::events);
    Exchange exchange;
    exchange.make_monitor = Table<Processor>::make;
    tally_.expect_noticed(fmt::format("{}: {}", place_of(original_[entry_]), name), rows, exchange);
  }
  template <class Make>
  void change(const std::string& name, Make make) {
    change(name, rows_, make);
  }

  void exchange_with_next() {
    if (entry_ + 1 == original_.size()) return;
    const Event &entry = original_[entry_], &next = original_[entry_ + 1];
    if (entry.code == next.code && entry.umasks == next.umasks) return;  // distinguished by the counter
    Rows affected = rows_;
    affected.merge(rows_of(original_[entry_ + 1]));
    change("place exchanged with the next", affected, [&](auto& table) {
      std::swap(table[entry_].code, table[entry_ + 1].code);
      std::swap(table[entry_].umasks, table[entry_ + 1].umasks);
    });
  }

  void change_line(const Event& entry) {
    if (entry.source != Source::activity) {
      return change("a line of retirement", [&](auto& table) {
        table[entry_].source = Source::activity;
        table[entry_].signal = Signal::retire;
      });
    }
    if (entry.level != nullptr) {
      change("the next state", [&](auto& table) {
        table[entry_].state =
            static_cast<State>((static_cast<unsigned>(entry.state) + 1) % static_cast<unsigned>(State::count_));
      });
      if (entry.second_state != State::count_)
        change("one state", [&](auto& table) { table[entry_].second_state = State::count_; });
      return change("another's level", [&](auto& table) { table[entry_].level = another_level(entry); });
    }
    change("the next signal", [&](auto& table) {
      table[entry_].signal =
          static_cast<Signal>((static_cast<unsigned>(entry.signal) + 1) % static_cast<unsigned>(Signal::count_));
    });
    if (entry.second_signal != Signal::count_)
      change("one signal", [&](auto& table) { table[entry_].second_signal = Signal::count_; });
    if (entry.first_of_cycle) change("all of a cycle", [&](auto& table) { table[entry_].first_of_cycle = false; });
    if (entry.amount != nullptr) change("all occurrences", [&](auto& table) { table[entry_].amount = nullptr; });
    for (std::uint16_t bit = 1; bit != 0; bit = static_cast<std::uint16_t>(bit << 1)) {
      if ((entry.mask & bit) == 0) continue;
      change(fmt::format("detail turned round {:#x}", bit), [&](auto& table) { table[entry_].value ^= bit; });
      if ((numbers_in(entry.signal) & bit) != 0) continue;
      change(fmt::format("detail ignored {:#x}", bit), [&](auto& table) {
        table[entry_].mask &= static_cast<std::uint16_t>(~bit);
        table[entry_].value &= static_cast<std::uint16_t>(~bit);
      });
    }
  }
  /// The level function of the next entry that has a different one.
  [[nodiscard]] Event::Level another_level(const Event& entry) const {
    for (std::size_t next = entry_ + 1;; ++next) {
      const Event& other = original_[next % original_.size()];
      if (other.level != nullptr && other.level != entry.level) return other.level;
    }
  }

  void change_qualifier(const Event& entry) {
    static constexpr std::array<std::string_view, 8> names{"none", "address",      "prefetch", "fetch",
                                                           "tag",  "tag of umask", "data",     "data address"};
    if (entry.source != Source::activity || entry.level != nullptr) return;
    for (std::size_t q = 0; q < names.size(); ++q) {
      const auto other = static_cast<Qualifier>(q);
      if (other == entry.qualifier) continue;
      change(fmt::format("qualified by {}", names[q]), [&](auto& table) { table[entry_].qualifier = other; });
    }
  }

  /// Changes the thread and the line states of an entry. Active and causal events count alike, because only the active
  /// thread causes active ones; level entries belong to no thread.
  void change_thread(const Event& entry) {
    if (entry.line_state >= 0) change("any line", [&](auto& table) { table[entry_].line_state = -1; });
    if (entry.source != Source::activity || entry.level != nullptr || entry.type == Type::active) return;
    const Type other = entry.type == Type::causal ? Type::floating : Type::active;
    change(entry.type == Type::causal ? "floating" : "the active thread's",
           [&](auto& table) { table[entry_].type = other; });
    if (entry.type == Type::self_floating)
      change("no self-floating", [&](auto& table) { table[entry_].type = Type::floating; });
  }

  Tally tally_;
  const std::vector<Event> original_{Processor::family().events.begin(), Processor::family().events.end()};
  std::size_t entry_ = 0;
  Rows rows_;
};

/// Changes without effect on either processor.
std::vector<Equivalent> equivalents_of_both() {
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

TEST(ModelMultiplexers, Itanium2EntriesAreAllWatched) {
  std::vector<Equivalent> equivalents = equivalents_of_both();
  equivalents.push_back({"event b9h masks 0001h: at most one", "lines come to L2 one at a time"});
  Multiplexer<Itanium2>(std::move(equivalents)).change_everything();
}

TEST(ModelMultiplexers, MontecitoEntriesAreAllWatched) {
  constexpr std::string_view of_no_thread = "what belongs to no thread is the active one's",
                             foreground = "it happens before the instruction retires, and a switch waits for that",
                             served = "a switch waits for what L2I serves",
                             wrong_path = "only fetches of the wrong path are dropped, and that ends before a switch",
                             data_alone = "L2D sees data alone", no_ia32 = "there are no IA-32 instructions";
  std::vector<Equivalent> equivalents = equivalents_of_both();
  for (const Equivalent& own : std::vector<Equivalent>{
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
           {"event ech masks 0001h: the active thread's", of_no_thread}}) {
    equivalents.push_back(own);
  }
  Multiplexer<Montecito>(std::move(equivalents)).change_everything();
}

}  // namespace
}  // namespace pmusim::perturbation
