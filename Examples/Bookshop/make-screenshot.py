"""Draws what reviewers are shown of the bookshop: one chapter, and where it is bought.

    pip install pillow
    python3 make-screenshot.py

The picture is that of the first chapter, so `make-pictures.py` comes first. The same version
of Pillow gives the same file every time.
"""

import os

from PIL import Image, ImageDraw, ImageFont

WIDTH, HEIGHT = 640, 920  # one of the sizes that the store takes
FINE = 2  # everything is drawn at this multiple, for smooth edges
PAPER, INK, FAINT, LINE = "#fbf7ef", "#2b2440", "#7d7690", "#e6dfd2"
ACCENT, LIGHT = "#5b3a86", "#efe6f7"


class Screen:
    def __init__(self):
        self.image = Image.new("RGB", (WIDTH * FINE, HEIGHT * FINE), PAPER)
        self.pen = ImageDraw.Draw(self.image)

    def box(self, x0, y0, x1, y1, colour, radius=0):
        self.pen.rounded_rectangle(
            [x0 * FINE, y0 * FINE, x1 * FINE - 1, y1 * FINE - 1], radius * FINE, fill=colour)

    def text(self, x, y, text, size, colour=INK, anchor="ls"):
        font = ImageFont.load_default(size * FINE)
        self.pen.text((x * FINE, y * FINE), text, fill=colour, font=font, anchor=anchor)

    def picture(self, file, x, y, width, height, crop, radius):
        size = (width * FINE, height * FINE)
        part = Image.open(file).convert("RGB").crop(crop).resize(size, Image.Resampling.LANCZOS)
        mask = Image.new("L", size, 0)
        ImageDraw.Draw(mask).rounded_rectangle(
            [0, 0, size[0] - 1, size[1] - 1], radius * FINE, fill=255)
        self.image.paste(part, (x * FINE, y * FINE), mask)

    def save(self, file):
        small = self.image.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)
        small.quantize(256, dither=Image.Dither.FLOYDSTEINBERG).save(
            file, optimize=True)


def row(screen, y, title, note, price, is_offered):
    screen.box(40, y, 600, y + 92, "#ffffff", 14)
    screen.text(64, y + 40, title, 23)
    screen.text(64, y + 70, note, 18, FAINT)
    if is_offered:
        screen.box(456, y + 22, 576, y + 70, ACCENT, 24)
        screen.text(516, y + 47, price, 22, "#ffffff", "mm")
    else:
        screen.box(456, y + 22, 576, y + 70, LIGHT, 24)
        screen.text(516, y + 47, price, 22, ACCENT, "mm")


def main(folder):
    screen = Screen()
    screen.text(40, 66, "Bookshop", 34)
    screen.text(600, 66, "Library", 22, ACCENT, "rs")
    screen.box(40, 86, 600, 88, LINE)
    screen.picture(
        os.path.join(folder, "Content/com.example.bookshop.chapter1/Contents/picture.png"),
        40, 112, 560, 330, (560, 40, 1510, 600), 18)
    screen.text(40, 490, "The Clock in the Biscuit Tin", 30)
    screen.text(40, 524, "A story in two chapters, with pictures", 20, FAINT)
    row(screen, 556, "Chapter 1", "A clock that has only one hand", "$1.99", True)
    row(screen, 662, "Chapter 2", "A night of storm in the tower", "$2.99", False)
    row(screen, 768, "5 Credits", "To spend in the bookshop", "$0.99", False)
    screen.text(320, 896, "Restore Purchases", 20, ACCENT, "mm")
    screen.save(os.path.join(folder, "review-screenshot.png"))


if __name__ == "__main__":
    main(os.path.dirname(os.path.abspath(__file__)))
