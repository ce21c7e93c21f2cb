package io.jverbs.bench.suite;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The condition of benchmarks that not every machine can run. They are skipped if it is not met. */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface Needs {
    /** {@return the class of the condition} */
    Class<? extends Condition> value();

    /** A condition of this machine. Implementations have a public constructor without parameters. */
    interface Condition {
        /** {@return a sentence that says what is missing and what to do about it; null if nothing is missing} */
        String missing();
    }
}
