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

/** Tests that fail, each somewhere else. They tell of their network what they saw of it. */
final class Samples {
    private Samples() {}

    private static void failIfAsked() {
        if (System.getProperty(SampleRun.ASKED) != null) {
            fail("as it should");
        }
    }

    /** Knows the network of the test that ran last. */
    @SimulatedRdma
    abstract static class Sample {
        static SimulatedNetwork last;

        @BeforeEach
        void remember(SimulatedNetwork network) {
            last = network;
        }

        @AfterEach
        void goOn(SimulatedNetwork network) {
            network.advance(Duration.ofSeconds(1));
        }
    }

    /** Fails itself. */
    static final class InTest extends Sample {
        @Test
        void fails() {
            failIfAsked();
        }
    }

    /** Fails before. */
    static final class InBeforeEach extends Sample {
        @BeforeEach
        void prepare() {
            failIfAsked();
        }

        @Test
        void fails() {
            // it does not come to that
        }
    }

    /** Fails after. */
    static final class InAfterEach extends Sample {
        @Test
        void fails() {
            // not here
        }

        @AfterEach
        void inspect() {
            failIfAsked();
        }
    }

    /** Fails itself and after. */
    static final class Twice extends Sample {
        @Test
        void fails() {
            failIfAsked();
        }

        @AfterEach
        void inspect() {
            failIfAsked();
        }
    }

    /** One of three fails. */
    static final class InDynamicTest extends Sample {
        @TestFactory
        List<DynamicTest> fails() {
            return List.of(dynamicTest("one", () -> {}), dynamicTest("two", Samples::failIfAsked),
                    dynamicTest("three", () -> {}));
        }
    }

    /** Another extension fails. */
    static final class InExtension extends Sample {
        static final class Failing implements AfterTestExecutionCallback {
            @Override
            public void afterTestExecution(ExtensionContext context) {
                failIfAsked();
            }
        }

        @Test
        @ExtendWith(Failing.class)
        void fails() {
            // not here
        }
    }

    /** A context does not close; see {@link UnclosableContext}. */
    static final class InClosing extends Sample {
        @Test
        void fails() {
            // not here
        }
    }

    /** Does not apply. */
    static final class Aborted extends Sample {
        @Test
        void isNotApplicable() {
            Assumptions.abort("not here");
        }
    }

    /** Wants more than there is. */
    static final class WantsTooMany extends Sample {
        @Test
        void fails(RdmaContext one, RdmaContext two, RdmaContext three) {
            fail("has " + Arrays.asList(one, two, three));
        }
    }
}
