package io.jverbs.soft.faults;

import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;

/** Samples of the memory use of this JVM, each taken after a garbage collection; detects whether it grew. */
final class Samples {
    /** The measures of a sample, and how much each may grow between the first third of the samples and the last. */
    enum Measure {
        HEAP("heap used", 2),
        BUFFERS("direct buffers", 1),
        NATIVE("native memory (NMT)", 6),
        RESIDENT("resident",
                24);

        private final String label;
        private final long tolerance;

        Measure(String label, long mebibytes) {
            this.label = label;
            this.tolerance = mebibytes << 20;
        }

        long tolerance() {
            return tolerance;
        }
    }

    /** The share of the samples that is ignored, because the JVM warms up: compilers, caches, pools. */
    private static final double WARM_UP = 0.2;
    private static final int MIN_SAMPLES = 9;
    private static final int COLLECTIONS = 3;
    private static final Pattern COMMITTED = Pattern.compile("Total: reserved=\\d+KB, committed=(\\d+)KB");
    private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");

    private final List<long[]> samples = new ArrayList<>();

    /** Takes a sample: bytes in the order of the measures, or -1 for a measure that the system does not provide. */
    long[] take() throws Exception {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            // the cleaner thread frees native memory
            Thread.sleep(50);
        }
        long buffers = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .mapToLong(BufferPoolMXBean::getMemoryUsed).sum();
        long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        long[] sample = {heap, buffers, committed(), resident()};
        samples.add(sample);
        return sample;
    }

    /** Adds a sample that was not taken here. */
    void add(long... sample) {
        samples.add(sample.clone());
    }

    private static long committed() throws JMException {
        Object summary = ManagementFactory.getPlatformMBeanServer().invoke(
                new ObjectName("com.sun.management:type=DiagnosticCommand"), "vmNativeMemory",
                new Object[] {new String[] {"summary"}}, new String[] {String[].class.getName()});
        return kibibytes(COMMITTED, summary.toString());
    }

    private static long resident() throws IOException {
        Path status = Path.of("/proc/self/status");
        return Files.exists(status) ? kibibytes(RESIDENT, Files.readString(status)) : -1;
    }

    private static long kibibytes(Pattern pattern, String text) {
        Matcher found = pattern.matcher(text);
        return found.find() ? Long.parseLong(found.group(1)) << 10 : -1;
    }

    /** Returns the mean of a measure over the samples from an index, inclusive, to another one, exclusive. */
    private double mean(Measure measure, int from, int to) {
        return samples.subList(from, to).stream().mapToLong(sample -> sample[measure.ordinal()]).average().orElse(-1);
    }

    /** {@return a sentence for each measure that grew; empty if none did} */
    List<String> growth() {
        int first = (int) (samples.size() * WARM_UP);
        int third = (samples.size() - first) / 3;
        if (samples.size() < MIN_SAMPLES) {
            return List.of(samples.size() + " samples are too few: at least " + MIN_SAMPLES + " are needed");
        }
        List<String> grown = new ArrayList<>();
        for (Measure measure : Measure.values()) {
            double before = mean(measure, first, first + third);
            double after = mean(measure, samples.size() - third, samples.size());
            if (after - before > measure.tolerance) {
                grown.add(String.format(Locale.ROOT, "%s grew from %.1f to %.1f MiB, and %d MiB is allowed",
                        measure.label, before / (1 << 20), after / (1 << 20), measure.tolerance >> 20));
            }
        }
        return grown;
    }

    /** Formats a sample as a line of a table, in MiB. */
    static String line(long[] sample) {
        StringBuilder line = new StringBuilder();
        for (Measure measure : Measure.values()) {
            line.append(String.format(Locale.ROOT, "  %s %.2f", measure.label,
                    sample[measure.ordinal()] / (double) (1 << 20)));
        }
        return line.append(" MiB").toString();
    }

    /** {@return a table of the means of the first and the last third after the warm-up, and the allowed growth} */
    String table() {
        int first = (int) (samples.size() * WARM_UP);
        int third = (samples.size() - first) / 3;
        StringBuilder table = new StringBuilder(String.format(Locale.ROOT,
                "%-28s %12s %12s %12s %12s%n", "MiB, mean", "first third", "last third", "growth", "allowed"));
        for (Measure measure : Measure.values()) {
            double before = mean(measure, first, first + third) / (1 << 20);
            double after = mean(measure, samples.size() - third, samples.size()) / (1 << 20);
            table.append(String.format(Locale.ROOT, "%-28s %12.2f %12.2f %12.2f %12d%n", measure.label, before, after,
                    after - before, measure.tolerance >> 20));
        }
        return table.toString();
    }
}
