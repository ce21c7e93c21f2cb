package io.jverbs.samples.rdmacm;

import io.jverbs.cm.CmEvent;
import java.io.PrintWriter;

/**
 * The output of rping.
 *
 * @param out standard output
 * @param verbose whether to print the data
 * @param debug whether to print the events and the steps
 */
record RpingOutput(PrintWriter out, boolean verbose, boolean debug) {
    /** Prints a line. */
    void print(String line) {
        out.println(line);
    }

    /** Prints the data of a ping. */
    void data(String line) {
        if (verbose) {
            out.println(line);
        }
    }

    /** Prints a step, in the words of rping. */
    void step(String format, Object... values) {
        if (debug) {
            out.println(String.format(format, values));
        }
    }

    /**
     * Prints an event.
     *
     * @param event the event
     * @param role how rping calls the ID: parent, or child for that of a connect request
     */
    void event(CmEvent event, String role) {
        step("cma_event type RDMA_CM_EVENT_%s cma_id %s (%s)", event.type(), event.id(), role);
    }
}
