package io.jverbs.contract.end.remote;

import java.nio.file.Path;

/** How to start another JVM like this one. */
public final class TestJvm {
    private TestJvm() {}

    /** Returns the path of the java program. */
    public static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** Returns the class path of the tests, which surefire may hide in a jar. */
    public static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }
}
