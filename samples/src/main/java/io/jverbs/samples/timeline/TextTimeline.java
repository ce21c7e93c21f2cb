package io.jverbs.samples.timeline;

import io.jverbs.samples.timeline.Happening.Kind;
import io.jverbs.samples.timeline.Happening.Lane;
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

/** Prints happenings: a lane for each queue pair, of a width that terminals have, then one by one. */
final class TextTimeline {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final char UNKNOWN_STATE = '.';
    private static final int LEAST_NAME = 8;

    private final PrintWriter out;
    private final int width;
    private final int most;
    private int names;

    /**
     * @param out where it is printed
     * @param width how many characters a lane has
     * @param most how many happenings are printed one by one
     */
    TextTimeline(PrintWriter out, int width, int most) {
        this.out = out;
        this.width = width;
        this.most = most;
    }

    void print(List<Happening> happenings) {
        names = happenings.stream().mapToInt(each -> each.lane().device().length()).reduce(LEAST_NAME, Math::max);
        Instant start = happenings.getFirst().time();
        Duration whole = Duration.between(start, happenings.getLast().time());
        Map<Lane, List<Happening>> lanes = happenings.stream()
                .collect(Collectors.groupingBy(Happening::lane, LinkedHashMap::new, Collectors.toList()));
        out.println(number(happenings.size(), "event") + " of " + number(lanes.size(), "queue pair") + " in "
                + millis(whole).strip() + " ms, from " + start);
        out.println();
        lanes.forEach((lane, own) -> out.println(name(lane, own) + " |" + draw(own, start, whole) + "|"));
        out.println();
        printLegend(happenings);
        out.println();
        happenings.stream().limit(most).forEach(each -> out.println(line(each, start)));
        if (happenings.size() > most) {
            out.println(
                    "... and " + (happenings.size() - most) + " more: --events=" + happenings.size() + " prints all");
        }
    }

    private static String number(int count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }

    /** The name of a queue pair's device, as wide as the longest. */
    private String device(Lane lane) {
        return lane.device() + " ".repeat(names - lane.device().length());
    }

    private String name(Lane lane, List<Happening> own) {
        int peer = own.stream().mapToInt(Happening::peer).filter(each -> each != 0).findFirst().orElse(0);
        return String.format(Locale.ROOT, "%s %8d %-11s", device(lane), lane.number(),
                peer == 0 ? "" : "-> " + peer);
    }

    /** A character for each stretch of time: the most telling thing that happened, or the state. */
    private String draw(List<Happening> own, Instant start, Duration whole) {
        char[] columns = new char[width];
        Kind[] kinds = new Kind[width];
        Arrays.fill(columns, UNKNOWN_STATE);
        for (Happening each : own) {
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

    private void printLegend(List<Happening> happenings) {
        out.println("_ INIT  - RTR  = RTS  ~ SQD  x ERR or SQE  . not known");
        Set<Kind> kinds = EnumSet.noneOf(Kind.class);
        happenings.forEach(each -> kinds.add(each.kind()));
        kinds.remove(Kind.STATE);
        if (!kinds.isEmpty()) {
            out.println(kinds.stream().map(kind -> kind.symbol() + " " + kind.words())
                    .collect(Collectors.joining("  ")));
        }
    }

    private String line(Happening each, Instant start) {
        return String.format(Locale.ROOT, "%s ms  %s %8d  %c  %s", millis(Duration.between(start, each.time())),
                device(each.lane()), each.lane().number(), each.kind().symbol(), each.text());
    }

    private static String millis(Duration duration) {
        return String.format(Locale.ROOT, "%10.3f", duration.toNanos() / NANOS_PER_MILLI);
    }
}
