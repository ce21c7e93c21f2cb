package io.jverbs.samples.perftest.run;

/**
 * One of the eight programs.
 *
 * @param verb the operation that it measures
 * @param latency whether it measures latency; otherwise it measures bandwidth
 */
public record Program(Verb verb, boolean latency) {
    /** {@return the name on the command line} */
    public String name() {
        return verb.word() + (latency ? "-lat" : "-bw");
    }

    /** {@return the name of the C program} */
    public String original() {
        return "ib_" + verb.word() + (latency ? "_lat" : "_bw");
    }
}
