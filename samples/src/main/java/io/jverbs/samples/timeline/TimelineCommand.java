package io.jverbs.samples.timeline;

import io.jverbs.samples.HelpOption;
import io.jverbs.samples.SampleFailure;
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

/** Prints what a recording tells of queue pairs, along the time. */
@Command(name = "timeline", description = "Prints what a recording of Java Flight Recorder tells of queue pairs.")
public final class TimelineCommand implements Runnable {
    private static final int LEAST_WIDTH = 20;
    private static final int MOST_WIDTH = 1000;

    @Parameters(arity = "0..1", paramLabel = "FILE", description = "The recording, as -XX:StartFlightRecording=filename=FILE makes it.")
    private Path file;
    @Option(names = "--demo", description = "Records connections that fail, and shows that.")
    private boolean demo;
    @Option(names = {"-q", "--qp"}, paramLabel = "NUMBER", description = "Only this queue pair and its peer.")
    private Integer number;
    @Option(names = {"-w", "--width"}, paramLabel = "COLUMNS", defaultValue = "72", description = "How wide a lane is.")
    private int width;
    @Option(names = {"-e",
        "--events"}, paramLabel = "COUNT", defaultValue = "100", description = "How many events are printed one by one.")
    private int events;
    @Mixin
    private HelpOption help;
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        if (demo == (file != null)) {
            throw new ParameterException(spec.commandLine(), "one of FILE and --demo is needed");
        }
        if (width < LEAST_WIDTH || width > MOST_WIDTH) {
            throw new ParameterException(spec.commandLine(),
                    "--width=" + width + " is outside " + LEAST_WIDTH + ".." + MOST_WIDTH);
        }
        if (events < 0) {
            throw new ParameterException(spec.commandLine(), "--events=" + events + " is negative");
        }
        Happenings read = demo ? demonstrate() : Happenings.read(file);
        Happenings happenings = number == null ? read : read.of(number);
        String skipped = happenings.skipped() == 0
                ? ""
                : happenings.skipped() + " events named io.jverbs.* are not of this version and are skipped";
        if (happenings.all().isEmpty()) {
            throw new SampleFailure("the recording has no event of "
                    + (number == null ? "a queue pair" : "queue pair " + number)
                    + (skipped.isEmpty() ? ": nothing out of the ordinary happened" : "; " + skipped));
        }
        if (!skipped.isEmpty()) {
            spec.commandLine().getErr().println(skipped);
        }
        new TextTimeline(spec.commandLine().getOut(), width, events).print(happenings.all());
    }

    private static Happenings demonstrate() {
        try {
            Path recording = Files.createTempFile("jverbs", ".jfr");
            try {
                Trouble.record(recording);
                return Happenings.read(recording);
            } finally {
                Files.delete(recording);
            }
        } catch (IOException e) {
            throw new SampleFailure("no recording can be kept: " + e);
        }
    }
}
