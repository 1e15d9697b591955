#include "stimuli_itanium2.h"

namespace pmusim::oracle::script {
namespace {

using i64::BusAgent;
using i64::BusKind;
namespace id = i64::detail;

constexpr unsigned by(BusAgent agent) { return static_cast<unsigned>(agent) << id::bus_agent_shift; }
Stimulus transaction(const std::string& rows, BusKind kind, unsigned also) {
  return {rows,
          [=](Machine& m, Cycle at) {
            m.happen(Signal::bus_transaction, at, static_cast<std::uint16_t>(static_cast<unsigned>(kind) | also));
          },
          rows};
}

void add_transactions(std::vector<Stimulus>& list) {
  const std::pair<BusAgent, std::string> agents[] = {
      {BusAgent::self, "{ANY,SELF}"}, {BusAgent::io, "{ANY,IO}"}, {BusAgent::other_processor, "ANY"}};
  for (const auto& agent_and_name : agents) {
    const BusAgent agent = agent_and_name.first;
    const std::string& who = agent_and_name.second;
    const auto add = [&](BusKind kind, unsigned also, const std::string& rows) {
      list.push_back(transaction(rows, kind, by(agent) | also));
    };
    const std::string all = "BUS_ALL_" + who + " ", memory = all + "BUS_MEMORY_{ALL,";
    const std::string full = memory + "EQ_128BYTE}_" + who + " ", part = memory + "LT_128BYTE}_" + who + " ";
    const std::string self = agent == BusAgent::self ? "{ANY,SELF}" : "ANY",
                      io = agent == BusAgent::io ? "{ANY,IO}" : "ANY";
    add(BusKind::read_line, id::bus_full_line, full + "BUS_MEM_READ_{ALL,BRL}_" + who);
    add(BusKind::read_line, id::bus_full_line | id::bus_for_data,
        full + "BUS_MEM_READ_{ALL,BRL}_" + who + " BUS_RD_DATA_" + who);
    add(BusKind::read_invalidate_line, id::bus_full_line, full + "BUS_MEM_READ_{ALL,BRIL}_" + who);
    add(BusKind::invalidate_line, 0, part + "BUS_MEM_READ_{ALL,BIL}_" + who);
    add(BusKind::read_current, id::bus_full_line, full + "MEM_READ_CURRENT_" + io);
    add(BusKind::read_partial, 0, part + "BUS_RD_PRTL_" + who);
    add(BusKind::write_line, id::bus_full_line, full + "BUS_WR_WB_{ALL,EQ_128BYTE}_" + who);
    add(BusKind::write_line, id::bus_clean_castout, part + "BUS_WR_WB_ALL_" + who + " BUS_WR_WB_CCASTOUT_" + self);
    add(BusKind::write_partial, 0, part);
    add(BusKind::io_read, 0, all + "BUS_{IO,RD_IO}_" + who);
    add(BusKind::io_write, 0, all + "BUS_IO_" + who);
    add(BusKind::lock, 0, all + "BUS_LOCK_" + self);
    add(BusKind::other, 0, all);
    const auto snoop = [&](unsigned also, const std::string& rows) {
      list.push_back(
          {"snoop",
           [=](Machine& m, Cycle at) { m.happen(Signal::bus_snoop, at, static_cast<std::uint16_t>(by(agent) | also)); },
           "BUS_SNOOPS_" + who + rows});
    };
    snoop(0, "");
    snoop(id::snoop_found_modified, " BUS_SNOOPS_HITM_" + self);
    snoop(id::snoop_self, " BUS_BACKSNP_REQ_THIS");
  }
  const std::string rest = "BUS_ALL_ANY BUS_MEMORY_{ALL,LT_128BYTE}_ANY ";
  const unsigned other = by(BusAgent::other_processor);
  const auto answered = [&](BusKind kind, unsigned how, const std::string& rows) {
    list.push_back(transaction(rest + rows, kind, other | how));
  };
  answered(BusKind::read_partial, id::bus_answer_hit, "BUS_RD_PRTL_ANY BUS_RD_HIT");
  answered(BusKind::read_partial, id::bus_answer_modified, "BUS_RD_PRTL_ANY BUS_RD_HITM BUS_HITM");
  answered(BusKind::read_line, id::bus_answer_modified, "BUS_MEM_READ_{ALL,BRL}_ANY BUS_RD_HITM BUS_HITM");
  answered(BusKind::write_partial, id::bus_answer_modified, "BUS_HITM");
  answered(BusKind::write_partial, id::bus_answer_hit, "");
  answered(BusKind::invalidate_line, id::bus_answer_modified,
           "BUS_MEM_READ_{ALL,BIL}_ANY BUS_RD_INVAL_{,ALL_}HITM BUS_HITM");
  answered(BusKind::read_invalidate_line, id::bus_answer_modified,
           "BUS_MEM_READ_{ALL,BRIL}_ANY BUS_RD_INVAL_ALL_HITM BUS_RD_HITM BUS_HITM");
}

void add_queues(std::vector<Stimulus>& list) {
  const auto level = [&](State state, std::uint64_t value, const std::string& rows) {
    list.push_back({rows,
                    [=](Machine& m, Cycle at) {
                      m.state(state, at, value);
                      m.state(state, at + 1, 0);
                    },
                    rows});
  };
  // 13 entries = 1|101, 9 = 10|01
  const auto queue = [&](unsigned shift, std::uint64_t entries, const std::string& rows) {
    level(State::bus_queues, entries << shift, rows);
  };
  using namespace i64::bus_queues;  // NOLINT
  queue(memory_reads_shift, 13, "BUS_MEM_READ_OUT_LO=5 BUS_MEM_READ_OUT_HI=1");
  queue(in_order_shift, 9, "BUS_IOQ_LIVE_REQ_LO=1 BUS_IOQ_LIVE_REQ_HI=2");
  queue(deferred_shift, 13, "BUS_OOQ_LIVE_REQ_LO=5 BUS_OOQ_LIVE_REQ_HI=1");
  queue(requests_shift, 22, "BUS_BRQ_LIVE_REQ_LO=6 BUS_BRQ_LIVE_REQ_HI=2");
  queue(snoops_shift, 7, "BUS_SNOOPQ_REQ=7");
  level(State::bus_clocks, i64::bus_clocks::data, "BUS_DATA_CYCLE");
  level(State::bus_clocks, i64::bus_clocks::snoop_stall_self, "BUS_SNOOP_STALL_CYCLES_{ANY,SELF}");
  level(State::bus_clocks, i64::bus_clocks::snoop_stall_other, "BUS_SNOOP_STALL_CYCLES_ANY");
  list.push_back({"request into the bus queue",
                  [](Machine& m, Cycle at) { m.put(Signal::bus_queue_insert, at, load_of()); },
                  "BUS_BRQ_REQ_INSERTED"});
}

void add_pins(std::vector<Stimulus>& list) {
  const std::string low = "EXTERN_DP_PINS_0_TO_3_";
  const std::string rows[] = {
      low +
          "{PIN0,PIN0_OR_PIN1,PIN0_OR_PIN2,PIN0_OR_PIN1_OR_PIN2,PIN0_OR_PIN3,PIN0_OR_PIN1_OR_PIN3,"
          "PIN0_OR_PIN2_OR_PIN3,ALL}",
      low +
          "{PIN1,PIN0_OR_PIN1,PIN1_OR_PIN2,PIN0_OR_PIN1_OR_PIN2,PIN1_OR_PIN3,PIN0_OR_PIN1_OR_PIN3,"
          "PIN1_OR_PIN2_OR_PIN3,ALL}",
      low +
          "{PIN2,PIN0_OR_PIN2,PIN1_OR_PIN2,PIN0_OR_PIN1_OR_PIN2,PIN2_OR_PIN3,PIN0_OR_PIN2_OR_PIN3,"
          "PIN1_OR_PIN2_OR_PIN3,ALL}",
      low +
          "{PIN3,PIN0_OR_PIN3,PIN1_OR_PIN3,PIN0_OR_PIN1_OR_PIN3,PIN2_OR_PIN3,PIN0_OR_PIN2_OR_PIN3,"
          "PIN1_OR_PIN2_OR_PIN3,ALL}",
      "EXTERN_DP_PINS_4_TO_5_{PIN4,ALL}",
      "EXTERN_DP_PINS_4_TO_5_{PIN5,ALL}",
      ""};
  for (std::uint16_t pin = 0; pin < std::size(rows); ++pin) {
    list.push_back({"pin " + std::to_string(pin),
                    [pin](Machine& m, Cycle at) { m.happen(Signal::pin_assert, at, pin); }, rows[pin]});
  }
}

}  // namespace

std::vector<Stimulus> bus_stimuli() {
  std::vector<Stimulus> list;
  add_transactions(list);
  add_queues(list);
  add_pins(list);
  return list;
}

}  // namespace pmusim::oracle::script
