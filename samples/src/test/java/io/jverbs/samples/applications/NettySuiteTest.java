package io.jverbs.samples.applications;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.samples.ChildJvm;
import io.jverbs.samples.InOtherProcesses;
import io.jverbs.samples.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The tests of stream sockets of Netty's own transport test suite pass over RDMA. It runs in a JVM of its own, with the
 * property that puts a program on RDMA. The exceptions are also in docs/streams.md.
 */
@InOtherProcesses
@Tag("variants")
class NettySuiteTest {
    /** An address of which no device is. */
    private static final String SILENT = "127.0.48.2";
    private static final int SECONDS = 500;
    /** A test with parameters counts once for each set of them. */
    private static final int MIN_PASSED = 150;

    private static final String NO_OPEN_SSL = "needs the native library of Netty for OpenSSL";
    private static final String DISABLED = "is disabled in the suite";
    private static final String PLAIN_SOCKET = "its peer is a java.net.Socket or ServerSocket, so it uses TCP";
    private static final String NOBODY = "nobody accepts its connection";
    private static final String UNCONNECTED = "does not connect, or closes before it is connected";

    private static final Map<String, String> FAILED = Map.of(
            "SocketSslSessionReuseTest.testSslSessionTrustManagerResumption", NO_OPEN_SSL);
    private static final Map<String, String> SKIPPED = Map.of(
            "ServerSocketSuspendTest.testSuspendAndResumeAccept", DISABLED,
            "SocketShutdownOutputBySelfTest.testWriteAfterShutdownOutputNoWritabilityChange", DISABLED,
            "SocketSslClientRenegotiateTest.testSslRenegotiationRejected", NO_OPEN_SSL);
    private static final Map<String, String> WITHOUT_RDMA = Map.ofEntries(
            Map.entry("SocketShutdownOutputByPeerTest.testShutdownOutput", PLAIN_SOCKET),
            Map.entry("SocketShutdownOutputByPeerTest.testShutdownOutputWithoutOption", PLAIN_SOCKET),
            Map.entry("SocketShutdownOutputBySelfTest.testShutdownOutput", PLAIN_SOCKET),
            Map.entry("SocketShutdownOutputBySelfTest.testShutdownOutputAfterClosed", PLAIN_SOCKET),
            Map.entry("SocketShutdownOutputBySelfTest.testShutdownOutputSoLingerNoAssertError", PLAIN_SOCKET),
            Map.entry("SocketShutdownOutputBySelfTest.testShutdownSoLingerNoAssertError", PLAIN_SOCKET),
            Map.entry("SocketConnectionAttemptTest.testConnectCancellation", NOBODY),
            Map.entry("SocketConnectionAttemptTest.testConnectRefused", NOBODY),
            Map.entry("SocketConnectionAttemptTest.testConnectRefusedHalfClosure", NOBODY),
            Map.entry("SocketConnectionAttemptTest.testConnectTimeout", NOBODY),
            Map.entry("SocketChannelNotYetConnectedTest.testShutdownNotYetConnected", UNCONNECTED),
            Map.entry("SocketHalfClosedTest.testAllDataReadEventTriggeredAfterHalfClosure", UNCONNECTED),
            Map.entry("WriteBeforeRegisteredTest.testWriteBeforeConnect", UNCONNECTED));

    private static final Pattern LINE = Pattern.compile("(?m)^(\\w+\\.\\w+) (passed|failed|skipped)(?: (\\d+)"
            + " connections)?.*$");

    /**
     * One line of the program.
     *
     * @param name the class and the method
     * @param result passed, failed or skipped
     * @param connections how many connections were established by RDMA, null if it did not start
     * @param line the whole line
     */
    private record Result(String name, String result, String connections, String line) {
        static Result of(MatchResult match) {
            return new Result(match.group(1), match.group(2), match.group(3), match.group());
        }

        boolean is(String wanted) {
            return result.equals(wanted);
        }
    }

    private static void assertOnly(Map<String, String> expected, List<Result> all, Predicate<Result> which) {
        List<Result> found = all.stream().filter(which).toList();
        Set<String> names = found.stream().map(Result::name).collect(Collectors.toCollection(TreeSet::new));
        assertEquals(new TreeSet<>(expected.keySet()), names,
                () -> found.stream().map(Result::line).collect(Collectors.joining("\n", "\n", "\n")));
    }

    @Test
    @Timeout(value = SECONDS + 30, unit = TimeUnit.SECONDS)
    void everyTestExceptTheNamedOnesPassesOverRdma() throws Exception {
        List<String> options = new ArrayList<>(RdmaJvm.options("soft", "auto"));
        // it lives long enough for the optimizing compiler, which TLS needs
        options.add("-XX:TieredStopAtLevel=4");
        try (ChildJvm jvm = RdmaJvm.start(options, NettySuiteProgram.class, SILENT)) {
            Run run = jvm.await(SECONDS);
            assertEquals(0, run.status(), () -> run.out() + run.err());
            List<Result> results = LINE.matcher(run.out()).results().map(Result::of).toList();

            assertOnly(FAILED, results, result -> result.is("failed"));
            assertOnly(SKIPPED, results, result -> result.is("skipped"));
            assertOnly(WITHOUT_RDMA, results, result -> result.is("passed") && "0".equals(result.connections()));
            long passed = results.stream().filter(result -> result.is("passed")).count();
            assertTrue(passed >= MIN_PASSED, () -> passed + " tests have passed:\n" + run.out());
            RdmaJvm.assertUsedRdma(run, passed, 1);
        }
    }
}
