package io.jverbs.samples.pingpong;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Mtu;
import io.jverbs.Verbs;
import io.jverbs.VerbsException;
import io.jverbs.samples.Run;
import io.jverbs.samples.TwoSides;
import io.jverbs.samples.connect.Numbers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Options have the names, the ranges and the exit status that they have in the C programs. */
class OptionsTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "rc-pingpong -p 65536                | --port 65536 is outside 1..65535.",
        "uc-pingpong --port=0                | --port 0 is outside 1..65535.",
        "rc-pingpong -i 0                    | --ib-port 0 is outside 1..255.",
        "ud-pingpong -s many                 | --size many is not an integer in 1..1073741824.",
        "srq-pingpong -s0                    | --size 0 is outside 1..1073741824.",
        "rc-pingpong -m 1500                 | --mtu 1500 is not an MTU; allowed are 256, 512, 1024, 2048, 4096.",
        "srq-pingpong --mtu=-1               | --mtu -1 is not an MTU; allowed are 256, 512, 1024, 2048, 4096.",
        "uc-pingpong -r 0                    | --rx-depth 0 is outside 1..16777216.",
        "uc-pingpong -n 99999999999999999999 | --iters 99999999999999999999 is not an integer in 1..2147483647.",
        "rc-pingpong -l 16                   | --sl 16 is outside 0..15.",
        "rc-pingpong -g 65536                | --gid-idx 65536 is outside 0..65535.",
        "srq-pingpong -q 256                 | --num-qp 256 is outside 1..255.",
        "srq-pingpong -q 20 -r 0x10          | --num-qp 20 is more than --rx-depth 16, but each queue pair needs a"
                + " receive.",
        "ud-pingpong -m 1024                 | unknown option -m; allowed are --chk, --events, --gid-idx, --help,"
                + " --ib-dev, --ib-port, --iters, --port, --rdma_cm, --rx-depth, --size, --sl.",
        "uc-pingpong --sise=8                | unknown option --sise (did you mean --size?); allowed are --chk,"
                + " --events, --gid-idx, --help, --ib-dev, --ib-port, --iters, --mtu, --port, --rdma_cm, --rx-depth,"
                + " --size, --sl.",
        "rc-pingpong one two                 | unexpected argument two; only HOST and options are allowed.",
        "rc-pingpong -s                      | --size needs a value, BYTES."})
    void wrongOptionsAreRefusedInOneSentenceWithTheUsageAndStatus1(String command, String sentence) {
        Run run = Run.of(command.strip().split(" "));

        assertEquals("samples/run " + command.split(" ")[0] + ": " + sentence, run.err().strip());
        assertEquals(1, run.status());
        assertTrue(run.out().startsWith("Usage: samples/run " + command.split(" ")[0] + " ["), run.out());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "uc-pingpong -R              | --rdma_cm connects RC and UD, but not UC: omit it.",
        "rc-pingpong -R -g 1         | --gid-idx 1 is not applicable with --rdma_cm, which chooses the GID by the"
                + " address of the server: omit it.",
        "rc-pingpong -o              | --odp is not supported: jverbs has no on-demand paging.",
        "rc-pingpong -O              | --iodp is not supported: jverbs has no implicit on-demand paging.",
        "rc-pingpong --prefetch      | --prefetch is not supported: jverbs has no on-demand paging, and therefore no"
                + " prefetching.",
        "rc-pingpong -t              | --ts is not supported: jverbs has no completion timestamps.",
        "rc-pingpong -j              | --dm is not supported: jverbs has no device memory.",
        "rc-pingpong -N              | --new_send is not supported: jverbs has no ibv_wr_start.",
        "rc-pingpong -U              | --allow-cc-unprotected is not supported: jverbs has no unprotected memory of"
                + " confidential virtual machines.",
        "srq-pingpong -o             | --odp is not supported: jverbs has no on-demand paging."})
    void unsupportedOptionsAreRefusedInOneSentence(String command, String sentence) {
        Run run = Run.of(command.strip().split(" "));

        String program = "samples/run " + command.split(" ")[0];
        assertEquals(program + ": " + sentence.replaceFirst("\\.$", "; ") + program + " --help describes the options.",
                run.err().strip());
        assertEquals(1, run.status());
        assertEquals("", run.out());
    }

    @ParameterizedTest
    @ValueSource(strings = {"rc-pingpong", "uc-pingpong", "ud-pingpong", "srq-pingpong"})
    void aMissingServerIsReportedInOneSentence(String program) {
        String port = Integer.toString(TwoSides.freePort());
        Run run = Run.of(program, "-d", "soft:soft43", "-p", port, "localhost");

        assertEquals(1, run.status());
        assertEquals(1, run.errors().size());
        assertTrue(run.err().startsWith("samples/run " + program + ": no connection to localhost:" + port), run.err());
    }

    @Test
    void anUnknownHostIsReported() {
        Run run = Run.of("rc-pingpong", "-d", "soft:soft43", "host.invalid");

        assertEquals("samples/run rc-pingpong: HOST host.invalid: there is no such host; allowed are names and"
                + " addresses of hosts; see docs/tools.md.", run.err().strip());
        assertEquals(1, run.status());
    }

    @Test
    void anEmptyHostIsNotTakenForTheLoopbackAddress() {
        Run run = Run.of("rping", "-c", "-a", "");

        assertEquals("samples/run rping: -a is empty; allowed are names and addresses of hosts; see docs/tools.md",
                run.err().strip());
        assertEquals(1, run.status());
    }

    @Test
    void aDatagramLongerThanTheMtuOfThePortIsRefusedWithTheMtu() {
        Run run = Run.of("ud-pingpong", "-d", "soft:soft43", "-s", "4097");

        assertEquals(
                "samples/run ud-pingpong: --size 4097 is larger than the port's MTU, 4096 bytes, and a datagram is one"
                        + " packet; samples/run ud-pingpong --help describes the options.",
                run.err().strip());
        assertEquals(1, run.status());
    }

    @Test
    void aGidIndexOutsideTheTableIsRefusedWithTheRange() {
        Run run = Run.of("rc-pingpong", "-d", "soft:soft43", "-g", "65535");

        assertEquals(1, run.status());
        assertTrue(run.err()
                .matches("samples/run rc-pingpong: --gid-idx 65535 is outside 0\\.\\.\\d+, the GID table of port 1 of"
                        + " soft:soft43; samples/run rc-pingpong --help describes the options\\.\\R"),
                run.err());
    }

    @Test
    void aPortThatTheDeviceDoesNotHaveIsRefused() {
        Run run = Run.of("uc-pingpong", "-d", "soft:soft43", "-i", "2");

        assertEquals(1, run.status());
        assertTrue(run.err().startsWith("samples/run uc-pingpong: query_port: EINVAL (22): "), run.err());
        assertEquals(1, run.errors().size());
    }

    @Test
    void anUnlistedNameWithoutAColonIsThatOfALibibverbsDevice() {
        Run run = Run.of("rc-pingpong", "-d", "nothing0");

        String reason = assertThrows(VerbsException.class, () -> Verbs.open("native:nothing0")).getMessage();
        assertEquals("samples/run rc-pingpong: " + reason, run.err().strip());
        assertEquals(1, run.status());
    }

    @Test
    void numbersAreWrittenAsInC() {
        assertEquals(4096, Numbers.read("-s", "4096", 0, 10_000));
        assertEquals(4096, Numbers.read("-s", "0x1000", 0, 10_000));
        assertEquals(64, Numbers.read("-s", "0100", 0, 10_000));
        assertEquals(0, Numbers.read("-s", "0", 0, 10_000));
        assertThrows(IllegalArgumentException.class, () -> Numbers.read("-s", "", 0, 10_000));
        assertThrows(IllegalArgumentException.class, () -> Numbers.read("-s", "4k", 0, 10_000));
    }

    @Test
    void everyMtuIsAccepted() {
        for (int bytes : new int[] {256, 512, 1024, 2048, 4096}) {
            assertEquals(bytes, Numbers.readMtu("-m", Integer.toString(bytes)).bytes());
        }
        assertEquals(Mtu.MTU_256, Numbers.readMtu("-m", "0x100"));
    }
}
