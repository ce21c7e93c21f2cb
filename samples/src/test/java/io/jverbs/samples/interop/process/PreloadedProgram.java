package io.jverbs.samples.interop.process;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Starts C programs that know only the sockets of Linux, with libraries that replace these. */
public final class PreloadedProgram {
    /** The library of librdmacm that puts the sockets on rsocket. */
    public static final String RSOCKET = "/usr/lib/x86_64-linux-gnu/rsocket/librspreload.so.1";

    private PreloadedProgram() {}

    /** Starts a program on rsocket in the network namespace of rxe0. */
    public static RdmacmProgram start(InteropSettings settings, List<String> words) throws IOException {
        List<String> command = new ArrayList<>(List.of("env", "LD_PRELOAD=" + RSOCKET, "stdbuf", "-oL"));
        command.addAll(words);
        return RdmacmProgram.start(settings.programPrefix(), command);
    }

    /**
     * Starts a program whose standard input is a file, and whose standard output goes to another one.
     *
     * @param settings the settings of this JVM
     * @param libraries the paths of the libraries, separated by colons
     * @param words the program and its arguments, without blanks and special characters
     * @param input the path of standard input
     * @param output the path of standard output
     */
    public static RdmacmProgram start(InteropSettings settings, String libraries, List<String> words, String input,
            String output) throws IOException {
        return RdmacmProgram.start(settings.programPrefix(), List.of("sh", "-c",
                "exec env LD_PRELOAD=" + libraries + " " + String.join(" ", words) + " <\"$1\" >\"$2\"", "sh", input,
                output));
    }
}
