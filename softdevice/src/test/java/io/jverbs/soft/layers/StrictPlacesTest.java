package io.jverbs.soft.layers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.strict.Violation.Kind;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The place of a report is the program's, also where it has the JDK call jverbs. */
final class StrictPlacesTest extends StrictReports {

    private RdmaContext leaking() {
        RdmaContext context = Verbs.select("soft").open(strict);
        List.of(4).forEach(context::createCompletionQueue);
        return context;
    }

    @Test
    void itIsWhereTheProgramHandsOverAMethodReference() {
        List.of(leaking()).forEach(RdmaContext::close);
        assertFound(Kind.OBJECT_LEAKED, "made at " + StrictPlacesTest.class.getName() + ".leaking(");
        assertEquals("itIsWhereTheProgramHandsOverAMethodReference",
                strict.violations().getFirst().place().getMethodName());
    }

    @Test
    void itIsTheJdksInAThreadThatHasNothingElse() throws InterruptedException {
        RdmaContext context = leaking();
        try (ExecutorService executor = Executors.newSingleThreadExecutor()) {
            executor.execute(context::close);
            executor.shutdown();
            executor.awaitTermination(10, TimeUnit.SECONDS);
        }
        assertEquals("java.base", strict.violations().getFirst().place().getModuleName());
    }
}
