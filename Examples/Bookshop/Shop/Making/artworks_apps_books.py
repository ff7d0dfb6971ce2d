"""Artworks of the apps and the books."""

import math
import random

from shapes import *


def tidewatch():
    defs = linear("sky", "#0b2a4a", "#15617a", "#f2a97e") + radial("moon", "#fff7e2", "#ffe3b0")
    body = box(0, 0, 1024, 1024, "url(#sky)")
    body += disc(512, 420, 250, "#ffe9c4", 'filter="url(#blur60)" opacity="0.55"')
    body += disc(512, 420, 190, "url(#moon)")
    body += wave(560, 34, 760, 0.10, "#1f7f93", more='opacity="0.92"')
    body += wave(640, 40, 680, 0.42, "#14627c")
    body += wave(735, 44, 820, 0.05, "#0d4763")
    body += wave(840, 40, 700, 0.60, "#08304a")
    for n, (w, y) in enumerate([(250, 604), (190, 664), (126, 724), (70, 790)]):
        body += box(512 - w / 2, y, w, 12, "#ffe9c4", 6, f'opacity="{0.75 - n * 0.13:.2f}"')
    return picture(body, defs=defs)


def little_ledger():
    defs = linear("paper", "#fdf4df", "#f6dfb4") + linear("coin", "#ffd873", "#e69a2b")
    body = box(0, 0, 1024, 1024, "url(#paper)")
    colours = ["#2f6f5e", "#3f8f73", "#66b08a", "#9ccf9f"]
    for n, (height, colour) in enumerate(zip([300, 420, 250, 520], colours)):
        x = 190 + n * 170
        body += box(x + 12, 800 - height + 16, 134, height, "#b98a3e", 30, 'opacity="0.18"')
        body += box(x, 800 - height, 134, height, colour, 30)
        body += box(x + 26, 800 - height + 30, 16, height - 60, "#ffffff", 8, 'opacity="0.22"')
    body += box(150, 812, 724, 26, "#2b3a35", 13)
    for n in range(3):
        body += f'<ellipse cx="767" cy="{252 - n * 30}" rx="92" ry="36" fill="#b87418"/>'
        body += f'<ellipse cx="767" cy="{240 - n * 30}" rx="92" ry="36" fill="url(#coin)"/>'
    return picture(body, defs=defs)


def bookshop():
    defs = linear("wall", "#12343b", "#1f5a55") + linear("page", "#fff8e6", "#ead7ae", x2=1, y2=0.2)
    body = box(0, 0, 1024, 1024, "url(#wall)")
    body += disc(512, 350, 330, "#e7b565", 'filter="url(#blur60)" opacity="0.35"')
    body += ring(512, 350, 190, "#e7b565", 26)
    for n in range(12):
        a = n * math.pi / 6
        body += disc(512 + 150 * math.sin(a), 350 - 150 * math.cos(a), 9 if n else 15, "#f6deb0")
    body += line([(512, 350), (585, 250)], "#fff3d4", 22) + disc(512, 350, 24, "#fff3d4")
    body += '<path d="M512 640 C 420 570 270 560 150 596 L150 850 C 270 816 420 828 512 890 Z" fill="url(#page)"/>'
    body += '<path d="M512 640 C 604 570 754 560 874 596 L874 850 C 754 816 604 828 512 890 Z" fill="#f5e6c4"/>'
    body += '<path d="M512 640 L512 890" stroke="#b78f4d" stroke-width="8"/>'
    for n in range(4):
        y = 660 + n * 44
        body += f'<path d="M210 {y - 12} C 300 {y - 26} 400 {y - 12} 464 {y + 20}" stroke="#8a7a58" stroke-width="9" fill="none" opacity="0.5"/>'
        body += f'<path d="M814 {y - 12} C 724 {y - 26} 624 {y - 12} 560 {y + 20}" stroke="#8a7a58" stroke-width="9" fill="none" opacity="0.5"/>'
    body += shape([(700, 566), (752, 572), (752, 720), (726, 692), (700, 714)], "#c8452f")
    return picture(body, defs=defs)


def paper_lathe():
    defs = linear("desk", "#24262e", "#3b3f4c") + linear("ink", "#ff7a59", "#ffb86b", x2=1)
    body = box(0, 0, 1024, 1024, "url(#desk)")
    body += box(132, 132, 760, 760, "#000", 150, 'opacity="0.35" filter="url(#blur30)"')
    body += box(120, 112, 784, 784, "#fbf8f2", 150)
    for turn, colour, opacity in [(0, "#ff6b4a", 0.9), (0.035, "#ffb454", 0.8), (0.07, "#4a67d6", 0.75)]:
        points = []
        for n in range(0, 2401):
            a = n / 2400 * 2 * math.pi * 7
            r = 205 + 108 * math.cos(a * 12 / 7 + turn * 9)
            points.append((512 + r * math.cos(a + turn), 504 + r * math.sin(a + turn)))
        body += line(points, colour, 6, f'opacity="{opacity}"')
    body += disc(512, 504, 40, "#24262e") + disc(512, 504, 14, "#fbf8f2")
    return picture(body, defs=defs)


def lamps(body_colour="#ffd98a"):
    body = ""
    for x, y, s in [(190, 620, 1.1), (400, 520, 0.85), (590, 610, 1.0), (800, 500, 1.2)]:
        body += disc(x, y, 120 * s, body_colour, 'filter="url(#blur30)" opacity="0.5"')
        body += line([(x, y + 20), (x, 910)], "#0a1526", 14 * s)
        body += shape(
            [(x - 34 * s, y - 42 * s), (x + 34 * s, y - 42 * s), (x + 22 * s, y + 30 * s), (x - 22 * s, y + 30 * s)],
            "#fff1c6",
        )
        body += shape([(x - 44 * s, y - 42 * s), (x + 44 * s, y - 42 * s), (x, y - 78 * s)], "#0a1526")
        body += box(x - 28 * s, y + 28 * s, 56 * s, 12 * s, "#0a1526", 4)
    return body


def atlas_night():
    body = box(0, 0, 1024, 1024, "url(#night)")
    for n in range(9):
        body += f'<ellipse cx="512" cy="620" rx="{70 + n * 78}" ry="560" fill="none" stroke="#6fa0d8" stroke-width="2" opacity="0.28"/>'
        body += f'<path d="M0 {120 + n * 104} Q 512 {60 + n * 118} 1024 {120 + n * 104}" fill="none" stroke="#6fa0d8" stroke-width="2" opacity="0.28"/>'
    return body


def lamplighter():
    defs = linear("night", "#0c1a3a", "#213e74", "#b4654a")
    body = atlas_night() + lamps()
    body += box(0, 900, 1024, 124, "#0a1526")
    body += words("The Lamplighter’s", 80, 170, 92, "#fff4d8", 400, SERIF)
    body += words("Atlas", 80, 290, 128, "#ffd98a", 700, SERIF)
    body += words("MARIT SOLBAKKEN", 80, 976, 34, "#e9d9b4", 500, SANS, 8)
    return picture(body, defs=defs)


def lamplighter_read():
    defs = linear("night", "#2a1230", "#6b2f52", "#e0895a")
    body = atlas_night()
    body += disc(512, 590, 260, "#ffd98a", 'filter="url(#blur60)" opacity="0.5"')
    chance = random.Random(31)
    for n in range(41):
        h = 40 + 250 * math.exp(-(((n - 20) / 9) ** 2)) * chance.uniform(0.55, 1)
        body += box(116 + n * 20, 600 - h, 10, 2 * h, "#fff1c6", 5)
    body += words("The Lamplighter’s Atlas", 512, 170, 76, "#fff4d8", 400, SERIF, anchor="middle")
    body += words("READ UNABRIDGED", 512, 236, 30, "#ffd9a8", 500, SANS, 10, "middle")
    body += words("MARIT SOLBAKKEN", 512, 970, 34, "#fff4d8", 500, SANS, 8, "middle")
    return picture(body, defs=defs)


def wald():
    defs = linear("dawn", "#dfe9d8", "#a9c7b0", "#5d8f83")
    body = box(0, 0, 1024, 1024, "url(#dawn)")
    chance = random.Random(5)
    for row, (y, colour, size) in enumerate(
        [(640, "#86ad9b", 150), (740, "#4f8073", 200), (860, "#2b5a52", 260), (1010, "#143a37", 330)]
    ):
        for n in range(14 - row * 2):
            x = (n + chance.uniform(0.1, 0.9)) * 1024 / (14 - row * 2)
            h = size * chance.uniform(0.75, 1.3)
            for part in range(3):
                w = h * (0.20 + 0.09 * part)
                top = y - h + part * h * 0.26
                body += shape([(x, top), (x - w, top + h * 0.46), (x + w, top + h * 0.46)], colour)
        body += box(0, y - 40, 1024, 400, colour)
    body += line([(806, 1024), (806, 640)], "#0d2523", 16) + box(770, 556, 72, 150, "#0d2523", 30)
    body += disc(806, 604, 60, "#ff5a3c", 'filter="url(#blur12)" opacity="0.7"')
    body += disc(806, 604, 24, "#ff6a48") + disc(806, 660, 24, "#2c3f3a")
    body += words("Der Wald", 72, 180, 118, "#143a37", 700, DISPLAY, -3)
    body += words("hinter dem Bahnhof", 76, 262, 64, "#1f4d47", 500, DISPLAY, -1)
    body += words("Jonas Ahrend", 76, 332, 36, "#2b5a52", 500, SANS)
    return picture(body, defs=defs)


def library_of_rain():
    defs = linear("air", "#2b3550", "#56708c")
    body = box(0, 0, 1024, 1024, "url(#air)")
    chance = random.Random(77)
    colours = ["#d9644a", "#e9b44c", "#f1e3c6", "#7fb7a6", "#3f7d8c", "#b54a5e", "#8c98b8", "#22304a"]
    for shelf in range(3):
        bottom = 560 + shelf * 196
        x = 92.0
        while x < 900:
            w, h = chance.choice([26, 34, 44, 56]), chance.uniform(100, 160)
            body += box(x, bottom - h, w - 4, h, chance.choice(colours), 4)
            body += box(x, bottom - h + 18, w - 4, 6, "#fff", 0, 'opacity="0.35"')
            x += w
        body += box(76, bottom, 872, 16, "#e8ddc8", 4)
    for n in range(120):
        x, y, length = chance.uniform(-60, 1084), chance.uniform(-60, 1024), chance.uniform(30, 110)
        body += line(
            [(x, y), (x - length * 0.22, y + length)], "#dff0ff", 3,
            f'opacity="{chance.uniform(0.15, 0.6):.2f}"',
        )
    body += words("AME NO", 80, 190, 112, "#fff6e3", 300, DISPLAY, 14)
    body += words("TOSHOKAN", 80, 310, 112, "#fff6e3", 700, DISPLAY, 6)
    return picture(body, defs=defs)


ARTWORKS = {
    "tidewatch": tidewatch,
    "little-ledger": little_ledger,
    "bookshop": bookshop,
    "paper-lathe": paper_lathe,
    "lamplighters-atlas": lamplighter,
    "lamplighters-atlas-read": lamplighter_read,
    "wald-hinter-dem-bahnhof": wald,
    "ame-no-toshokan": library_of_rain,
}
