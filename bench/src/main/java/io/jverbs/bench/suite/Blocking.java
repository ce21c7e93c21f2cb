package io.jverbs.bench.suite;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a benchmark whose threads block until a message arrives. It may allocate: the locks, the selectors and the
 * scheduler of virtual threads of the JDK do when a thread blocks.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Blocking {}
