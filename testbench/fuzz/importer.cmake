# Traces of other tools.
pmusim_fuzzer(importer SOURCES importer.cpp LIBRARIES pmusim-import)
