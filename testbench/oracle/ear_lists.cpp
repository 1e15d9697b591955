// Captures of the event address registers.
#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>

#include "testbench/oracle/captures.h"
#include "testbench/oracle/family.h"
#include "testbench/oracle/qualifiers.h"
#include "testbench/oracle/state_cursor.h"

namespace pmusim::oracle {
namespace {

using activity::Block;
using activity::Cycle;
using activity::Occurrence;
using activity::Signal;
using activity::ia64::Prediction;
using activity::ia64::Requester;
using activity::ia64::Translation;
namespace d = activity::detail;
namespace id = activity::ia64::detail;

constexpr Filters by_instruction_and_data = {true, true, true};
constexpr Filters by_address = {true, false, false};

/// The setup of a register for a row of the event list.
struct Arming {
  enum class Kind : std::uint8_t {
    load_latency,
    data_translation,
    failed_check,
    fetch_latency,
    buffer_hit,
    fetch_translation
  };
  Kind kind = Kind::load_latency;
  std::uint64_t latency = 0;  ///< at least
  bool second_level = false, walker = false, fault = false;
  [[nodiscard]] bool wants(Translation found) const {
    return (found == Translation::second_level && second_level) || (found == Translation::walker && walker) ||
           (found == Translation::fault && fault);
  }
};

std::optional<Arming> arming_of(std::string_view row) {
  const auto behind = [&](std::string_view prefix) -> std::optional<std::string> {
    if (!row.starts_with(prefix)) return std::nullopt;
    return std::string(row.substr(prefix.size()));
  };
  const auto translation = [](Arming::Kind kind, const std::string& names) {
    const bool all = names == "ALL";
    const auto named = [&](const char* name) { return all || names.find(name) != std::string::npos; };
    return Arming{kind, 0, named("L2"), named("VHPT"), named("FAULT")};
  };
  if (const auto latency = behind("DATA_EAR_CACHE_LAT"))
    return Arming{Arming::Kind::load_latency, std::stoull(*latency)};
  if (const auto names = behind("DATA_EAR_TLB_")) return translation(Arming::Kind::data_translation, *names);
  if (row == "DATA_EAR_ALAT") return Arming{Arming::Kind::failed_check};
  if (row == "L1I_EAR_CACHE_RAB") return Arming{Arming::Kind::buffer_hit};
  if (const auto latency = behind("L1I_EAR_CACHE_LAT")) {
    return Arming{Arming::Kind::fetch_latency, std::max<std::uint64_t>(1, std::stoull(*latency))};
  }
  if (const auto names = behind("L1I_EAR_TLB_")) return translation(Arming::Kind::fetch_translation, *names);
  return std::nullopt;
}

/// Reads the entries of a column in order of time.
class Reader {
 public:
  Reader(const Block& block, Signal signal) : entries_(block.column(signal)), begin_(block.begin) {}
  [[nodiscard]] Cycle next() const { return index_ < entries_.size() ? begin_ + entries_[index_].at : activity::never; }
  /// The next entry if it belongs to this cycle, else null.
  const Occurrence* take(Cycle at) { return next() == at ? &entries_[index_++] : nullptr; }
  void skip_to(Cycle at) {
    const auto first = std::lower_bound(entries_.begin() + static_cast<std::ptrdiff_t>(index_), entries_.end(), at,
                                        [&](const Occurrence& e, Cycle c) { return begin_ + e.at < c; });
    index_ = static_cast<std::size_t>(first - entries_.begin());
  }

 private:
  const std::vector<Occurrence>& entries_;
  Cycle begin_;
  std::size_t index_ = 0;
};

/// Cycles in which a thread leaves the core, where that matters.
class Departures {
 public:
  Departures(const Block& block, const Choices& choices) {
    if (!choices.forgets_in_background) return;
    const activity::StateColumn& active = block.state(activity::State::thread);
    if (active.initial != choices.thread) cycles_.push_back(block.begin);
    for (const activity::Change& change : active.changes)
      if (change.value != choices.thread) cycles_.push_back(block.begin + change.at);
  }
  [[nodiscard]] Cycle next() const { return index_ < cycles_.size() ? cycles_[index_] : activity::never; }
  /// Whether there is one up to `at`; moves after it.
  bool take(Cycle at) {
    const std::size_t before = index_;
    while (next() <= at) ++index_;
    return index_ != before;
  }

 private:
  std::vector<Cycle> cycles_;
  std::size_t index_ = 0;
};

void name_instruction(Capture& capture, const Block& block, std::uint32_t ref) {
  if (ref == activity::no_ref) return;
  capture.ip = block.instructions.at(ref).ip;
  capture.slot = block.instructions.at(ref).slot;
  capture.ip_known = true;
}

/// The captures of a register with a setup.
class ArmedList : public CaptureList {
 public:
  ArmedList(const Request& request, const Choices& choices, Arming arming)
      : request_(request), choices_(choices), arming_(arming) {}

 protected:
  Request request_;
  Choices choices_;
  Arming arming_;
};

/// Cache mode of the data register: tracks one load at a time, from its EXE cycle until its data arrive.
class LoadLatencies final : public ArmedList {
 public:
  using ArmedList::ArmedList;
  void consume(const Block& block) override {
    GatesCursor gates(choices_.thread, block);
    Reader issued(block, Signal::data_reference), probed(block, Signal::dcache_lookup);
    Reader returned(block, Signal::load_return), killed(block, Signal::request_kill);
    Departures departures(block, choices_);
    while (true) {
      const Cycle end = std::min({probed.next(), returned.next(), killed.next(), departures.next()});
      const Cycle at = load_ ? end : issued.next();
      if (at == activity::never) return;
      if (departures.take(at) && load_) {
        load_.reset();
        issued.skip_to(at);
        continue;
      }
      if (!load_) {
        while (const Occurrence* what = issued.take(at)) {
          const unsigned now = gates.at(at);
          if (!load_ && (gates.active() || !choices_.forgets_in_background)) consider(block, what->ref, at, now);
        }
        if (!load_) continue;
        for (Reader* reader : {&probed, &returned, &killed}) reader->skip_to(at);
        // The outcome may be reported in the same cycle.
        if (std::min({probed.next(), returned.next(), killed.next()}) != at) continue;
      }
      follow(block, at, probed, returned, killed);
      if (!load_) issued.skip_to(at + 1);
    }
  }

 private:
  struct Load {
    std::uint64_t id;
    Capture capture;  ///< `at` is its EXE cycle, at which the latency starts
  };

  void consider(const Block& block, std::uint32_t ref, Cycle at, unsigned gates) {
    if (block.requests.at(ref).thread != choices_.thread) return;
    const auto& request = block.ia64_requests.at(ref);
    const bool reads = request.requester == Requester::data && request.load && !request.prefetch;
    const bool plain = !request.semaphore && !request.store;
    const bool wrong_path = block.requests.at(ref).wrong_path ||
                            (request.owner != activity::no_ref && block.instructions.at(request.owner).wrong_path);
    const bool candidate = reads && (plain || (request.semaphore && choices_.semaphores_tracked));
    if (!candidate || wrong_path || !runs_under(request_, gates)) return;
    if (!qualifies(subject_of_request(block, ref, gates), by_instruction_and_data, request_, choices_)) return;
    if (choices_.data_ear_random && !draws()) return;
    load_.emplace(Load{block.requests.at(ref).id, {}});
    load_->capture.at = at;
    load_->capture.address = block.requests.at(ref).address;
    name_instruction(load_->capture, block, request.owner);
  }

  void follow(const Block& block, Cycle at, Reader& probed, Reader& returned, Reader& killed) {
    const auto own = [&](const Occurrence& what) { return load_ && block.requests.at(what.ref).id == load_->id; };
    while (const Occurrence* what = probed.take(at)) {
      const bool answers = (what->detail & d::lookup_hit) != 0 && (what->detail & id::access_replayed) == 0;
      if (answers && own(*what) && !block.ia64_requests.at(what->ref).fp) load_.reset();
    }
    while (const Occurrence* what = returned.take(at)) {
      if (!own(*what)) continue;
      Capture capture = load_->capture;
      capture.latency = at - capture.at;
      capture.at = at;
      if (capture.latency >= arming_.latency) captures_.push_back(capture);
      load_.reset();
    }
    while (const Occurrence* what = killed.take(at)) {
      if (own(*what)) load_.reset();
    }
  }

  /// The lowest bit of a 16-bit shift register with taps 16, 14, 13 and 11, which shifts at each draw.
  bool draws() {
    const bool drawn = (register_ & 1u) != 0;
    const unsigned tap = (register_ ^ register_ >> 2 ^ register_ >> 3 ^ register_ >> 5) & 1u;
    register_ = register_ >> 1 | tap << 15;
    return drawn;
  }

  std::optional<Load> load_;
  unsigned register_ = 1;
};

/// Translation and ALAT mode of the data register: captures at retirement.
class RetiredAccesses final : public ArmedList {
 public:
  using ArmedList::ArmedList;
  void consume(const Block& block) override {
    GatesCursor gates(choices_.thread, block);
    const bool checks = arming_.kind == Arming::Kind::failed_check;
    Reader retired(block, Signal::retire);
    Reader reported(block, checks ? Signal::retire : Signal::access_retire);
    for (Cycle at = reported.next(); at != activity::never; at = reported.next()) {
      bool captured = false;  // at most one per cycle, the oldest
      const Occurrence* what = nullptr;
      while ((what = reported.take(at)) != nullptr) {
        if (captured || what->ref == activity::no_ref) continue;
        const unsigned thread = checks ? block.instructions.at(what->ref).thread : block.requests.at(what->ref).thread;
        if (thread != choices_.thread) continue;
        const unsigned now = gates.at(at);
        if (!gates.active() && choices_.forgets_in_background) continue;
        auto capture = checks ? failed_check(block, *what, now) : translation(block, what->ref, now);
        if (!capture) continue;
        capture->at = at;
        const bool hazard = request_.ia64.branch_buffer_on && !choices_.hazard_is_valid;
        if (hazard && flushed_before(block, retired, at)) capture->ip_known = false;
        address_ = capture->address;
        captures_.push_back(*capture);
        captured = true;
      }
    }
    if (request_.ia64.branch_buffer_on) flushed_before(block, retired, block.end);
  }

 private:
  std::optional<Capture> translation(const Block& block, std::uint32_t ref, unsigned gates) const {
    const auto& request = block.ia64_requests.at(ref);
    if (request.requester != Requester::data || request.prefetch || !arming_.wants(request.translation)) {
      return std::nullopt;
    }
    if (!admits(subject_of_request(block, ref, gates), gates)) return std::nullopt;
    Capture capture;
    capture.address = block.requests.at(ref).address;
    capture.translation = request.translation;
    name_instruction(capture, block, request.owner);
    return capture;
  }

  std::optional<Capture> failed_check(const Block& block, const Occurrence& what, unsigned gates) const {
    const auto& syllable = block.syllables.at(what.ref);
    const bool check =
        syllable.has(activity::ia64::Kind::check_load) || syllable.has(activity::ia64::Kind::check_advanced);
    if (!check || !syllable.check_failed || !syllable.predicate) return std::nullopt;
    Subject subject = subject_of_instruction(block, what.ref, gates);
    add_access(subject, block, what);
    if (!admits(subject, gates)) return std::nullopt;
    Capture capture;
    capture.own_address = subject.data.has_value() || choices_.check_clears_address;
    capture.address = subject.data.value_or(choices_.check_clears_address ? 0 : address_);
    name_instruction(capture, block, what.ref);
    return capture;
  }

  [[nodiscard]] bool admits(const Subject& subject, unsigned gates) const {
    return runs_under(request_, gates) && qualifies(subject, by_instruction_and_data, request_, choices_);
  }

  /// Whether a mispredicted branch retired one or two cycles before `at`. Cycles must not decrease.
  bool flushed_before(const Block& block, Reader& retired, Cycle at) {
    while (retired.next() < at) {
      const Cycle cycle = retired.next();
      while (const Occurrence* what = retired.take(cycle)) {
        if (what->ref == activity::no_ref || block.instructions.at(what->ref).thread != choices_.thread) continue;
        const Prediction prediction = block.syllables.at(what->ref).prediction;
        if (prediction == Prediction::wrong_path || prediction == Prediction::wrong_target) flushed_ = cycle;
      }
    }
    return flushed_ && at - *flushed_ <= 2;
  }

  std::uint64_t address_ = 0;  ///< of the last capture
  std::optional<Cycle> flushed_;
};

/// The instruction register: demand fetches that miss, from the miss until the bundles arrive.
class Fetches final : public ArmedList {
 public:
  using ArmedList::ArmedList;
  void consume(const Block& block) override {
    if (arming_.kind == Arming::Kind::fetch_translation) {
      translations(block);
    } else {
      latencies(block);
    }
  }

 private:
  struct Miss {
    std::uint64_t id;
    Cycle start;
    bool outstanding;  ///< its line had already been requested
  };

  [[nodiscard]] bool admits(const Block& block, std::uint32_t ref, unsigned gates) const {
    return ref != activity::no_ref && block.ia64_requests.at(ref).requester == Requester::demand_fetch &&
           block.requests.at(ref).thread == choices_.thread && runs_under(request_, gates) &&
           qualifies(subject_of_request(block, ref, gates), by_address, request_, choices_);
  }
  static std::uint64_t pair_of(const Block& block, std::uint32_t ref) {
    return block.requests.at(ref).address & ~std::uint64_t{31};
  }
  void capture(const Block& block, std::uint32_t ref, Cycle at, Cycle start, Translation found) {
    if (!captures_.empty() && captures_.back().at == at) return;
    Capture capture;
    capture.at = at;
    capture.address = pair_of(block, ref);
    capture.latency = at - start;
    capture.translation = found;
    captures_.push_back(capture);
  }

  void translations(const Block& block) {
    GatesCursor gates(choices_.thread, block);
    for (const Occurrence& what : block.column(Signal::translation)) {
      if ((what.detail & d::side_data) != 0) continue;
      const Cycle at = block.begin + what.at;
      const Translation found = (what.detail & id::tlb_fault) != 0 ? Translation::fault
                                : (what.detail & d::tlb_walk) != 0 ? Translation::walker
                                                                   : Translation::second_level;
      const unsigned now = gates.at(at);
      if (!gates.active() && choices_.forgets_in_background) continue;
      if (arming_.wants(found) && admits(block, what.ref, now)) capture(block, what.ref, at, at, found);
    }
  }

  void latencies(const Block& block) {
    GatesCursor gates(choices_.thread, block);
    Reader fetched(block, Signal::fetch), returned(block, Signal::fetch_return), killed(block, Signal::request_kill);
    Departures departures(block, choices_);
    while (true) {
      const Cycle at = std::min({fetched.next(), returned.next(), killed.next(), departures.next()});
      if (at == activity::never) return;
      if (departures.take(at)) miss_.reset();
      while (const Occurrence* what = returned.take(at)) end(block, what->ref, at, true);
      while (const Occurrence* what = killed.take(at)) end(block, what->ref, at, false);
      while (const Occurrence* what = fetched.take(at)) {
        // A line in the streaming buffer is available at once. There is one latency counter; it belongs to the latest
        // miss.
        const bool waits = (what->detail & (d::lookup_pending | d::lookup_miss)) != 0;
        const unsigned now = gates.at(at);
        if (!gates.active() && choices_.forgets_in_background) continue;
        if (!waits || (what->detail & id::fetch_stream_buffer) != 0 || !admits(block, what->ref, now)) continue;
        miss_ = Miss{block.requests.at(what->ref).id, at, (what->detail & d::lookup_pending) != 0};
      }
    }
  }

  void end(const Block& block, std::uint32_t ref, Cycle at, bool captures) {
    if (!miss_ || miss_->id != block.requests.at(ref).id) return;
    const Miss miss = *miss_;
    miss_.reset();
    const bool wanted = arming_.kind != Arming::Kind::buffer_hit || miss.outstanding;
    if (captures && wanted && at - miss.start >= arming_.latency) {
      capture(block, ref, at, miss.start, Translation::first_level);
    }
  }

  std::optional<Miss> miss_;  ///< that is measured
};

/// A register without a setup.
class Nothing final : public CaptureList {
 public:
  void consume(const Block&) override {}
};

std::unique_ptr<CaptureList> list_for(const Request& request, const Choices& choices, std::string_view row) {
  if (row.empty()) return std::make_unique<Nothing>();
  const std::optional<Arming> arming = arming_of(row);
  if (!arming) throw std::invalid_argument(std::string(row) + " is no row of DATA_EAR_* or L1I_EAR_*");
  switch (arming->kind) {
    case Arming::Kind::load_latency:
      return std::make_unique<LoadLatencies>(request, choices, *arming);
    case Arming::Kind::data_translation:
    case Arming::Kind::failed_check:
      return std::make_unique<RetiredAccesses>(request, choices, *arming);
    default:
      return std::make_unique<Fetches>(request, choices, *arming);
  }
}

}  // namespace

std::unique_ptr<CaptureList> make_capture_list(const Request& request, const ParameterLookup& parameters,
                                               std::string_view target) {
  const std::string name = request.umasks.empty() ? request.event : request.event + "_" + request.umasks.front();
  const bool as_armed = name == "DATA_EAR_EVENTS" || name == "L1I_EAR_EVENTS";
  if (as_armed && !request.ia64.armed.empty() && request.ia64.armed.substr(0, 4) != name.substr(0, 4)) {
    throw std::invalid_argument(name + " counts no captures of " + request.ia64.armed);
  }
  Request of_register = request;
  if (as_armed)
    of_register.ia64.privileged_monitor = false;  // pm belongs to the counter; no attribute sets the register's own
  return list_for(of_register, family_of(target).choices(parameters),
                  as_armed ? std::string_view(request.ia64.armed) : name);
}

}  // namespace pmusim::oracle
