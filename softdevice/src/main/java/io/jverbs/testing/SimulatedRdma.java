package io.jverbs.testing;

import io.jverbs.spi.SystemProperties;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives a test, or each test of a class, its own simulated network ({@link io.jverbs.control.SimulatedNetwork}). No
 * set-up is needed:
 *
 * {@snippet :
 * @SimulatedRdma(options = "loss=0.02")
 * @Test
 * void theFileArrivesDespiteLoss(RdmaContext client, RdmaContext server, SimulatedNetwork network) {
 *     // ...
 * }
 * }
 *
 * <p>
 * Test methods, {@code @BeforeEach} methods and {@code @AfterEach} methods can have parameters of these types:
 * <ul>
 * <li>{@code SimulatedNetwork}: the network
 * <li>{@code RdmaContext}: an open context; the first such parameter is on device {@code sim0}, the second on {@code
 * sim1}, and so on
 * <li>{@code RdmaContext[]}: the open contexts on all devices
 * </ul>
 * All methods of one test get the same network and contexts. The contexts are closed after the test.
 *
 * <p>
 * If a test fails, the extension adds a suppressed exception to the failure, and prints its message to the standard
 * error stream. The message contains the seed, how to repeat the run with that seed, and the latest packets. The same
 * applies if a {@code @BeforeEach} or {@code @AfterEach} method fails, or if the network cannot be closed. The dynamic
 * tests of a test factory share one network.
 *
 * <p>
 * An annotation of a method overrides that of its class. An annotation of a nested class overrides that of the
 * enclosing class.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@ExtendWith(SimulatedRdmaExtension.class)
public @interface SimulatedRdma {
    /** The value of {@link #seed} that draws a new seed for each run. */
    long DRAWN = Long.MIN_VALUE;

    /** The system property whose value, an integer, replaces a seed that would be drawn. */
    String SEED_PROPERTY = SystemProperties.SIM_SEED;

    /**
     * {@return the seed of the network; by default the value of the system property {@value #SEED_PROPERTY}, or a new
     * seed for each run if the property is not set}
     */
    long seed() default DRAWN;

    /** {@return the number of devices that are opened, 1 to 256} */
    int devices() default 2;

    /** {@return further options of the network's selector, for instance {@code loss=0.02&delay=5us}} */
    String options() default "";
}
