"""Zstandard files as a stream that tells a file which was cut off from a whole one."""

import io
from typing import TYPE_CHECKING, BinaryIO

import zstandard

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

#: compressed bytes that are unpacked at once; at the most that the format allows, they make 64 MiB
_STEP = 2048


class ZstdFrames(io.RawIOBase):
    """The content of a zstd file of one frame or several; closing it closes the file.

    zstandard's own reader takes the end of the file for the end of the content. This one raises `EOFError` where the
    last frame is not finished, after it gave what came before.
    """

    def __init__(self, file: BinaryIO) -> None:
        super().__init__()
        self._file = file
        self._decompressor = zstandard.ZstdDecompressor()
        self._frame: zstandard.ZstdDecompressionObj | None = None
        self._packed = b""
        self._content = memoryview(b"")

    def readable(self) -> bool:
        """Return that it can be read."""
        return True

    def readinto(self, buffer: "WriteableBuffer", /) -> int:
        """Fill the buffer with what is at hand; return how many bytes those are, 0 at the end."""
        while not self._content:
            if not self._packed:
                self._packed = self._file.read(_STEP)
            if not self._packed:
                if self._frame is not None:
                    raise EOFError("its last zstd frame is not finished")
                return 0
            self._unpack()
        target = memoryview(buffer).cast("B")
        taken = min(len(target), len(self._content))
        target[:taken] = self._content[:taken]
        self._content = self._content[taken:]
        return taken

    def close(self) -> None:
        """Close the file too."""
        self._file.close()
        super().close()

    def _unpack(self) -> None:
        frame = self._frame or self._decompressor.decompressobj()
        self._content = memoryview(frame.decompress(self._packed))
        self._packed = frame.unused_data if frame.eof else b""
        self._frame = None if frame.eof else frame
