package io.jverbs.testing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives a test, or each test of a class, a simulated network of its own ({@link io.jverbs.control.SimulatedNetwork}), without any set-up:
 *
 * {@snippet :
 * @SimulatedRdma(options = "loss=0.02")
 * @Test
 * void theFileArrivesAllTheSame(RdmaContext client, RdmaContext server, SimulatedNetwork network) {
 *     // ...
 * }
 * }
 *
 * <p>
 * Parameters of test methods, and of methods that run before and after each test, may be {@code SimulatedNetwork}; {@code RdmaContext}, the
 * first of which is an open context on device {@code sim0}, the second on {@code sim1} and so on; and {@code RdmaContext[]}, one for each
 * device. They are the same ones for all methods around one test, and closed after it.
 *
 * <p>
 * A test that fails tells the seed, how to run it again with that seed, and the latest packets; so do tests that a factory
 * makes, which share one network, and tests whose methods before or after them fail, or whose network does not close. The annotation
 * of a method goes before that of its class, and that of a nested class before that of the class around it.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@ExtendWith(SimulatedRdmaExtension.class)
public @interface SimulatedRdma {
    /** The {@link #seed} that means another one for each run. */
    long DRAWN = Long.MIN_VALUE;

    /** The system property whose value, an integer, takes the place of a seed that would be drawn. */
    String SEED_PROPERTY = "jverbs.sim.seed";

    /** {@return the seed; unless given another one each time, or that of the system property {@value #SEED_PROPERTY}} */
    long seed() default DRAWN;

    /** {@return how many devices are opened, 1 to 256} */
    int devices() default 2;

    /** {@return more options of the network's selector, for instance {@code loss=0.02&delay=5us}} */
    String options() default "";
}
