"""Short films: pictures that move as the artworks do."""

import math

import artworks_sounds_films as art
from shapes import *

WIDTH, HEIGHT, RATE = 480, 270, 12


def _scene(draw, defs):
    return lambda time: picture(draw(time), WIDTH, HEIGHT, defs)


def ferry(time):
    return art.fjord(WIDTH, HEIGHT, 0.2 + time * 0.07) + words(
        "THE LAST FERRY TO ORMSUND", WIDTH / 2, 240, 15, "#fff3e0", 400, DISPLAY, 4, "middle",
        f'opacity="{min(1, max(0, time - 2)):.2f}"',
    )


def beam(time):
    return art.lighthouse(WIDTH, HEIGHT, 2.4 + time * 0.45)


def falling(time):
    return art.snow(WIDTH, HEIGHT, time) + words(
        "Sieben Minuten Schnee", 24, 48, 26, "#2a313c", 800, DISPLAY, -0.5)


def orbit(time):
    return art.station(WIDTH, HEIGHT, -1.6 + time * 0.5)


def kiln(time):
    glow = 0.65 + 0.35 * math.sin(time * 2 * math.pi / 1.04)
    body = box(0, 0, WIDTH, HEIGHT, "#1a0d0c") + art.bricks(WIDTH, HEIGHT, 48, 24, ["#6e2a20", "#7d3124", "#5f231b", "#87392a"], 9)
    body += disc(240, 200, 150, "#ff8a3c", f'opacity="{0.5 * glow:.2f}" filter="url(#blur30)"')
    body += '<path d="M160 270 L160 170 A 80 80 0 0 1 320 170 L320 270 Z" fill="#120606"/>'
    body += f'<path d="M170 270 L170 172 A 70 70 0 0 1 310 172 L310 270 Z" fill="url(#fire)" opacity="{glow:.2f}"/>'
    for n in range(24):
        rise = (time * (30 + n % 5 * 9) + n * 37) % 190
        body += disc(240 + 62 * math.sin(n * 2.4 + time * 1.5), 270 - rise, 1.2 + n % 3, "#fff3c0", f'opacity="{max(0, 1 - rise / 190):.2f}"')
    return body


FIRE = radial("fire", "#fff3c0", "#ffb037", "#f2542d", "#5c1010", cy=0.85, r=0.9)

# Name: what is drawn at a time, seconds, and the tune below it.
CLIPS = {
    "last-ferry-to-ormsund": (_scene(ferry, art.FJORD), 6, "ferry"),
    "getsuyobi-no-todai": (_scene(beam, art.LIGHTHOUSE), 4, "shuden-no-ato"),
    "sieben-minuten-schnee": (_scene(falling, art.SNOW), 4, "slack-water"),
    "station-kestrel": (_scene(orbit, art.SPACE), 4, "ferry"),
    "ofen-7": (_scene(kiln, FIRE), 6, "ofen-7"),
}
