package io.jverbs.samples.top;

import io.jverbs.samples.connect.Numbers;
import io.jverbs.samples.console.HelpOption;
import io.jverbs.samples.console.SampleFailure;
import io.jverbs.samples.console.Screen;
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

/** Shows the devices and queue pairs of a program periodically. */
@Command(name = "top", description = "Shows devices, queue pairs, rates and retransmissions of a running program.")
public final class TopCommand implements Runnable {
    private static final double LEAST_SECONDS = 0.1;
    private static final double MOST_SECONDS = 3600;
    private static final double MILLIS_PER_SECOND = 1e3;

    @Parameters(arity = "0..1", paramLabel = "PID", description = "The process to watch: a JVM of the same user that"
            + " uses jverbs. Without it, the JVMs of this user are listed.")
    private Long pid;
    @Option(names = "--demo", description = "Watches this program, which then sends RDMA WRITEs to itself.")
    private boolean demo;
    @Option(names = {"-b", "--batch"}, description = "Prints the pages one below the other, as for a file.")
    private boolean batch;
    @Option(names = "--once", description = "Prints one page, like --batch --count=1.")
    private boolean once;
    @Option(names = {"-n", "--count"}, paramLabel = "PAGES", description = "The number of pages; unlimited by default.")
    private String countOption;
    @Option(names = {"-d", "--delay"}, paramLabel = "SECONDS", defaultValue = "1", description = "The time from one"
            + " page to the next, 0.1 to 3600; default ${DEFAULT-VALUE}.")
    private String delayOption;
    @Option(names = {"-q", "--queue-pairs"}, paramLabel = "COUNT", defaultValue = "100", description = "The largest"
            + " number of queue pairs to show, the busiest first; default ${DEFAULT-VALUE}.")
    private String queuePairsOption;
    @Mixin
    private HelpOption help;
    @Spec
    private CommandSpec spec;
    private int pages;
    private double delay;
    private int maxQueuePairs;

    @Override
    public void run() {
        check();
        PrintWriter out = spec.commandLine().getOut();
        if (pid == null && !demo) {
            List<String> programs = OtherProgram.list();
            out.println(programs.isEmpty() ? "No other JVM of this user is running." : "Name one of these processes:");
            programs.forEach(each -> out.println("  " + each));
            return;
        }
        try (Target target = demo ? new Demonstration() : OtherProgram.attach(pid)) {
            if (batch || once || !Screen.isTerminal()) {
                watch(target, (page, title) -> {
                    page.lines(title, maxQueuePairs, Size.UNLIMITED).forEach(out::println);
                    out.println();
                });
            } else {
                try (Terminal terminal = new Terminal(out)) {
                    watch(target, (page, title) -> {
                        Size size = Size.ofTerminal();
                        terminal.show(page.lines(title, maxQueuePairs, new Size(size.rows() - 1, size.columns())));
                    });
                }
            }
        }
    }

    private void check() {
        try {
            int count = countOption == null
                    ? Integer.MAX_VALUE
                    : Numbers.read("--count", countOption, 1, Integer.MAX_VALUE);
            delay = Numbers.readDecimal("--delay", delayOption, LEAST_SECONDS, MOST_SECONDS);
            maxQueuePairs = Numbers.read("--queue-pairs", queuePairsOption, 0, Integer.MAX_VALUE);
            if (demo && pid != null) {
                throw new IllegalArgumentException("PID and --demo exclude each other");
            }
            if (once && countOption != null && count != 1) {
                throw new IllegalArgumentException("--once and --count " + count + " exclude each other");
            }
            pages = once ? 1 : count;
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private void watch(Target target, BiConsumer<Page, String> view) {
        Snapshot before = Snapshot.of(target);
        for (int i = 0; i < pages; i++) {
            pause();
            Snapshot now = Snapshot.of(target);
            String title = "jverbs top, " + LocalTime.now().truncatedTo(ChronoUnit.SECONDS) + ", " + target.name();
            view.accept(new Page(before, now), title);
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
