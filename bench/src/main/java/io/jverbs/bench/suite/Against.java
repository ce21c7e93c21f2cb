package io.jverbs.bench.suite;

import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What a benchmark is compared with: another benchmark of its class, run in turn with it. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@Repeatable(Against.All.class)
public @interface Against {
    /** {@return the baseline's method} */
    String value();

    /**
     * {@return parameters in which the baseline differs, as {@code "regions=1"}; in all others that it has, it has the
     * benchmark's own values}
     */
    String[] with() default {};

    /** Several of them. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.METHOD)
    @interface All {
        /** {@return all} */
        Against[] value();
    }
}
