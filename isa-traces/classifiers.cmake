# Classifier sources.
