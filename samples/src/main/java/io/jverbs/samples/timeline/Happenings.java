package io.jverbs.samples.timeline;

import io.jverbs.samples.SampleFailure;
import io.jverbs.samples.timeline.Happening.Kind;
import io.jverbs.samples.timeline.Happening.Lane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * What a recording has of queue pairs.
 *
 * @param all in the order of time
 * @param skipped how many events have a name like those of queue pairs and not their fields, being of another version or program
 */
record Happenings(List<Happening> all, int skipped) {
    private static final String PREFIX = "io.jverbs.";
    private static final double NANOS_PER_MICRO = 1e3;

    /** Reads a recording. */
    static Happenings read(Path file) {
        if (!Files.exists(file)) {
            throw new SampleFailure("there is no file " + file);
        }
        List<Happening> all = new ArrayList<>();
        int skipped = 0;
        try (RecordingFile recording = new RecordingFile(file)) {
            while (recording.hasMoreEvents()) {
                RecordedEvent event = recording.readEvent();
                String name = event.getEventType().getName();
                if (name.startsWith(PREFIX)) {
                    try {
                        all.add(of(event, name.substring(PREFIX.length())));
                    } catch (IllegalArgumentException e) {
                        // a field is not there, or of another type
                        skipped++;
                    }
                }
            }
        } catch (IOException e) {
            throw new SampleFailure(file + " is no recording of Java Flight Recorder: " + e.getMessage());
        }
        all.sort(Comparator.comparing(Happening::time));
        return new Happenings(all, skipped);
    }

    /** With those of a queue pair and its peer alone. */
    Happenings of(int number) {
        return new Happenings(
                all.stream().filter(each -> each.lane().number() == number || each.peer() == number).toList(), skipped);
    }

    private static Happening of(RecordedEvent event, String name) {
        return switch (name) {
            case "QueuePairState" -> {
                String to = event.getString("to");
                boolean byItself = event.getBoolean("byItself");
                yield happening(event, byItself ? Kind.FAILURE : Kind.STATE,
                        event.getString("from") + " -> " + to + (byItself ? " by itself" : ""), to);
            }
            case "Retransmission" -> happening(event, Kind.AGAIN, "sends again from PSN " + event.getInt("psn") + ": "
                    + event.getString("reason") + ", retries left " + event.getInt("retriesLeft"), null);
            case "RnrWait" -> happening(event, Kind.WAIT,
                    String.format(Locale.ROOT, "waits %.0f us, as its peer has no receive, retries left %s",
                            event.getDuration("wait").toNanos() / NANOS_PER_MICRO,
                            event.getInt("retriesLeft") == 7 ? "without end" : event.getInt("retriesLeft")),
                    null);
            case "Nak" -> happening(event, Kind.NAK, event.getString("reason"), null);
            case "CompletionError" -> {
                int count = event.getInt("count");
                yield happening(event, Kind.ERROR,
                        (event.getBoolean("receive") ? "receive " : "send ") + event.getLong("wrId")
                                + (count > 1 ? " and " + (count - 1) + " more" : "") + ": " + event.getString("status")
                                + ": " + event.getString("explanation"),
                        null);
            }
            case "PostStall" -> happening(event, Kind.STALL,
                    "post refused, " + event.getInt("queued") + " queued; the oldest, " + event.getLong("oldestWrId")
                            + ", waits for " + event.getString("reason"),
                    null);
            default -> happening(event, Kind.STATE, name, null);
        };
    }

    private static Happening happening(RecordedEvent event, Kind kind, String text, String state) {
        String device = event.getString("device");
        if (device == null) {
            throw new IllegalArgumentException("an event of no device");
        }
        return new Happening(event.getStartTime(), new Lane(device, event.getInt("queuePair")), event.getInt("peer"),
                kind,
                text, state);
    }
}
