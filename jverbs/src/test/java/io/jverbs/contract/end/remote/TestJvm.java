package io.jverbs.contract.end.remote;

import java.nio.file.Path;

/** What another JVM like this one is started with. */
public final class TestJvm {
    private TestJvm() {}

    /** Its program. */
    public static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** The class path of the tests, which surefire hides in a jar. */
    public static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }
}
