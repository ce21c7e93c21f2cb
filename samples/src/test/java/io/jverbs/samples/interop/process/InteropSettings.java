package io.jverbs.samples.interop.process;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The settings of the classes of {@code io.jverbs.samples.interop} that run in a virtual machine: system properties,
 * which their scripts in {@code .ci} pass.
 *
 * @param device the device selector of the samples
 * @param sampleAddress the IP address at which a sample that is the server listens
 * @param jvmAddress the IP address at which such a sample listens if it runs in a JVM of its own: a software device
 *            keeps its address as long as its JVM lives
 * @param programAddress the IP address at which a C program that is the server listens
 * @param programPrefix the words before the command of a C program: those that enter its network namespace
 * @param only selects the pairings: those whose name contains a match
 * @param iterations the number of messages in each direction
 * @param copyMebibytes the size of the file that rcopy copies, in MiB
 * @param archive the file with the archive of this JVM's classes, which other JVMs use too; empty if there is none
 */
public record InteropSettings(String device, String sampleAddress, String jvmAddress, String programAddress,
        List<String> programPrefix, Pattern only, int iterations, int copyMebibytes,
        String archive) {
    /** How long each side may run, and how long a server may take until it listens. */
    public static final Duration TIMEOUT = Duration.ofSeconds(60);
    /** The same for another JVM, which may take two minutes to start under emulation. */
    public static final Duration JVM_TIMEOUT = Duration.ofSeconds(180);

    private static final String PREFIX = "jverbs.interop.";

    /** {@return the settings of this JVM} */
    public static InteropSettings ofSystemProperties() {
        String namespace = value("namespace", "");
        List<String> prefix = namespace.isEmpty() ? List.of() : List.of("ip", "netns", "exec", namespace);
        return new InteropSettings(value("device", "native:rxe0"), value("sampleAddress", "192.0.2.1"),
                value("jvmAddress", "192.0.2.1"), value("programAddress", "192.0.2.1"), prefix,
                Pattern.compile(value("only", "")),
                Integer.parseInt(value("iterations", "60")), Integer.parseInt(value("copyMebibytes", "32")),
                value("archive", ""));
    }

    /** {@return whether the samples use rxe0 through librdmacm, so that the kernel ends what a killed JVM leaves} */
    public boolean isNative() {
        return device.startsWith("native:");
    }

    /** {@return the path of a library for LD_PRELOAD, of samples/src/test/c} */
    public String library(String name) {
        return Path.of(value("libraries", ""), name).toString();
    }

    /** {@return the command of another JVM with a sample on rxe0, or on a software device of its own} */
    public List<String> sampleJvm(List<String> words) {
        return jvm(selectorOfJvm(), "io.jverbs.samples.Samples", words);
    }

    /** {@return the selector of another JVM: rxe0, or a software device of its own} */
    String selectorOfJvm() {
        return isNative() ? device : "soft:" + jvmAddress;
    }

    /** {@return the command of another JVM with a class and its arguments} */
    public List<String> jvm(String selector, String mainClass, List<String> words) {
        List<String> command = new ArrayList<>(List.of(ProcessHandle.current().info().command().orElseThrow(),
                "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED",
                "-Djverbs.device=" + selector, "-cp", System.getProperty("java.class.path")));
        if (!archive.isEmpty()) {
            command.addAll(List.of("-Xshare:auto", "-Xlog:cds=off", "-Xlog:cds+dynamic=off",
                    "-XX:SharedArchiveFile=" + archive));
        }
        command.add(mainClass);
        command.addAll(words);
        return command;
    }

    private static String value(String name, String defaultValue) {
        return System.getProperty(PREFIX + name, defaultValue);
    }
}
