"""Plays one of the loops and writes it to standard output as 16-bit stereo samples.

A loop is 16 seconds. Notes that ring past its end ring on at its start, so it can follow itself.
"""
import random
import sys
from array import array
from math import exp, pi, sin, tanh

RATE = 32_000
LENGTH = 16 * RATE
left, right = array("d", bytes(8 * LENGTH)), array("d", bytes(8 * LENGTH))
PITCHES = {name: step for step, name in enumerate("C C# D D# E F F# G G# A A# B".split())}


def frequency(note):
    return 440 * 2 ** ((PITCHES[note[:-1]] - 9) / 12 + int(note[-1]) - 4)


def add(start, sample, pan):
    """Mixes a mono sound in at a time; pan goes from -1, left, to 1."""
    first = round(start * RATE)
    for step, value in enumerate(sample):
        at = (first + step) % LENGTH
        left[at] += value * (1 - pan) / 2
        right[at] += value * (1 + pan) / 2


def pad(note, seconds, volume):
    """Two detuned voices that swell and fade."""
    base, count = frequency(note), round((seconds + 1.2) * RATE)
    for detune, pan in ((0.997, -0.6), (1.003, 0.6)):
        turn = 2 * pi * base * detune / RATE
        yield pan, [
            volume * min(1, step / (0.9 * RATE)) * min(1, (count - step) / (1.2 * RATE))
            * (sin(turn * step) + 0.35 * sin(2 * turn * step) + 0.12 * sin(3 * turn * step))
            for step in range(count)
        ]


def pluck(note, volume, decay):
    """A struck bar: the overtones go first."""
    turn = 2 * pi * frequency(note) / RATE
    return [
        volume * min(1, step / 90) * (
            exp(-decay * step / RATE) * sin(turn * step)
            + 0.4 * exp(-2.2 * decay * step / RATE) * sin(2 * turn * step)
            + 0.15 * exp(-4 * decay * step / RATE) * sin(4 * turn * step)
        )
        for step in range(round(4.5 / decay * RATE))
    ]


def bass(note, seconds, volume):
    turn, count = 2 * pi * frequency(note) / RATE, round(seconds * RATE)
    return [
        volume * min(1, step / 200) * min(1, (count - step) / 600) * tanh(1.6 * sin(turn * step) + 0.5 * sin(2 * turn * step))
        for step in range(count)
    ]


def kick(volume):
    return [volume * exp(-11 * t) * sin(2 * pi * (48 * t + 5.5 * (1 - exp(-28 * t)))) for t in (step / RATE for step in range(RATE // 3))]


def brush(volume, decay, noise):
    """A hat or a clap: noise without its low end."""
    before, sample = 0.0, []
    for step in range(round(5 / decay * RATE)):
        now = noise.uniform(-1, 1)
        sample.append(volume * exp(-decay * step / RATE) * (now - before))
        before = now
    return sample


def play_pads(chords, seconds, volume):
    for index, notes in enumerate(chords):
        for note in notes:
            for pan, sample in pad(note, seconds, volume):
                add(index * seconds, sample, pan)


def calm():
    chords = [["C3", "E3", "G3", "B3"], ["A2", "E3", "G3", "C4"], ["F2", "C3", "E3", "A3"], ["G2", "D3", "F3", "B3"]]
    play_pads(chords, 4, 0.05)
    tune = [["E5", "B4", "G4", "C5"], ["C5", "G4", "E4", "A4"], ["A4", "C5", "E5", "F5"], ["D5", "B4", "G4", "A4"]]
    for index, notes in enumerate(tune):
        for step, note in enumerate(notes + notes[:0:-1]):
            add(index * 4 + step * 0.5, pluck(note, 0.13 if step % 4 == 0 else 0.08, 2.2), -0.4 if step % 2 else 0.4)


def bright():
    noise = random.Random(7)
    chords = [["C3", "E3", "G3"], ["G2", "D3", "B3"], ["A2", "E3", "C4"], ["F2", "C3", "A3"]] * 2
    tune = [["C5", "E5", "G5", "E5"], ["B4", "D5", "G5", "D5"], ["C5", "E5", "A5", "E5"], ["C5", "F5", "A5", "G5"]] * 2
    play_pads(chords, 2, 0.04)
    for index, (chord, notes) in enumerate(zip(chords, tune)):
        start = index * 2
        for step in range(8):
            add(start + step * 0.25, pluck(notes[step % 4], 0.14 if step % 4 == 0 else 0.09, 5), -0.5 if step % 2 else 0.5)
            add(start + step * 0.25 + 0.125, brush(0.03, 60, noise), 0.3)
        for beat in range(4):
            add(start + beat * 0.5, kick(0.34 if beat % 2 == 0 else 0.2), 0)
            if beat % 2:
                add(start + beat * 0.5, brush(0.09, 26, noise), -0.1)
        for at, long in ((0, 0.7), (0.75, 0.2), (1, 0.45), (1.5, 0.45)):
            add(start + at, bass(chord[0], long, 0.13), 0)


def drive():
    noise = random.Random(11)
    chords = [["A2", "E3", "C4"], ["F2", "C3", "A3"], ["C3", "G3", "E4"], ["G2", "D3", "B3"]] * 2
    tune = [["A4", "C5", "E5"], ["A4", "C5", "F5"], ["G4", "C5", "E5"], ["G4", "B4", "D5"]] * 2
    play_pads(chords, 2, 0.05)
    for index, (chord, notes) in enumerate(zip(chords, tune)):
        start = index * 2
        for step in range(16):
            if step % 4:
                add(start + step * 0.125, bass(chord[0], 0.1, 0.17), 0)
            add(start + step * 0.125, brush(0.055 if step % 4 == 2 else 0.022, 70, noise), 0.35)
        for beat in range(4):
            add(start + beat * 0.5, kick(0.5), 0)
            if beat % 2:
                add(start + beat * 0.5, brush(0.14, 20, noise), 0)
        for step, at in enumerate((0, 0.375, 0.75, 1, 1.375, 1.75)):
            for note in notes:
                add(start + at, pluck(note, 0.06, 7), -0.5 if step % 2 else 0.5)


{"calm": calm, "bright": bright, "drive": drive}[sys.argv[1]]()
loudest = max(max(map(abs, left)), max(map(abs, right)))
samples = array("h")
for pair in zip(left, right):
    samples.extend(round(20_000 * value / loudest) for value in pair)
sys.stdout.buffer.write(samples.tobytes())
