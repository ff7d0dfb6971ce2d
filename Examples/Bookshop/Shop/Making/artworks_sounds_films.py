"""Artworks of what one hears and sees."""

import math
import random

from shapes import *


def low_water_songs():
    defs = linear("sky", "#ffb199", "#ff7e6b", "#8d3b66") + linear("sea", "#5c2a57", "#1c1538")
    body = box(0, 0, 1024, 560, "url(#sky)")
    for n in range(6):
        body += f'<path d="M{212 + n * 50} 560 A {300 - n * 50} {300 - n * 50} 0 0 1 {812 - n * 50} 560 Z" fill="#fff0d2" opacity="{0.16 + n * 0.12:.2f}"/>'
    body += box(0, 560, 1024, 464, "url(#sea)")
    chance = random.Random(3)
    for n in range(26):
        y = 576 + n * 17
        w = 560 * math.exp(-n / 14) * chance.uniform(0.5, 1) + 20
        body += box(512 - w / 2 + chance.uniform(-30, 30), y, w, 6, "#ffc9a3", 3, f'opacity="{0.85 - n * 0.028:.2f}"')
    body += words("LOW WATER SONGS", 512, 120, 54, "#3a1540", 700, DISPLAY, 14, "middle")
    body += words("Salt Harbour Trio", 512, 176, 34, "#3a1540", 500, SERIF, 0, "middle")
    return picture(body, defs=defs)


def window_lights():
    defs = linear("house", "#1b2133", "#10141f")
    body = box(0, 0, 1024, 1024, "url(#house)")
    chance = random.Random(12)
    for row in range(8):
        for column in range(7):
            x, y = 92 + column * 124, 84 + row * 112
            lit = chance.random() < 0.34
            colour = chance.choice(["#ffd27a", "#ffb35c", "#ffe6ad"]) if lit else chance.choice(["#27304a", "#222a40", "#2c3652"])
            if lit:
                body += box(x - 8, y - 8, 112, 92, colour, 10, 'opacity="0.35" filter="url(#blur12)"')
            body += box(x, y, 96, 76, colour, 4)
            body += box(x + 45, y, 6, 76, "#10141f") + box(x, y + 34, 96, 5, "#10141f")
            if lit and chance.random() < 0.4:
                body += disc(x + 26, y + 44, 11, "#3a2a20") + box(x + 13, y + 54, 26, 22, "#3a2a20", 8)
    body += words("MADO NO AKARI", 940, 996, 26, "#8f9bbd", 500, SANS, 9, "end")
    return picture(body, defs=defs)


def bricks(width, height, w, h, colours, seed):
    chance, body = random.Random(seed), ""
    for row in range(height // h + 1):
        for column in range(-1, width // w + 1):
            body += box(
                column * w + (row % 2) * w / 2 + 2, row * h + 2, w - 4, h - 4, chance.choice(colours), 3
            )
    return body


def ofen():
    defs = radial("fire", "#fff3c0", "#ffb037", "#f2542d", "#5c1010", cy=0.85, r=0.9)
    body = box(0, 0, 1024, 1024, "#1a0d0c")
    body += bricks(1024, 1024, 128, 64, ["#6e2a20", "#7d3124", "#5f231b", "#87392a"], 9)
    body += '<path d="M252 1024 L252 600 A 260 260 0 0 1 772 600 L772 1024 Z" fill="#120606"/>'
    body += '<path d="M282 1024 L282 604 A 230 230 0 0 1 742 604 L742 1024 Z" fill="url(#fire)"/>'
    chance = random.Random(4)
    for n in range(40):
        body += disc(chance.uniform(300, 724), chance.uniform(420, 1000), chance.uniform(2, 7), "#fff3c0", f'opacity="{chance.uniform(0.3, 0.9):.2f}"')
    body += words("OFEN 7", 512, 250, 190, "#fff1d0", 800, DISPLAY, 2, "middle")
    body += words("ZIEGELWERK NORD", 512, 314, 36, "#ffcf9a", 600, SANS, 16, "middle")
    return picture(body, defs=defs)


def fjord(width=1024, height=1024, at=0.5):
    """The fjord at dusk with the ferry somewhere on its way."""
    k = height / 1024
    body = box(0, 0, width, height, "url(#dusk)")
    body += grain(8, 70, width, height * 0.35, opacity=0.7)
    body += disc(width * 0.72, 300 * k, 70 * k, "#ffe7c9", 'opacity="0.9"')
    for n, (y, h, colour) in enumerate(
        [(430, 170, "#6f6f9e"), (500, 150, "#4d5384"), (560, 120, "#333a66")]
    ):
        body += ridge(40 + n, y * k, h * k, colour, width, height)
    body += box(0, 660 * k, width, height, "url(#water)")
    x, y = width * at, 700 * k
    body += disc(x, y - 20 * k, 90 * k, "#ffd58a", 'filter="url(#blur30)" opacity="0.55"')
    body += shape([(x - 120 * k, y - 30 * k), (x + 128 * k, y - 30 * k), (x + 96 * k, y + 16 * k), (x - 104 * k, y + 16 * k)], "#141833")
    body += box(x - 80 * k, y - 66 * k, 140 * k, 38 * k, "#1c2144", 6) + box(x - 4 * k, y - 100 * k, 26 * k, 40 * k, "#c8452f")
    for n in range(5):
        body += box(x - 68 * k + n * 25 * k, y - 56 * k, 14 * k, 14 * k, "#ffe3a3", 2)
    for n in range(9):
        body += box(x - (60 - n * 5) * k, y + (34 + n * 22) * k, (120 - n * 10) * k, 6 * k, "#ffd58a", 3, f'opacity="{0.55 - n * 0.05:.2f}"')
    return body


FJORD = linear("dusk", "#171a3d", "#5c4a86", "#f0a07c") + linear("water", "#4a4a80", "#10122b")


def ormsund():
    body = fjord(at=0.42)
    body += words("THE LAST FERRY", 512, 130, 84, "#fff3e0", 300, DISPLAY, 16, "middle")
    body += words("TO ORMSUND", 512, 200, 46, "#ffd9b8", 500, DISPLAY, 22, "middle")
    body += words("A FILM BY ILSE BRANDVIK", 512, 978, 26, "#b9b4dc", 500, SANS, 8, "middle")
    return picture(body, defs=FJORD)


def lighthouse(width=1024, height=1024, turn=0.0):
    k = height / 1024
    x, y = width * 0.62, 330 * k
    body = box(0, 0, width, height, "url(#evening)")
    for side in (turn, turn + math.pi):
        a, b = side - 0.16, side + 0.16
        body += shape(
            [(x, y), (x + 1800 * k * math.cos(a), y + 700 * k * math.sin(a)), (x + 1800 * k * math.cos(b), y + 700 * k * math.sin(b))],
            "#fff3b8", 'opacity="0.55"',
        )
    body += shape([(x - 60 * k, 905 * k), (x + 60 * k, 905 * k), (x + 38 * k, 372 * k), (x - 38 * k, 372 * k)], "#fbf3e4")
    for n in range(3):
        top, w0, w1 = (440 + n * 150) * k, (41 + n * 6) * k, (44 + n * 6) * k
        body += shape([(x - w0, top), (x + w0, top), (x + w1, top + 70 * k), (x - w1, top + 70 * k)], "#e2543e")
    body += box(x - 52 * k, 356 * k, 104 * k, 20 * k, "#1d3b53") + box(x - 32 * k, 296 * k, 64 * k, 62 * k, "#fff6c8") + shape([(x - 44 * k, 298 * k), (x + 44 * k, 298 * k), (x, 240 * k)], "#1d3b53")
    body += disc(x, 326 * k, 80 * k, "#fff3b8", 'filter="url(#blur12)" opacity="0.6"')
    body += f'<path d="M{width * 0.3:.0f} {height} Q {x:.0f} {760 * k:.0f} {width * 0.98:.0f} {height} Z" fill="#1d3b53"/>'
    body += wave(920 * k, 14 * k, 300 * k, 0.1 + turn / 6, "#2f7f96", width, height)
    body += wave(970 * k, 14 * k, 260 * k, 0.5 - turn / 6, "#1f5f7c", width, height)
    return body


LIGHTHOUSE = linear("evening", "#2b6d8c", "#7fc2c4", "#f6d6a3")


def monday_lighthouse():
    body = lighthouse(turn=2.75)
    body += words("GETSUYŌBI", 80, 150, 84, "#fffaf0", 800, DISPLAY, 4) + words("NO TŌDAI", 80, 236, 84, "#fffaf0", 300, DISPLAY, 4)
    return picture(body, defs=LIGHTHOUSE)


def snow(width=1024, height=1024, time=0.0):
    k = height / 1024
    body = box(0, 0, width, height, "url(#grey)")
    body += ridge(61, 760 * k, 60 * k, "#c9d2dc", width, height) + ridge(62, 850 * k, 40 * k, "#e4e9ee", width, height)
    x, y = width * 0.36 + time * 30 * k, 700 * k
    body += line([(x, y - 10 * k), (x, y + 130 * k)], "#333a45", 8 * k)
    body += f'<path d="M{x - 130 * k:.1f} {y:.1f} A {130 * k:.1f} {130 * k:.1f} 0 0 1 {x + 130 * k:.1f} {y:.1f} Z" fill="#d63a2f"/>'
    body += shape([(x - 34 * k, y + 190 * k), (x + 34 * k, y + 190 * k), (x + 20 * k, y + 70 * k), (x - 20 * k, y + 70 * k)], "#333a45") + disc(x, y + 50 * k, 22 * k, "#4a5260")
    chance = random.Random(6)
    for n in range(170):
        sx, sy, r = chance.uniform(0, width), chance.uniform(0, height), chance.uniform(2, 9) * k
        sy = (sy + time * (30 + r * 12 / k) * k * 4) % height
        body += disc(sx + 10 * k * math.sin(time * 2 + n), sy, r, "#fff", f'opacity="{chance.uniform(0.5, 1):.2f}"')
    return body


SNOW = linear("grey", "#8fa0b3", "#c3ccd6", "#eef1f4")


def seven_minutes():
    body = snow()
    body += words("Sieben", 76, 170, 112, "#2a313c", 800, DISPLAY, -3) + words("Minuten", 76, 276, 112, "#2a313c", 800, DISPLAY, -3) + words("Schnee", 76, 382, 112, "#ffffff", 800, DISPLAY, -3)
    return picture(body, defs=SNOW)


def station(width=1024, height=1024, turn=0.0, planet="#e07a5f", dark="#7a2f3f", seed=14):
    k = height / 1024
    x, y = width * 0.5, 560 * k
    body = box(0, 0, width, height, "url(#space)") + grain(seed, 220, width, height, opacity=0.9)
    body += disc(x, y, 330 * k, planet, 'filter="url(#blur30)" opacity="0.35"')
    body += disc(x, y, 270 * k, planet)
    body += f'<clipPath id="ball"><circle cx="{x:.1f}" cy="{y:.1f}" r="{270 * k:.1f}"/></clipPath>'
    bands = "".join(
        f'<ellipse cx="{x:.1f}" cy="{y + (n * 84 - 210) * k:.1f}" rx="{300 * k:.1f}" ry="{(20 + n % 3 * 12) * k:.1f}" fill="{dark}" opacity="{0.18 + n % 2 * 0.12:.2f}"/>'
        for n in range(6)
    )
    bands += disc(x + 150 * k, y + 90 * k, 290 * k, "#05060f", 'opacity="0.42" filter="url(#blur30)"')
    body += f'<g clip-path="url(#ball)">{bands}</g>'
    body += f'<g transform="rotate(-18 {x:.1f} {y:.1f})">'
    for r, w, o in [(440, 3, 0.9), (470, 10, 0.35), (500, 2, 0.6)]:
        body += f'<path d="M{x - r * k:.1f} {y:.1f} A {r * k:.1f} {r * 0.24 * k:.1f} 0 0 0 {x + r * k:.1f} {y:.1f}" fill="none" stroke="#ffd9b0" stroke-width="{w * k:.1f}" opacity="{o}"/>'
    a = 0.9 + turn
    sx, sy = x + 455 * k * math.cos(a), y + 455 * 0.24 * k * math.sin(a)
    body += box(sx - 46 * k, sy - 8 * k, 92 * k, 16 * k, "#f3f0e8", 4) + box(sx - 12 * k, sy - 40 * k, 24 * k, 80 * k, "#f3f0e8", 6)
    for d in (-86, 50):
        body += box(sx + d * k, sy - 22 * k, 36 * k, 44 * k, "#5aa9e6", 3)
    return body + "</g>"


SPACE = linear("space", "#070a1f", "#1a1440", "#3a1d4d")


def kestrel():
    body = station() + words("STATION", 512, 128, 44, "#ffd9b0", 400, DISPLAY, 30, "middle")
    body += words("KESTREL", 512, 226, 106, "#fff6ea", 800, DISPLAY, 12, "middle")
    return picture(body, defs=SPACE)


def episode(number, planet, dark, turn, seed):
    def make():
        body = station(turn=turn, planet=planet, dark=dark, seed=seed)
        body += words(str(number), 80, 190, 150, "#fff6ea", 200, DISPLAY)
        return picture(body, defs=SPACE)

    return make


def small_hours():
    defs = linear("late", "#0d1033", "#2b1b5a", "#5a2a7a")
    body = box(0, 0, 1024, 1024, "url(#late)") + grain(21, 90, 1024, 520, opacity=0.8)
    for n in range(8):
        body += ring(512, 640, 96 + n * 64, "#8ef0d2", 10 - n, f'opacity="{0.95 - n * 0.115:.2f}"')
    body += box(0, 650, 1024, 374, "#0a0c26")
    body += line([(512, 640), (424, 1024)], "#f3e9ff", 12) + line([(512, 640), (600, 1024)], "#f3e9ff", 12)
    for n in range(5):
        w = 18 + n * 15
        body += line([(512 - w, 712 + n * 66), (512 + w, 712 + n * 66)], "#f3e9ff", 8)
        body += line([(512 - w, 712 + n * 66), (512 + w + 15, 778 + n * 66)], "#f3e9ff", 5, 'opacity="0.7"')
    body += disc(512, 636, 30, "#ff7aa8")
    body += words("Small Hours,", 70, 150, 96, "#ffffff", 700, DISPLAY, -2) + words("Long Waves", 70, 250, 96, "#8ef0d2", 700, DISPLAY, -2)
    return picture(body, defs=defs)


def morning_market():
    defs = linear("morning", "#ffe08a", "#ffb27a")
    body = box(0, 0, 1024, 1024, "url(#morning)")
    for n in range(18):
        a0, a1 = math.pi * n / 18 * 2, math.pi * (n + 0.5) / 18 * 2
        body += shape([(512, 430), (512 + 1200 * math.cos(a0), 430 + 1200 * math.sin(a0)), (512 + 1200 * math.cos(a1), 430 + 1200 * math.sin(a1))], "#fff2c4", 'opacity="0.45"')
    body += disc(512, 430, 170, "#ff6f52")
    for n in range(8):
        colour = "#fdf8ee" if n % 2 else "#1f6f6b"
        x = 96 + n * 104
        body += box(x, 520, 104, 120, colour) + f'<path d="M{x} 640 a 52 46 0 0 0 104 0 Z" fill="{colour}"/>'
    body += box(96, 500, 832, 28, "#17504d", 6) + box(120, 686, 20, 338, "#7a4a2c") + box(884, 686, 20, 338, "#7a4a2c")
    body += box(70, 850, 884, 174, "#8f5a36", 8) + box(70, 850, 884, 22, "#b57748", 8)
    chance = random.Random(19)
    for n in range(22):
        x, y = 130 + (n % 11) * 77, 832 - (n // 11) * 56 + chance.uniform(-5, 5)
        colour = ["#e2543e", "#f08c2e", "#f6c945", "#7fae3f", "#8c3f6d"][(n * 7 + n // 11) % 5]
        body += disc(x, y, 37, colour) + disc(x - 12, y - 13, 8, "#fff", 'opacity="0.5"')
    return picture(body, defs=defs)


ARTWORKS = {
    "low-water-songs": low_water_songs,
    "mado-no-akari": window_lights,
    "ofen-7": ofen,
    "last-ferry-to-ormsund": ormsund,
    "getsuyobi-no-todai": monday_lighthouse,
    "sieben-minuten-schnee": seven_minutes,
    "station-kestrel": kestrel,
    "station-kestrel-1": episode(1, "#6fb3b8", "#1f4f5c", 1.75, 15),
    "station-kestrel-2": episode(2, "#d9b44a", "#7a5a1c", 1.2, 16),
    "station-kestrel-3": episode(3, "#b07cc6", "#4a2a63", 0.1, 17),
    "small-hours-long-waves": small_hours,
    "asa-no-ichiba-kara": morning_market,
}
