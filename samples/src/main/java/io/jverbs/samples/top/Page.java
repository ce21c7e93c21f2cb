package io.jverbs.samples.top;

import io.jverbs.control.CmIdSnapshot;
import io.jverbs.control.DevicesMXBean;
import io.jverbs.control.QueuePairCounters;
import io.jverbs.samples.top.Grid.Column;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;

/** One page of the view. Rates are averages between two snapshots; all other values are those of the later snapshot. */
final class Page {
    private static final List<Column> DEVICES = List.of(Column.words("DEVICE", 6), Column.numbers("PORT", 4),
            Column.words("STATE", 6), Column.numbers("RETX", 5), Column.numbers("RNR", 5), Column.numbers("DROP", 5),
            Column.numbers("MSG/S", 6), Column.numbers("PKT/S", 6), Column.numbers("TX MB/S", 7),
            Column.numbers("RX MB/S", 7), Column.numbers("QP", 3), Column.numbers("CQ", 3), Column.numbers("MR", 3));
    /** Shown for the ports that have exchanged messages of the connection manager. */
    private static final List<Column> CONNECTION_MANAGERS = List.of(Column.words("DEVICE", 6),
            Column.numbers("PORT", 4), Column.numbers("CM TX/S", 7), Column.numbers("CM RX/S", 7),
            Column.numbers("RETRIES", 7), Column.numbers("DUPLICATES", 10), Column.numbers("DROP", 5));
    private static final List<Column> CM_IDS = List.of(Column.words("DEVICE", 6), Column.words("PS", 3),
            Column.words("STATE", 13), Column.words("SOURCE", 21), Column.words("DESTINATION", 21));
    /** How many of the CM IDs are shown. */
    private static final int MOST_CM_IDS = 8;
    private static final List<Column> QUEUE_PAIRS = List.of(Column.words("DEVICE", 6), Column.numbers("QPN", 8),
            Column.words("TYPE", 4), Column.words("STATE", 5), Column.numbers("PEER", 8), Column.numbers("RETX", 5),
            Column.numbers("RNR", 5), Column.numbers("MSG/S", 6), Column.numbers("PKT/S", 6),
            Column.numbers("TX MB/S", 7), Column.numbers("RX MB/S", 7));
    private static final double MEGA = 1e6;
    private static final double KILO = 1e3;
    private static final String UNKNOWN = "-";

    private final Snapshot now;
    private final double seconds;
    private final Map<String, Map<String, Long>> before;

    private record Row(double bytes, List<String> cells) {}

    Page(Snapshot before, Snapshot now) {
        this.now = now;
        this.seconds = now.secondsSince(before);
        this.before = before.counters();
    }

    /**
     * {@return the lines of the page}
     *
     * @param title the first line's text
     * @param most the largest number of queue pairs, the busiest first
     * @param size the size that the page must fit into
     */
    List<String> lines(String title, int most, Size size) {
        Grid devices = new Grid(DEVICES);
        Grid managers = new Grid(CONNECTION_MANAGERS);
        List<List<String>> ids = new ArrayList<>();
        List<Row> queuePairs = new ArrayList<>();
        for (DevicesMXBean.Device device : now.devices()) {
            for (DevicesMXBean.Port port : device.ports()) {
                devices.add(device(device, port));
                if (hasConnections(port.counters())) {
                    managers.add(connectionManager(device, port));
                }
            }
            device.cmIds().forEach(id -> ids.add(cmId(device, id)));
            device.queuePairs().forEach(qp -> queuePairs.add(queuePair(device, qp)));
        }
        List<String> lines = new ArrayList<>();
        lines.add(String.format(Locale.ROOT, "%s: %d devices, %d queue pairs, rates over %.1f s", title,
                now.devices().size(), queuePairs.size(), seconds));
        lines.add("");
        lines.addAll(devices.lines(size.columns()));
        lines.add("");
        if (!managers.isEmpty()) {
            lines.addAll(managers.lines(size.columns()));
            lines.add("");
        }
        if (!ids.isEmpty()) {
            lines.addAll(cmIds(ids, Math.min(most, MOST_CM_IDS), size.columns()));
            lines.add("");
        }
        // the lines below the heading of the queue pairs
        int room = size.rows() - lines.size() - 1;
        int shown = Math.min(most, queuePairs.size() <= room ? room : Math.max(0, room - 1));
        Grid busiest = new Grid(QUEUE_PAIRS);
        queuePairs.stream().sorted(Comparator.comparingDouble(Row::bytes).reversed()).limit(shown)
                .forEach(row -> busiest.add(row.cells()));
        lines.addAll(busiest.lines(size.columns()));
        if (queuePairs.size() > shown) {
            lines.add("... and " + (queuePairs.size() - shown) + " more");
        }
        return lines.stream().limit(size.rows())
                .map(line -> line.length() > size.columns() ? line.substring(0, size.columns()) : line).toList();
    }

    private List<String> device(DevicesMXBean.Device device, DevicesMXBean.Port port) {
        Map<String, Long> counters = port.counters();
        String key = Snapshot.key(device, port);
        return List.of(device.name(), Integer.toString(port.number()), port.state(),
                count(Metric.RETRANSMISSIONS, counters), count(Metric.NOT_READY, counters),
                count(Metric.DROPPED, counters), rate(key, counters, Metric.MESSAGES),
                rate(key, counters, Metric.PACKETS), megabytes(key, counters, Metric.SENT_BYTES),
                megabytes(key, counters, Metric.RECEIVED_BYTES), resource(device, "qp"), resource(device, "cq"),
                resource(device, "mr"));
    }

    private static boolean hasConnections(Map<String, Long> counters) {
        return Metric.CM_SENT.of(counters).orElse(0) + Metric.CM_RECEIVED.of(counters).orElse(0) > 0;
    }

    private List<String> connectionManager(DevicesMXBean.Device device, DevicesMXBean.Port port) {
        Map<String, Long> counters = port.counters();
        String key = Snapshot.key(device, port);
        return List.of(device.name(), Integer.toString(port.number()), rate(key, counters, Metric.CM_SENT),
                rate(key, counters, Metric.CM_RECEIVED), count(Metric.CM_RETRIES, counters),
                count(Metric.CM_DUPLICATES, counters), count(Metric.CM_DROPPED, counters));
    }

    private static List<String> cmIds(List<List<String>> ids, int most, int columns) {
        Grid first = new Grid(CM_IDS);
        ids.stream().limit(most).forEach(first::add);
        List<String> lines = new ArrayList<>(first.lines(columns));
        if (ids.size() > most) {
            lines.add("... and " + (ids.size() - most) + " more");
        }
        return lines;
    }

    private static List<String> cmId(DevicesMXBean.Device device, CmIdSnapshot id) {
        return List.of(device.name(), id.portSpace(), id.state(), id.source().isEmpty() ? UNKNOWN : id.source(),
                id.destination().isEmpty() ? UNKNOWN : id.destination());
    }

    private Row queuePair(DevicesMXBean.Device device, QueuePairCounters qp) {
        Map<String, Long> counters = qp.counters();
        String key = Snapshot.key(device, qp);
        double bytes = perSecond(key, counters, Metric.SENT_BYTES) + perSecond(key, counters, Metric.RECEIVED_BYTES);
        return new Row(bytes, List.of(device.name(), Integer.toString(qp.number()), qp.type().toString(),
                qp.state().toString(), qp.peer() == 0 ? UNKNOWN : Integer.toString(qp.peer()),
                // queue pair counters that are 0 are left out of the map
                Long.toString(Metric.RETRANSMISSIONS.of(counters).orElse(0)),
                Long.toString(Metric.NOT_READY.of(counters).orElse(0)), rate(key, counters, Metric.MESSAGES),
                rate(key, counters, Metric.PACKETS), megabytes(key, counters, Metric.SENT_BYTES),
                megabytes(key, counters, Metric.RECEIVED_BYTES)));
    }

    private static String count(Metric figure, Map<String, Long> counters) {
        OptionalLong count = figure.of(counters);
        return count.isPresent() ? Long.toString(count.getAsLong()) : UNKNOWN;
    }

    private static String resource(DevicesMXBean.Device device, String kind) {
        Long count = device.resources().get(kind);
        return count == null ? UNKNOWN : count.toString();
    }

    /** {@return the rate of a metric; 0 for what the earlier snapshot lacks, as its counters may have run for long} */
    private double perSecond(String key, Map<String, Long> counters, Metric figure) {
        if (seconds <= 0 || !before.containsKey(key)) {
            return 0;
        }
        return Math.max(0, figure.of(counters).orElse(0) - figure.of(before.get(key)).orElse(0)) / seconds;
    }

    private String rate(String key, Map<String, Long> counters, Metric figure) {
        if (figure.of(counters).isEmpty()) {
            return UNKNOWN;
        }
        double rate = perSecond(key, counters, figure);
        return rate >= MEGA
                ? String.format(Locale.ROOT, "%.2fM", rate / MEGA)
                : rate >= KILO
                        ? String.format(Locale.ROOT, "%.1fk", rate / KILO)
                        : String.format(Locale.ROOT, "%.0f", rate);
    }

    private String megabytes(String key, Map<String, Long> counters, Metric figure) {
        return figure.of(counters).isPresent()
                ? String.format(Locale.ROOT, "%.2f", perSecond(key, counters, figure) / MEGA)
                : UNKNOWN;
    }
}
