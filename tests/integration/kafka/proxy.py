"""Between clients and a broker: passes everything on, or loses what the broker answers to a producer."""

import contextlib
import socket
import threading
from collections.abc import Callable

from tests.integration.kafka.broker import free_port

_PRODUCE = 0


class Proxy:
    """Listens on a free port of the loopback interface and connects each client to the broker behind it."""

    def __init__(self) -> None:
        self.port = free_port()
        self.target = 0
        #: called once, when the broker has stored what a producer sent and its answer is lost; None passes answers on
        self.on_lost_answer: Callable[[], None] | None = None
        self._listener = socket.create_server(("127.0.0.1", self.port))
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """Take no more clients."""
        self._listener.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):  # closed
            while True:
                client, _ = self._listener.accept()
                try:
                    broker = socket.create_connection(("127.0.0.1", self.target))
                except OSError:
                    client.close()  # nobody is behind
                    continue
                produces: list[bool] = []
                for step in (self._requests, self._answers):
                    threading.Thread(target=step, args=(client, broker, produces), daemon=True).start()

    def _requests(self, client: socket.socket, broker: socket.socket, produces: list[bool]) -> None:
        """Pass requests on, frame by frame, and note for each whether it is a producer's."""
        self._pass(client, broker, lambda frame: produces.append(int.from_bytes(frame[4:6]) == _PRODUCE))

    def _answers(self, client: socket.socket, broker: socket.socket, produces: list[bool]) -> None:
        """Pass answers on; they come in the order of the requests."""

        def look(_frame: bytes) -> None:
            if produces.pop(0) and (lost := self.on_lost_answer) is not None:
                self.on_lost_answer = None
                lost()
                raise OSError("this answer does not arrive")

        self._pass(broker, client, look)

    @staticmethod
    def _pass(source: socket.socket, sink: socket.socket, look: Callable[[bytes], None]) -> None:
        with source, sink, contextlib.suppress(OSError), source.makefile("rb") as stream:
            while len(head := stream.read(4)) == 4:
                frame = head + stream.read(int.from_bytes(head))
                look(frame)
                sink.sendall(frame)
            sink.shutdown(socket.SHUT_RDWR)
