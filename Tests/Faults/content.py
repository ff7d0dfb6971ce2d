"""What a device does with hosted content: the manifest, and the files that the chunks make."""

import base64
import ctypes
import ctypes.util
import hashlib
import json

_zstd = ctypes.CDLL(ctypes.util.find_library("zstd") or "libzstd.so.1")
_zstd.ZSTD_getFrameContentSize.restype = ctypes.c_ulonglong
_zstd.ZSTD_getFrameContentSize.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
_zstd.ZSTD_decompress.restype = ctypes.c_size_t
_zstd.ZSTD_decompress.argtypes = [
    ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]
LARGEST = 128 << 20


def digest(data):
    return hashlib.sha256(data).hexdigest()


def unpacked(data):
    """The bytes of one zstd frame."""
    length = _zstd.ZSTD_getFrameContentSize(data, len(data))
    if length > LARGEST:
        raise ValueError("no zstd frame")
    space = ctypes.create_string_buffer(max(length, 1))
    if _zstd.ZSTD_decompress(space, length, data, len(data)) != length:
        raise ValueError("a broken zstd frame")
    return space.raw[:length]


def manifest(data):
    return json.loads(unpacked(data))


def file_digests(manifest, blobs):
    """The SHA-256 of each file, put together of its chunks.

    `blobs`: the bytes of each blob by its digest."""
    chunks = []
    for reference in manifest["blobs"]:
        blob = blobs[reference["digest"]]
        table = json.loads(unpacked(blob[len(blob) - reference["tableLength"]:]))
        assert len(base64.b64decode(table["digests"])) == 16 * len(table["lengths"])
        offset = 0
        for length in table["lengths"]:
            chunks.append(blob[offset:offset + length])
            offset += length
    digests = {}
    for entry in manifest["entries"]:
        if entry["kind"] == "file":
            ranges = entry["chunks"]
            hasher = hashlib.sha256()
            for start, count in zip(ranges[::2], ranges[1::2]):
                for chunk in chunks[start:start + count]:
                    hasher.update(unpacked(chunk))
            digests[entry["path"]] = hasher.hexdigest()
    return digests
