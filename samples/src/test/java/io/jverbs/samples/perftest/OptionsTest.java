package io.jverbs.samples.perftest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.samples.Run;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Options have the names, ranges and restrictions that they have in perftest. Errors are reported in one sentence.
 */
class OptionsTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "send-lat -p 65536     | --port 65536 is outside 1..65535.",
        "send-lat -n 4         | --iters 4 is outside 5..20000000.",
        "write-bw -n 4         | --iters 4 is outside 5..2147483647.",
        "read-bw -s 0          | --size 0 is outside 1..2147483647.",
        "read-bw -s 2048M      | --size 2048M is outside 1..2147483647.",
        "read-bw -s 99999999999999M | --size 99999999999999M is outside 1..2147483647.",
        "read-bw -s K          | --size K is not an integer in 1..2147483647.",
        "read-bw -s many       | --size many is not an integer in 1..2147483647.",
        "send-bw -t 0          | --tx-depth 0 is outside 1..15000.",
        "send-bw -r 16385      | --rx-depth 16385 is outside 1..16384.",
        "send-bw -m 1500       | --mtu 1500 is not an MTU; allowed are 256, 512, 1024, 2048, 4096.",
        "send-bw -x -1         | --gid-index -1 is outside 0..65535.",
        "send-bw -c XRC        | --connection XRC is not a type; allowed are RC, UC, UD.",
        "send-bw -Q 1025       | --cq-mod 1025 is outside 1..1024.",
        "send-bw -l 0          | --post_list 0 is outside 1..15000.",
        "write-lat -I 1025     | --inline_size 1025 is outside 0..1024.",
        "send-lat -D 0         | --duration 0 is outside 1..86400.",
        "atomic-bw -A ADD      | --atomic_type ADD is not a type; allowed are CMP_AND_SWAP, FETCH_AND_ADD.",
        "send-lat -l 4         | unknown option -l; allowed are --CPU-freq, --all, --atomic_type, --connection,"
                + " --duration, --events, --gid-index, --help, --ib-dev, --ib-port, --inline_size, --iters, --loopback,"
                + " --mtu, --outs, --patience, --plot, --port, --qp-timeout, --rdma_cm, --rx-depth, --size, --sl,"
                + " --tx-depth, --warm-up.",
        "send-lat one two      | unexpected argument two; only HOST and options are allowed."})
    void wrongOptionsAreRefusedWithTheUsageAndStatus1(String command, String sentence) {
        Run run = Run.of(command.strip().split(" "));

        assertEquals("samples/run " + command.split(" ")[0] + ": " + sentence, run.err().strip());
        assertEquals(1, run.status());
        assertTrue(run.out().startsWith("Usage: samples/run " + command.split(" ")[0] + " ["), run.out());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "read-bw -c UC                | --connection UC is not possible with READ, which supports RC only.",
        "atomic-lat -c UD             | --connection UD is not possible with ATOMIC, which supports RC only.",
        "write-lat -c UD              | --connection UD is not possible with WRITE, which supports RC and UC only.",
        "atomic-bw -s 16              | the size of atomics is always 8 bytes: omit --size 16.",
        "atomic-bw -a                 | the size of atomics is always 8 bytes: omit --all.",
        "write-lat -e                 | --events is not possible with write-lat: the peer of a WRITE gets no events.",
        "read-lat -I 8                | --inline_size 8 is not applicable: READs and atomics send no data.",
        "send-bw -l 200               | --post_list 200 is more than --tx-depth 128.",
        "send-bw -l 128 -n 64         | --iters 64 must be a multiple of --post_list 128.",
        "write-bw -r 16               | --rx-depth 16 is not applicable: WRITE consumes no receives.",
        "send-lat -o 4                | --outs 4 is not applicable: it is for READs and atomics.",
        "read-bw -A CMP_AND_SWAP      | --atomic_type CMP_AND_SWAP is not applicable: it is for atomics.",
        "send-lat -D 5 -n 100         | --duration and --iters exclude each other: omit one.",
        "send-lat --plot a.png        | --plot is for the client: use it there, or give a host here.",
        "send-bw -l 8 -Q 3            | --post_list 8 must be a multiple of --cq-mod 3, so that the last request of"
                + " each list is signaled.",
        "send-bw -l 64 -n 1000        | --iters 1000 must be a multiple of --post_list 64.",
        "send-lat -a -D 5             | --duration is for one size: omit --all.",
        "send-lat --plot a.pdf        | --plot a.pdf: the name must end with .png or .svg.",
        "send-lat -D 5 --plot a.png   | --plot shows percentiles, which --duration does not measure: use --iters.",
        "send-lat --loopback there    | --loopback runs both sides: omit the host there.",
        "send-lat -R -c UC            | --connection UC is not possible with --rdma_cm, which connects RC and UD.",
        "send-lat -R -x 1             | --gid-index 1 is not applicable with --rdma_cm, which chooses the GID by the"
                + " address of the server: omit it.",
        "send-lat -R --loopback       | --loopback runs both sides without --rdma_cm: omit one of them.",
        "send-lat -d soft:soft47 -m 256 -s 257 -c UD | --size 257 is outside 1..256, the MTU, as a datagram is one"
                + " packet.",
        "send-bw -d soft:soft47 -x 65535 --loopback | --gid-index 65535 is outside 0..15, the GID table of port 1 of"
                + " soft:soft47.",
        "read-bw -d soft:soft47 --outs 255 --loopback | --outs 255 is outside 1..128, the limit of the device."})
    void conflictingOptionsAreRefusedInOneSentence(String command, String sentence) {
        Run run = Run.of(command.strip().split(" "));

        String program = "samples/run " + command.split(" ")[0];
        assertEquals(program + ": " + sentence.replaceFirst("\\.$", "; ") + program + " --help describes the options.",
                run.err().strip());
        assertEquals(1, run.status());
    }

    @Test
    void aPlotNeedsAFolder() {
        Run run = Run.of("send-lat", "--plot", "/nowhere/at/all.png");

        assertEquals("samples/run send-lat: --plot /nowhere/at/all.png: /nowhere/at is not a writable folder;"
                + " samples/run send-lat --help describes the options.",
                run.err().strip());
        assertEquals(1, run.status());
    }

    @Test
    void aSizeMayEndWithKOrM() {
        Run run = Run.of("write-bw", "--loopback", "-d", "soft:soft47", "-n", "10", "-s", "64K", "--warm-up", "0");

        Rows.assertBandwidths(run, true, 10, 65_536);
    }

    @Test
    void theOptionsOfPerftestAreAccepted() {
        Run run = Run.of("read-bw", "--loopback", "-d", "soft:soft47", "-F", "-i", "1", "-S", "1", "-u", "12", "-o",
                "4", "-n", "100", "-s", "0x40", "--warm-up", "0", "--report_gbits", "-x", "1");

        assertEquals("", run.err());
        assertEquals(0, run.status());
        List<String> lines = run.lines();
        assertTrue(lines.contains(" #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]"),
                run.out());
    }
}
