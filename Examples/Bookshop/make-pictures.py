"""Draws the pictures of the two chapters.

    pip install pillow numpy
    python3 make-pictures.py

Everything is drawn at twice the size and sampled down. All randomness has fixed
seeds, so the same versions of Pillow and numpy give the same files every time.
"""

import math
import os

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

WIDTH, HEIGHT = 1600, 1200  # the size of the pictures, and the units of all coordinates
SCALE = 2  # pixels of the canvas per unit
FINE = 2  # shapes are cut out at this multiple of the canvas, for smooth edges


def rgb(code):
    """The colour of a code such as `ffd9a0`."""
    return np.array([int(code[i : i + 2], 16) / 255 for i in (0, 2, 4)], np.float32)


def smooth(low, high, value):
    t = np.clip((value - low) / (high - low), 0, 1)
    return t * t * (3 - 2 * t)


def mix(a, b, t):
    return a + (b - a) * t


def ramp(stops):
    """A function from a number to the colour between the stops (position, code)."""
    places = [place for place, _ in stops]
    colours = np.array([rgb(code) for _, code in stops])

    def colour(value):
        return np.stack(
            [np.interp(value, places, colours[:, i]) for i in range(3)], axis=-1
        ).astype(np.float32)

    return colour


def vertical(top, bottom, *stops):
    """A fill that changes from top to bottom; the stops are colours, evenly spread."""
    places = np.linspace(top, bottom, len(stops))
    colour = ramp(list(zip(places, stops)))
    return lambda x, y: colour(y)


def horizontal(left, right, *stops):
    places = np.linspace(left, right, len(stops))
    colour = ramp(list(zip(places, stops)))
    return lambda x, y: colour(x)


class Canvas:
    def __init__(self):
        self.pixels = np.zeros((HEIGHT * SCALE, WIDTH * SCALE, 3), np.float32)
        rows, columns = np.mgrid[0 : HEIGHT * SCALE, 0 : WIDTH * SCALE].astype(np.float32)
        self.x, self.y = (columns + 0.5) / SCALE, (rows + 0.5) / SCALE
        self.clip = None

    # Masks

    def cut(self, box, draw, blur=0.0):
        """The place on the canvas and the mask of what `draw` puts into the box."""
        margin = 2 + 3 * blur
        x0 = max(0, math.floor((box[0] - margin) * SCALE))
        y0 = max(0, math.floor((box[1] - margin) * SCALE))
        x1 = min(WIDTH * SCALE, math.ceil((box[2] + margin) * SCALE))
        y1 = min(HEIGHT * SCALE, math.ceil((box[3] + margin) * SCALE))
        if x1 <= x0 or y1 <= y0:
            return None
        size = ((x1 - x0) * FINE, (y1 - y0) * FINE)
        image = Image.new("L", size, 0)

        def place(points):
            return [((x * SCALE - x0) * FINE, (y * SCALE - y0) * FINE) for x, y in points]

        draw(ImageDraw.Draw(image), place)
        image = image.reduce(FINE)
        if blur:
            image = image.filter(ImageFilter.GaussianBlur(blur * SCALE))
        area = (slice(y0, y1), slice(x0, x1))
        mask = np.asarray(image, np.float32) / 255
        if self.clip is not None:
            mask = mask * self.clip[area]
        return area, mask

    def fill(self, cutting, fill, alpha=1.0):
        if cutting is None:
            return
        area, mask = cutting
        if callable(fill):
            colour = fill(self.x[area], self.y[area])
        else:
            colour = rgb(fill) if isinstance(fill, str) else fill
        if callable(alpha):
            alpha = alpha(self.x[area], self.y[area])
        mask = (mask * alpha)[..., None]
        self.pixels[area] += (colour - self.pixels[area]) * mask

    def limit(self, points):
        """Lets everything be drawn only inside the outline, until `free`."""
        self.free()
        xs, ys = [p[0] for p in points], [p[1] for p in points]
        box = (min(xs), min(ys), max(xs), max(ys))
        area, mask = self.cut(box, lambda pen, place: pen.polygon(place(points), fill=255))
        self.clip = np.zeros(self.x.shape, np.float32)
        self.clip[area] = mask

    def free(self):
        self.clip = None

    # Shapes

    def shape(self, points, fill, alpha=1.0, blur=0.0):
        xs, ys = [p[0] for p in points], [p[1] for p in points]
        cutting = self.cut(
            (min(xs), min(ys), max(xs), max(ys)),
            lambda pen, place: pen.polygon(place(points), fill=255),
            blur,
        )
        self.fill(cutting, fill, alpha)

    def box(self, x0, y0, x1, y1, fill, alpha=1.0, radius=0.0, blur=0.0):
        self.shape(rounded(x0, y0, x1, y1, radius), fill, alpha, blur)

    def oval(self, cx, cy, rx, ry, fill, alpha=1.0, blur=0.0):
        self.shape(ellipse(cx, cy, rx, ry), fill, alpha, blur)

    def disc(self, cx, cy, r, fill, alpha=1.0, blur=0.0):
        self.oval(cx, cy, r, r, fill, alpha, blur)

    def ring(self, cx, cy, r, width, fill, alpha=1.0):
        def draw(pen, place):
            pen.polygon(place(ellipse(cx, cy, r, r)), fill=255)
            pen.polygon(place(ellipse(cx, cy, r - width, r - width)), fill=0)

        self.fill(self.cut((cx - r, cy - r, cx + r, cy + r), draw), fill, alpha)

    def line(self, points, width, fill, alpha=1.0, blur=0.0):
        """A line with round ends and joints."""
        xs, ys = [p[0] for p in points], [p[1] for p in points]
        half = width / 2

        def draw(pen, place):
            for (xa, ya), (xb, yb) in zip(points, points[1:]):
                length = math.hypot(xb - xa, yb - ya) or 1
                nx, ny = -(yb - ya) / length * half, (xb - xa) / length * half
                pen.polygon(
                    place(
                        [
                            (xa + nx, ya + ny),
                            (xb + nx, yb + ny),
                            (xb - nx, yb - ny),
                            (xa - nx, ya - ny),
                        ]
                    ),
                    fill=255,
                )
            for x, y in points:
                pen.polygon(place(ellipse(x, y, half, half, 24)), fill=255)

        box = (min(xs) - half, min(ys) - half, max(xs) + half, max(ys) + half)
        self.fill(self.cut(box, draw, blur), fill, alpha)

    # Light

    def screen(self, light):
        """Adds light so that bright places don't burn out; `light` is an array of colour."""
        if self.clip is not None:
            light = light * self.clip[..., None]
        self.pixels = 1 - (1 - self.pixels) * (1 - np.clip(light, 0, 1))

    def glow(self, cx, cy, radius, colour, strength, power=2.0, squash=1.0):
        reach = radius * 3
        x0, x1 = max(0, int((cx - reach) * SCALE)), min(WIDTH * SCALE, int((cx + reach) * SCALE))
        y0, y1 = max(0, int((cy - reach) * SCALE)), min(HEIGHT * SCALE, int((cy + reach) * SCALE))
        area = (slice(y0, y1), slice(x0, x1))
        distance = np.hypot(self.x[area] - cx, (self.y[area] - cy) / squash) / radius
        amount = strength / (1 + distance**power * 4) * smooth(3, 1.2, distance)
        if self.clip is not None:
            amount = amount * self.clip[area]
        light = amount[..., None] * rgb(colour)
        self.pixels[area] = 1 - (1 - self.pixels[area]) * (1 - np.clip(light, 0, 1))

    def beam(self, cx, cy, degrees, spread, colour, strength, reach):
        """A cone of light from a lamp."""
        angle = math.radians(degrees)
        dx, dy = self.x - cx, self.y - cy
        along = dx * math.cos(angle) + dy * math.sin(angle)
        across = np.abs(-dx * math.sin(angle) + dy * math.cos(angle))
        half = 7 + np.maximum(along, 0) * math.tan(math.radians(spread))
        body = smooth(1.0, 0.72, across / half) * 0.55 + smooth(1.0, 0.0, across / half) * 0.45
        fade = np.exp(-np.maximum(along, 0) / reach)
        amount = body * fade * strength * (along > 0)
        self.screen(amount[..., None] * rgb(colour))

    def finish(self, path, seed, vignette, grain):
        away = np.hypot((self.x - WIDTH / 2) / WIDTH, (self.y - HEIGHT / 2) / HEIGHT)
        self.pixels *= (1 - vignette * smooth(0.38, 0.78, away))[..., None]
        doubled = np.clip(self.pixels * 255, 0, 255)
        planes = [
            Image.fromarray(doubled[..., i]).resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)
            for i in range(3)
        ]
        picture = np.stack([np.asarray(plane) for plane in planes], axis=-1)
        noise = np.random.default_rng(seed).normal(0, grain, (HEIGHT, WIDTH, 1))
        picture = np.clip(np.rint(picture + noise), 0, 255).astype(np.uint8)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        Image.fromarray(picture).save(path, optimize=True)


def ellipse(cx, cy, rx, ry, count=None):
    count = count or max(24, int(6 * math.sqrt(max(rx, ry)) * 2))
    steps = np.linspace(0, 2 * math.pi, count, endpoint=False)
    return [(cx + rx * math.cos(a), cy + ry * math.sin(a)) for a in steps]


def rounded(x0, y0, x1, y1, radius):
    if radius <= 0:
        return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
    radius = min(radius, (x1 - x0) / 2, (y1 - y0) / 2)
    points = []
    corners = [
        (x1 - radius, y0 + radius, -90),
        (x1 - radius, y1 - radius, 0),
        (x0 + radius, y1 - radius, 90),
        (x0 + radius, y0 + radius, 180),
    ]
    for cx, cy, start in corners:
        for step in range(13):
            a = math.radians(start + step * 7.5)
            points.append((cx + radius * math.cos(a), cy + radius * math.sin(a)))
    return points


def lens(cx, cy, half, thickness):
    """A thin shape with pointed ends, as light lies on water."""
    upper = [(cx + half * t, cy - thickness * (1 - t * t) / 2) for t in np.linspace(-1, 1, 17)]
    lower = [(cx + half * t, cy + thickness * (1 - t * t) / 2) for t in np.linspace(1, -1, 17)]
    return upper + lower


def profile(random, x0, x1, base, height, roughness, count=7):
    """The upper edge of a line of hills, made of waves of growing frequency."""
    xs = np.arange(x0, x1 + 1, 3.0)
    ys = np.zeros_like(xs)
    for octave in range(count):
        wave = 900 / 2**octave
        ys += np.sin(xs / wave * 2 * math.pi + random.uniform(0, 6.28)) * roughness**octave
    return [(x, base - height * y) for x, y in zip(xs, ys)]


def stars(canvas, random, count, bottom, colour="fff4e0"):
    """Points of light, thinner and weaker towards the horizon."""
    for _ in range(count):
        x, y = random.uniform(0, WIDTH), bottom * random.uniform(0, 1) ** 1.5
        size = 0.55 + 1.3 * random.uniform(0, 1) ** 5
        bright = (0.25 + 0.75 * random.uniform(0, 1)) * (1 - y / bottom) ** 0.8
        canvas.disc(x, y, size, colour, bright)
        if size > 1.35:
            canvas.glow(x, y, 7, colour, 0.5 * bright)


def cloud(canvas, random, cx, cy, length, layers, fill, alpha):
    """A flat bank of cloud: bars with round ends, stacked."""

    def draw(pen, place):
        for layer in range(layers):
            half = (
                length
                / 2
                * (1 - 0.55 * abs(layer - layers * 0.62) / layers)
                * random.uniform(0.6, 1)
            )
            x = cx + random.uniform(-0.22, 0.22) * length
            y = cy - layer * 11
            pen.polygon(place(rounded(x - half, y - 8, x + half, y + 8, 8)), fill=255)

    box = (cx - length, cy - layers * 11 - 10, cx + length, cy + 10)
    canvas.fill(canvas.cut(box, draw), fill, alpha)


# Chapter 1: the light on Farrow Rock at dusk


def dusk(path):
    random = np.random.default_rng(1149)
    canvas = Canvas()
    horizon = 775
    moon_x, moon_y = 452, 545
    lamp_x, lamp_y = 1178, 268

    sky = ramp(
        [
            (0, "0d1334"),
            (170, "1a1f52"),
            (340, "37306f"),
            (490, "6b4482"),
            (610, "b05f86"),
            (700, "e08a83"),
            (horizon, "fbc493"),
        ]
    )
    canvas.pixels[:] = sky(canvas.y)
    stars(canvas, random, 520, 560)
    canvas.glow(moon_x, moon_y, 330, "ff9f8c", 0.34, 1.6)
    canvas.glow(moon_x, moon_y, 120, "ffe3bd", 0.62, 2)

    # The moon, with its seas.
    canvas.disc(
        moon_x,
        moon_y,
        62,
        lambda x, y: mix(
            rgb("fff8e4"), rgb("ffdfae"), smooth(-70, 70, (x - moon_x) + (y - moon_y))[..., None]
        ),
    )
    for x, y, r in [
        (-20, -18, 17),
        (12, -26, 10),
        (22, 8, 14),
        (-8, 22, 19),
        (-36, 10, 7),
        (34, -14, 6),
        (14, 36, 7),
    ]:
        canvas.disc(moon_x + x, moon_y + y, r, "f0c595", 0.26)

    # Banks of cloud, darker above and lit from below.
    for cx, cy, length, layers, colours, alpha in [
        (250, 468, 420, 3, ("6a4788", "a0608c"), 0.55),
        (760, 420, 560, 3, ("574080", "8a5488"), 0.50),
        (1450, 455, 520, 4, ("5f4384", "9a5c8a"), 0.55),
        (600, 640, 620, 3, ("c8728a", "f2a48c"), 0.60),
        (150, 690, 460, 3, ("d07c88", "f8b591"), 0.65),
        (980, 690, 560, 2, ("d98486", "fbbd93"), 0.65),
        (330, 612, 300, 2, ("b8688a", "e39488"), 0.55),
        (1420, 640, 420, 3, ("b96a88", "e8988a"), 0.55),
    ]:
        cloud(
            canvas,
            random,
            cx,
            cy,
            length,
            layers,
            vertical(cy - layers * 11, cy + 10, *colours),
            alpha,
        )

    # Far coasts.
    for base, height, start, end, colours in [
        (752, 13, -10, 760, ("a7648a", "d98a8c")),
        (764, 9, 380, 1610, ("8e5585", "c87a88")),
    ]:
        edge = profile(random, start, end, base, height, 0.55)
        span = end - start
        edge = [
            (
                x,
                horizon
                - (horizon - y)
                * float(
                    smooth(0, 0.25, (end - x) / span)
                    * (smooth(0, 0.25, (x - start) / span) if start > 0 else 1)
                ),
            )
            for x, y in edge
        ]
        canvas.shape(
            edge + [(end, horizon + 2), (start, horizon + 2)],
            vertical(base - 25, horizon, *colours),
        )

    # The beams, before the sea and the rock, which hide what is below the horizon.
    canvas.beam(lamp_x, lamp_y, 187.5, 4.4, "ffe6a8", 0.92, 900)
    canvas.beam(lamp_x, lamp_y, -9, 4.4, "ffe6a8", 0.66, 640)

    # The sea.
    sea = ramp(
        [
            (horizon, "f0ae92"),
            (horizon + 26, "cf8490"),
            (horizon + 80, "8f5c8c"),
            (horizon + 170, "54427f"),
            (horizon + 290, "2b2b63"),
            (HEIGHT, "141a45"),
        ]
    )
    canvas.shape(
        [(0, horizon), (WIDTH, horizon), (WIDTH, HEIGHT), (0, HEIGHT)], lambda x, y: sea(y)
    )
    depth = HEIGHT - horizon
    for _ in range(900):
        t = random.uniform(0, 1) ** 1.35
        y = horizon + 3 + t * depth
        half = (8 + 95 * t) * random.uniform(0.35, 1)
        x = random.uniform(-50, WIDTH + 50)
        if random.uniform() < 0.5:
            canvas.shape(
                lens(x, y, half, 1.2 + 6.0 * t),
                sea(np.float32(max(horizon, y - 30 - 50 * t))),
                0.34,
            )
        else:
            canvas.shape(
                lens(x, y, half, 1.2 + 6.5 * t), sea(np.float32(min(HEIGHT, y + 40 + 60 * t))), 0.40
            )

    # The moon's road over the water.
    canvas.glow(moon_x, horizon + 40, 95, "ffd6a4", 0.5, 2, 1.3)
    for step in range(74):
        t = (step / 73) ** 1.25
        y = horizon + 3 + t * (depth - 75)
        width = 30 + 62 * t + 26 * math.sin(step * 0.9)
        for _ in range(3):
            x = moon_x + random.normal(0, 0.42) * width
            half = (14 + 42 * t) * random.uniform(0.45, 1.15)
            near = math.exp(-(((x - moon_x) / (width + 10)) ** 2))
            canvas.shape(
                lens(x, y + random.uniform(-1.5, 1.5), half, 2.0 + 5.2 * t),
                "fff0cf" if random.uniform() < 0.6 else "ffcf9d",
                0.80 * near * (1 - 0.5 * t),
            )

    # A ketch on the way home, far out.
    bx, by = 742, horizon + 24
    canvas.shape(lens(bx, by + 5, 46, 6), "3a2c62", 0.55)
    canvas.shape(
        [(bx - 30, by - 7), (bx + 33, by - 7), (bx + 24, by + 4), (bx - 24, by + 4)], "2b2352"
    )
    canvas.line([(bx - 2, by - 6), (bx - 2, by - 62)], 1.8, "2b2352")
    canvas.line([(bx + 21, by - 6), (bx + 21, by - 44)], 1.5, "2b2352")
    canvas.shape([(bx - 4, by - 60), (bx - 4, by - 11), (bx - 30, by - 11)], "4a3569")
    canvas.shape([(bx, by - 58), (bx + 17, by - 13), (bx, by - 11)], "5a3f72")
    canvas.shape([(bx + 23, by - 42), (bx + 36, by - 13), (bx + 23, by - 11)], "4a3569")
    canvas.disc(bx - 2, by - 64, 2.2, "ffe2a6")
    canvas.glow(bx - 2, by - 64, 10, "ffd694", 0.6)
    for step in range(5):
        canvas.shape(
            lens(bx + random.uniform(-4, 4), by + 9 + step * 5, 22 - step * 3, 2.4),
            "3a2c62",
            0.45 - 0.07 * step,
        )

    rock(canvas, random)
    lighthouse(canvas, lamp_x, lamp_y)
    grass(canvas, random)

    # Gulls.
    for x, y, s in [(905, 455, 15), (950, 428, 10), (868, 410, 8), (1000, 486, 9)]:
        left = [(x - s * (1 - t), y - s * 0.55 * math.sin(t * 2.6)) for t in np.linspace(0, 1, 9)]
        right = [(x + s * t, y - s * 0.55 * math.sin((1 - t) * 2.6)) for t in np.linspace(0, 1, 9)]
        canvas.line(left + right, 2.0, "2a2555", 0.9)

    # Swell in the foreground.
    for base, height, wave, shift, colours, crest in [
        (1078, 13, 300, 0.4, ("2a2a66", "1d2050"), "5f4f8e"),
        (1118, 15, 370, 2.3, ("1f2254", "161a44"), "4a4380"),
        (1160, 15, 430, 4.4, ("161a45", "0e1233"), "373770"),
    ]:
        xs = np.arange(-6, WIDTH + 7, 4.0)
        phase = xs / wave * 2 * math.pi + shift
        ys = (
            base
            - height * (2 * (1 - np.abs(np.sin(phase / 2))) ** 1.25 - 1)
            - 4 * np.sin(phase * 0.37 + shift)
        )
        edge = list(zip(xs, ys))
        canvas.shape(
            edge + [(WIDTH + 6, HEIGHT + 4), (-6, HEIGHT + 4)],
            vertical(base - 10, HEIGHT, *colours),
        )
        canvas.line(
            edge, 2.2, crest, lambda x, y: 0.25 + 0.65 * np.exp(-(((x - moon_x) / 260) ** 2))
        )
        for _ in range(26):
            x = random.uniform(0, WIDTH)
            y = base + random.uniform(16, 44)
            glitter = math.exp(-(((x - moon_x) / 150) ** 2))
            canvas.shape(lens(x, y, random.uniform(18, 60), 3.0), crest, 0.22 + 0.4 * glitter)

    canvas.glow(lamp_x, lamp_y, 64, "fff3cc", 0.95, 2)
    canvas.glow(lamp_x, lamp_y, 210, "ffd08a", 0.34, 1.7)
    canvas.finish(path, 11, vignette=0.30, grain=0.42)


def rock(canvas, random):
    """Farrow Rock: layers of stone, darker towards the viewer, lit by the moon at left."""
    water = 1062

    def layer(points, jag, colours, light, shade, rim, width):
        # The edge from point to point, roughened.
        edge = []
        for (xa, ya), (xb, yb) in zip(points, points[1:]):
            steps = max(2, int(math.hypot(xb - xa, yb - ya) / 15))
            for s in range(steps):
                t = s / steps
                edge.append(
                    (
                        mix(xa, xb, t) + random.uniform(-jag, jag),
                        mix(ya, yb, t) + random.uniform(-jag, jag),
                    )
                )
        edge.append(points[-1])
        edge.sort()
        xs, ys = zip(*edge)
        outline = edge + [(WIDTH + 20, water + 2), (edge[0][0], water + 2)]
        top = min(ys)
        canvas.shape(outline, vertical(top, water, *colours))
        # Pillars of stone, each with a face towards the moon and one away from it.
        canvas.limit(outline)
        x = edge[0][0] + 6
        while x < WIDTH:
            wide = random.uniform(*width)
            y = float(np.interp(x, xs, ys))
            right = float(np.interp(x + wide, xs, ys))
            tall = random.uniform(0.8, 1.7) * wide
            ridge = x + wide * random.uniform(0.35, 0.6)
            crown = float(np.interp(ridge, xs, ys)) + random.uniform(0, 5)
            foot = crown + tall
            lean = random.uniform(-0.12, 0.05) * tall

            def fading(px, py, a=crown, b=foot):
                return smooth(b, a - 10, py) * 0.8

            canvas.shape(
                [
                    (x, y),
                    (ridge, crown),
                    (ridge + lean, foot),
                    (x + lean * 1.6, y + tall * random.uniform(0.5, 0.9)),
                ],
                light,
                fading,
            )
            canvas.shape(
                [
                    (ridge, crown),
                    (x + wide, right),
                    (x + wide + lean * 0.5, right + tall * 0.7),
                    (ridge + lean, foot),
                ],
                shade,
                fading,
            )
            x += wide * random.uniform(0.75, 1.2)
        canvas.free()
        canvas.line(
            edge, 2.4, rim, lambda px, py: 0.75 * smooth(WIDTH, edge[0][0], px) ** 0.8 + 0.06
        )

    layer(
        [
            (985, 935),
            (1012, 862),
            (1034, 812),
            (1054, 762),
            (1078, 730),
            (1110, 720),
            (1290, 706),
            (1420, 708),
            (1500, 694),
            (1620, 702),
        ],
        1.8,
        ("4a3870", "2c2554", "1b1a3e"),
        "6a4c86",
        "2b2350",
        "d08c98",
        (46, 84),
    )
    layer(
        [
            (890, 985),
            (918, 934),
            (956, 916),
            (980, 872),
            (1030, 852),
            (1060, 822),
            (1140, 812),
            (1210, 836),
            (1300, 822),
            (1420, 848),
            (1520, 834),
            (1620, 842),
        ],
        3.0,
        ("372c60", "1f1d46", "14142f"),
        "4e3b72",
        "1e1a40",
        "b0748c",
        (44, 90),
    )
    layer(
        [
            (772, 1064),
            (806, 1024),
            (842, 1004),
            (880, 992),
            (912, 968),
            (980, 954),
            (1040, 928),
            (1110, 936),
            (1180, 916),
            (1290, 944),
            (1400, 926),
            (1500, 952),
            (1620, 936),
        ],
        3.4,
        ("262250", "161638", "0d0f28"),
        "382d5e",
        "131432",
        "8c5c84",
        (48, 104),
    )

    # The rock upside down in the water.
    for _ in range(240):
        t = random.uniform(0, 1)
        x, y = random.uniform(790, WIDTH + 40), water + 2 + 34 * t
        canvas.shape(lens(x + 18 * t, y, random.uniform(26, 80), 5), "15163a", 0.55 * (1 - 0.6 * t))

    # Stones in the water, with foam.
    for cx, cy, w, h in [
        (742, 1028, 44, 24),
        (690, 1040, 22, 11),
        (852, 1052, 64, 30),
        (612, 1020, 15, 8),
    ]:
        points = [
            (cx - w, cy),
            (cx - w * 0.72, cy - h * 0.62),
            (cx - w * 0.2, cy - h),
            (cx + w * 0.35, cy - h * 0.78),
            (cx + w * 0.8, cy - h * 0.4),
            (cx + w, cy),
        ]
        canvas.shape(points, vertical(cy - h, cy, "2c2552", "14152f"))
        canvas.shape(
            [points[0], points[1], points[2], (cx - w * 0.1, cy - h * 0.35), (cx - w * 0.3, cy)],
            "4a3768",
            0.8,
        )
        canvas.line(points[:3], 2.2, "c98a98", 0.7)
        canvas.shape(lens(cx, cy + 1, w * 1.35, 5.5), "e8b9b4", 0.55)
    for _ in range(150):
        t = random.uniform(0, 1) ** 0.7
        x, y = mix(760, 1330, 1 - t), 1062 + random.uniform(-5, 13)
        canvas.shape(
            lens(x, y, random.uniform(10, 42), random.uniform(2, 4.6)),
            "dba8b2",
            random.uniform(0.10, 0.42) * (0.25 + 0.75 * t),
        )


def grass(canvas, random):
    for _ in range(300):
        x = random.uniform(1066, 1600)
        y = float(
            np.interp(
                x, [1054, 1078, 1110, 1290, 1420, 1500, 1600], [762, 730, 720, 706, 708, 694, 701]
            )
        ) + random.uniform(2, 9)
        lean, tall = random.uniform(-4, 7), random.uniform(5, 14)
        colour = "6f4d80" if random.uniform() < 0.25 else "3a2d60"
        canvas.line(
            [(x, y), (x + lean * 0.4, y - tall * 0.6), (x + lean, y - tall)], 1.3, colour, 0.95
        )
    # Light from the windows and the door on the ground.
    for x, y, wide in ((1316, 716, 50), (1372, 716, 50), (1462, 714, 50)):
        canvas.glow(x, y, wide, "ffb36a", 0.30, 2, 0.22)


def lighthouse(canvas, cx, lamp_y):
    top, bottom = 338, 722
    dark = "241d4a"

    def half(y):
        t = (bottom - y) / (bottom - top)
        return 45 + 29 * (1 - t) + 10 * np.maximum(0, 1 - t * 3.5) ** 2

    # The keeper's house, behind the tower.
    hx, hy = 1392, 706
    canvas.shape(
        [(hx - 118, hy + 4), (hx - 118, hy - 68), (hx + 104, hy - 68), (hx + 104, hy + 4)],
        horizontal(hx - 118, hx + 104, "8a6a94", "4b3a6c"),
    )
    canvas.shape(
        [(hx - 134, hy - 62), (hx - 92, hy - 124), (hx + 78, hy - 124), (hx + 120, hy - 62)],
        horizontal(hx - 134, hx + 120, "5b3862", "2c2150"),
    )
    for row in range(1, 5):
        y = hy - 124 + row * 13
        inset = 42 * (1 - row / 4.8)
        canvas.line([(hx - 134 + inset + 3, y), (hx + 120 - inset - 3, y)], 1.2, "38254f", 0.6)
    canvas.box(
        hx + 30, hy - 152, hx + 54, hy - 112, horizontal(hx + 30, hx + 54, "6b466e", "33264f")
    )
    canvas.box(hx + 26, hy - 156, hx + 58, hy - 148, "40305e")
    for step in range(60):
        t = step / 59
        x = hx + 42 + 80 * t**1.5 + 9 * math.sin(t * 8)
        canvas.disc(x, hy - 158 - 105 * t, 5 + 15 * t, "c9a2b4", 0.055 * (1 - t), blur=3)
    for x in (hx - 90, hx - 34, hx + 56):
        window(canvas, x, hy - 48, 27, 31)
    canvas.box(hx + 8, hy - 48, hx + 34, hy + 4, "33234f", radius=3)
    canvas.disc(hx + 29, hy - 20, 1.8, "ffd694")
    # The fence.
    for step in range(9):
        x = 1512 + step * 15
        canvas.line([(x, 700), (x, 676)], 2.6, "2c2350")
    canvas.line([(1506, 683), (1620, 681)], 2.2, "2c2350")
    canvas.line([(1506, 692), (1620, 690)], 2.2, "2c2350")

    # The tower: three dark bands on white, round and lit from the left.
    white = ramp(
        [
            (-1, "dcb3b8"),
            (-0.75, "f8dcd0"),
            (-0.35, "ecc6c4"),
            (0.2, "a784a6"),
            (0.7, "634d83"),
            (1, "4c3a70"),
        ]
    )
    red = ramp(
        [
            (-1, "93405a"),
            (-0.75, "b9505f"),
            (-0.35, "a3455d"),
            (0.2, "6d2f56"),
            (0.7, "41234c"),
            (1, "321c43"),
        ]
    )

    def tower(x, y):
        t = np.clip((x - cx) / half(y), -1, 1)
        level = (y + 13 * (1 - t * t) ** 0.5 - top) / (bottom - top)
        band = np.zeros_like(x)
        for low, high in ((0.14, 0.31), (0.48, 0.65), (0.82, 1.2)):
            edge = 0.5 / (bottom - top)
            band = np.maximum(
                band,
                smooth(low - edge, low + edge, level) * smooth(high + edge, high - edge, level),
            )
        # The shade under the gallery.
        shade = 1 - 0.45 * smooth(0.14, 0.02, level)
        return mix(white(t), red(t), band[..., None]) * shade[..., None]

    ys = np.linspace(top, bottom, 60)
    canvas.shape(
        [(cx - float(half(y)), y) for y in ys] + [(cx + float(half(y)), y) for y in ys[::-1]], tower
    )
    for x, y in ((cx - 8, 420), (cx + 6, 512), (cx - 8, 600)):
        window(canvas, x - 9, y, 18, 27, arched=True)
    canvas.shape(arch(cx - 18, 662, 36, 60), "2a1c44")
    canvas.shape(arch(cx - 13, 668, 26, 54), horizontal(cx - 13, cx + 13, "6b3a5c", "432850"))
    canvas.disc(cx + 8, 698, 1.8, "ffd694")
    canvas.box(cx - 30, 720, cx + 30, 726, "4c3a66")
    canvas.box(cx - 38, 725, cx + 38, 731, "3d2f5a")

    # The gallery.
    canvas.shape(
        [(cx - 46, 346), (cx + 46, 346), (cx + 66, 324), (cx - 66, 324)],
        horizontal(cx - 66, cx + 66, "7c5878", "2a2150"),
    )
    for step in range(7):
        x = cx - 48 + step * 16
        canvas.line([(x, 344), (x * 1.0 + (x - cx) * 0.3, 327)], 2.2, "2c2250", 0.8)
    canvas.box(
        cx - 72,
        314,
        cx + 72,
        325,
        horizontal(cx - 72, cx + 72, "9a6f86", "3a2c5c", "271f48"),
        radius=3,
    )

    # The lantern: glass, lens and bars.
    canvas.box(
        cx - 36,
        222,
        cx + 36,
        314,
        lambda x, y: mix(
            rgb("fff8dc"),
            rgb("ffc978"),
            np.clip(np.hypot((x - cx) / 46, (y - lamp_y) / 62), 0, 1)[..., None] ** 1.4,
        ),
    )
    for k in range(-4, 5):
        canvas.oval(
            cx,
            lamp_y + k * 8.5,
            22 * math.sqrt(1 - (k / 5.2) ** 2),
            3.0,
            "fffdf2" if k % 2 else "ffdf9c",
            0.75,
        )
    canvas.oval(cx, lamp_y, 11, 15, "fffef6")
    for x in (-36, -13, 13, 36):
        canvas.line([(cx + x, 222), (cx + x, 314)], 2.8, dark)
    for y in (253, 284):
        canvas.line([(cx - 36, y), (cx + 36, y)], 1.8, dark, 0.85)
    canvas.box(cx - 42, 298, cx + 42, 316, horizontal(cx - 42, cx + 42, "8f6480", "2a2150"))
    # The rail in front.
    for step in range(13):
        x = cx - 69 + step * 11.5
        canvas.line([(x, 286), (x, 315)], 1.7, dark)
    for y in (286, 300):
        canvas.line([(cx - 70, y), (cx + 70, y)], 2.3, dark)
    # The roof.
    canvas.box(
        cx - 45, 213, cx + 45, 224, horizontal(cx - 45, cx + 45, "a0586a", "33204a"), radius=3
    )
    dome = [
        (cx - 41 * math.cos(a), 214 - 44 * math.sin(a) ** 0.92) for a in np.linspace(0, math.pi, 40)
    ]
    canvas.shape(dome, lambda x, y: red(np.clip((x - cx) / 42, -1, 1)))
    canvas.disc(cx, 166, 7.5, horizontal(cx - 7, cx + 7, "b06a74", "3a2450"))
    canvas.line([(cx, 160), (cx, 130)], 2.4, "8a6a90")
    canvas.line([(cx - 13, 141), (cx + 15, 141)], 2.2, "8a6a90")
    canvas.shape([(cx + 13, 135), (cx + 24, 141), (cx + 13, 147)], "8a6a90")


def arch(x, y, w, h):
    r = w / 2
    return [
        (x + r - r * math.cos(a), y + r - r * math.sin(a)) for a in np.linspace(0, math.pi, 25)
    ] + [(x + w, y + h), (x, y + h)]


def window(canvas, x, y, w, h, arched=False):
    frame = (
        arch(x - 2.5, y - 2.5, w + 5, h + 5)
        if arched
        else rounded(x - 2.5, y - 2.5, x + w + 2.5, y + h + 2.5, 2)
    )
    pane = arch(x, y, w, h) if arched else rounded(x, y, x + w, y + h, 1)
    canvas.shape(frame, "33244f")
    canvas.shape(pane, vertical(y, y + h, "fff0b8", "ffbe6e"))
    canvas.line([(x + w / 2, y), (x + w / 2, y + h)], 1.8, "4a2f4f")
    canvas.line([(x, y + h * 0.48), (x + w, y + h * 0.48)], 1.8, "4a2f4f")
    canvas.glow(x + w / 2, y + h / 2, 30, "ffc67c", 0.42)


# Chapter 2: the workshop under the tower, on the night of the storm

FLAME = (1046, 656)  # of the oil lamp on the bench


def workshop(path):
    random = np.random.default_rng(2149)
    canvas = Canvas()
    bench = 884

    # The wall: rough plaster between boards below and beams above.
    canvas.pixels[:] = ramp(
        [(0, "3f5a68"), (500, "51717a"), (bench, "47646f"), (HEIGHT, "3a525e")]
    )(canvas.y)
    for _ in range(420):
        x, y = random.uniform(0, WIDTH), random.uniform(90, bench)
        canvas.oval(
            x,
            y,
            random.uniform(20, 90),
            random.uniform(6, 22),
            "6c8a8e" if random.uniform() < 0.5 else "38525f",
            0.10,
            blur=4,
        )
    boards(canvas, random, 700, bench)
    canvas.box(0, 0, WIDTH, 62, vertical(0, 62, "4a3530", "6b4a3c"))
    canvas.box(0, 62, WIDTH, 72, "2b2024", 0.75)
    canvas.box(0, 70, WIDTH, 104, vertical(70, 104, "1f2c38", "51717a"), 0.45)
    for x in (92, 760, 1420):
        canvas.shape(
            [(x - 34, 0), (x + 34, 0), (x + 30, 92), (x - 30, 92)],
            horizontal(x - 34, x + 34, "5a4036", "80583f", "4a332e"),
        )
        canvas.shape([(x - 30, 92), (x + 30, 92), (x + 24, 102), (x - 24, 102)], "3a2829")

    shelf(canvas, 830, 1560, 286)
    shelf(canvas, 830, 1560, 478)
    mantel_clock(canvas, 918, 278, 62, 4, 2)
    alarm_clock(canvas, 1062, 278, 45, 8, 7)
    gable_clock(canvas, 1196, 278, 54, 1, 33)
    carriage_clock(canvas, 1330, 278, 44, 11, 18)
    round_clock(canvas, 1472, 278, 56, 6, 51)
    carriage_clock(canvas, 878, 470, 37, 7, 24)
    tambour_clock(canvas, 1040, 470, 54, 10, 41)
    jars(canvas, 1160, 470)
    alarm_clock(canvas, 1322, 470, 40, 2, 12)
    gable_clock(canvas, 1470, 470, 56, 3, 47)
    tool_rack(canvas, 1290, 556)
    pendulum_clock(canvas, 172, 176)

    # What lamplight there is: warm near the flame, cool and dim elsewhere.
    surface(canvas, random, bench)
    shadow_of_shelves(canvas)
    light(canvas, bench)

    storm(canvas, random)
    still_life(canvas, random, bench)
    canvas.glow(FLAME[0], FLAME[1], 330, "ff9a3c", 0.20, 1.5)
    canvas.finish(path, 22, vignette=0.34, grain=0.32)


def boards(canvas, random, top, bottom):
    """Upright boards along the lower wall, with a rail above."""
    canvas.box(0, top, WIDTH, bottom, "5a5048")
    x = -20.0
    while x < WIDTH:
        wide = random.uniform(70, 96)
        shade = random.uniform(-0.03, 0.03)
        canvas.box(x, top, x + wide - 3, bottom, rgb("665848") + shade)
        for _ in range(5):
            gx = x + random.uniform(8, wide - 10)
            canvas.line(
                [
                    (gx, top + random.uniform(10, 60)),
                    (gx + random.uniform(-3, 3), bottom - random.uniform(0, 60)),
                ],
                1.2,
                "4a4038",
                0.5,
            )
        canvas.box(x + wide - 3, top, x + wide, bottom, "2e2a2a", 0.8)
        x += wide
    canvas.box(0, top - 16, WIDTH, top + 4, vertical(top - 16, top + 4, "8a7156", "5a4838"))
    canvas.box(0, top + 4, WIDTH, top + 14, "2a2628", 0.55, blur=2)


def shelf(canvas, x0, x1, y):
    for x in (x0 + 60, x1 - 70):
        canvas.shape([(x, y), (x + 14, y), (x + 14, y + 52), (x, y + 58)], "5a3f30")
        canvas.shape([(x + 14, y), (x + 14, y + 52), (x + 20, y + 8)], "3c2a26")
    canvas.box(x0, y - 8, x1, y, vertical(y - 8, y, "b98a5a", "a0744a"))
    canvas.box(x0, y, x1, y + 13, vertical(y, y + 13, "805738", "5c3d2b"))


def shadow_of_shelves(canvas):
    """The flame is below: shadows rise from the shelves and fall to the sides."""
    for y in (286, 478):
        canvas.shape(
            [(830, y - 8), (1560, y - 8), (1560, y - 40), (830, y - 40)], "101a26", 0.16, blur=9
        )


def hand(canvas, cx, cy, degrees, length, width, colour, tail=0.16):
    a = math.radians(degrees - 90)
    ux, uy = math.cos(a), math.sin(a)
    canvas.shape(
        [
            (
                cx - ux * length * tail - uy * width * 0.5,
                cy - uy * length * tail + ux * width * 0.5,
            ),
            (
                cx + ux * length * 0.72 - uy * width * 0.62,
                cy + uy * length * 0.72 + ux * width * 0.62,
            ),
            (cx + ux * length, cy + uy * length),
            (
                cx + ux * length * 0.72 + uy * width * 0.62,
                cy + uy * length * 0.72 - ux * width * 0.62,
            ),
            (
                cx - ux * length * tail + uy * width * 0.5,
                cy - uy * length * tail - ux * width * 0.5,
            ),
        ],
        colour,
    )


def face(
    canvas,
    cx,
    cy,
    r,
    hour,
    minute,
    rim=("f0cf8a", "8a5f30"),
    paper=("fffaf0", "e6d8bd"),
    ticks="4a3a38",
):
    """A dial with two hands."""
    canvas.disc(
        cx,
        cy,
        r * 1.17,
        lambda x, y: mix(
            rgb(rim[0]), rgb(rim[1]), smooth(-r, r, (x - cx) * 0.5 + (y - cy))[..., None]
        ),
    )
    canvas.disc(cx, cy, r * 1.05, rim[1])
    canvas.disc(
        cx,
        cy,
        r,
        lambda x, y: mix(rgb(paper[0]), rgb(paper[1]), smooth(-r, r, x - cx + y - cy)[..., None]),
    )
    for step in range(60):
        a = math.radians(step * 6)
        long = step % 5 == 0
        inner = r * (0.74 if long else 0.87)
        canvas.line(
            [
                (cx + inner * math.sin(a), cy - inner * math.cos(a)),
                (cx + r * 0.92 * math.sin(a), cy - r * 0.92 * math.cos(a)),
            ],
            r * (0.055 if long else 0.02),
            ticks,
            0.9 if long else 0.6,
        )
    hand(canvas, cx, cy, hour * 30 + minute / 2, r * 0.52, r * 0.12, "2c2430")
    hand(canvas, cx, cy, minute * 6, r * 0.80, r * 0.085, "2c2430")
    canvas.disc(cx, cy, r * 0.075, "b98a4a")


def mantel_clock(canvas, cx, base, r, hour, minute):
    """Black slate with columns."""
    w, h = r * 1.72, r * 2.55
    canvas.box(
        cx - w * 0.5 - 16,
        base - 12,
        cx + w * 0.5 + 16,
        base,
        vertical(base - 12, base, "6a5a70", "3c3448"),
    )
    canvas.box(
        cx - w * 0.5 - 6,
        base - h + 18,
        cx + w * 0.5 + 6,
        base - 12,
        horizontal(cx - w / 2, cx + w / 2, "54486a", "6f5f80", "453a58"),
    )
    canvas.shape(
        [
            (cx - w * 0.5 - 20, base - h + 18),
            (cx, base - h - 16),
            (cx + w * 0.5 + 20, base - h + 18),
        ],
        vertical(base - h - 16, base - h + 18, "7a698a", "50455f"),
    )
    for side in (-1, 1):
        x = cx + side * (w * 0.5 - 1)
        canvas.box(
            x - 6,
            base - h + 20,
            x + 6,
            base - 14,
            horizontal(x - 6, x + 6, "d9b36c", "f5dc9c", "9a713c"),
            radius=3,
        )
    face(canvas, cx, base - h * 0.5 + 2, r * 0.66, hour, minute)


def alarm_clock(canvas, cx, base, r, hour, minute):
    cy = base - r - 12
    for side in (-1, 1):
        canvas.line(
            [(cx + side * r * 0.55, cy + r * 0.8), (cx + side * r * 0.85, base - 3)], 7, "6e3a34"
        )
        a = side * 33
        bx, by = cx + r * 1.12 * math.sin(math.radians(a)), cy - r * 1.12 * math.cos(
            math.radians(a)
        )
        bell = (
            [(-1, 0.10)]
            + [(-math.cos(t), -math.sin(t) * 0.95) for t in np.linspace(0, math.pi, 20)]
            + [(1, 0.10)]
        )
        ca, sa = math.cos(math.radians(a)), math.sin(math.radians(a))
        s = r * 0.44
        canvas.shape(
            [(bx + s * (px * ca - py * sa), by + s * (px * sa + py * ca)) for px, py in bell],
            horizontal(bx - s, bx + s, "f2d08c", "d9a75c", "8f6432"),
        )
    canvas.line([(cx, cy - r), (cx, cy - r * 1.42)], 4, "8f6432")
    canvas.disc(cx, cy - r * 1.46, 6, "d9a75c")
    canvas.disc(cx, cy, r * 1.12, horizontal(cx - r, cx + r, "c9604e", "a8443f", "6b2a30"))
    face(canvas, cx, cy, r * 0.84, hour, minute, rim=("e8c888", "8a3a38"))


def gable_clock(canvas, cx, base, r, hour, minute):
    """A house of walnut with a steep roof."""
    w, h = r * 1.9, r * 2.3
    canvas.box(cx - w * 0.5 - 10, base - 12, cx + w * 0.5 + 10, base, "6b422c")
    canvas.shape(
        [
            (cx - w / 2, base - 12),
            (cx - w / 2, base - h * 0.74),
            (cx, base - h - 12),
            (cx + w / 2, base - h * 0.74),
            (cx + w / 2, base - 12),
        ],
        horizontal(cx - w / 2, cx + w / 2, "a86f42", "c58a55", "8a5634"),
    )
    canvas.line(
        [(cx - w / 2 - 7, base - h * 0.70), (cx, base - h - 15), (cx + w / 2 + 7, base - h * 0.70)],
        8,
        "6b422c",
    )
    for side in (-1, 1):
        canvas.shape(
            [
                (cx + side * w / 2, base - h * 0.73),
                (cx + side * (w / 2 + 3), base - h * 1.06),
                (cx + side * (w / 2 + 8), base - h * 0.71),
            ],
            "6b422c",
        )
    canvas.box(cx - w * 0.30, base - 36, cx + w * 0.30, base - 20, "5a3726", radius=3)
    canvas.line([(cx - 10, base - 28), (cx + 10, base - 28)], 2.4, "d9a75c")
    face(canvas, cx, base - h * 0.53, r * 0.64, hour, minute)


def carriage_clock(canvas, cx, base, r, hour, minute):
    w, h = r * 1.7, r * 2.35
    canvas.ring(cx, base - h - 2, r * 0.42, 5, "d9a75c")
    canvas.box(
        cx - w / 2 - 8,
        base - h - 6,
        cx + w / 2 + 8,
        base - h + 8,
        vertical(base - h - 6, base - h + 8, "f5d896", "a87a40"),
        radius=3,
    )
    canvas.box(
        cx - w / 2,
        base - h + 6,
        cx + w / 2,
        base - 12,
        horizontal(cx - w / 2, cx + w / 2, "3c5a66", "587a80", "2c4450"),
    )
    for side in (-1, 1):
        x = cx + side * (w / 2 - 3)
        canvas.box(
            x - 5,
            base - h + 6,
            x + 5,
            base - 12,
            horizontal(x - 5, x + 5, "c99a54", "f5dc9c", "8f6432"),
        )
    canvas.box(
        cx - w / 2 - 10,
        base - 14,
        cx + w / 2 + 10,
        base,
        vertical(base - 14, base, "e8c27c", "8f6432"),
        radius=3,
    )
    face(canvas, cx, base - h * 0.52, r * 0.62, hour, minute)


def round_clock(canvas, cx, base, r, hour, minute):
    """A ship's clock on a wooden foot."""
    cy = base - r - 22
    canvas.shape(
        [
            (cx - r * 0.9, base),
            (cx - r * 0.5, base - 34),
            (cx + r * 0.5, base - 34),
            (cx + r * 0.9, base),
        ],
        vertical(base - 34, base, "a86f42", "6b422c"),
    )
    canvas.disc(cx, cy, r * 1.12, horizontal(cx - r, cx + r, "f5d896", "c9964f", "7a5028"))
    for step in range(8):
        a = math.radians(22.5 + step * 45)
        canvas.disc(cx + r * 1.03 * math.cos(a), cy + r * 1.03 * math.sin(a), 2.6, "7a5028")
    face(canvas, cx, cy, r * 0.80, hour, minute, ticks="27425a")


def tambour_clock(canvas, cx, base, r, hour, minute):
    """Shaped like a hat."""
    ts = np.linspace(-1, 1, 61)
    top = [
        (cx + t * r * 2.0, base - 14 - r * 1.72 * math.exp(-((t * 1.75) ** 2) * 1.25)) for t in ts
    ]
    canvas.shape(
        top + [(cx + r * 2.0, base - 8), (cx - r * 2.0, base - 8)],
        horizontal(cx - r * 2, cx + r * 2, "8a4f34", "b87848", "70402c"),
    )
    canvas.box(
        cx - r * 2.06,
        base - 12,
        cx + r * 2.06,
        base,
        vertical(base - 12, base, "7a4a30", "4f2f24"),
        radius=4,
    )
    face(canvas, cx, base - r * 0.94, r * 0.68, hour, minute)


def jars(canvas, x, base):
    """Screws and springs in glass."""
    for dx, w, h, colour, level in ((0, 46, 74, "c9964f", 0.55), (58, 40, 58, "8a97a0", 0.7)):
        canvas.box(x + dx, base - h, x + dx + w, base, "9ab8b8", 0.35, radius=8)
        canvas.box(
            x + dx + 4,
            base - h * level,
            x + dx + w - 4,
            base - 4,
            vertical(base - h * level, base, colour, "5a4638"),
            radius=5,
        )
        canvas.box(x + dx + 6, base - h + 8, x + dx + 11, base - 10, "f4fff8", 0.35, radius=2)
        canvas.box(x + dx + 3, base - h - 11, x + dx + w - 3, base - h + 3, "7a5236", radius=3)


def tool_rack(canvas, x, y):
    """Tools on nails under the shelf."""
    steel = "a9b4b8"
    canvas.box(x - 120, y, x + 250, y + 12, vertical(y, y + 12, "8a6242", "5a3f2e"), radius=3)
    # Screwdrivers of falling size.
    for step, (length, w) in enumerate(((92, 13), (80, 12), (68, 10))):
        cx = x - 96 + step * 34
        canvas.box(
            cx - w / 2,
            y + 6,
            cx + w / 2,
            y + 6 + length * 0.45,
            horizontal(cx - w / 2, cx + w / 2, "c98a52", "8a5230"),
            radius=5,
        )
        canvas.box(cx - 2, y + length * 0.45, cx + 2, y + length, steel)
    # A small hammer.
    cx = x + 22
    canvas.box(
        cx - 4, y + 4, cx + 4, y + 100, horizontal(cx - 4, cx + 4, "c98a52", "8a5230"), radius=3
    )
    canvas.box(
        cx - 21, y + 10, cx + 15, y + 25, horizontal(cx - 21, cx + 15, "c4ccce", "6f7a82"), radius=3
    )
    canvas.shape([(cx + 13, y + 11), (cx + 30, y + 16), (cx + 13, y + 24)], "7f8a92")
    # Pliers.
    cx = x + 82
    canvas.line([(cx - 3, y + 10), (cx + 2, y + 34), (cx + 14, y + 92)], 6, "9a4a3e")
    canvas.line([(cx + 3, y + 10), (cx - 2, y + 34), (cx - 14, y + 92)], 6, "b0584a")
    canvas.line([(cx - 3, y + 6), (cx, y + 34)], 6.5, steel)
    canvas.line([(cx + 3, y + 6), (cx, y + 34)], 6.5, "8b969c")
    canvas.disc(cx, y + 35, 5.5, "5f6a70")
    # Wheels on nails.
    gear(canvas, x + 140, y + 44, 30, 24, "d9a75c", "8f6432", 5)
    gear(canvas, x + 206, y + 54, 38, 32, "c99a54", "7a5028", 6)
    for dx in (140, 206):
        canvas.disc(x + dx, y + 15, 3, "2e2a2a")


def gear(canvas, cx, cy, r, teeth, light_colour, dark_colour, spokes, turn=0.0, squash=1.0):
    points = []
    depth = r * 2 * math.pi / teeth * 0.42
    for tooth in range(teeth):
        for offset, radius in ((-0.30, r - depth), (-0.20, r), (0.20, r), (0.30, r - depth)):
            a = (tooth + offset) / teeth * 2 * math.pi + turn
            points.append((cx + radius * math.cos(a), cy + radius * math.sin(a) * squash))

    def draw(pen, place):
        pen.polygon(place(points), fill=255)
        inner, hub, half = (r - depth) * 0.80, r * 0.26, 0.17
        for spoke in range(spokes):
            start = spoke / spokes * 2 * math.pi + half + turn
            end = (spoke + 1) / spokes * 2 * math.pi - half + turn
            outer = [
                (cx + inner * math.cos(a), cy + inner * math.sin(a) * squash)
                for a in np.linspace(start, end, 16)
            ]
            grow = 0.22
            near = [
                (cx + hub * 1.3 * math.cos(a), cy + hub * 1.3 * math.sin(a) * squash)
                for a in np.linspace(end - grow, start + grow, 8)
            ]
            pen.polygon(place(outer + near), fill=0)
        pen.polygon(place(ellipse(cx, cy, r * 0.09, r * 0.09 * squash)), fill=0)

    fill = lambda x, y: mix(
        rgb(light_colour), rgb(dark_colour), smooth(-r, r, (x - cx) * 0.6 + (y - cy))[..., None]
    )
    canvas.fill(canvas.cut((cx - r, cy - r, cx + r, cy + r), draw), fill)


def pendulum_clock(canvas, cx, top):
    """On the wall beside the window."""
    w, h = 122, 470
    canvas.box(
        cx - w / 2 + 10, top + 16, cx + w / 2 + 22, top + h + 14, "0c1620", 0.45, radius=8, blur=8
    )
    canvas.shape(
        [
            (cx - w / 2 - 14, top + 16),
            (cx - w / 2, top - 22),
            (cx - 20, top - 30),
            (cx, top - 62),
            (cx + 20, top - 30),
            (cx + w / 2, top - 22),
            (cx + w / 2 + 14, top + 16),
        ],
        vertical(top - 60, top + 16, "8a5a3c", "6b422c"),
    )
    canvas.disc(cx, top - 66, 8, "c99a54")
    canvas.box(
        cx - w / 2,
        top + 8,
        cx + w / 2,
        top + h,
        horizontal(cx - w / 2, cx + w / 2, "6b422c", "946040", "7d4e34"),
    )
    canvas.box(cx - w / 2 - 12, top + 8, cx + w / 2 + 12, top + 20, "5a3726", radius=2)
    canvas.box(cx - w / 2 + 12, top + 148, cx + w / 2 - 12, top + h - 22, "241c22", radius=4)
    # The pendulum at the end of its swing.
    a = math.radians(5)
    px, py = cx - 262 * math.sin(a), top + 138 + 250 * math.cos(a)
    canvas.line([(cx, top + 150), (px, py)], 4, "c99a54")
    canvas.disc(
        px,
        py,
        26,
        lambda x, y: mix(
            rgb("fae3a8"), rgb("8f6432"), smooth(-26, 26, (x - px) * -0.6 + (y - py))[..., None]
        ),
    )
    canvas.disc(
        px,
        py,
        17,
        lambda x, y: mix(
            rgb("c99a54"), rgb("f5d896"), smooth(-20, 20, (x - px) * -0.6 + (y - py))[..., None]
        ),
    )
    for x, bottom in ((cx - 34, 286), (cx + 36, 236)):
        canvas.line([(x, top + 150), (x, top + bottom)], 1.6, "a88a5a")
        canvas.box(
            x - 8,
            top + bottom,
            x + 8,
            top + bottom + 60,
            horizontal(x - 8, x + 8, "a87a40", "f0cf8a", "7a5028"),
            radius=4,
        )
    canvas.shape(
        [(cx - w / 2 + 16, top + 152), (cx - w / 2 + 46, top + 152), (cx - w / 2 + 16, top + 250)],
        "dff0f0",
        0.10,
    )
    canvas.shape(
        [
            (cx - w / 2 - 6, top + h),
            (cx + w / 2 + 6, top + h),
            (cx + 24, top + h + 34),
            (cx - 24, top + h + 34),
        ],
        vertical(top + h, top + h + 34, "7d4e34", "4f2f24"),
    )
    canvas.disc(cx, top + h + 42, 9, "8a5a3c")
    face(canvas, cx, top + 84, 44, 9, 5)


def surface(canvas, random, top):
    """The bench: its top seen at a low angle, and drawers below."""
    canvas.box(0, top - 16, WIDTH, top + 2, "14181f", 0.45, blur=5)
    edge = 1010
    canvas.shape(
        [(0, top), (WIDTH, top), (WIDTH, edge), (0, edge)], vertical(top, edge, "9a6a42", "b98352")
    )
    for _ in range(190):
        y = random.uniform(top + 4, edge - 6)
        x = random.uniform(-100, WIDTH)
        long = random.uniform(60, 320)
        canvas.shape(
            lens(x, y, long, random.uniform(1.2, 3)),
            "7d5232" if random.uniform() < 0.6 else "cf9a66",
            0.28,
        )
    for y in (top + 38, top + 80):
        canvas.line([(0, y), (WIDTH, y)], 1.8, "5a3a28", 0.7)
    canvas.box(0, edge, WIDTH, edge + 34, vertical(edge, edge + 34, "d9a06a", "8a5a38"))
    canvas.box(0, edge + 34, WIDTH, HEIGHT, "4a3228")
    canvas.box(0, edge + 34, WIDTH, edge + 62, "160f12", 0.6, blur=6)
    for x0, x1 in ((40, 400), (430, 790), (820, 1180), (1210, 1570)):
        canvas.box(
            x0,
            edge + 58,
            x1,
            HEIGHT + 40,
            vertical(edge + 58, HEIGHT, "7a5238", "5a3b2a"),
            radius=6,
        )
        canvas.box(
            x0 + 10,
            edge + 68,
            x1 - 10,
            HEIGHT + 40,
            vertical(edge + 68, HEIGHT, "6a4630", "54372a"),
            radius=4,
        )
        canvas.line([(x0 + 8, edge + 60), (x1 - 8, edge + 60)], 2, "b98352", 0.7)
        middle = (x0 + x1) / 2
        canvas.disc(middle, edge + 126, 14, "2a1c1c", 0.5, blur=4)
        canvas.disc(
            middle,
            edge + 120,
            13,
            lambda x, y, m=middle: mix(
                rgb("fae3a8"),
                rgb("7a5028"),
                smooth(-13, 13, (x - m) * 0.4 + (y - edge - 120))[..., None],
            ),
        )


def light(canvas, bench):
    """Lights the room by the flame."""
    x, y = FLAME
    distance = np.hypot(canvas.x - x, (canvas.y - y) * 1.06)
    warm = 1 / (1 + (distance / 400) ** 2.1)
    below = smooth(1046, 1180, canvas.y) * 0.35
    warm = warm * (1 - below)
    tint = rgb("30406e") * 0.72 + warm[..., None] * np.array([1.34, 0.93, 0.52], np.float32)
    canvas.pixels = np.clip(canvas.pixels * tint, 0, 1)


def storm(canvas, random):
    """The window and the night behind it."""
    x0, y0, w, h = 318, 176, 414, 560
    middle = x0 + w / 2
    # The opening in the thick wall; its right side is turned away from the lamp.
    outer = arch(x0 - 44, y0 - 44, w + 88, h + 62)
    canvas.shape(
        arch(x0 - 56, y0 - 56, w + 112, h + 74),
        horizontal(x0 - 56, x0 + w + 56, "2b3448", "50464c"),
    )
    canvas.shape(outer, horizontal(x0 - 44, x0 + w + 44, "6e564c", "4a4048", "1e2436"))
    pane = arch(x0, y0, w, h)
    canvas.limit(pane)

    horizon = 560
    canvas.box(
        x0, y0, x0 + w, y0 + h, vertical(y0, horizon, "0e1836", "1c3154", "3c5f7c", "6f93a0")
    )
    for base, height, colours, alpha in (
        (300, 34, ("14224a", "1e3258"), 0.9),
        (392, 30, ("1d3055", "2e4b70"), 0.85),
        (474, 24, ("2b476a", "44688a"), 0.8),
    ):
        xs = np.arange(x0 - 10, x0 + w + 11, 3.0)
        ys = base + height * (
            np.abs(np.sin(xs / 47 + base)) * 0.7 + np.abs(np.sin(xs / 21 + base * 2)) * 0.45
        )
        canvas.shape(
            [(x0 - 10, base - 120)] + list(zip(xs, ys)) + [(x0 + w + 10, base - 120)],
            vertical(base - 90, base + height, *colours),
            lambda x, y, b=base, a=alpha: a * smooth(b - 110, b - 10, y),
        )
    canvas.beam(x0 + w + 90, y0 - 70, 146, 6.5, "ffe9b4", 0.62, 720)
    # The sea, heaped up.
    for base, height, wave, shift, colours, crest in (
        (572, 15, 120, 0.6, ("4d7488", "2f5068"), "a9c6c8"),
        (606, 24, 170, 2.2, ("34566f", "1f3a56"), "c3dad8"),
        (652, 31, 220, 4.6, ("23405e", "142a47"), "dcebe6"),
        (706, 30, 270, 1.7, ("172f4e", "0c1c36"), "b9d0d2"),
    ):
        xs = np.arange(x0 - 10, x0 + w + 11, 2.0)
        phase = xs / wave * 2 * math.pi + shift
        phase = phase + 0.55 * np.sin(phase)  # steeper on one side
        rise = (0.5 + 0.5 * np.cos(phase)) ** 1.7
        ys = base - height * (2 * rise - 1) - 4 * np.sin(xs / wave * 9 + shift)
        edge = list(zip(xs, ys))
        canvas.shape(
            edge + [(x0 + w + 10, y0 + h + 10), (x0 - 10, y0 + h + 10)],
            vertical(base - height, base + 70, *colours),
        )
        for _ in range(16):
            k = random.integers(0, len(xs))
            down = random.uniform(10, 46)
            canvas.shape(
                lens(xs[k], ys[k] + down, random.uniform(10, 34), 3.2),
                crest,
                0.20 * (1 - down / 60),
            )
        thick = 0.10 * height
        foam = [
            (x, y + thick * (0.6 + 2.2 * r * r) + 1.2 * math.sin(x * 0.43) * r)
            for x, y, r in zip(xs, ys, rise)
        ]
        canvas.shape(
            edge + foam[::-1],
            crest,
            lambda x, y, b=base, t=height: 0.12 + 0.80 * smooth(b + t * 0.5, b - t, y),
        )
        # Spray, blown off the crests.
        for _ in range(46):
            k = random.integers(0, len(xs))
            if rise[k] > 0.45:
                blown = random.uniform(0, 1) ** 2
                canvas.disc(
                    xs[k] - 34 * blown - 2,
                    ys[k] - random.uniform(-1, 4) - 13 * blown,
                    random.uniform(0.7, 1.9),
                    crest,
                    0.7 * (1 - 0.6 * blown),
                )
        if base == 606:
            ketch(canvas, 462, 606)
    # Rain.
    for _ in range(190):
        x, y = random.uniform(x0, x0 + w + 90), random.uniform(y0 - 20, y0 + h)
        long = random.uniform(16, 46)
        canvas.line(
            [(x, y), (x - long * 0.42, y + long)],
            random.uniform(0.8, 1.5),
            "d5e6ee",
            random.uniform(0.12, 0.36),
        )
    # Drops on the glass, with a spark of the lamp in each.
    for _ in range(60):
        x, y = random.uniform(x0 + 8, x0 + w - 8), random.uniform(y0 + 60, y0 + h - 20)
        r = random.uniform(1.0, 2.6)
        canvas.oval(x, y, r, r * 1.25, "dcecf0", 0.28)
        canvas.disc(x + r * 0.3, y + r * 0.3, r * 0.4, "ffd9a0", 0.7)
    canvas.free()

    # Bars, frame and sill.
    for a, b in (("241a1c", 9), ("6b4a38", 5)):
        canvas.line([(middle, y0), (middle, y0 + h)], b, a)
        for y in (y0 + 206, y0 + 384):
            canvas.line([(x0, y), (x0 + w, y)], b, a)
    canvas.line(pane[:25], 13, horizontal(x0, x0 + w, "7d553c", "4a3229"))
    canvas.line([(x0, y0 + w / 2), (x0, y0 + h)], 13, "8a5e40")
    canvas.line([(x0 + w, y0 + w / 2), (x0 + w, y0 + h)], 13, "3a2826")
    canvas.box(
        x0 - 62,
        y0 + h - 2,
        x0 + w + 62,
        y0 + h + 30,
        vertical(y0 + h - 2, y0 + h + 30, "b07c4e", "6b462e"),
        radius=4,
    )
    canvas.box(x0 - 62, y0 + h + 29, x0 + w + 62, y0 + h + 42, "0e1218", 0.55, blur=4)
    # Light from outside on the sill.
    canvas.glow(middle, y0 + h + 4, 150, "7fb0c8", 0.16, 2, 0.14)


def ketch(canvas, x, y):
    """Under a rag of sail, outside the bar."""

    def place(points):
        a = math.radians(-9)
        return [
            (x + px * math.cos(a) - py * math.sin(a), y + px * math.sin(a) + py * math.cos(a))
            for px, py in points
        ]

    canvas.shape(place([(-30, -24), (34, -24), (23, -8), (-23, -8)]), "0d1730")
    canvas.line(place([(-4, -22), (-4, -78)]), 2.2, "0d1730")
    canvas.line(place([(20, -22), (20, -58)]), 1.8, "0d1730")
    canvas.shape(place([(-1, -56), (15, -29), (-1, -28)]), "e9dcc0")
    canvas.shape(place([(-6, -66), (-6, -30), (-28, -27)]), "cbbfae")
    canvas.disc(*place([(-4, -80)])[0], 2.4, "ffdf9c")
    canvas.glow(*place([(-4, -80)])[0], 11, "ffc878", 0.8)


def still_life(canvas, random, bench):
    """What stands on the bench; everything here is lit by the flame beside it."""
    fx, fy = FLAME
    # Shadows that run away from the lamp.
    for cx, cy, w, side in (
        (792, 962, 130, -1),
        (1290, 958, 96, 1),
        (1420, 976, 84, 1),
        (478, 960, 96, -1),
        (250, 962, 88, -1),
    ):
        canvas.shape(
            [
                (cx - w, cy),
                (cx + w, cy),
                (cx + w * 0.9 + side * w * 1.1, cy + 26),
                (cx - w * 0.9 + side * w * 1.1, cy + 26),
            ],
            "1a1014",
            0.50,
            blur=8,
        )
    canvas.oval(fx, 962, 120, 15, "1a1014", 0.5, blur=6)

    # The oil lamp.
    canvas.glow(fx, fy, 150, "ffb45c", 0.55, 1.8)
    brass = horizontal(fx - 80, fx + 80, "6b4222", "e0ad60", "fff0c0", "c98f48", "5a3820")
    canvas.shape(
        [
            (fx - 84, 962),
            (fx - 70, 944),
            (fx - 26, 930),
            (fx + 26, 930),
            (fx + 70, 944),
            (fx + 84, 962),
        ],
        brass,
    )
    canvas.oval(fx, 962, 84, 9, horizontal(fx - 84, fx + 84, "5a3820", "c98f48", "4a2e1c"))
    canvas.box(fx - 15, 880, fx + 15, 936, brass, radius=3)
    canvas.oval(
        fx,
        838,
        76,
        56,
        lambda x, y: mix(brass(x, y), rgb("2e1a10"), (smooth(806, 900, y) * 0.85)[..., None]),
    )
    canvas.oval(fx - 28, 814, 20, 9, "fff6da", 0.75, blur=3)
    canvas.box(fx - 42, 768, fx + 42, 790, brass, radius=5)
    for step in range(9):
        x = fx - 36 + step * 9
        canvas.box(x - 2, 750, x + 2, 770, "a87038")
    canvas.box(fx - 46, 744, fx + 46, 752, brass, radius=3)
    canvas.line([(fx + 40, 779), (fx + 66, 779)], 4, "c98f48")
    canvas.disc(fx + 68, 779, 8, "e0ad60")
    # The chimney, with the flame in it.
    chimney = [
        (fx - 30, 746),
        (fx - 55, 706),
        (fx - 57, 660),
        (fx - 43, 610),
        (fx - 27, 572),
        (fx - 25, 522),
        (fx + 25, 522),
        (fx + 27, 572),
        (fx + 43, 610),
        (fx + 57, 660),
        (fx + 55, 706),
        (fx + 30, 746),
    ]
    chimney = soften(chimney)
    canvas.shape(
        chimney,
        lambda x, y: mix(
            rgb("ffe0a0"), rgb("ffb058"), smooth(0, 150, np.hypot(x - fx, y - fy - 20))[..., None]
        ),
        lambda x, y: 0.10 + 0.42 * smooth(190, 20, np.hypot((x - fx) * 1.3, y - fy - 20)),
    )
    flame = [
        (fx, fy - 66),
        (fx + 17, fy - 26),
        (fx + 29, fy + 16),
        (fx + 27, fy + 58),
        (fx + 12, fy + 88),
        (fx - 12, fy + 88),
        (fx - 27, fy + 58),
        (fx - 29, fy + 16),
        (fx - 15, fy - 26),
    ]
    canvas.shape(
        soften(flame),
        vertical(fy - 66, fy + 90, "ffb84e", "ffd777", "fff0b8", "ffd070"),
        0.96,
        blur=1.5,
    )
    inner = [(fx + (x - fx) * 0.58, fy + 34 + (y - fy - 20) * 0.60) for x, y in flame]
    canvas.shape(
        soften(inner), vertical(fy - 20, fy + 90, "fff3c4", "fffdf2", "ffe9b0"), 0.95, blur=2
    )
    canvas.line(chimney + chimney[:1], 2.4, "fff4d8", 0.48)
    canvas.oval(fx, 522, 25, 4.2, "fff4d8", 0.35)
    canvas.line([(fx + 37, 624), (fx + 46, 658), (fx + 45, 698)], 5, "fffdf4", 0.55, blur=1.5)

    canvas.box(590, 744, 700, 900, "0c0a10", 0.42, radius=30, blur=16)
    tide_clock(canvas, 792, 960)

    # On the right: an opened movement, a cup of tools, an oil can.
    gear(canvas, 1292, 886, 74, 44, "ffdc94", "8a5424", 6, 0.06)
    gear(canvas, 1382, 936, 34, 22, "f0c074", "6b3f1c", 5, 0.1)
    canvas.disc(1292, 886, 9, "6b3f1c")
    canvas.disc(1292, 886, 5, "ffe9b8")
    oil_can(canvas, 1462, 978)
    gear(canvas, 1204, 980, 46, 30, "f0c074", "8a5424", 5, 0.2, 0.26)
    gear(canvas, 1304, 992, 30, 20, "f5cc84", "8a5424", 4, 0.1, 0.26)
    for x, y, length in ((1120, 994, 60), (952, 990, 0)):
        if length:
            canvas.line([(x, y + 5), (x + length, y + 9)], 3, "2a1810", 0.5)
            canvas.line([(x, y), (x + length, y + 4)], 3, "e8dcc8")
            canvas.line([(x - 36, y - 2.5), (x, y)], 9, "2f7078")
            canvas.line([(x - 34, y - 4.5), (x - 4, y - 2.4)], 2, "a8d8c8", 0.8)
    for x, y in ((930, 984), (946, 992), (914, 994), (968, 980)):
        canvas.oval(x + 2, y + 2.5, 6, 2.4, "2a1810", 0.5)
        canvas.oval(x, y, 6, 2.8, "ffdc94")
        canvas.oval(x, y, 2.4, 1.0, "8a5424")

    # On the left: a cup with files and brushes, books, a magnifying glass.
    books(canvas, 254, 962)
    cup(canvas, 478, 962)
    canvas.line([(590, 991), (650, 980)], 9, "1a1014", 0.4, blur=2)
    canvas.line([(586, 987), (646, 976)], 8, "8a4f30")
    canvas.oval(682, 970, 40, 13, "e0ad60")
    canvas.oval(682, 969, 34, 9.6, "7a6048")
    canvas.oval(682, 969, 34, 9.6, "d8ecec", 0.42)
    canvas.shape(lens(672, 965, 17, 4), "ffffff", 0.6)

    # Dust in the light.
    for _ in range(90):
        a, d = random.uniform(0, 6.28), random.uniform(90, 460)
        x, y = fx + d * math.cos(a), fy + d * math.sin(a) * 0.72
        if y < bench:
            canvas.disc(
                x, y, random.uniform(0.8, 1.9), "ffdf9c", random.uniform(0.1, 0.5) * (1 - d / 520)
            )


def soften(points):
    """The same outline with round corners (Chaikin, three times)."""
    for _ in range(3):
        rounder = []
        for (xa, ya), (xb, yb) in zip(points, points[1:] + points[:1]):
            rounder += [
                (xa * 0.75 + xb * 0.25, ya * 0.75 + yb * 0.25),
                (xa * 0.25 + xb * 0.75, ya * 0.25 + yb * 0.75),
            ]
        points = rounder
    return points


def tide_clock(canvas, cx, base):
    """The clock with one hand, standing in its biscuit tin."""
    r = 92
    cy = base - 166
    # The lid leans behind.
    canvas.shape(
        [(cx - 172, base - 6), (cx - 150, base - 150), (cx - 18, base - 150), (cx - 20, base - 6)],
        horizontal(cx - 172, cx - 20, "27505a", "3f7a7c"),
    )
    canvas.shape(
        [
            (cx - 160, base - 14),
            (cx - 140, base - 138),
            (cx - 30, base - 138),
            (cx - 32, base - 14),
        ],
        horizontal(cx - 160, cx - 30, "2f5f66", "569088"),
    )
    canvas.line([(cx - 150, base - 150), (cx - 18, base - 150)], 3, "a8c8a8", 0.8)
    # The case: brass, rubbed bright at the edges.
    case = lambda x, y: mix(
        rgb("6e431e"), rgb("efbb68"), smooth(cx - 120, cx + 135, x + (y - cy) * -0.15)[..., None]
    )
    canvas.box(cx - 112, cy - 112, cx + 112, base - 30, case, radius=30)
    canvas.line(
        rounded(cx - 110, cy - 110, cx + 110, base - 30, 29)[39:]
        + rounded(cx - 110, cy - 110, cx + 110, base - 30, 29)[:14],
        3.4,
        "fff0c4",
        lambda x, y: 0.25 + 0.6 * smooth(cx - 120, cx + 110, x),
    )
    canvas.line(
        [(cx - 16, cy - 112), (cx - 16, cy - 126), (cx + 16, cy - 126), (cx + 16, cy - 112)],
        7,
        "c98f48",
    )
    canvas.disc(
        cx,
        cy,
        r + 10,
        lambda x, y: mix(
            rgb("6b3f1c"), rgb("ffe6ac"), smooth(-r, r, (x - cx) + (y - cy) * 0.2)[..., None]
        ),
    )
    canvas.disc(cx, cy, r + 2, "6b3f1c")
    canvas.disc(
        cx,
        cy,
        r,
        lambda x, y: mix(
            rgb("d9c3a0"),
            rgb("fffaf0"),
            smooth(-r * 1.2, r * 0.8, (x - cx) + (y - cy) * -0.2)[..., None],
        ),
    )
    for step in range(24):
        a = math.radians(step * 15)
        x, y = cx + (r - 15) * math.sin(a), cy - (r - 15) * math.cos(a)
        if step == 0:
            canvas.disc(x, y, 7.2, "d0402e")
        else:
            canvas.disc(x, y, 3.6, "2d5f9a")
    # Two scratches, for the hour on either side.
    for degrees in (-29, 29):
        a = math.radians(degrees)
        canvas.line(
            [
                (cx + (r - 4) * math.sin(a), cy - (r - 4) * math.cos(a)),
                (cx + (r - 9) * math.sin(a), cy - (r - 9) * math.cos(a)),
            ],
            1.8,
            "6a5a50",
            0.9,
        )
    a = math.radians(106)
    canvas.line(
        [
            (cx + 4 - 12 * math.sin(a), cy + 5 + 12 * math.cos(a)),
            (cx + 4 + 62 * math.sin(a), cy + 5 - 62 * math.cos(a)),
        ],
        6,
        "4a3a38",
        0.25,
        blur=2,
    )
    hand(canvas, cx, cy, 106, 70, 10, "22314f", 0.24)
    canvas.disc(cx, cy, 8.5, "22314f")
    canvas.disc(cx, cy, 4, "f0c074")
    canvas.shape(
        [(cx + 28, cy - 78), (cx + 58, cy - 58), (cx + 78, cy - 20), (cx + 66, cy - 34)],
        "ffffff",
        0.4,
        blur=2,
    )
    # The tin.
    tin = horizontal(cx - 132, cx + 132, "244c58", "3c7478", "6fb09c")
    canvas.box(cx - 132, base - 62, cx + 132, base, tin, radius=6)
    canvas.box(
        cx - 136,
        base - 68,
        cx + 136,
        base - 58,
        horizontal(cx - 136, cx + 136, "4a7a7c", "d8ecc8"),
        radius=4,
    )
    canvas.box(cx - 132, base - 58, cx + 132, base - 50, "10242c", 0.28)
    for step in range(11):
        x = cx - 110 + step * 22
        canvas.shape(
            [(x, base - 40), (x + 9, base - 29), (x, base - 18), (x - 9, base - 29)],
            horizontal(cx - 132, cx + 132, "b07a44", "ffdf9c"),
            0.9,
        )
    canvas.line([(cx - 126, base - 46), (cx + 126, base - 46)], 1.8, "e8c888", 0.6)
    canvas.line([(cx - 126, base - 11), (cx + 126, base - 11)], 1.8, "e8c888", 0.6)


def oil_can(canvas, cx, base):
    metal = horizontal(cx - 60, cx + 60, "f0b878", "b0583c", "4a2228")
    canvas.shape(
        [
            (cx - 62, base),
            (cx - 62, base - 50),
            (cx - 16, base - 86),
            (cx + 16, base - 86),
            (cx + 62, base - 50),
            (cx + 62, base),
        ],
        metal,
    )
    canvas.oval(cx, base, 62, 8, metal)
    canvas.box(
        cx - 14,
        base - 104,
        cx + 14,
        base - 82,
        horizontal(cx - 14, cx + 14, "ffdc94", "6b3f1c"),
        radius=3,
    )
    canvas.shape(
        [(cx - 6, base - 104), (cx + 6, base - 104), (cx - 42, base - 196), (cx - 46, base - 194)],
        horizontal(cx - 46, cx + 6, "ffdc94", "8a5424"),
    )
    handle = [
        (cx + 58 + 34 * math.sin(t), base - 50 + 30 - 30 * math.cos(t))
        for t in np.linspace(0.1, math.pi - 0.1, 16)
    ]
    canvas.line(handle, 7, "5a2c2c")
    canvas.line([(cx - 56, base - 46), (cx - 56, base - 6)], 3, "ffe0a8", 0.7)


def cup(canvas, cx, base):
    for dx, lean, top, colour, tip in (
        (-22, -26, 150, "8a5a3a", None),
        (-6, -6, 176, "a8b0ae", "steel"),
        (10, 12, 164, "b0744a", "brush"),
        (24, 30, 138, "7a4a34", "steel"),
    ):
        x0, y0, x1, y1 = cx + dx, base - 70, cx + dx + lean, base - top
        canvas.line([(x0, y0), (x1, y1)], 6.5, colour)
        canvas.line([(x0 + 2, y0), (x1 + 2, y1)], 1.6, "ffdca8", 0.6)
        if tip == "brush":
            canvas.shape(
                [(x1 - 8, y1 + 4), (x1 - 5, y1 - 34), (x1 + 7, y1 - 34), (x1 + 8, y1 + 4)], "e8d0a0"
            )
            canvas.box(x1 - 8, y1 - 2, x1 + 8, y1 + 10, "c98f48")
        elif tip:
            canvas.line([(x1, y1), (x1 + lean * 0.22, y1 - 30)], 3, "d8dcd4")
    body = horizontal(cx - 52, cx + 52, "28404e", "5a8288", "d8d8b8")
    canvas.shape(
        [(cx - 48, base - 96), (cx + 48, base - 96), (cx + 42, base), (cx - 42, base)], body
    )
    canvas.oval(cx, base, 42, 5, body)
    canvas.oval(cx, base - 96, 48, 6.5, "1c2830")
    canvas.box(
        cx - 46,
        base - 62,
        cx + 46,
        base - 46,
        horizontal(cx - 48, cx + 48, "6b3a34", "e08a5c"),
        0.95,
    )


def books(canvas, cx, base):
    y = base
    for w, h, colours, dx in (
        (190, 30, ("2c2430", "7a3c3a"), 0),
        (170, 24, ("1e3038", "4a7070"), 10),
        (150, 34, ("3a2c28", "a87848"), -4),
    ):
        x0, x1 = cx - w / 2 + dx, cx + w / 2 + dx
        canvas.box(x0, y - h, x1, y, horizontal(x0, x1, *colours), radius=5)
        canvas.box(
            x1 - 16, y - h + 4, x1 + 3, y - 4, horizontal(x1 - 16, x1 + 3, "b0986c", "f5dfae")
        )
        canvas.box(x1 - 18, y - h, x1 + 2, y - h + 4, colours[1])
        canvas.box(x1 - 18, y - 4, x1 + 2, y, colours[1])
        for t in (0.12, 0.2, 0.72):
            canvas.box(x0 + w * t, y - h + 1, x0 + w * t + 4, y - 1, "d9a75c", 0.55)
        y -= h
    # Spectacles on top.
    for dx in (-24, 22):
        canvas.ring(cx + dx, y - 15, 16, 2.6, "d9a75c")
        canvas.disc(cx + dx, y - 15, 13.4, "cfe3ea", 0.16)
    canvas.line([(cx - 8, y - 18), (cx - 1, y - 21), (cx + 6, y - 18)], 2.6, "d9a75c")
    canvas.line([(cx + 38, y - 17), (cx + 52, y - 4)], 2.4, "d9a75c")


if __name__ == "__main__":
    here = os.path.dirname(os.path.abspath(__file__))
    dusk(os.path.join(here, "Content/com.example.bookshop.chapter1/Contents/picture.png"))
    workshop(os.path.join(here, "Content/com.example.bookshop.chapter2/Contents/picture.png"))
