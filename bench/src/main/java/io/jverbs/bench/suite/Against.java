package io.jverbs.bench.suite;

import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Names the baseline of a benchmark: another benchmark of its class, which runs in turn with it. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@Repeatable(Against.All.class)
public @interface Against {
    /** {@return the method of the baseline} */
    String value();

    /**
     * {@return the parameters in which the baseline differs, for instance {@code "regions=1"}; its other parameters
     * have the values of the benchmark}
     */
    String[] with() default {};

    /** The container of several baselines. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.METHOD)
    @interface All {
        /** {@return the baselines} */
        Against[] value();
    }
}
