package io.jverbs.samples;

import java.io.IOException;
import java.util.List;

/** Runs a class in a {@link ChildJvm} and waits until it exits. */
public final class SamplesProcess {
    private static final int TIMEOUT_SECONDS = 60;

    private SamplesProcess() {}

    /** {@return the class path of the tests, which the build passes in a system property} */
    public static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    /** Runs a sample and waits until it exits. */
    public static Run sample(List<String> jvmOptions, List<String> args) throws IOException, InterruptedException {
        return run(classPath(), jvmOptions, Samples.class.getName(), args);
    }

    /** Runs a class and waits until it exits. */
    public static Run run(String classPath, List<String> jvmOptions, String mainClass, List<String> args)
            throws IOException, InterruptedException {
        try (ChildJvm jvm = ChildJvm.start(classPath, jvmOptions, mainClass, args)) {
            return jvm.await(TIMEOUT_SECONDS);
        }
    }
}
