package io.jverbs.bench.process;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The workload of a benchmark of two processes. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Runs {
    /** {@return the enum of the type of the workload} */
    Class<? extends WorkloadType> of();

    /** {@return the constant of the enum} */
    String value();

    /** {@return the sockets of the software device, a value of jverbs.soft.udp; empty if no device is used} */
    String udp() default "";
}
