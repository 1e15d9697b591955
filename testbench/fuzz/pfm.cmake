# Tru64 UNIX's pfm device over the monitors of the Alphas.
pmusim_fuzzer(pfm_device SOURCES pfm_device.cpp LIBRARIES pmusim-pfm-calls pmusim-alpha)
