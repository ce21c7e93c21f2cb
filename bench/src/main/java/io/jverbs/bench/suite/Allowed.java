package io.jverbs.bench.suite;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The integers that a parameter of a benchmark may have. Others may have the values of {@code Param} only. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface Allowed {
    /** The largest message of the software device in bytes. */
    int LARGEST_MESSAGE = 1 << 30;
    /** The largest message in bytes that plain datagrams are compared with. */
    int LARGEST_DATAGRAM = 65_000;

    /** {@return the smallest value} */
    int min() default 1;

    /** {@return the largest value} */
    int max();
}
