package io.jverbs.soft.capture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.contract.fixture.ProcessStart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;

/** What tshark reads from a captured file. */
final class Tshark {
    private static final List<String> FIELDS = List.of("frame.interface_name", "frame.time_epoch",
            "infiniband.bth.opcode", "infiniband.bth.psn", "infiniband.bth.destqp", "udp.length");

    private final Path file;
    private int runs;

    /** Skips the test if tshark is not installed. */
    Tshark(Path file) throws InterruptedException {
        Assumptions.assumeTrue(isInstalled(), "tshark is not installed");
        this.file = file;
    }

    private static boolean isInstalled() throws InterruptedException {
        try {
            return ProcessStart.start(new ProcessBuilder("tshark", "--version").redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)).waitFor(30, TimeUnit.SECONDS);
        } catch (IOException e) {
            return false;
        }
    }

    /** Checks that tshark reads the same packets from the file, and finds none malformed. */
    void check(List<RocePacket> packets) throws Exception {
        assertEquals(packets.stream().map(Tshark::line).collect(Collectors.joining("\n")),
                String.join("\n", fields("", FIELDS)));
        assertEquals(List.of(), run(List.of("-o", "udp.check_checksum:TRUE", "-o", "ip.check_checksum:TRUE",
                "-Y", "_ws.malformed || _ws.expert || !infiniband")));
    }

    private static String line(RocePacket packet) {
        return String.format(Locale.ROOT, "%s\t%d.%09d\t%d\t%d\t0x%06x\t%d", packet.device(),
                packet.nanos() / 1_000_000_000L, packet.nanos() % 1_000_000_000L, packet.opcode(), packet.psn(),
                packet.destinationQpn(), packet.length() - 20);
    }

    /** Returns fields of the packets that a display filter selects, a line for each, separated by tabs. */
    List<String> fields(String filter, List<String> fields) throws Exception {
        List<String> options = new ArrayList<>(List.of("-T", "fields", "-Y", filter));
        fields.forEach(field -> options.addAll(List.of("-e", field)));
        return run(options);
    }

    private List<String> run(List<String> options) throws Exception {
        List<String> command = new ArrayList<>(
                List.of("tshark", "-n", "-r", file.toString(), "--disable-protocol", "rpcordma"));
        command.addAll(options);
        Path out = file.resolveSibling("tshark" + runs++);
        Path err = file.resolveSibling("tshark.err");
        Process process = ProcessStart.start(
                new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile()));
        assertTrue(process.waitFor(60, TimeUnit.SECONDS), "tshark did not exit within 60 s");
        assertEquals(0, process.exitValue(), () -> read(err));
        return Files.readAllLines(out);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
