package io.jverbs.bench.suite;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Benchmarks that not every machine can run; the others skip them and say why. */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface Needs {
    /** {@return finds out} */
    Class<? extends Condition> value();

    /** Finds out whether benchmarks can be run here. Has a public constructor without parameters. */
    interface Condition {
        /** {@return what is missing, a sentence that says what to do about it; null if nothing is} */
        String missing();
    }
}
