package io.jverbs.samples.top;

import io.jverbs.samples.HelpOption;
import io.jverbs.samples.SampleFailure;
import io.jverbs.samples.Screen;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.BiConsumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows the devices and queue pairs of a program, again and again. */
@Command(name = "top", description = "Shows devices, queue pairs, rates and retransmissions of a running program.")
public final class TopCommand implements Runnable {
    private static final double LEAST_SECONDS = 0.1;
    private static final double MOST_SECONDS = 3600;
    private static final double MILLIS_PER_SECOND = 1e3;

    @Parameters(arity = "0..1", paramLabel = "PID", description = "The process to watch, a JVM of the same user that uses jverbs; without it, those there are are listed.")
    private Long pid;
    @Option(names = "--demo", description = "Watches this program, which then writes something.")
    private boolean demo;
    @Option(names = {"-b", "--batch"}, description = "Prints page after page, as to a file.")
    private boolean batch;
    @Option(names = "--once", description = "One page, as --batch --count=1.")
    private boolean once;
    @Option(names = {"-n",
        "--count"}, paramLabel = "PAGES", description = "So many pages; otherwise until interrupted.")
    private Integer count;
    @Option(names = {"-d",
        "--delay"}, paramLabel = "SECONDS", defaultValue = "1", description = "From one page to the next, 0.1 to 3600.")
    private double delay;
    @Option(names = {"-q",
        "--queue-pairs"}, paramLabel = "COUNT", defaultValue = "100", description = "So many queue pairs at the most, the busiest.")
    private int most;
    @Mixin
    private HelpOption help;
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        check();
        PrintWriter out = spec.commandLine().getOut();
        if (pid == null && !demo) {
            List<String> programs = OtherProgram.list();
            out.println(programs.isEmpty() ? "No other JVM of this user runs here." : "Name one of these:");
            programs.forEach(each -> out.println("  " + each));
            return;
        }
        try (Target target = demo ? new Demonstration() : OtherProgram.attach(pid)) {
            if (batch || once || !Screen.isTerminal()) {
                watch(target, (page, title) -> {
                    page.lines(title, most, Size.UNLIMITED).forEach(out::println);
                    out.println();
                });
            } else {
                try (Terminal terminal = new Terminal(out)) {
                    watch(target, (page, title) -> {
                        Size size = Size.ofTerminal();
                        terminal.show(page.lines(title, most, new Size(size.rows() - 1, size.columns())));
                    });
                }
            }
        }
    }

    private void check() {
        String wrong = null;
        if (demo && pid != null) {
            wrong = "PID and --demo exclude each other";
        } else if (count != null && count < 1) {
            wrong = "--count=" + count + " is less than 1";
        } else if (!(delay >= LEAST_SECONDS && delay <= MOST_SECONDS)) {
            wrong = "--delay=" + delay + " is outside 0.1..3600";
        } else if (most < 0) {
            wrong = "--queue-pairs=" + most + " is negative";
        } else if (once && count != null && count != 1) {
            wrong = "--once and --count=" + count + " exclude each other";
        }
        if (wrong != null) {
            throw new ParameterException(spec.commandLine(), wrong);
        }
    }

    private void watch(Target target, BiConsumer<Page, String> shown) {
        int pages = once ? 1 : count == null ? Integer.MAX_VALUE : count;
        Sample before = Sample.of(target);
        for (int i = 0; i < pages; i++) {
            pause();
            Sample now = Sample.of(target);
            String title = "jverbs top, " + LocalTime.now().truncatedTo(ChronoUnit.SECONDS) + ", " + target.name();
            shown.accept(new Page(before, now), title);
            before = now;
        }
    }

    private void pause() {
        try {
            Thread.sleep(Duration.ofMillis(Math.round(delay * MILLIS_PER_SECOND)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SampleFailure("interrupted");
        }
    }
}
