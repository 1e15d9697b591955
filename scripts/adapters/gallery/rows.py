"""Reads the tables of this folder."""
import csv
import pathlib

FOLDER = pathlib.Path(__file__).resolve().parent


def read(name):
    """Rows of a table, as dictionaries."""
    with open(FOLDER / "tables" / name, newline="") as file:
        return list(csv.DictReader(file))
