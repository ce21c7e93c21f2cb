package io.jverbs.samples.timeline;

import io.jverbs.samples.connect.Numbers;
import io.jverbs.samples.console.HelpOption;
import io.jverbs.samples.console.SampleFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints the queue pair events of a recording as a timeline. */
@Command(name = "timeline", description = "Prints the queue pair events of a Java Flight Recorder recording.")
public final class TimelineCommand implements Runnable {
    private static final int LEAST_WIDTH = 20;
    private static final int MOST_WIDTH = 1000;
    private static final int MAX_QP_NUMBER = (1 << 24) - 1;

    @Parameters(arity = "0..1", paramLabel = "FILE", description = "The recording, for instance of a JVM that was"
            + " started with -XX:StartFlightRecording=filename=FILE.")
    private Path file;
    @Option(names = "--demo", description = "Records connections that fail, and prints that recording.")
    private boolean demo;
    @Option(names = {"-q", "--qp"}, paramLabel = "NUMBER", description = "Prints only this queue pair and its peer.")
    private String numberOption;
    @Option(names = {"-w", "--width"}, paramLabel = "COLUMNS", defaultValue = "72", description = "The width of a lane,"
            + " 20 to 1000; default ${DEFAULT-VALUE}.")
    private String widthOption;
    @Option(names = {"-e", "--events"}, paramLabel = "COUNT", defaultValue = "100", description = "The largest number"
            + " of events to print one by one; default ${DEFAULT-VALUE}.")
    private String eventsOption;
    @Mixin
    private HelpOption help;
    @Spec
    private CommandSpec spec;
    /** The queue pair to print, null for all. */
    private Integer number;
    private int width;
    private int events;

    @Override
    public void run() {
        check();
        TimelineEvents read = demo ? demonstrate() : TimelineEvents.read(file);
        TimelineEvents selected = number == null ? read : read.of(number);
        String skipped = selected.skipped() == 0
                ? ""
                : selected.skipped() + " events named io.jverbs.* were skipped: another version or program wrote them";
        if (selected.all().isEmpty()) {
            throw new SampleFailure("the recording has no events of "
                    + (number == null ? "queue pairs" : "queue pair " + number)
                    + (skipped.isEmpty() ? ": no state change, retransmission or error was recorded" : "; " + skipped));
        }
        if (!skipped.isEmpty()) {
            spec.commandLine().getErr().println(skipped);
        }
        new TextTimeline(spec.commandLine().getOut(), width, events).print(selected.all());
    }

    private void check() {
        try {
            if (demo == (file != null)) {
                throw new IllegalArgumentException("give either FILE or --demo");
            }
            number = numberOption == null ? null : Numbers.read("--qp", numberOption, 1, MAX_QP_NUMBER);
            width = Numbers.read("--width", widthOption, LEAST_WIDTH, MOST_WIDTH);
            events = Numbers.read("--events", eventsOption, 0, Integer.MAX_VALUE);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private static TimelineEvents demonstrate() {
        try {
            Path recording = Files.createTempFile("jverbs", ".jfr");
            try {
                FailingConnections.record(recording);
                return TimelineEvents.read(recording);
            } finally {
                Files.delete(recording);
            }
        } catch (IOException e) {
            throw new SampleFailure("the temporary recording cannot be written: " + e);
        }
    }
}
