package io.jverbs.soft.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * The result of a run of one of the {@link Samples}.
 *
 * @param summary the summary of JUnit
 * @param err the standard error output during the run
 */
record SampleRun(TestExecutionSummary summary, String err) {
    /** The system property that makes samples fail. Without it they pass, because builds may discover them too. */
    static final String FAIL_PROPERTY = "jverbs.sample.run";

    static SampleRun of(Class<?> sample) {
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        PrintStream former = System.err;
        System.setProperty(FAIL_PROPERTY, sample.getSimpleName());
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
        try {
            LauncherFactory.create().execute(
                    LauncherDiscoveryRequestBuilder.request().selectors(selectClass(sample)).build(), listener);
        } finally {
            System.setErr(former);
            System.clearProperty(FAIL_PROPERTY);
        }
        return new SampleRun(listener.getSummary(), err.toString(StandardCharsets.UTF_8));
    }

    /** Returns the only failure. */
    Throwable failure() {
        List<TestExecutionSummary.Failure> all = summary.getFailures();
        assertEquals(1, all.size(), all::toString);
        return all.getFirst().getException();
    }

    /** Returns the report on the network that is attached to the failure. */
    String report() {
        List<String> reports = Arrays.stream(failure().getSuppressed()).map(Throwable::getMessage)
                .filter(message -> message.startsWith("The simulated network")).toList();
        assertEquals(1, reports.size(), reports::toString);
        return reports.getFirst();
    }
}
