"""Screenshots of the apps: upright ones of telephones, and one of a desktop."""

import math
import random

from shapes import *

W, H = 780, 1688


def phone(title, subtitle, body, sky, ink="#ffffff", defs=""):
    """A screen with a line above it that says what it shows."""
    head = words(title, W / 2, 150, 60, ink, 700, DISPLAY, -1, "middle")
    head += words(subtitle, W / 2, 214, 32, ink, 400, SANS, 0, "middle", 'opacity="0.8"')
    frame = box(60, 290, 660, 1500, "#05070c", 74) + '<clipPath id="glass"><rect x="78" y="308" width="624" height="1470" rx="58"/></clipPath>'
    return picture(
        box(0, 0, W, H, "url(#back)") + head + frame + f'<g clip-path="url(#glass)">{body}</g>',
        W, H, linear("back", *sky) + defs,
    )


def row(y, title, detail, colour, height=118, ink="#1b2430", fill="#ffffff"):
    return (
        box(106, y, 568, height, fill, 26)
        + disc(164, y + height / 2, 30, colour)
        + words(title, 214, y + height / 2 - 4, 28, ink, 600)
        + words(detail, 214, y + height / 2 + 32, 22, ink, 400, more='opacity="0.6"')
    )


def tides_today():
    body = box(60, 290, 660, 1500, "#0b2a4a")
    body += words("Ormsund Quay", 390, 430, 44, "#fff", 600, SANS, 0, "middle") + words("Tuesday, 3 March", 390, 480, 26, "#9fd0dd", 400, SANS, 0, "middle")
    body += words("1.42 m", 390, 640, 128, "#fff", 300, DISPLAY, -4, "middle") + words("rising until 14:08", 390, 700, 30, "#f2a97e", 500, SANS, 0, "middle")
    body += wave(980, 90, 520, 0.05, "#15617a", W, 1220) + wave(1010, 80, 520, 0.09, "#1f7f93", W, 1220, 'opacity="0.7"')
    body += line([(318, 800), (318, 1220)], "#fff", 3, 'stroke-dasharray="4 14" opacity="0.8"') + disc(318, 1000, 18, "#ffe9c4")
    body += box(60, 1210, 660, 600, "#0d3556")
    for n, (t, d, c) in enumerate([("High water 14:08", "1.87 m, in 2 h 11 min", "#f2a97e"), ("Low water 20:21", "0.31 m", "#5cc3d6"), ("Moonrise 18:47", "Waxing, 84 %", "#ffe9c4")]):
        body += row(1250 + n * 138, t, d, c, ink="#ffffff", fill="#14466b")
    return phone("Know the water", "Today’s tide at a glance", body, ("#15617a", "#0b2a4a"))


def moon(x, y, phase, r=28):
    """The moon from new (0) over full (0.5) to new: what is dark of it, on what is lit."""
    bulge = math.cos(2 * math.pi * phase)
    wanes = phase >= 0.5
    side, back = (1, bulge > 0) if wanes else (0, bulge < 0)
    return disc(x, y, r, "#ffe3b0") + (
        f'<path d="M{x} {y - r} A {r} {r} 0 0 {side} {x} {y + r} '
        f'A {r * abs(bulge):.1f} {r} 0 0 {int(back)} {x} {y - r}" fill="#0b2a4a"/>'
    )


def tides_month():
    body = box(60, 290, 660, 1500, "#f4f8fa") + words("March", 106, 430, 52, "#0b2a4a", 700, DISPLAY)
    for n, day in enumerate("MTWTFSS"):
        body += words(day, 148 + n * 80, 500, 24, "#7893a4", 500, SANS, 0, "middle")
    for n in range(31):
        column, week = (n + 6) % 7, (n + 6) // 7
        x, y = 148 + column * 80, 570 + week * 128
        body += moon(x, y, n / 29.5 % 1)
        body += words(str(n + 1), x, y + 62, 22, "#0b2a4a", 500, SANS, 0, "middle")
        h = 6 + 22 * abs(math.cos(2 * math.pi * n / 29.5))
        body += box(x - 22, y + 72, 44 * h / 28, 7, "#1f7f93", 3)
    body += row(1390, "Spring tide on the 17th", "2.31 m, the highest this month", "#f2a97e") + row(1530, "Neap tide on the 24th", "Little to see, good to dive", "#5cc3d6")
    return phone("Plan the month", "Moon and water, day by day", body, ("#f2a97e", "#c86b56"))


def ledger_month():
    body = box(60, 290, 660, 1500, "#fdf8ec") + words("March", 106, 440, 48, "#2b3a35", 700, DISPLAY) + words("€1,284.50 left", 106, 500, 34, "#2f6f5e", 600)
    chance = random.Random(2)
    for n in range(14):
        h = chance.uniform(60, 330)
        body += box(108 + n * 41, 900 - h, 28, h, "#66b08a" if n != 9 else "#e69a2b", 14)
    body += box(106, 912, 568, 6, "#2b3a35", 3)
    for n, (t, d, c) in enumerate([("Groceries", "€312.40 of €400", "#66b08a"), ("Rent", "€780.00 of €780", "#2f6f5e"), ("Books", "€41.80 of €60", "#e69a2b"), ("Trains", "€58.20 of €90", "#5a8fb0"), ("Everything else", "€23.10", "#b7a98a")]):
        body += row(980 + n * 136, t, d, c, ink="#2b3a35")
    return phone("See what is left", "One page for the whole month", body, ("#3f8f73", "#1f4f41"))


def ledger_envelope():
    body = box(60, 290, 660, 1500, "#2f6f5e")
    body += words("Books", 390, 450, 54, "#fff", 700, DISPLAY, 0, "middle")
    for r, c, part in [(210, "#4d8f7b", 1), (210, "#ffd873", 0.7)]:
        length = 2 * math.pi * r
        body += f'<circle cx="390" cy="760" r="{r}" fill="none" stroke="{c}" stroke-width="44" stroke-linecap="round" stroke-dasharray="{length * part:.0f} {length:.0f}" transform="rotate(-90 390 760)"/>'
    body += words("€18.20", 390, 770, 84, "#fff", 600, DISPLAY, -2, "middle") + words("left until Sunday", 390, 826, 28, "#cfe6da", 400, SANS, 0, "middle")
    for n, (t, d, c) in enumerate([("The Lamplighter’s Atlas", "2 March, €9.99", "#213e74"), ("Der Wald hinter dem Bahnhof", "8 March, €7.99", "#5d8f83"), ("A map of the coast", "11 March, €23.82", "#e69a2b")]):
        body += row(1090 + n * 140, t, d, c, ink="#2b3a35", fill="#fdf8ec")
    return phone("One envelope each", "Spend what is in it, no more", body, ("#ffd873", "#e69a2b"), "#3a2a10")


def shop_shelf():
    body = box(60, 290, 660, 1500, "#f7f0df") + words("Bookshop", 106, 430, 52, "#12343b", 700, DISPLAY) + words("Credits 5", 674, 430, 28, "#b78f4d", 600, SANS, 0, "end")
    for n, (t, d, c, price) in enumerate([("The Clock in the Biscuit Tin", "Chapter 1", "#1f5a55", "Read"), ("Sixty Beats to the Turn", "Chapter 2", "#8a4a2c", "$2.99")]):
        y = 490 + n * 420
        body += box(106, y, 568, 390, "#fff", 30) + box(106, y, 568, 220, c, 30) + box(106, y + 180, 568, 40, c)
        body += ring(390, y + 110, 66, "#e7b565", 10) + line([(390, y + 110), (420 - n * 60, y + 72)], "#fff3d4", 9)
        body += words(t, 140, y + 280, 32, "#12343b", 600) + words(d, 140, y + 326, 24, "#12343b", 400, more='opacity="0.6"')
        body += box(530, y + 300, 120, 60, "#12343b", 30) + words(price, 590, y + 340, 26, "#fff", 600, SANS, 0, "middle")
    body += row(1340, "5 Credits", "$0.99, to spend in the shop", "#e7b565", ink="#12343b") + row(1480, "10 Credits", "$1.99", "#c8452f", ink="#12343b")
    return phone("Stories by the chapter", "Buy one, read it, go on", body, ("#1f5a55", "#12343b"))


def shop_reader():
    body = box(60, 290, 660, 1500, "#fbf4e2") + words("Chapter 1", 390, 420, 26, "#b78f4d", 600, SANS, 4, "middle")
    body += words("The Clock in the", 390, 500, 50, "#12343b", 700, SERIF, 0, "middle") + words("Biscuit Tin", 390, 566, 50, "#12343b", 700, SERIF, 0, "middle")
    text = """The clock had only one hand, and
it pointed at nothing in particular.
Nora had found it under the bench,
in a tin that still smelled of
ginger. She wound it, because it
is hard not to wind a clock, and
somewhere above her the tower
cleared its throat. Nobody had
heard it do so for eleven years.
“There,” said the watchmaker, who
had not looked up. “Now you will
have to finish what you began.”"""
    for n, text_line in enumerate(text.split("\n")):
        body += words(text_line, 112, 670 + n * 62, 32, "#2b2a26", 400, SERIF)
    body += box(106, 1500, 568, 8, "#e3d5b2", 4) + box(106, 1500, 210, 8, "#b78f4d", 4) + words("37 %", 390, 1556, 24, "#b78f4d", 600, SANS, 0, "middle")
    return phone("Read without a network", "What you bought stays with you", body, ("#e7b565", "#b78f4d"), "#2a1d08")


def lathe_window():
    w, h = 1440, 900
    body = box(0, 0, w, h, "url(#desk)") + box(90, 70, 1260, 760, "#000", 22, 'opacity="0.4" filter="url(#blur30)"')
    body += box(80, 56, 1280, 770, "#2b2e38", 22) + box(80, 112, 1280, 714, "#fbf8f2") + box(80, 112, 250, 714, "#23252d") + box(1090, 112, 270, 714, "#f1ece2")
    for n, c in enumerate(["#ff6159", "#ffbd2e", "#28c941"]):
        body += disc(116 + n * 30, 84, 9, c)
    body += words("Rosette for Ida — Paper Lathe", 720, 92, 20, "#d9dbe3", 500, SANS, 0, "middle")
    for n, name in enumerate(["Rosettes", "Borders", "Moiré", "Waves", "Grain"]):
        if n == 0:
            body += box(94, 140, 222, 44, "#ff7a59", 10)
        body += words(name, 116, 170 + n * 52, 22, "#ffffff" if n == 0 else "#aab0c0", 500)
    for k, (colour, o) in enumerate([("#ff6b4a", 0.9), ("#ffb454", 0.85), ("#4a67d6", 0.8)]):
        points = []
        for n in range(0, 1801):
            a = n / 1800 * 2 * math.pi * 5
            r = 210 + 100 * math.cos(a * 13 / 5 + k * 0.5)
            points.append((710 + r * math.cos(a), 470 + r * math.sin(a)))
        body += line(points, colour, 3, f'opacity="{o}"')
    for n, (name, part) in enumerate([("Petals", 0.65), ("Depth", 0.42), ("Turns", 0.5), ("Drift", 0.2), ("Line", 0.32)]):
        y = 170 + n * 92
        body += words(name, 1116, y, 20, "#4a4f5c", 600) + box(1116, y + 22, 216, 6, "#d8d0c0", 3) + box(1116, y + 22, 216 * part, 6, "#ff7a59", 3) + disc(1116 + 216 * part, y + 25, 13, "#fff", 'stroke="#c9c1b2" stroke-width="2"')
    for n, c in enumerate(["#ff6b4a", "#ffb454", "#4a67d6", "#24262e"]):
        body += disc(1136 + n * 56, 680, 20, c)
    body += box(1116, 750, 216, 50, "#24262e", 12) + words("Export PDF", 1224, 782, 20, "#fff", 600, SANS, 0, "middle")
    return picture(body, w, h, linear("desk", "#ffb86b", "#ff7a59", "#7a3b63", x2=1))


SCREENS = {
    "tidewatch-1": tides_today,
    "tidewatch-2": tides_month,
    "little-ledger-1": ledger_month,
    "little-ledger-2": ledger_envelope,
    "bookshop-1": shop_shelf,
    "bookshop-2": shop_reader,
    "paper-lathe-1": lathe_window,
}
