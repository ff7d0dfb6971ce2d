"""Pieces of SVG from which the pictures of the shop are put together."""

import math
import random

SANS = "Inter, DejaVu Sans"
DISPLAY = "Inter Display, Inter, DejaVu Sans"
SERIF = "DejaVu Serif"


def picture(body, width=1024, height=1024, defs=""):
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
        f"<defs>{BLURS}{defs}</defs>{body}</svg>"
    )


BLURS = "".join(
    f'<filter id="blur{n}" x="-100%" y="-100%" width="300%" height="300%">'
    f'<feGaussianBlur stdDeviation="{n}"/></filter>'
    for n in (4, 12, 30, 60)
)


def linear(name, *stops, x1=0, y1=0, x2=0, y2=1):
    """A gradient from top to bottom, where nothing else is said."""
    return (
        f'<linearGradient id="{name}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}">'
        + _stops(stops)
        + "</linearGradient>"
    )


def radial(name, *stops, cx=0.5, cy=0.5, r=0.5):
    return (
        f'<radialGradient id="{name}" cx="{cx}" cy="{cy}" r="{r}">'
        + _stops(stops)
        + "</radialGradient>"
    )


def _stops(stops):
    text = ""
    for index, stop in enumerate(stops):
        colour, opacity = stop if isinstance(stop, tuple) else (stop, 1)
        place = index / max(1, len(stops) - 1)
        text += f'<stop offset="{place:.3f}" stop-color="{colour}" stop-opacity="{opacity}"/>'
    return text


def box(x, y, w, h, fill, radius=0, more=""):
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{w:.1f}" height="{h:.1f}" rx="{radius}" '
        f'fill="{fill}" {more}/>'
    )


def disc(x, y, r, fill, more=""):
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r:.1f}" fill="{fill}" {more}/>'


def ring(x, y, r, colour, width, more=""):
    return disc(x, y, r, "none", f'stroke="{colour}" stroke-width="{width}" {more}')


def shape(points, fill, more=""):
    text = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polygon points="{text}" fill="{fill}" {more}/>'


def line(points, colour, width, more=""):
    text = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return (
        f'<polyline points="{text}" fill="none" stroke="{colour}" stroke-width="{width}" '
        f'stroke-linecap="round" stroke-linejoin="round" {more}/>'
    )


def words(text, x, y, size, fill, weight=600, family=SANS, spacing=0.0, anchor="start", more=""):
    text = text.replace("&", "&amp;").replace("<", "&lt;")
    return (
        f'<text x="{x}" y="{y}" font-family="{family}" font-size="{size}" font-weight="{weight}" '
        f'letter-spacing="{spacing}" text-anchor="{anchor}" fill="{fill}" {more}>{text}</text>'
    )


def wave(y, height, length, phase, fill, width=1024, bottom=1024, more=""):
    """What lies below a line like a sine."""
    points = [
        (x, y + height * math.sin(2 * math.pi * (x / length + phase)))
        for x in range(0, width + 9, 8)
    ]
    return shape(points + [(width, bottom), (0, bottom)], fill, more)


def ridge(seed, y, height, fill, width=1024, bottom=1024, steps=7, more=""):
    """Mountains: a line that is broken in its middle again and again."""
    chance = random.Random(seed)
    line_ = [(0, y + chance.uniform(-0.5, 0.5) * height), (width, y + chance.uniform(-0.5, 0.5) * height)]
    reach = height
    for _ in range(steps):
        finer = [line_[0]]
        for (x0, y0), (x1, y1) in zip(line_, line_[1:]):
            finer.append(((x0 + x1) / 2, (y0 + y1) / 2 + chance.uniform(-1, 1) * reach))
            finer.append((x1, y1))
        line_, reach = finer, reach * 0.5
    return shape(line_ + [(width, bottom), (0, bottom)], fill, more)


def grain(seed, count, width=1024, height=1024, colour="#fff", opacity=0.5, top=0, largest=1.8):
    """Stars, snow or dust."""
    chance = random.Random(seed)
    return "".join(
        disc(
            chance.uniform(0, width),
            chance.uniform(top, height),
            chance.uniform(0.4, 1) ** 2 * largest,
            colour,
            f'opacity="{chance.uniform(0.2, 1) * opacity:.2f}"',
        )
        for _ in range(count)
    )
