"""Write the page about the flips: `python -m tests.flips`."""

from tests.flips.page import PAGE, page

if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
