package io.jverbs.samples.perftest.run;

import io.jverbs.Mtu;
import io.jverbs.QpType;
import io.jverbs.samples.connect.LocalAddress;
import io.jverbs.samples.console.UsageFailure;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The options of a test.
 *
 * @param program the program
 * @param host the server to connect to, null to be the server
 * @param loopback whether this program runs both sides
 * @param tcpPort the TCP port of the control connection
 * @param device the name or selector of the device, null for the device that the system property selects
 * @param port the device's port
 * @param connection the type of the queue pairs
 * @param all whether all sizes are tested
 * @param size the length of a message in bytes, {@link #SIZE_OF_MTU} for the MTU
 * @param iterations the number of timed messages
 * @param seconds the duration of the test, 0 if the number of messages is given
 * @param txDepth the largest number of sends in flight
 * @param rxDepth the number of posted receives
 * @param cqMod N if every Nth send is signaled
 * @param postList the number of requests that are posted with one call
 * @param mtu the largest path MTU, null for the MTU of the port
 * @param gidIndex the index of the local GID in the port's GID table, {@link LocalAddress#NO_GID_INDEX} if not given
 * @param events whether to wait for completion events instead of polling
 * @param bidirectional whether both sides send
 * @param inlineSize the length up to which messages are sent inline, {@link #DEFAULT_INLINE} for perftest's default
 * @param outstanding the largest number of outstanding READs and atomics, 0 for the limit of the device
 * @param serviceLevel the service level
 * @param timeout the code of the local ACK timeout
 * @param compareAndSwap whether the atomic operation is CMP_AND_SWAP; otherwise it is FETCH_AND_ADD
 * @param gigabits whether bandwidth is printed in Gb/s; otherwise it is in MB/s
 * @param plot the file of the plot, null for none
 * @param warmUp the warm-up time before the first size
 * @param rdmaCm whether rdma_cm connects the sides; otherwise they exchange their addresses over TCP
 * @param patience the time without progress after which the test fails
 */
public record Settings(
        Program program, String host, boolean loopback, int tcpPort, String device, int port, QpType connection,
        boolean all, int size, int iterations, int seconds, int txDepth, int rxDepth, int cqMod, int postList, Mtu mtu,
        int gidIndex, boolean events, boolean bidirectional, int inlineSize, int outstanding, int serviceLevel,
        int timeout, boolean compareAndSwap, boolean gigabits, Path plot, Duration warmUp,
        boolean rdmaCm, Duration patience) {
    /** The inline size that stands for perftest's default. */
    public static final int DEFAULT_INLINE = -1;
    /** The size of messages that are as long as the MTU. */
    public static final int SIZE_OF_MTU = 0;
    /** The largest size of a test of all sizes in bytes. */
    public static final int LARGEST_OF_ALL = 1 << 23;

    /**
     * {@return these settings}
     *
     * @throws UsageFailure if list length, depth, moderation and number of messages do not fit each other
     */
    public Settings checked() {
        if (!timed() && iterations % postList != 0) {
            throw new UsageFailure("--iters " + iterations + " must be a multiple of --post_list " + postList + ".");
        }
        if (postList > 1 && postList % cqMod != 0) {
            throw new UsageFailure("--post_list " + postList + " must be a multiple of --cq-mod " + cqMod
                    + ", so that the last request of each list is signaled.");
        }
        if (postList > txDepth) {
            throw new UsageFailure("--post_list " + postList + " is more than --tx-depth " + txDepth + ".");
        }
        return this;
    }

    /** {@return the operation that the test measures} */
    public Verb verb() {
        return program.verb();
    }

    /** {@return whether the test measures latency; otherwise it measures bandwidth} */
    public boolean latency() {
        return program.latency();
    }

    /** {@return the number of completions of one iteration on each side that takes part: 2 if it sends and receives} */
    int directions() {
        boolean both = latency() ? !verb().fetches() : verb() == Verb.SEND && bidirectional;
        return both ? 2 : 1;
    }

    /** {@return whether a duration is given instead of a number of messages} */
    public boolean timed() {
        return seconds > 0;
    }
}
