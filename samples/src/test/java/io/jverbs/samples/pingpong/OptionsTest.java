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

/** Options have the names, the ranges and the outcome that they have with the C programs. */
class OptionsTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "rc-pingpong -p 65536                | --port 65536 is outside 1..65535.",
        "uc-pingpong --port=0                | --port 0 is outside 1..65535.",
        "rc-pingpong -i 0                    | --ib-port 0 is outside 1..255.",
        "ud-pingpong -s many                 | --size many is no number; 1..1073741824 is allowed.",
        "srq-pingpong -s0                    | --size 0 is outside 1..1073741824.",
        "rc-pingpong -m 1500                 | --mtu 1500 is no MTU; there are 256, 512, 1024, 2048, 4096.",
        "srq-pingpong --mtu=-1               | --mtu -1 is no MTU; there are 256, 512, 1024, 2048, 4096.",
        "uc-pingpong -r 0                    | --rx-depth 0 is outside 1..16777216.",
        "uc-pingpong -n 99999999999999999999 | --iters 99999999999999999999 is no number; 1..2147483647 is allowed.",
        "rc-pingpong -l 16                   | --sl 16 is outside 0..15.",
        "rc-pingpong -g 65536                | --gid-idx 65536 is outside 0..65535.",
        "srq-pingpong -q 256                 | --num-qp 256 is outside 1..255.",
        "srq-pingpong -q 20 -r 0x10          | --num-qp 20 is more than --rx-depth 16, but each queue pair needs a receive.",
        "ud-pingpong -m 1024                 | Unknown option: '-m'.",
        "uc-pingpong -o                      | Unknown option: '-o'.",
        "rc-pingpong one two                 | Unmatched argument at index 2: 'two'.",
        "rc-pingpong -s                      | Missing required parameter for option '--size' (BYTES)."})
    void whatMakesNoSenseIsRefusedInOneSentenceWithTheUsageAndStatus1(String command, String sentence) {
        Run run = Run.of(command.strip().split(" "));

        assertEquals("samples/run " + command.split(" ")[0] + ": " + sentence, run.err().strip());
        assertEquals(1, run.status());
        assertTrue(run.out().startsWith("Usage: samples/run " + command.split(" ")[0] + " ["), run.out());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "rc-pingpong -o              | --odp is of no use: jverbs has no on-demand paging.",
        "rc-pingpong -O              | --iodp is of no use: jverbs has no implicit on-demand paging.",
        "rc-pingpong --prefetch      | --prefetch is of no use: jverbs has no on-demand paging, and so no prefetching.",
        "rc-pingpong -t              | --ts is of no use: jverbs has no time stamps of completions.",
        "rc-pingpong -j              | --dm is of no use: jverbs has no device memory.",
        "rc-pingpong -N              | --new_send is of no use: jverbs has no posting by ibv_wr_start.",
        "rc-pingpong -U              | --allow-cc-unprotected is of no use: jverbs has no unprotected memory of confidential machines.",
        "srq-pingpong -o             | --odp is of no use: jverbs has no on-demand paging."})
    void whatJverbsDoesNotHaveIsRefusedInOneSentence(String command, String sentence) {
        Run run = Run.of(command.strip().split(" "));

        assertEquals("samples/run " + command.split(" ")[0] + ": " + sentence, run.err().strip());
        assertEquals(1, run.status());
        assertEquals("", run.out());
    }

    @ParameterizedTest
    @ValueSource(strings = {"rc-pingpong", "uc-pingpong", "ud-pingpong", "srq-pingpong"})
    void aServerThatIsNotThereIsToldInOneSentence(String program) {
        String port = Integer.toString(TwoSides.freePort());
        Run run = Run.of(program, "-d", "soft:soft43", "-p", port, "localhost");

        assertEquals(1, run.status());
        assertEquals(1, run.complaints().size());
        assertTrue(run.err().startsWith("samples/run " + program + ": no connection to localhost:" + port), run.err());
    }

    @Test
    void aHostThatDoesNotExistIsTold() {
        Run run = Run.of("rc-pingpong", "-d", "soft:soft43", "host.invalid");

        assertEquals("samples/run rc-pingpong: there is no host \"host.invalid\".", run.err().strip());
        assertEquals(1, run.status());
    }

    @Test
    void aDatagramLongerThanThePortsMtuIsToldWithIt() {
        Run run = Run.of("ud-pingpong", "-d", "soft:soft43", "-s", "4097");

        assertEquals(
                "samples/run ud-pingpong: --size 4097 is larger than the port's MTU, 4096 bytes, and a datagram is one"
                        + " packet.",
                run.err().strip());
        assertEquals(1, run.status());
    }

    @Test
    void aGidIndexOutsideTheTableIsToldWithTheTable() {
        Run run = Run.of("rc-pingpong", "-d", "soft:soft43", "-g", "65535");

        assertEquals(1, run.status());
        assertTrue(run.err()
                .matches("samples/run rc-pingpong: --gid-idx 65535 is outside 0\\.\\.\\d+, the GID table of port 1 of"
                        + " soft:soft43\\.\\R"),
                run.err());
    }

    @Test
    void aPortThatTheDeviceDoesNotHaveIsTold() {
        Run run = Run.of("uc-pingpong", "-d", "soft:soft43", "-i", "2");

        assertEquals(1, run.status());
        assertTrue(run.err().startsWith("samples/run uc-pingpong: query_port: EINVAL (22): "), run.err());
        assertEquals(1, run.complaints().size());
    }

    @Test
    void aNameWithoutAColonIsOneOfLibibverbs() {
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
    void everyMtuIsTaken() {
        for (int bytes : new int[] {256, 512, 1024, 2048, 4096}) {
            assertEquals(bytes, Numbers.readMtu("-m", Integer.toString(bytes)).bytes());
        }
        assertEquals(Mtu.MTU_256, Numbers.readMtu("-m", "0x100"));
    }
}
