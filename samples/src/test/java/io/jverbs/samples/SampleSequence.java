package io.jverbs.samples;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/**
 * Runs samples one after the other in one JVM, for scripts on machines where starting one takes long: each line of standard input
 * is a name with options. It says when it is ready; when a sample has ended, its status is printed on a line of its own.
 */
public final class SampleSequence {
    private SampleSequence() {}

    /**
     * Runs what standard input says.
     *
     * @param args none
     * @throws IOException if standard input cannot be read
     */
    public static void main(String[] args) throws IOException {
        PrintWriter out = new PrintWriter(System.out, true);
        out.println("ready");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            int status = Samples.run(out, out, line.strip().split(" +"));
            out.println("status " + status);
        }
    }
}
