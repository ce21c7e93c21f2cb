package io.jverbs.bench.suite;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.openjdk.jmh.annotations.Mode;

/** The restrictions of {@code --quick}. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Quick {
    /** {@return the parameters and their remaining values, for instance {@code "bytes=8,1048576"}} */
    String[] value() default {};

    /** {@return the remaining modes; empty for all} */
    Mode[] modes() default {};

    /** {@return the methods that are left out unless they are selected by name} */
    String[] without() default {};

    /** {@return the warm-up of benchmarks in milliseconds, which the JIT compilation of the device takes} */
    int warmUp() default 700;

    /** {@return the warm-up of baselines in milliseconds; most are a short loop} */
    int baselines() default 300;
}
