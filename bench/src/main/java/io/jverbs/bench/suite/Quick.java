package io.jverbs.bench.suite;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.openjdk.jmh.annotations.Mode;

/** What {@code --quick} makes less of. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Quick {
    /** {@return parameters and the values that remain, as {@code "bytes=8,1048576"}} */
    String[] value() default {};

    /** {@return the modes that remain; empty for all} */
    Mode[] modes() default {};

    /** {@return methods that are left out unless they are asked for by name} */
    String[] without() default {};

    /** {@return for how many milliseconds benchmarks warm up: the device takes the compiler so long} */
    int warmUp() default 700;

    /** {@return for how many milliseconds baselines warm up: most are a short loop} */
    int baselines() default 300;
}
