# Installed package: filled in by the install rules of each room.
