package io.jverbs.bench.report;

import io.jverbs.bench.report.Bar.Kind;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.annotations.Mode;

/** The bars, which are for the median of five rounds on two processors. */
final class Bars {
    private static final String WRITE = "datapath.Write.prepared";
    private static final String SEND = "datapath.Send.prepared";
    private static final String PING_PONG = "pingpong.PingPong.send";

    /** The bars of benchmarks within one JVM, which are for the software device. */
    static final List<Bar> IN_JVM = List.of(
            times("in-JVM WRITE 8 B, prepared, post + poll, one thread", "at most 1.75x the hand-written baseline",
                    WRITE, Map.of("bytes", "8"), "handWritten", 1.75),
            times("in-JVM SEND/RECV 64 B, post + poll both sides, one thread",
                    "at most 3.5x the hand-written baseline", SEND, Map.of("bytes", "64"), "handWritten", 3.5),
            fetching("READ 8 B", "datapath.Read.prepared", Map.of("bytes", "8")),
            fetching("FETCH_ADD", "datapath.Atomics.fetchAndAdd", Map.of()),
            fetching("CAS", "datapath.Atomics.compareAndSwap", Map.of()),
            times("in-JVM WRITE 8 B on 1,000 queue pairs in turn, one thread", "at most 1.5x one queue pair",
                    "scaling.QueuePairs.inTurn", Map.of("queuePairs", "1000"), "inTurn", 1.5),
            speed("in-JVM WRITE 1 MiB", "at least 95 % of MemorySegment.copy", WRITE, Map.of("bytes", "1048576"),
                    "copy", 0.95),
            times("in-JVM two-thread SEND/RECV ping-pong 64 B", "at most 3x the volatile ping-pong", PING_PONG,
                    Map.of("signaledOneIn", "1"), "volatileWord", 3),
            times("in-JVM two-thread SEND/RECV ping-pong 64 B", "not slower than Aeron IPC", PING_PONG,
                    Map.of("signaledOneIn", "1"), "aeronIpc", 1),
            new Bar("in-JVM connect + accept + close of two endpoints, one thread", "at most 40 us",
                    "connection.Connect.endpoints", Mode.AverageTime, Map.of("path", "JVM"), "tcp", Kind.MICROSECONDS,
                    40));

    /** The bars of benchmarks that open a device of their own. */
    static final List<Bar> ANY_DEVICE = List.of(overC("postSend", "native prepared post_send over the stub"),
            overC("pollEmpty", "native poll_cq over the stub, empty"),
            overC("pollOne", "native poll_cq over the stub, one entry"),
            pingPong("sendNio", "nio"), pingPong("sendLinux", "linux"),
            endpoint("endpointNio", "sendNio", "nio"), endpoint("endpointLinux", "sendLinux", "linux"),
            waiting("sendNio", "nio"), waiting("sendLinux", "linux"), waitingP99("sendNio", "nio"),
            waitingP99("sendLinux", "linux"), virtualThreads("sendNio", "nio"), virtualThreads("sendLinux", "linux"),
            busy("sendNio", "nio", 1), busy("sendNio", "nio", 2), busy("sendLinux", "linux", 1),
            busy("sendLinux", "linux", 2), busyP99("sendNio", "nio", 1), busyP99("sendNio", "nio", 2),
            busyP99("sendLinux", "linux", 1), busyP99("sendLinux", "linux", 2),
            oneProcessor("sendNio", "yields, nio"), oneProcessor("sendLinux", "yields, linux"),
            oneProcessor("spinNio", "only spins, nio"), oneProcessor("spinLinux", "only spins, linux"),
            stream("RoCEv2 WRITE 1 MiB, nio", "at least 80 % of plain datagrams with the same calls", "writeNio",
                    "datagrams", 0.8),
            stream("RoCEv2 WRITE 1 MiB, linux", "at least 3x the nio figure", "writeLinux", "writeNio", 3),
            stream("RoCEv2 WRITE 1 MiB, linux", "faster than TCP over SocketChannel", "writeLinux", "tcp", 1),
            localStream("ping-pong 64 B", "at least 5x faster than TCP over loopback", "LocalStreamLatency", 64, 5),
            localStream("bandwidth, writes of 1 MiB", "at least 3x that of TCP over loopback", "LocalStreamBandwidth",
                    1 << 20, 3),
            streamPingPong("streamNio", "nio"), streamPingPong("streamLinux", "linux"),
            streamBandwidth("streamNio", "nio"), streamBandwidth("streamLinux", "linux"));

    private Bars() {}

    private static Bar pingPong(String method, String sockets) {
        return new Bar("RoCEv2 64 B ping-pong, two processes, p50, as ib_send_lat, " + sockets,
                "at most 1.25x the plain datagram ping-pong", "wire.Latency." + method, Mode.SampleTime,
                Map.of("bytes", "64"), "datagrams", Kind.TIMES, 1.25);
    }

    private static Bar endpoint(String method, String verbs, String sockets) {
        return new Bar("messages of endpoints, 64 B ping-pong, two processes, p50, " + sockets,
                "at most 1.15x the same by verbs", "wire.Latency." + method, Mode.SampleTime, Map.of("bytes", "64"),
                verbs, Kind.TIMES, 1.15);
    }

    private static Bar waiting(String method, String sockets) {
        return new Bar("RoCEv2 64 B ping-pong, waits for events, p50, " + sockets,
                "at most 1.5x the blocking TCP ping-pong", "waiting.WaitingLatency." + method, Mode.SampleTime,
                Map.of("bytes", "64"), "tcp", Kind.TIMES, 1.5);
    }

    private static Bar waitingP99(String method, String sockets) {
        return new Bar("RoCEv2 64 B ping-pong, waits for events, p99, " + sockets,
                "at most 2x the blocking TCP ping-pong", "waiting.WaitingLatency." + method, Mode.SampleTime,
                Map.of("bytes", "64"), "tcp", Kind.TIMES_OF_P99, 2);
    }

    private static Bar virtualThreads(String method, String sockets) {
        return new Bar("RoCEv2 64 B round trips, 16 virtual threads that wait, " + sockets,
                "at least the round trips a second of TCP", "waiting.WaitingThreads." + method, Mode.Throughput,
                Map.of("connections", "16", "threads", "virtual"), "tcp", Kind.SPEED, 1);
    }

    private static Bar busy(String method, String sockets, int loops) {
        return new Bar("RoCEv2 64 B ping-pong beside busy loops: " + loops + ", p50, " + sockets,
                "at most 1.5x the plain datagram ping-pong beside them", "busy.BusyLatency." + method, Mode.SampleTime,
                Map.of("bytes", "64", "loops", Integer.toString(loops)), "datagrams", Kind.TIMES, 1.5);
    }

    private static Bar busyP99(String method, String sockets, int loops) {
        return new Bar("RoCEv2 64 B ping-pong beside busy loops: " + loops + ", p99, " + sockets,
                "at most 3x the plain datagram ping-pong beside them", "busy.BusyLatency." + method, Mode.SampleTime,
                Map.of("bytes", "64", "loops", Integer.toString(loops)), "datagrams", Kind.TIMES_OF_P99, 3);
    }

    private static Bar oneProcessor(String method, String how) {
        return new Bar("RoCEv2 64 B ping-pong, both processes on one processor, p50, " + how,
                "at most 2x the plain datagram ping-pong that yields", "busy.OneProcessorLatency." + method,
                Mode.SampleTime, Map.of("bytes", "64"), "datagrams", Kind.TIMES, 2);
    }

    private static Bar stream(String words, String limit, String method, String baseline, double value) {
        return speed(words, limit, "wire.Bandwidth." + method, Map.of("bytes", "1048576"), baseline, value);
    }

    private static Bar localStream(String words, String limit, String type, int bytes, double value) {
        return speed("streams within one JVM, " + words, limit, "streams." + type + ".stream",
                Map.of("bytes", Integer.toString(bytes)), "tcp", value);
    }

    private static Bar streamPingPong(String method, String sockets) {
        return new Bar("streams, 64 B ping-pong, two processes, p50, " + sockets,
                "at most 1.3x the blocking TCP ping-pong", "streams.StreamLatency." + method, Mode.SampleTime,
                Map.of("bytes", "64"), "tcp", Kind.TIMES, 1.3);
    }

    private static Bar streamBandwidth(String method, String sockets) {
        return speed("streams, bandwidth, writes of 1 MiB, two processes, " + sockets, "at least 50 % of TCP",
                "streams.StreamBandwidth." + method, Map.of("bytes", "1048576"), "tcp", 0.5);
    }

    private static Bar overC(String method, String words) {
        return new Bar(words, "at most 5 ns above C", "nativedevice.NativeCalls." + method, Mode.AverageTime,
                Map.of("handles", "critical"), method + "InC", Kind.NANOSECONDS_MORE, 5);
    }

    private static Bar fetching(String verb, String benchmark, Map<String, String> params) {
        return times("in-JVM " + verb + ", prepared, post + poll, one thread", "at most 2.2x the hand-written baseline",
                benchmark, params, "handWritten", 2.2);
    }

    private static Bar times(String words, String limit, String benchmark, Map<String, String> params,
            String baseline, double value) {
        return new Bar(words, limit, benchmark, Mode.AverageTime, params, baseline, Kind.TIMES, value);
    }

    private static Bar speed(String words, String limit, String benchmark, Map<String, String> params,
            String baseline, double value) {
        return new Bar(words, limit, benchmark, Mode.AverageTime, params, baseline, Kind.SPEED, value);
    }
}
