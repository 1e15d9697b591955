// An encoder that is a program: it answers questions in JSON lines (docs/foreign-encoders.md).
#pragma once

#include <memory>

#include "testbench/judge/encoder/encoder_under_test.h"
#include "testbench/sweep/line_process.h"

namespace pmusim::testbench {

/// One process for the whole validation, unless it fails. Throws UsageError if it cannot be started.
[[nodiscard]] std::unique_ptr<EncoderUnderTest> foreign_encoder(const ForeignProgram& program);

}  // namespace pmusim::testbench
