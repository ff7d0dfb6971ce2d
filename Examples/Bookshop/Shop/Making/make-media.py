"""Makes the pictures, sounds, films and books of the shop, in the folder above this one.

    sudo apt-get install librsvg2-bin ffmpeg espeak-ng fonts-inter
    python3 make-media.py

Nothing is random: the same versions of these programs give the same files.
"""

import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

import artworks_apps_books
import artworks_sounds_films
import books
import clips
import screens
import sounds

HERE = os.path.dirname(os.path.abspath(__file__))
SHOP = os.path.dirname(HERE)
EXACT = ["-map_metadata", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact", "-flags:a", "+bitexact", "-threads", "1"]


def place(folder, name):
    os.makedirs(os.path.join(SHOP, folder), exist_ok=True)
    return os.path.join(SHOP, folder, name)


def ffmpeg(*arguments):
    subprocess.run(["ffmpeg", "-v", "error", "-y", *arguments], check=True)


def draw(svg, png):
    subprocess.run(["rsvg-convert", "-o", png], input=svg.encode(), check=True)


def pictures(work):
    artworks = {**artworks_apps_books.ARTWORKS, **artworks_sounds_films.ARTWORKS}
    for folder, quality, all_ in (("artworks", 5, artworks), ("screenshots", 7, screens.SCREENS)):
        for name, make in all_.items():
            png = os.path.join(work, "picture.png")
            draw(make(), png)
            # All colours in all pixels: lettering has edges.
            ffmpeg("-i", png, "-pix_fmt", "yuvj444p", "-q:v", str(quality), *EXACT, place(folder, name + ".jpg"))


def music(work):
    for name, make in sounds.TUNES.items():
        make().write(os.path.join(work, name + ".wav"))
    for name in ("ebb-tide-waltz", "the-harbourmasters-daughter", "slack-water", "mado-no-akari", "shuden-no-ato"):
        wav = os.path.join(work, name + ".wav")
        ffmpeg("-t", "6", "-i", wav, "-af", "afade=t=out:st=5:d=1", "-c:a", "libvorbis", "-q:a", "0", *EXACT, place("previews", name + ".ogg"))
        ffmpeg("-i", wav, "-c:a", "libmp3lame", "-b:a", "48k", *EXACT, place("downloads", name + ".mp3"))
    for name in sounds.SPOKEN:
        wav = os.path.join(work, name + ".wav")
        sounds.speak(name, wav)
        ffmpeg("-i", wav, "-c:a", "libvorbis", "-q:a", "-1", *EXACT, place("previews", name + ".ogg"))
    wav = os.path.join(work, "lamplighters-atlas-read.wav")
    ffmpeg("-i", wav, "-c:a", "libmp3lame", "-b:a", "32k", *EXACT, place("downloads", "lamplighters-atlas-read.mp3"))


def films(work):
    for name, (scene, seconds, tune) in clips.CLIPS.items():
        for number in range(seconds * clips.RATE):
            draw(scene(number / clips.RATE), os.path.join(work, f"frame{number:04d}.png"))
        picture = ["-framerate", str(clips.RATE), "-i", os.path.join(work, "frame%04d.png")]
        sound = ["-i", os.path.join(work, tune + ".wav")]
        code = ["-c:v", "libvpx-vp9", "-pix_fmt", "yuv420p", "-b:v", "0", "-crf", "38", "-row-mt", "0", "-c:a", "libvorbis", "-q:a", "-1", "-ac", "1", "-t", str(seconds)]
        ffmpeg(*picture, *sound, "-map", "0:v", "-map", "1:a", *code, *EXACT, place("previews", name + ".webm"))
        for number in range(seconds * clips.RATE):
            os.remove(os.path.join(work, f"frame{number:04d}.png"))


def downloads():
    for name, make in books.DOWNLOADS.items():
        with open(place("downloads", name), "wb") as file:
            file.write(make())


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as work:
        pictures(work)
        music(work)
        films(work)
    downloads()
