"""Music of plucked strings and soft organs, and what is read aloud."""

import math
import random
import struct
import subprocess
import wave

RATE = 22050


def note(name):
    """Hertz of a name such as `A4` or `F#3`."""
    steps = {"C": -9, "D": -7, "E": -5, "F": -4, "G": -2, "A": 0, "B": 2}
    step = steps[name[0]] + name.count("#") - name.count("b") + 12 * (int(name[-1]) - 4)
    return 440 * 2 ** (step / 12)


def pluck(frequency, seconds, seed, softness=0.5):
    """A string by Karplus and Strong: noise that goes round, and loses its edges."""
    chance = random.Random(seed)
    length = max(2, round(RATE / frequency))
    ring = [chance.uniform(-1, 1) for _ in range(length)]
    for _ in range(2):
        ring = [(a + b) / 2 for a, b in zip(ring, ring[1:] + ring[:1])]
    samples = []
    for n in range(int(seconds * RATE)):
        place = n % length
        samples.append(ring[place])
        ring[place] = 0.996 * (softness * ring[place] + (1 - softness) * ring[(place + 1) % length])
    return samples


def organ(frequency, seconds, attack=0.25):
    samples, total = [], int(seconds * RATE)
    for n in range(total):
        t = n / RATE
        edge = min(1, t / attack, (total - n) / RATE / attack)
        sound = sum(
            math.sin(2 * math.pi * frequency * k * t * (1 + 0.0008 * k)) / k**1.6 for k in (1, 2, 3, 4)
        )
        samples.append(0.3 * edge * sound)
    return samples


class Tape:
    def __init__(self, seconds):
        self.samples = [0.0] * int(seconds * RATE)

    def add(self, at, samples, loudness):
        start = int(at * RATE)
        for n, value in enumerate(samples):
            if start + n >= len(self.samples):
                break
            self.samples[start + n] += loudness * value

    def write(self, path):
        loudest = max(abs(value) for value in self.samples) or 1
        fade = int(0.6 * RATE)
        total = len(self.samples)
        frames = bytearray()
        for n, value in enumerate(self.samples):
            edge = min(1, (n + 1) / 200, (total - n) / fade)
            frames += struct.pack("<h", round(28000 * value / loudest * edge))
        with wave.open(path, "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(RATE)
            file.writeframes(bytes(frames))


def arpeggio(chords, beat, seconds, seed, bass=True, pad=0.0, softness=0.5):
    """Chords, one after the other, whose notes are plucked in turn."""
    tape, chance = Tape(seconds), random.Random(seed)
    at, index = 0.0, 0
    while at < seconds:
        chord = chords[index % len(chords)]
        if bass:
            tape.add(at, pluck(note(chord[0]) / 2, beat * 4, seed + index), 0.8)
        if pad:
            for name in chord:
                tape.add(at, organ(note(name), beat * 4), pad)
        for step in range(8):
            name = chord[[0, 1, 2, 1, 2, 1, 0, 2][step] % len(chord)]
            start = at + step * beat / 2 + chance.uniform(0, 0.012)
            tape.add(start, pluck(note(name), beat * 2, seed * 100 + index * 8 + step, softness), 0.55)
        at += beat * 4
        index += 1
    return tape


TUNES = {
    "ebb-tide-waltz": lambda: arpeggio([["D4", "F#4", "A4"], ["B3", "D4", "F#4"], ["G3", "B3", "D4"], ["A3", "C#4", "E4"]], 0.42, 12, 1),
    "the-harbourmasters-daughter": lambda: arpeggio([["A3", "C4", "E4"], ["F3", "A3", "C4"], ["C4", "E4", "G4"], ["G3", "B3", "D4"]], 0.36, 12, 2),
    "slack-water": lambda: arpeggio([["E3", "G3", "B3"], ["C4", "E4", "G4"], ["A3", "C4", "E4"], ["B3", "D4", "F#4"]], 0.55, 12, 3, pad=0.12),
    "mado-no-akari": lambda: arpeggio([["D4", "E4", "A4"], ["C4", "E4", "G4"], ["A3", "D4", "E4"], ["G3", "A3", "D4"]], 0.48, 12, 4, pad=0.08, softness=0.6),
    "shuden-no-ato": lambda: arpeggio([["F3", "A3", "E4"], ["G3", "B3", "D4"], ["E3", "G3", "D4"], ["A3", "C4", "E4"]], 0.6, 12, 5, pad=0.16),
    "ofen-7": lambda: arpeggio([["E3", "B3", "E4"], ["E3", "B3", "G4"], ["D3", "A3", "F#4"], ["C3", "G3", "E4"]], 0.26, 8, 6, softness=0.42),
    "ferry": lambda: arpeggio([["C3", "G3", "Eb4"], ["Ab3", "C4", "Eb4"]], 0.9, 7, 7, pad=0.3, softness=0.65),
}

SPOKEN = {
    "small-hours-long-waves": (
        "en-gb", 150,
        "Small hours, long waves. Tonight: the radio operator of a lightship, who for nineteen years "
        "read the weather to nobody in particular, and what happened when somebody answered.",
    ),
    "lamplighters-atlas-read": (
        "en-gb", 140,
        "The Lamplighter's Atlas. Chapter one. There are four hundred and eleven lamps in the town of "
        "Verrin, and in the year of the long fog, Tomas Lind drew each of them on a map.",
    ),
    "asa-no-ichiba-kara": (
        "ja", 140,
        "あさのいちばから。きょうは、みなとのやおやさんで、なつみかんのはなしをききます。",
    ),
}


def speak(name, path):
    voice, speed, text = SPOKEN[name]
    subprocess.run(["espeak-ng", "-v", voice, "-s", str(speed), "-w", path, text], check=True)
