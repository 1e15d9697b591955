#include "models/activity_file/tables.h"

#include <limits>
#include <map>
#include <mutex>
#include <type_traits>

#include "models/activity/vocabulary.h"

namespace pmusim::activity_file {
namespace {

using activity::Block;
using activity::Field;
using activity::Fields;
using activity::InstructionRecord;
using activity::RegisterAccess;
using activity::RequestRecord;
namespace ia64 = activity::ia64;

template <class Value>
constexpr std::uint64_t most_of() {
  if constexpr (std::is_enum_v<Value>)
    return most_of<std::underlying_type_t<Value>>();
  else
    return std::numeric_limits<Value>::max();
}

/// The unsigned type of the field's width.
template <class Value>
using Narrow = std::make_unsigned_t<
    typename std::conditional_t<std::is_enum_v<Value>, std::underlying_type<Value>,
                                std::conditional<std::is_same_v<Value, bool>, std::uint8_t, Value>>::type>;

/// An upper bound of the values that fields can express.
std::uint64_t most_named(const Fields& fields) {
  std::uint64_t most = 0;
  for (const Field& field : fields) most |= field.values.empty() ? field.mask : field.values.size() - 1;
  return most;
}

/// A column for one field of a record. Example: `Rows` is &Block::instructions, `Member` is &InstructionRecord::ip.
template <auto Rows, auto Member>
Column column(const char* name, Fields fields = {}) {
  using Record = typename std::remove_cvref_t<decltype(std::declval<Block>().*Rows)>::value_type;
  using Value = std::remove_cvref_t<decltype(std::declval<Record>().*Member)>;
  const std::uint64_t most = fields.empty() ? most_of<Value>() : most_named(fields);
  return {{name, false, std::move(fields)},
          [](const Block& block, Numbers& values) {
            values.resize((block.*Rows).size());
            auto value = values.begin();
            for (const Record& record : block.*Rows) *value++ = static_cast<std::uint64_t>(record.*Member);
          },
          [](const Block& block, ColumnWriter& to) {
            to.put(block.*Rows, [](const Record& record) { return static_cast<Narrow<Value>>(record.*Member); });
          },
          [](Block& block, const Numbers& values) {
            auto value = values.begin();
            for (Record& record : block.*Rows) record.*Member = static_cast<Value>(*value++);
          },
          most};
}

template <auto Rows>
Table table(const char* name, std::vector<Column> columns) {
  return {name, [](const Block& block) { return (block.*Rows).size(); },
          [](Block& block, std::size_t rows) { (block.*Rows).resize(rows); }, std::move(columns)};
}

/// One-bit fields with these names, from bit 0 on.
Fields bits(const char* names) {
  Fields fields;
  for (const std::string& name : activity::names_in(names)) fields.push_back({name, std::uint64_t{1} << fields.size()});
  return fields;
}
/// One field with names for its values 0, 1, 2, ...
Fields choice(const char* names) { return {{"value", 0xff, activity::names_in(names)}}; }

Table instructions() {
  constexpr auto rows = &Block::instructions;
  using R = InstructionRecord;
  return table<rows>(
      "instruction",
      {column<rows, &R::id>("id"), column<rows, &R::ip>("ip"), column<rows, &R::next_ip>("next_ip"),
       column<rows, &R::encoding>("encoding"), column<rows, &R::tagged>("tagged"),
       column<rows, &R::traits>(
           "traits", bits("load store cache_operation load_reserve store_conditional eieio sync multiple string branch "
                          "conditional call near_return indirect far_transfer serializing locked fp_arithmetic")),
       column<rows, &R::length>("length"), column<rows, &R::operations>("operations"),
       column<rows, &R::unit>("unit", choice("none integer_1 integer_2 integer fp load_store system branch")),
       column<rows, &R::thread>("thread"), column<rows, &R::slot>("slot"), column<rows, &R::wrong_path>("wrong_path"),
       column<rows, &R::predicted_taken>("predicted_taken"), column<rows, &R::taken>("taken"),
       column<rows, &R::mispredicted>("mispredicted"), column<rows, &R::conditional_success>("conditional_success")});
}

Table requests() {
  constexpr auto rows = &Block::requests;
  using R = RequestRecord;
  return table<rows>(
      "request",
      {column<rows, &R::id>("id"), column<rows, &R::address>("address"), column<rows, &R::instruction>("instruction"),
       column<rows, &R::ip>("ip"), column<rows, &R::start>("start"), column<rows, &R::end>("end"),
       column<rows, &R::size>("size"), column<rows, &R::thread>("thread"),
       column<rows, &R::has_instruction>("has_instruction"), column<rows, &R::store>("store"),
       column<rows, &R::oldest_in_queue>("oldest_in_queue"), column<rows, &R::crosses_word>("crosses_word"),
       column<rows, &R::crosses_octet>("crosses_octet"), column<rows, &R::multiple_or_string>("multiple_or_string"),
       column<rows, &R::wrong_path>("wrong_path"), column<rows, &R::cpl>("cpl"),
       column<rows, &R::mode>("mode", choice("protected real virtual_8086 system_management")),
       column<rows, &R::fill_lag>("fill_lag")});
}

Table syllables() {
  constexpr auto rows = &Block::syllables;
  using R = ia64::Syllable;
  return table<rows>(
      "ia64_instruction",
      {column<rows, &R::window>("window"),
       column<rows, &R::kinds>(
           "kinds", bits("nop integer_load fp_load store semaphore prefetch speculative advanced check_load "
                         "check_advanced check_speculative fp_check fp_operation fp_check_flags branch call "
                         "counted_loop modulo_loop multiway rse_event serialize_instruction acquire release fence "
                         "flush_cache purge_translation rfi")),
       column<rows, &R::type>("type", choice("m i f b x")), column<rows, &R::second_bundle>("second_bundle"),
       column<rows, &R::predicate>("predicate"),
       column<rows, &R::branch_class>("branch_class", choice("none ip_relative return indirect")),
       column<rows, &R::prediction>("prediction", choice("none correct wrong_path wrong_target")),
       column<rows, &R::unknown_prediction>("unknown_prediction"), column<rows, &R::back_end_flush>("back_end_flush"),
       column<rows, &R::wrong_rotation>("wrong_rotation"), column<rows, &R::wrong_stage>("wrong_stage"),
       column<rows, &R::wrong_previous_state>("wrong_previous_state"), column<rows, &R::check_failed>("check_failed"),
       column<rows, &R::fp_operations>("fp_operations"), column<rows, &R::flushed_to_zero>("flushed_to_zero"),
       column<rows, &R::possibly_flushed>("possibly_flushed"),
       column<rows, &R::deferral>("deferral", choice("none walker_miss tlb_miss tlb_fault nat_consumption psr_ed")),
       column<rows, &R::frame_registers>("frame_registers"), column<rows, &R::dirty_registers>("dirty_registers")});
}

Table ia64_requests() {
  constexpr auto rows = &Block::ia64_requests;
  using R = ia64::Request;
  return table<rows>("ia64_request",
                     {column<rows, &R::owner>("owner"),
                      column<rows, &R::requester>(
                          "requester", choice("data register_stack page_walker demand_fetch prefetch_fetch snoop")),
                      column<rows, &R::served>("served", choice("unknown l1 l2 l3 memory")),
                      column<rows, &R::translation>("translation", choice("first_level second_level walker fault")),
                      column<rows, &R::walker_inserted>("walker_inserted"), column<rows, &R::load>("load"),
                      column<rows, &R::store>("store"), column<rows, &R::fp>("fp"),
                      column<rows, &R::semaphore>("semaphore"), column<rows, &R::check_load>("check_load"),
                      column<rows, &R::prefetch>("prefetch"), column<rows, &R::l1d_read>("l1d_read"),
                      column<rows, &R::uncacheable>("uncacheable"), column<rows, &R::misaligned>("misaligned"),
                      column<rows, &R::acquire>("acquire"), column<rows, &R::release>("release")});
}

Table alpha_instructions() {
  constexpr auto rows = &Block::alpha_instructions;
  using R = activity::alpha::Instruction;
  return table<rows>(
      "alpha_instruction",
      {column<rows, &R::kinds>(
           "kinds", bits("integer_operate load_address fp_operate load store floating load_locked store_conditional "
                         "conditional_branch unconditional_branch jump call_pal pal_return memory_barrier trap_barrier "
                         "conditional_move squashed")),
       column<rows, &R::inum_delay>("inum_delay"), column<rows, &R::pal>("pal"),
       column<rows, &R::fill_stream>("fill_stream"), column<rows, &R::map_stalled>("map_stalled"),
       column<rows, &R::killed_early>("killed_early"),
       column<rows, &R::trap>(
           "trap",
           choice("none replay dtb_double_3 dtb_double_4 fp_disabled unaligned dtb_single dstream_fault opcdec "
                  "machine_check arithmetic mt_fpcr reset itb_miss istream_access interrupt mispredict call_pal")),
       column<rows, &R::replay>(
           "replay",
           choice("none load_use write_buffer_full miss_file_full memory_order store_then_load load_load_order "
                  "store_load_order load_queue_full store_queue_full wrong_size cache_alias load_missed"))});
}

Table accesses() {
  constexpr auto rows = &Block::accesses;
  using R = RegisterAccess;
  return table<rows>(std::string(access_table).c_str(),
                     {column<rows, &R::at>("at"), column<rows, &R::write>("write"), column<rows, &R::value>("value"),
                      column<rows, &R::ref>("ref")});
}

}  // namespace

const std::vector<Table>& tables() {
  static const std::vector<Table> all{instructions(),  requests(),           syllables(),
                                      ia64_requests(), alpha_instructions(), accesses()};
  return all;
}

namespace {

Description made_for(std::string_view target) {
  Description description;
  description.signals = activity::signal_names(target);
  description.states = activity::state_names(target);
  for (const Table& table : tables()) {
    TableName& name = description.tables.emplace_back();
    name.name = table.name;
    for (const Column& column : table.columns) name.columns.push_back(column.name);
    if (table.name == access_table) name.columns.push_back({"name", true, {}});
  }
  return description;
}

}  // namespace

const Description& describe(std::string_view target) {
  static std::map<activity::Family, Description> all;
  static std::mutex making;
  const std::lock_guard lock(making);
  const auto [known, is_new] = all.try_emplace(activity::family_of(target));
  if (is_new) known->second = made_for(target);
  return known->second;
}

}  // namespace pmusim::activity_file
