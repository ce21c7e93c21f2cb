package io.jverbs.samples.interop.process;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts other JVMs whose channels are on RDMA. Each program has a JVM of its own, since a program chooses the provider
 * of its channels once.
 */
public final class ChannelsJvm {
    private static final String SAMPLES = "io.jverbs.samples.Samples";
    private static final String PROVIDER = "-Djava.nio.channels.spi.SelectorProvider="
            + "io.jverbs.nio.RdmaSelectorProvider";

    private ChannelsJvm() {}

    /** Starts a sample. All its channels are on RDMA. */
    public static RdmacmProgram startSample(InteropSettings settings, List<String> words) throws IOException {
        return start(settings, "always", SAMPLES, words);
    }

    /**
     * Starts a program.
     *
     * @param settings the settings of this JVM
     * @param rule which addresses are reached by RDMA
     * @param mainClass the class
     * @param words its arguments
     */
    public static RdmacmProgram start(InteropSettings settings, String rule, String mainClass, List<String> words)
            throws IOException {
        return RdmacmProgram.startJvm(command(settings, rule, mainClass, words));
    }

    /** {@return the command of a JVM with a program} */
    static List<String> command(InteropSettings settings, String rule, String mainClass, List<String> words) {
        List<String> command = new ArrayList<>(settings.jvm(settings.selectorOfJvm(), mainClass, words));
        command.addAll(1, List.of(PROVIDER, "-Djverbs.nio.rdma=" + rule));
        return command;
    }
}
