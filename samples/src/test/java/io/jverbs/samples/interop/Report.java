package io.jverbs.samples.interop;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What one side of a successful ping-pong prints. An address is the LID, QPN, PSN and GID of a queue pair.
 *
 * @param local the addresses of its queue pairs
 * @param remote the addresses of the peer's queue pairs
 */
record Report(List<String> local, List<String> remote) {
    private static final String NUMBERS = "(LID 0x0000, QPN 0x[0-9a-f]{6}, PSN 0x[0-9a-f]{6})";
    private static final String GID = " GID ([0-9a-f:.]+)";
    private static final String DECIMAL = "[0-9]+\\.[0-9]{2}";

    /**
     * Parses the lines.
     *
     * @param lines all lines that the side printed
     * @param pairing the options of both sides
     * @param iterations the number of messages in each direction
     * @throws IllegalArgumentException if a line is not what the C program prints with these options
     */
    static Report parse(List<String> lines, Pairing pairing, int iterations) {
        int pairs = pairing.queuePairs();
        if (lines.size() != 2 * pairs + 2) {
            throw new IllegalArgumentException(lines.size() + " lines instead of " + (2 * pairs + 2));
        }
        // Before the GID of its own, ud_pingpong prints a colon.
        String separator = pairing.type().equals("ud") ? ":" : ",";
        List<String> local = addresses(lines.subList(0, pairs), "  local address:  " + NUMBERS + separator + GID);
        List<String> remote = addresses(lines.subList(pairs, 2 * pairs), "  remote address: " + NUMBERS + "," + GID);
        long bytes = 2L * pairing.size() * iterations;
        match(lines.get(2 * pairs), bytes + " bytes in " + DECIMAL + " seconds = " + DECIMAL + " Mbit/sec");
        match(lines.get(2 * pairs + 1), iterations + " iters in " + DECIMAL + " seconds = " + DECIMAL + " usec/iter");
        return new Report(local, remote);
    }

    private static List<String> addresses(List<String> lines, String regex) {
        List<String> addresses = new ArrayList<>();
        for (String line : lines) {
            Matcher parts = match(line, regex);
            addresses.add(parts.group(1) + ", GID " + parts.group(2));
        }
        return addresses;
    }

    private static Matcher match(String line, String regex) {
        Matcher matcher = Pattern.compile(regex).matcher(line);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("the line \"" + line + "\" does not match " + regex);
        }
        return matcher;
    }
}
