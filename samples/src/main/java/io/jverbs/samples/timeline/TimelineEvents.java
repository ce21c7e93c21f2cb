package io.jverbs.samples.timeline;

import io.jverbs.samples.console.UsageFailure;
import io.jverbs.samples.timeline.TimelineEvent.Kind;
import io.jverbs.samples.timeline.TimelineEvent.Lane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * The queue pair events of a recording.
 *
 * @param all the events, ordered by time
 * @param skipped the number of events that are named like queue pair events but lack their fields, as another version
 *         or program wrote them
 */
record TimelineEvents(List<TimelineEvent> all, int skipped) {
    private static final String PREFIX = "io.jverbs.";
    /** The events that are not about queue pairs: those of the connection manager, of streams and of sockets. */
    private static final Set<String> OTHERS = Set.of("io.jverbs.ConnectionState", "io.jverbs.CmEvent",
            "io.jverbs.Stream", "io.jverbs.SocketTransport");
    private static final double NANOS_PER_MICRO = 1e3;
    /** The RNR retry count that means unlimited retries. */
    private static final int UNLIMITED_RETRIES = 7;

    /**
     * Reads a recording.
     *
     * @throws UsageFailure if the file does not exist, cannot be read or is not a recording
     */
    static TimelineEvents read(Path file) {
        String obstacle = !Files.exists(file)
                ? "there is no such file"
                : Files.isDirectory(file)
                        ? "it is a directory"
                        : !Files.isReadable(file) ? "this user may not read it" : null;
        if (obstacle != null) {
            throw refusal(file, obstacle);
        }
        List<TimelineEvent> all = new ArrayList<>();
        int skipped = 0;
        try (RecordingFile recording = new RecordingFile(file)) {
            while (recording.hasMoreEvents()) {
                RecordedEvent event = recording.readEvent();
                String name = event.getEventType().getName();
                if (name.startsWith(PREFIX) && !OTHERS.contains(name)) {
                    try {
                        all.add(of(event, name.substring(PREFIX.length())));
                    } catch (IllegalArgumentException e) {
                        // a field is missing or has another type
                        skipped++;
                    }
                }
            }
        } catch (IOException e) {
            throw refusal(file, "it cannot be read as one (" + e.getMessage() + ")");
        }
        all.sort(Comparator.comparing(TimelineEvent::time));
        return new TimelineEvents(all, skipped);
    }

    private static UsageFailure refusal(Path file, String reason) {
        return new UsageFailure("FILE " + file + ": " + reason + "; allowed are recordings of Java Flight Recorder; see"
                + " docs/observability.md");
    }

    /** {@return only the events of a queue pair and its peer} */
    TimelineEvents of(int number) {
        return new TimelineEvents(
                all.stream().filter(each -> each.lane().number() == number || each.peer() == number).toList(), skipped);
    }

    private static TimelineEvent of(RecordedEvent event, String name) {
        return switch (name) {
            case "QueuePairState" -> {
                String to = event.getString("to");
                boolean byDevice = event.getBoolean("byItself");
                yield create(event, byDevice ? Kind.FAILURE : Kind.STATE,
                        event.getString("from") + " -> " + to + (byDevice ? " by the device" : ""), to);
            }
            case "Retransmission" -> create(event, Kind.RETRANSMISSION, "retransmits from PSN " + event.getInt("psn")
                    + ": " + event.getString("reason") + ", retries left " + event.getInt("retriesLeft"), null);
            case "RnrWait" -> create(event, Kind.RNR_WAIT,
                    String.format(Locale.ROOT, "waits %.0f us for a receive of its peer, retries left %s",
                            event.getDuration("wait").toNanos() / NANOS_PER_MICRO,
                            event.getInt("retriesLeft") == UNLIMITED_RETRIES
                                    ? "unlimited"
                                    : event.getInt("retriesLeft")),
                    null);
            case "Nak" -> create(event, Kind.NAK, event.getString("reason"), null);
            case "CompletionError" -> {
                int count = event.getInt("count");
                yield create(event, Kind.ERROR,
                        (event.getBoolean("receive") ? "receive " : "send ") + event.getLong("wrId")
                                + (count > 1 ? " and " + (count - 1) + " more" : "") + ": " + event.getString("status")
                                + ": " + event.getString("explanation"),
                        null);
            }
            case "PostStall" -> create(event, Kind.POST_REFUSED,
                    "post refused, " + event.getInt("queued") + " queued; the oldest, " + event.getLong("oldestWrId")
                            + ", waits for " + event.getString("reason"),
                    null);
            default -> create(event, Kind.STATE, name, null);
        };
    }

    private static TimelineEvent create(RecordedEvent event, Kind kind, String text, String state) {
        String device = event.getString("device");
        if (device == null) {
            throw new IllegalArgumentException("the event has no device");
        }
        return new TimelineEvent(event.getStartTime(), new Lane(device, event.getInt("queuePair")),
                event.getInt("peer"), kind, text, state);
    }
}
