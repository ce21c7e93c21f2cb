package io.jverbs.soft.testing;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.jverbs.RdmaContext;
import io.jverbs.control.SimulatedNetwork;
import io.jverbs.testing.SimulatedRdma;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Sample tests that fail at different stages of a test. {@link ReplayTest} checks what is reported. */
final class Samples {
    private Samples() {}

    private static void failIfConfigured() {
        if (System.getProperty(SampleRun.FAIL_PROPERTY) != null) {
            fail("as it should");
        }
    }

    /** The base class of samples; keeps the network of the test that ran last. */
    @SimulatedRdma
    abstract static class Sample {
        static SimulatedNetwork last;

        @BeforeEach
        void remember(SimulatedNetwork network) {
            last = network;
        }

        @AfterEach
        void advance(SimulatedNetwork network) {
            network.advance(Duration.ofSeconds(1));
        }
    }

    /** Fails in the test method. */
    static final class InTest extends Sample {
        @Test
        void fails() {
            failIfConfigured();
        }
    }

    /** Fails in a {@code @BeforeEach} method. */
    static final class InBeforeEach extends Sample {
        @BeforeEach
        void prepare() {
            failIfConfigured();
        }

        @Test
        void fails() {
            // not reached
        }
    }

    /** Fails in an {@code @AfterEach} method. */
    static final class InAfterEach extends Sample {
        @Test
        void fails() {
            // passes
        }

        @AfterEach
        void inspect() {
            failIfConfigured();
        }
    }

    /** Fails in the test method and in an {@code @AfterEach} method. */
    static final class Twice extends Sample {
        @Test
        void fails() {
            failIfConfigured();
        }

        @AfterEach
        void inspect() {
            failIfConfigured();
        }
    }

    /** Fails in one of three dynamic tests. */
    static final class InDynamicTest extends Sample {
        @TestFactory
        List<DynamicTest> fails() {
            return List.of(dynamicTest("one", () -> {}), dynamicTest("two", Samples::failIfConfigured),
                    dynamicTest("three", () -> {}));
        }
    }

    /** Fails in another extension. */
    static final class InExtension extends Sample {
        static final class Failing implements AfterTestExecutionCallback {
            @Override
            public void afterTestExecution(ExtensionContext context) {
                failIfConfigured();
            }
        }

        @Test
        @ExtendWith(Failing.class)
        void fails() {
            // passes
        }
    }

    /** Fails when a context is closed; see {@link UnclosableContext}. */
    static final class InClosing extends Sample {
        @Test
        void fails() {
            // passes
        }
    }

    /** Is aborted. */
    static final class Aborted extends Sample {
        @Test
        void isNotApplicable() {
            Assumptions.abort("not here");
        }
    }

    /** Has more context parameters than there are devices. */
    static final class WantsTooMany extends Sample {
        @Test
        void fails(RdmaContext one, RdmaContext two, RdmaContext three) {
            fail("got " + Arrays.asList(one, two, three));
        }
    }
}
