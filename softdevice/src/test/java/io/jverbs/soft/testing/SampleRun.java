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
 * What came of a run of one of the {@link Samples}.
 *
 * @param summary what JUnit says
 * @param err what was printed on standard error meanwhile
 */
record SampleRun(TestExecutionSummary summary, String err) {
    /** Samples fail only while it is set, as builds may find them too. */
    static final String ASKED = "jverbs.sample.run";

    static SampleRun of(Class<?> sample) {
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        PrintStream former = System.err;
        System.setProperty(ASKED, sample.getSimpleName());
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
        try {
            LauncherFactory.create().execute(
                    LauncherDiscoveryRequestBuilder.request().selectors(selectClass(sample)).build(), listener);
        } finally {
            System.setErr(former);
            System.clearProperty(ASKED);
        }
        return new SampleRun(listener.getSummary(), err.toString(StandardCharsets.UTF_8));
    }

    /** The one failure that there was. */
    Throwable failure() {
        List<TestExecutionSummary.Failure> all = summary.getFailures();
        assertEquals(1, all.size(), all::toString);
        return all.getFirst().getException();
    }

    /** What the failure tells of its network. */
    String told() {
        List<String> told = Arrays.stream(failure().getSuppressed()).map(Throwable::getMessage)
                .filter(message -> message.startsWith("The simulated network")).toList();
        assertEquals(1, told.size(), told::toString);
        return told.getFirst();
    }
}
