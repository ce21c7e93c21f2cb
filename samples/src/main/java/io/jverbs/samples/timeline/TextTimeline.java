package io.jverbs.samples.timeline;

import io.jverbs.samples.timeline.TimelineEvent.Kind;
import io.jverbs.samples.timeline.TimelineEvent.Lane;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Prints events as text: a lane for each queue pair, a legend, and then the events one by one. */
final class TextTimeline {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final char UNKNOWN_STATE = '.';
    private static final int MIN_NAME_WIDTH = 8;

    private final PrintWriter out;
    private final int width;
    private final int listed;
    private int nameWidth;

    /**
     * Creates a timeline.
     *
     * @param out the destination
     * @param width the width of a lane in characters
     * @param listed the largest number of events to print one by one
     */
    TextTimeline(PrintWriter out, int width, int listed) {
        this.out = out;
        this.width = width;
        this.listed = listed;
    }

    void print(List<TimelineEvent> events) {
        nameWidth = events.stream().mapToInt(each -> each.lane().device().length()).reduce(MIN_NAME_WIDTH,
                Math::max);
        Instant start = events.getFirst().time();
        Duration whole = Duration.between(start, events.getLast().time());
        Map<Lane, List<TimelineEvent>> lanes = events.stream()
                .collect(Collectors.groupingBy(TimelineEvent::lane, LinkedHashMap::new, Collectors.toList()));
        out.println(number(events.size(), "event") + " of " + number(lanes.size(), "queue pair") + " in "
                + millis(whole).strip() + " ms, from " + start);
        out.println();
        lanes.forEach((lane, own) -> out.println(name(lane, own) + " |" + draw(own, start, whole) + "|"));
        out.println();
        printLegend(events);
        out.println();
        events.stream().limit(listed).forEach(each -> out.println(line(each, start)));
        if (events.size() > listed) {
            out.println(
                    "... and " + (events.size() - listed) + " more: --events=" + events.size() + " prints all");
        }
    }

    private static String number(int count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }

    /** {@return the name of a queue pair's device, padded to the longest name} */
    private String device(Lane lane) {
        return lane.device() + " ".repeat(nameWidth - lane.device().length());
    }

    private String name(Lane lane, List<TimelineEvent> own) {
        int peer = own.stream().mapToInt(TimelineEvent::peer).filter(each -> each != 0).findFirst().orElse(0);
        return String.format(Locale.ROOT, "%s %8d %-11s", device(lane), lane.number(),
                peer == 0 ? "" : "-> " + peer);
    }

    /**
     * {@return the lane of a queue pair: one character for each interval, the symbol of the last {@link Kind} that
     * occurred in it, or else the state}
     */
    private String draw(List<TimelineEvent> own, Instant start, Duration whole) {
        char[] columns = new char[width];
        Kind[] kinds = new Kind[width];
        Arrays.fill(columns, UNKNOWN_STATE);
        for (TimelineEvent each : own) {
            int column = column(each.time(), start, whole);
            if (each.state() != null) {
                Arrays.fill(columns, column, width, stateSymbol(each.state()));
            }
            if (kinds[column] == null || each.kind().compareTo(kinds[column]) > 0) {
                kinds[column] = each.kind();
            }
        }
        for (int i = 0; i < width; i++) {
            if (kinds[i] != null && kinds[i] != Kind.STATE) {
                columns[i] = kinds[i].symbol();
            }
        }
        return new String(columns);
    }

    private int column(Instant time, Instant start, Duration whole) {
        double part = whole.isZero() ? 0 : (double) Duration.between(start, time).toNanos() / whole.toNanos();
        return Math.min(width - 1, (int) (part * width));
    }

    private static char stateSymbol(String state) {
        return switch (state) {
            case "RESET" -> ' ';
            case "INIT" -> '_';
            case "RTR" -> '-';
            case "RTS" -> '=';
            case "SQD" -> '~';
            default -> 'x';
        };
    }

    private void printLegend(List<TimelineEvent> events) {
        out.println("_ INIT  - RTR  = RTS  ~ SQD  x ERR or SQE  . unknown");
        Set<Kind> kinds = EnumSet.noneOf(Kind.class);
        events.forEach(each -> kinds.add(each.kind()));
        kinds.remove(Kind.STATE);
        if (!kinds.isEmpty()) {
            out.println(kinds.stream().map(kind -> kind.symbol() + " " + kind.words())
                    .collect(Collectors.joining("  ")));
        }
    }

    private String line(TimelineEvent each, Instant start) {
        return String.format(Locale.ROOT, "%s ms  %s %8d  %c  %s", millis(Duration.between(start, each.time())),
                device(each.lane()), each.lane().number(), each.kind().symbol(), each.text());
    }

    private static String millis(Duration duration) {
        return String.format(Locale.ROOT, "%10.3f", duration.toNanos() / NANOS_PER_MILLI);
    }
}
