"""What the tests over real DDS stand on: node processes, and a client that publishes, listens and asks.

Every wait is for an event, with a deadline; nothing sleeps for a time and hopes.
"""

from __future__ import annotations

import array
import contextlib
import itertools
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import rclpy
import yaml
from rclpy.context import Context
from rclpy.duration import Duration
from rclpy.executors import SingleThreadedExecutor
from rclpy.qos import DurabilityPolicy, QoSProfile

#: Seconds. The first start on a machine compiles kernels, and CI shares its cores.
READY = 240.0
ANSWER = 30.0
END = 20.0

_numbers = itertools.count(1)


def namespace() -> str:
    """A ROS namespace that no other test uses."""
    return f"/t{os.getpid()}_{next(_numbers)}"


class NodeProcess:
    """One of the executables, in a process group of its own, with its log."""

    def __init__(
        self,
        module: str,
        ns: str,
        parameters: dict[str, Any] | None = None,
        files: Sequence[Path] = (),
        remaps: Sequence[str] = (),
        arguments: Sequence[str] = (),
    ) -> None:
        self._folder = tempfile.TemporaryDirectory()
        file = Path(self._folder.name) / "parameters.yaml"
        file.write_text(yaml.safe_dump({"/**": {"ros__parameters": parameters or {}}}), encoding="utf-8")
        command = [sys.executable, "-m", f"dyn_node.nodes.{module}", "--ros-args"]
        for rule in (f"__ns:={ns}", *remaps):
            command += ["-r", rule]
        for given in (file, *files):
            command += ["--params-file", str(given)]
        command += arguments
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
        )
        self.lines: list[str] = []
        self._changed = threading.Condition()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        for line in self.process.stdout:
            with self._changed:
                self.lines.append(line.rstrip())
                self._changed.notify_all()
        with self._changed:
            self._changed.notify_all()

    @property
    def log(self) -> str:
        """Everything printed so far."""
        return "\n".join(self.lines)

    def wait_for(self, text: str, timeout: float = READY, after: int = 0) -> str:
        """The first line from number `after` on that contains `text`."""
        with self._changed:
            found = self._changed.wait_for(
                lambda: any(text in line for line in self.lines[after:]) or not self._reader.is_alive(),
                timeout,
            )
        match = [line for line in self.lines[after:] if text in line]
        assert match, f"no line with {text!r} within {timeout} s (ended: {not found}); the log:\n{self.log}"
        return match[0]

    def end(self, number: int = signal.SIGINT) -> int:
        """Send a signal and return the exit code; -999 when the process had to be killed."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            code = self.process.wait(END)
        except subprocess.TimeoutExpired:
            code = -999
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self._reader.join(END)
        self.process.stdout.close()
        self._folder.cleanup()
        return code

    def strays(self) -> bool:
        """Whether anything is left of the process group."""
        try:
            os.killpg(self.process.pid, 0)
        except ProcessLookupError:
            return False
        return True

    def __enter__(self) -> NodeProcess:
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        code = self.end()
        assert code == 0 or kind is not None, f"exit code {code} after SIGINT; the log:\n{self.log}"


class Recorder:
    """The messages of one topic."""

    def __init__(self, client: Client, kind: type, topic: str, qos: QoSProfile | int = 10) -> None:
        self.messages: list[Any] = []
        self.changed = threading.Condition()
        self.subscription = client.node.create_subscription(kind, topic, self._take, qos)

    def _take(self, message: Any) -> None:
        with self.changed:
            self.messages.append(message)
            self.changed.notify_all()

    def wait(self, accept: Callable[[Any], bool], timeout: float = ANSWER) -> Any:
        """The newest message that is accepted."""

        def found() -> list[Any]:
            return [message for message in self.messages if accept(message)]

        with self.changed:
            assert self.changed.wait_for(found, timeout), (
                f"nothing fitting on {self.subscription.topic_name} within {timeout} s; "
                f"{len(self.messages)} messages, the last: {self.messages[-1:]}"
            )
            return found()[-1]

    def stamps(self) -> list[int]:
        """Stamps of what has come so far, ns."""
        return [stamp_of(message) for message in self.messages]


def until(holds: Callable[[], Any], what: str, timeout: float = ANSWER) -> None:
    """Look again and again, until something that nothing announces holds."""
    deadline = time.monotonic() + timeout
    while not holds():
        assert time.monotonic() < deadline, f"not within {timeout} s: {what}"
        time.sleep(0.01)


def values_of(
    recorder: Recorder, ns: str, wanted: Callable[[dict[str, str]], Any], node: str = ""
) -> dict[str, str]:
    """The next diagnostics of a namespace's node that are as wanted; "level" and "message" are in them."""
    seen = len(recorder.messages)

    def ours(message: Any) -> dict[str, str]:
        status = message.status[0]
        if not status.name.startswith(f"{ns[1:]}/{node}"):
            return {}
        values = {pair.key: pair.value for pair in status.values}
        return {**values, "level": str(status.level[0]), "message": status.message}

    def found() -> list[dict[str, str]]:
        return [v for v in map(ours, recorder.messages[seen:]) if v and wanted(v)]

    with recorder.changed:
        assert recorder.changed.wait_for(found, ANSWER), (
            f"no such diagnostics; the last are {[v for v in map(ours, recorder.messages) if v][-1:]}"
        )
        return found()[-1]


def arm(client: Client) -> None:
    """Arm the node's effort_command, as soon as it has a state."""
    from std_srvs.srv import SetBool

    ask = client.keep_service(SetBool, "dynamics/enable")
    deadline = time.monotonic() + ANSWER
    while not (answer := ask(SetBool.Request(data=True))).success:
        assert time.monotonic() < deadline, f"not armed: {answer.message}"
        time.sleep(0.01)


class Client:
    """The test's side: a rclpy node in one namespace, spun by a thread."""

    def __init__(self, ns: str, name: str = "client") -> None:
        self.ns = ns
        self._context = Context()
        rclpy.init(context=self._context)
        self.node = rclpy.create_node(name, namespace=ns, context=self._context)
        self._executor = SingleThreadedExecutor(context=self._context)
        self._executor.add_node(self.node)
        self._thread = threading.Thread(target=self._executor.spin, daemon=True)
        self._thread.start()
        self._publishers: dict[str, Any] = {}
        self._stamps = itertools.count(1_000_000_000, 1_000_003)

    def close(self) -> None:
        """End the node and its thread."""
        self._executor.shutdown()
        self._thread.join(END)
        self.node.destroy_node()
        rclpy.shutdown(context=self._context)

    def record(self, kind: type, topic: str, qos: QoSProfile | int = 10) -> Recorder:
        """Listen to a topic, relative to the namespace."""
        return Recorder(self, kind, topic, qos)

    def publish(self, topic: str, message: Any, latched: bool = False) -> None:
        """Publish one message."""
        if topic not in self._publishers:
            durability = DurabilityPolicy.TRANSIENT_LOCAL if latched else DurabilityPolicy.VOLATILE
            qos = QoSProfile(depth=10, durability=durability)
            self._publishers[topic] = self.node.create_publisher(type(message), topic, qos)
        self._publishers[topic].publish(message)

    def new_stamp(self) -> int:
        """A stamp in ns that was not used before."""
        return next(self._stamps)

    def exchange(self, send: Callable[[int], None], recorder: Recorder, timeout: float = ANSWER) -> Any:
        """Send with ever new stamps until the recorder hears a message that carries one of them."""
        sent: set[int] = set()
        deadline = time.monotonic() + timeout
        while time.monotonic() < deadline:
            sent.add(self.new_stamp())
            send(max(sent))
            with recorder.changed:
                # A new subscription needs a while to be matched, so a message may be lost: send again.
                if recorder.changed.wait_for(lambda: sent & set(recorder.stamps()), 0.1):
                    return [m for m in recorder.messages if stamp_of(m) in sent][-1]
        raise AssertionError(f"no answer on {recorder.subscription.topic_name} to {len(sent)} messages")

    def call(self, kind: type, service: str, request: Any) -> Any:
        """The answer of a service."""
        client = self.node.create_client(kind, service)
        try:
            return _answer(client, request)
        finally:
            self.node.destroy_client(client)

    def keep_service(self, kind: type, service: str) -> Callable[[Any], Any]:
        """A function that answers requests of a service; the connection stays."""
        client = self.node.create_client(kind, service)
        return lambda request: _answer(client, request)


def _answer(client: Any, request: Any) -> Any:
    """The answer of a service, within ANSWER seconds."""
    assert client.wait_for_service(ANSWER), f"no service {client.srv_name}"
    done = threading.Event()
    future = client.call_async(request)
    future.add_done_callback(lambda _: done.set())
    assert done.wait(ANSWER), f"{client.srv_name} did not answer"
    return future.result()


class Feed:
    """Sends again and again, from a thread, until it is paused or closed."""

    def __init__(self, client: Client, send: Callable[[int], None], period: float = 0.01) -> None:
        self._client, self._send, self._period = client, send, period
        self._on, self._end = threading.Event(), threading.Event()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        self.resume()

    def _run(self) -> None:
        while not self._end.wait(self._period):
            self._on.wait()
            with self._lock:
                if self._on.is_set() and not self._end.is_set():
                    self._send(self._client.new_stamp())

    def pause(self) -> None:
        """Send nothing from here on."""
        with self._lock:
            self._on.clear()

    def resume(self) -> None:
        """Send again."""
        self._on.set()

    def __enter__(self) -> Feed:
        return self

    def __exit__(self, *error: object) -> None:
        self._end.set()
        self._on.set()
        self._thread.join(END)


@contextlib.contextmanager
def client(ns: str, name: str = "client") -> Iterator[Client]:
    """A client, a node of that name, that is closed at the end."""
    made = Client(ns, name)
    try:
        yield made
    finally:
        made.close()


def seconds(value: float) -> Duration:
    """A duration, as QoS policies take it."""
    return Duration(nanoseconds=round(1e9 * value))


def stamp_of(message: Any) -> int:
    """Header stamp in ns."""
    return message.header.stamp.sec * 1_000_000_000 + message.header.stamp.nanosec


def joint_state(names: Sequence[str], position: Any, velocity: Any = None, stamp: int = 0) -> Any:
    """A sensor_msgs/JointState."""
    from sensor_msgs.msg import JointState

    message = JointState(name=list(names), position=array.array("d", position))
    if velocity is not None:
        message.velocity = array.array("d", velocity)
    message.header.stamp.sec, message.header.stamp.nanosec = divmod(stamp, 1_000_000_000)
    return message
