package io.jverbs.samples.perftest;

/**
 * One of the eight programs.
 *
 * @param verb what it does
 * @param latency whether it times each one, instead of keeping as many under way as there may be
 */
record Program(Verb verb, boolean latency) {
    /** {@return its name on the command line} */
    String name() {
        return verb.word() + (latency ? "-lat" : "-bw");
    }

    /** {@return the name of the C program that it is like} */
    String original() {
        return "ib_" + verb.word() + (latency ? "_lat" : "_bw");
    }
}
