"""Checks JSON lines against the schema of the protocol. Supports the parts of JSON Schema 2020-12 that docs/foreign-encoders.schema.json uses.

    schema.py SCHEMA DEFINITION <LINES

Prints the lines that do not conform to "#/$defs/DEFINITION" and the number of those that do; exit status 1 if one does not.
An unknown keyword is an error, so that no part of the schema is left unchecked.
"""
import json
import re
import sys

TYPES = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool, "null": type(None)}
ANNOTATIONS = {"$schema", "$defs", "title", "description"}


def is_type(value, name):
    return isinstance(value, TYPES[name]) and (name == "boolean" or not isinstance(value, bool))


def fits(value, schema, root):
    """True if a value conforms to a schema."""
    for keyword, content in schema.items():
        if keyword in ANNOTATIONS:
            good = True
        elif keyword == "$ref":
            good = fits(value, root["$defs"][content.removeprefix("#/$defs/")], root)
        elif keyword == "type":
            good = any(is_type(value, name) for name in ([content] if isinstance(content, str) else content))
        elif keyword == "const":
            good = value == content and type(value) is type(content)
        elif keyword == "enum":
            good = value in content
        elif keyword == "oneOf":
            good = sum(fits(value, choice, root) for choice in content) == 1
        elif keyword == "not":
            good = not fits(value, content, root)
        elif keyword == "required":
            good = not isinstance(value, dict) or all(key in value for key in content)
        elif keyword == "properties":
            good = not isinstance(value, dict) or all(
                fits(value[key], choice, root) for key, choice in content.items() if key in value)
        elif keyword == "additionalProperties":
            others = set(value) - set(schema.get("properties", {})) if isinstance(value, dict) else set()
            good = all(content is not False and fits(value[key], content, root) for key in others)
        elif keyword == "items":
            good = not isinstance(value, list) or all(fits(item, content, root) for item in value)
        elif keyword == "minItems":
            good = not isinstance(value, list) or len(value) >= content
        elif keyword == "uniqueItems":
            good = not isinstance(value, list) or len({json.dumps(item) for item in value}) == len(value)
        elif keyword == "minimum":
            good = not is_type(value, "integer") or value >= content
        elif keyword == "pattern":
            good = not isinstance(value, str) or re.search(content, value) is not None
        else:
            sys.exit(f"schema.py: keyword {keyword} is not known here")
        if not good:
            return False
    return True


def main():
    with open(sys.argv[1]) as file:
        root = json.load(file)
    schema, good, bad = root["$defs"][sys.argv[2]], 0, 0
    for line in sys.stdin:
        if fits(json.loads(line), schema, root):
            good += 1
        else:
            bad += 1
            print(line, end="")
    print(f"{good} fit, {bad} do not")
    return 1 if bad else 0


sys.exit(main())
