package io.jverbs.soft.layers.strict;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.strict.Violation.Kind;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Checks that the place of a violation is in the program, even if the JDK calls jverbs on its behalf. */
final class StrictPlacesTest extends StrictReports {

    private RdmaContext openWithLeak() {
        RdmaContext context = Verbs.select("soft").open(strict);
        List.of(4).forEach(context::createCompletionQueue);
        return context;
    }

    @Test
    void thePlaceOfAMethodReferenceIsWhereTheProgramPassesIt() {
        List.of(openWithLeak()).forEach(RdmaContext::close);
        assertFound(Kind.OBJECT_LEAKED, "created at " + StrictPlacesTest.class.getName() + ".openWithLeak(");
        assertEquals("thePlaceOfAMethodReferenceIsWhereTheProgramPassesIt",
                strict.violations().getFirst().place().getMethodName());
    }

    @Test
    void thePlaceIsInTheJdkIfTheThreadHasNoFrameOfTheProgram() throws InterruptedException {
        RdmaContext context = openWithLeak();
        try (ExecutorService executor = Executors.newSingleThreadExecutor()) {
            executor.execute(context::close);
            executor.shutdown();
            executor.awaitTermination(10, TimeUnit.SECONDS);
        }
        assertEquals("java.base", strict.violations().getFirst().place().getModuleName());
    }
}
