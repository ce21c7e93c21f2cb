package io.jverbs.samples.top;

import io.jverbs.control.DevicesMXBean;
import io.jverbs.control.QueuePairCounters;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** The lines of a screen, from two samples: rates are those between them, all else is as it is now. */
final class Page {
    private static final String DEVICES = "%-22s %4s %-7s %5s %5s %5s %8s %8s %9s %9s %6s %6s %6s";
    private static final String QUEUE_PAIRS = "%-22s %8s %-4s %-7s %8s %8s %8s %9s %9s %6s %6s";
    private static final List<String> DROPS = List.of("no_receive", "bad_pkey", "bad_qkey", "bad_icrc", "malformed",
            "unknown_qp", "wrong_state", "wrong_address", "invalid_request");
    private static final double MEGA = 1e6;
    private static final double KILO = 1e3;

    private final Sample now;
    private final double seconds;
    private final Map<String, Map<String, Long>> before;

    private record Row(double bytes, String line) {}

    Page(Sample before, Sample now) {
        this.now = now;
        this.seconds = now.secondsSince(before);
        this.before = before.counters();
    }

    /** The lines; of queue pairs so many at the most, the busiest first. */
    List<String> lines(String title, int most) {
        List<String> lines = new ArrayList<>();
        List<Row> queuePairs = new ArrayList<>();
        List<String> devices = new ArrayList<>();
        for (DevicesMXBean.Device device : now.devices()) {
            device.ports().forEach(port -> devices.add(device(device, port)));
            device.queuePairs().forEach(qp -> queuePairs.add(queuePair(device, qp)));
        }
        lines.add(String.format(Locale.ROOT, "%s: %d devices, %d queue pairs, rates over %.1f s", title,
                now.devices().size(), queuePairs.size(), seconds));
        lines.add("");
        lines.add(String.format(DEVICES, "DEVICE", "PORT", "STATE", "QP", "CQ", "MR", "MSG/S", "PKT/S", "TX MB/S",
                "RX MB/S", "RETX", "RNR", "DROP"));
        lines.addAll(devices);
        lines.add("");
        lines.add(String.format(QUEUE_PAIRS, "DEVICE", "QPN", "TYPE", "STATE", "PEER", "MSG/S", "PKT/S", "TX MB/S",
                "RX MB/S", "RETX", "RNR"));
        queuePairs.stream().sorted(Comparator.comparingDouble(Row::bytes).reversed()).limit(most)
                .forEach(row -> lines.add(row.line()));
        if (queuePairs.size() > most) {
            lines.add("... and " + (queuePairs.size() - most) + " more");
        }
        return lines;
    }

    private String device(DevicesMXBean.Device device, DevicesMXBean.Port port) {
        Map<String, Long> counters = port.counters();
        String key = Sample.key(device, port);
        return String.format(DEVICES, device.name(), port.number(), port.state(), count(device.resources(), "qp"),
                count(device.resources(), "cq"), count(device.resources(), "mr"), rate(key, counters, "sent_msgs"),
                rate(key, counters, "sent_pkts"), megabytes(key, counters, "sent_bytes"),
                megabytes(key, counters, "rcvd_bytes"), count(counters, "retransmissions"),
                count(counters, "rcvd_rnr_err"),
                counters.isEmpty()
                        ? "-"
                        : Long.toString(DROPS.stream().mapToLong(name -> value(counters, name)).sum()));
    }

    private Row queuePair(DevicesMXBean.Device device, QueuePairCounters qp) {
        Map<String, Long> counters = qp.counters();
        String key = Sample.key(device, qp);
        double bytes = perSecond(key, counters, "sent_bytes") + perSecond(key, counters, "rcvd_bytes");
        return new Row(bytes, String.format(QUEUE_PAIRS, device.name(), qp.number(), qp.type(), qp.state(),
                qp.peer() == 0 ? "-" : Integer.toString(qp.peer()), rate(key, counters, "sent_msgs"),
                rate(key, counters, "sent_pkts"), megabytes(key, counters, "sent_bytes"),
                megabytes(key, counters, "rcvd_bytes"), value(counters, "retransmissions"),
                value(counters, "rcvd_rnr_err")));
    }

    private static long value(Map<String, Long> counters, String name) {
        return counters.getOrDefault(name, 0L);
    }

    /** A device may not tell. */
    private static String count(Map<String, Long> counters, String name) {
        return counters.containsKey(name) ? Long.toString(counters.get(name)) : "-";
    }

    private double perSecond(String key, Map<String, Long> counters, String name) {
        long former = value(before.getOrDefault(key, Map.of()), name);
        return seconds <= 0 ? 0 : Math.max(0, value(counters, name) - former) / seconds;
    }

    private String rate(String key, Map<String, Long> counters, String name) {
        if (!counters.containsKey(name)) {
            return "-";
        }
        double rate = perSecond(key, counters, name);
        return rate >= MEGA
                ? String.format(Locale.ROOT, "%.2fM", rate / MEGA)
                : rate >= KILO
                        ? String.format(Locale.ROOT, "%.1fk", rate / KILO)
                        : String.format(Locale.ROOT, "%.0f", rate);
    }

    private String megabytes(String key, Map<String, Long> counters, String name) {
        return counters.containsKey(name)
                ? String.format(Locale.ROOT, "%.2f", perSecond(key, counters, name) / MEGA)
                : "-";
    }

    /** Lines as a terminal of so many rows and columns takes them. */
    static Stream<String> fit(List<String> lines, int rows, int columns) {
        return lines.stream().limit(rows).map(line -> line.length() > columns ? line.substring(0, columns) : line);
    }
}
