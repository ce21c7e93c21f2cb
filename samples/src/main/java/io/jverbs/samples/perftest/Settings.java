package io.jverbs.samples.perftest;

import io.jverbs.Mtu;
import io.jverbs.QpType;
import io.jverbs.samples.SampleFailure;
import io.jverbs.samples.connect.OwnAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a test is asked to do: the options, checked against each other.
 *
 * @param program which test
 * @param host the server to connect to, null to be the server
 * @param loopback whether this program is both sides
 * @param tcpPort the TCP port on which the two find each other
 * @param device the device's name or selector, null for the one that the system property names
 * @param port the device's port
 * @param connection the type of the queue pairs
 * @param all whether all sizes are tried, instead of one
 * @param size the length of a message in bytes, {@link #SIZE_OF_MTU} for the MTU
 * @param iterations how many messages are timed
 * @param seconds how long messages are sent instead, 0 for a number of them
 * @param txDepth how many sends may be under way
 * @param rxDepth how many receives are posted
 * @param cqMod each how manieth send is signaled
 * @param postList how many requests are posted with one call
 * @param mtu the largest path MTU, null for that of the port
 * @param gidIndex the place of the own GID in the port's table, {@link OwnAddress#NO_GID_INDEX} if it was not given
 * @param events whether to sleep until a completion event, instead of polling
 * @param bidirectional whether both sides send
 * @param inlineSize up to which size messages are sent inline, {@link #DEFAULT_INLINE} for as much as perftest does
 * @param outstanding how many READs and atomics may be under way, 0 for as many as the device has
 * @param serviceLevel the service level
 * @param timeout the code of the time after which a packet is sent again
 * @param compareAndSwap whether the atomic operation is CMP_AND_SWAP, instead of FETCH_AND_ADD
 * @param gigabits whether bandwidth is told in Gb/s, instead of MB/s
 * @param plot the picture to draw, null for none
 * @param warmUp how long messages are sent before any is timed
 * @param patience how long it may be that nothing happens
 */
record Settings(
        Program program, String host, boolean loopback, int tcpPort, String device, int port, QpType connection,
        boolean all, int size, int iterations, int seconds, int txDepth, int rxDepth, int cqMod, int postList, Mtu mtu,
        int gidIndex, boolean events, boolean bidirectional, int inlineSize, int outstanding, int serviceLevel,
        int timeout, boolean compareAndSwap, boolean gigabits, Path plot, Duration warmUp, Duration patience) {
    static final int DEFAULT_INLINE = -1;
    /** Stands for messages as long as the MTU. */
    static final int SIZE_OF_MTU = 0;
    /** The largest message of a test of all sizes. */
    static final int LARGEST_OF_ALL = 1 << 23;

    /** {@return the same, if lists, depths and numbers fit each other} */
    Settings checked() {
        if (!timed() && iterations % postList != 0) {
            throw new SampleFailure("--iters " + iterations + " must be a multiple of --post_list " + postList + ".");
        }
        if (postList > 1 && postList % cqMod != 0) {
            throw new SampleFailure("--post_list " + postList + " must be a multiple of --cq-mod " + cqMod
                    + ", so that the last request of each list is signaled.");
        }
        if (postList > txDepth) {
            throw new SampleFailure("--post_list " + postList + " is more than --tx-depth " + txDepth + ".");
        }
        return this;
    }

    Verb verb() {
        return program.verb();
    }

    boolean latency() {
        return program.latency();
    }

    /** {@return how many completions one iteration has on each side that takes part: two if messages come as well as go} */
    int directions() {
        boolean both = latency() ? !verb().fetches() : verb() == Verb.SEND && bidirectional;
        return both ? 2 : 1;
    }

    boolean timed() {
        return seconds > 0;
    }

    /** {@return what must be the same on both sides, by the name of the option} */
    Map<String, String> symmetric() {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("program", program.name());
        values.put("--connection", connection.name());
        values.put("--size", all ? "all" : size == SIZE_OF_MTU ? "MTU" : Integer.toString(size));
        values.put(timed() ? "--duration" : "--iters", Integer.toString(timed() ? seconds : iterations));
        values.put("--bidirectional", bidirectional ? "yes" : "no");
        if (bidirectional) {
            // The client gives the number of messages, in whole lists.
            values.put("--post_list", Integer.toString(postList));
        }
        return values;
    }
}
