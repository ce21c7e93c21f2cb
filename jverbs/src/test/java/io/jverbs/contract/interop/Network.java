package io.jverbs.contract.interop;

import io.jverbs.Verbs;
import io.jverbs.control.DeviceCounters;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The pair of veth interfaces of the virtual machine, accessed from its first network namespace, and the counters of
 * the kernel.
 */
final class Network {
    private static final List<List<String>> ENDS = List.of(List.of("tc", "qdisc"),
            List.of("ip", "netns", "exec", "peer", "tc", "qdisc"));
    private static final Pattern DROPPED = Pattern.compile("dropped ([0-9]+),");

    private Network() {}

    /** Applies the arguments of {@code tc ... netem} to both ends. */
    static void impair(List<String> netem) throws IOException, InterruptedException {
        for (int end = 0; end < ENDS.size(); end++) {
            List<String> command = new ArrayList<>(ENDS.get(end));
            command.addAll(List.of("replace", "dev", "veth" + end, "root", "netem", "limit", "10000"));
            command.addAll(netem);
            execute(command);
        }
    }

    /** {@return the number of packets that each end has dropped since the emulation started} */
    static long[] dropped() throws IOException, InterruptedException {
        long[] dropped = new long[ENDS.size()];
        for (int end = 0; end < ENDS.size(); end++) {
            List<String> command = new ArrayList<>(ENDS.get(end));
            command.addAll(List.of("show", "dev", "veth" + end));
            command.add(command.indexOf("qdisc"), "-s");
            Matcher matcher = DROPPED.matcher(execute(command));
            Faulty.check(matcher.find(), "tc prints no number of dropped packets for veth%d", end);
            dropped[end] = Long.parseLong(matcher.group(1));
        }
        return dropped;
    }

    /** Removes the emulation from both ends. Packets that it delays are lost. */
    static void restore() throws IOException, InterruptedException {
        for (int end = 0; end < ENDS.size(); end++) {
            List<String> command = new ArrayList<>(ENDS.get(end));
            command.addAll(List.of("delete", "dev", "veth" + end, "root"));
            execute(command);
        }
    }

    /** {@return the counters of rxe0} */
    static Map<String, Long> rxeCounters() {
        return Verbs.select("native:rxe0").capability(DeviceCounters.class).orElseThrow().snapshot(1);
    }

    /** {@return the number of UDP datagrams received in the first network namespace} */
    static long datagrams() throws IOException {
        List<String> lines = Files.readAllLines(Path.of("/proc/self/net/snmp")).stream()
                .filter(line -> line.startsWith("Udp:")).toList();
        List<String> names = List.of(lines.get(0).split(" "));
        return Long.parseLong(lines.get(1).split(" ")[names.indexOf("InDatagrams")]);
    }

    /** {@return the output of a command} */
    static String execute(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int status = process.waitFor();
        Faulty.check(status == 0, "%s: status %d: %s", command, status, printed);
        return printed;
    }
}
