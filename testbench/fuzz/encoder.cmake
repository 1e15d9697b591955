# The event strings and the C API of the encoder.
pmusim_fuzzer(encoder_strings SOURCES encoder_strings.cpp LIBRARIES pmusim-encoder)
pmusim_fuzzer(encoder_capi SOURCES encoder_capi.cpp LIBRARIES pmusim-encoder)
