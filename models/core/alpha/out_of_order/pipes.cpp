#include "models/core/alpha/out_of_order/pipes.h"

namespace pmusim::core::alpha::out_of_order {
namespace {

using Kind = trace::alpha::Kind;
using enum Queue;

struct Row {
  Kind kind;
  PipeRule rule;
};

// The latencies of integer multiply, MVI, divide and square root are fixed here; those of loads are settings of the
// memory side.
constexpr Row rows[] = {
    {Kind::load_address, {integer, pipe::any, 1}},
    {Kind::add, {integer, pipe::any, 1}},
    {Kind::compare, {integer, pipe::any, 1}},
    {Kind::logical, {integer, pipe::any, 1}},
    {Kind::shift, {integer, pipe::upper, 1}},
    {Kind::conditional_move, {integer, pipe::any, 1}},  // each half
    {Kind::multiply_long, {integer, pipe::u1, 7, 1, false, true}},
    {Kind::multiply_quad, {integer, pipe::u1, 7, 1, false, true}},
    {Kind::multiply_high, {integer, pipe::u1, 7, 1, false, true}},
    {Kind::multimedia, {integer, pipe::u0, 3, 1, false, true}},
    {Kind::fp_add, {fp, pipe::fp_add, 4}},
    {Kind::fp_multiply, {fp, pipe::fp_multiply, 4}},
    {Kind::fp_divide_single, {fp, pipe::fp_add, 12, 9}},
    {Kind::fp_divide_double, {fp, pipe::fp_add, 15, 12}},
    {Kind::fp_sqrt_single, {fp, pipe::fp_add, 18, 15}},
    {Kind::fp_sqrt_double, {fp, pipe::fp_add, 33, 30}},
    {Kind::fp_copy_sign, {fp, pipe::fp_add, 4}},
    {Kind::fp_conditional_move, {fp, pipe::fp_add, 4}},  // each half
    {Kind::fp_control, {fp, pipe::fp_add, 4}},
    {Kind::integer_to_fp, {integer, pipe::lower, 4}},
    {Kind::fp_to_integer, {fp, pipe::fp_store, 3, 1, true}},
    {Kind::load, {integer, pipe::lower, 3}},
    {Kind::fp_load, {integer, pipe::lower, 4}},
    {Kind::load_locked, {integer, pipe::lower, 3}},
    {Kind::store, {integer, pipe::lower, 1}},
    {Kind::fp_store, {fp, pipe::fp_store, 1, 1, true}},
    {Kind::store_conditional, {integer, pipe::lower, 3}},
    {Kind::memory_barrier, {integer, pipe::l1, 1}},
    {Kind::write_barrier, {integer, pipe::l1, 1}},
    {Kind::fetch, {integer, pipe::lower, 1}},
    {Kind::write_hint, {integer, pipe::lower, 1}},
    {Kind::evict, {integer, pipe::lower, 1}},
    {Kind::read_cycle_counter, {integer, pipe::l1, 1}},
    {Kind::read_and_flag, {integer, pipe::l1, 1}},
    {Kind::integer_branch, {integer, pipe::upper, 3}},  // the link of br and bsr
    {Kind::fp_branch, {fp, pipe::fp_add, 4}},
    {Kind::jump, {integer, pipe::l0, 3}},
    {Kind::call_pal, {integer, pipe::upper, 1}},
    {Kind::hw_mfpr, {integer, pipe::l0, 3}},
    {Kind::hw_mtpr, {integer, pipe::l0, 1}},
    {Kind::hw_load, {integer, pipe::lower, 3}},
    {Kind::hw_store, {integer, pipe::lower, 1}},
    {Kind::hw_return, {integer, pipe::l0, 1}},
};

}  // namespace

constinit const std::array<PipeRule, work_kinds> pipe_rules = [] {
  std::array<PipeRule, work_kinds> table{};
  for (const Row& row : rows) table[static_cast<std::size_t>(row.kind)] = row.rule;
  return table;
}();

}  // namespace pmusim::core::alpha::out_of_order
