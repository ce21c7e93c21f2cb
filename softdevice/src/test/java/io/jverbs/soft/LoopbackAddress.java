package io.jverbs.soft;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Assigns loopback addresses to the software devices of tests, each address once. A device keeps its address until its
 * JVM ends. Two tests with the same address would therefore depend on which of them runs first, and in which process.
 */
public final class LoopbackAddress {
    private static final AtomicInteger COUNT = new AtomicInteger();
    /** The number of processes that the addresses distinguish. They are in the upper half of 127.0.0.0/8. */
    private static final int PROCESSES = 1 << 15;
    private static final int LAST = 254;

    private LoopbackAddress() {}

    /**
     * {@return an address that no other caller has got in this process, nor, most probably, in another process that is
     * running}
     */
    public static String next() {
        int host = COUNT.incrementAndGet();
        if (host > LAST) {
            throw new IllegalStateException("the tests of this JVM have used all of its " + LAST + " addresses");
        }
        int process = (int) (ProcessHandle.current().pid() % PROCESSES);
        return "127." + (128 + process / 256) + '.' + process % 256 + '.' + host;
    }

    /** {@return the selector of a device with its own address, which peers in the same JVM also reach by sockets} */
    public static String wired() {
        return "soft:" + next() + "?fabric=wire";
    }
}
