package io.jverbs.samples;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Marks a test class that starts other processes and checks how they end. Its tests run beside those of other classes,
 * because they use nothing of this JVM that others change: no system property, no standard stream, no log. The tests of
 * all such classes run one at a time, because their processes may use the same addresses.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("io.jverbs.addresses")
public @interface InOtherProcesses {}
