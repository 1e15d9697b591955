# Importers of traces of other tools.
pmusim_fuzzer(importer SOURCES importer.cpp LIBRARIES pmusim-import)
