"""`python -m zonewright` is the command `zonewright`."""

from zonewright.cli import main

if __name__ == "__main__":
    main()
