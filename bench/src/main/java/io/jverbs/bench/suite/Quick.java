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

    /** {@return how many warm-up iterations of 100 ms; what two processes do takes the compiler longer} */
    int warmups() default 3;
}
