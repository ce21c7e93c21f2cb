package io.jverbs.soft;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Addresses of the loopback for the software devices of tests, each handed out once: a device keeps its address until its JVM ends,
 * so two tests that choose the same one depend on which of them runs first, and in which process.
 */
public final class LoopbackAddress {
    private static final AtomicInteger COUNT = new AtomicInteger();
    /** What the upper half of 127.0.0.0/8, which these are of, leaves to tell processes apart. */
    private static final int PROCESSES = 1 << 15;
    private static final int LAST = 254;

    private LoopbackAddress() {}

    /** {@return an address that no other caller has had, in this process nor, most probably, in another one that is alive} */
    public static String next() {
        int host = COUNT.incrementAndGet();
        if (host > LAST) {
            throw new IllegalStateException("tests of one JVM have taken all its " + LAST + " addresses");
        }
        int process = (int) (ProcessHandle.current().pid() % PROCESSES);
        return "127." + (128 + process / 256) + '.' + process % 256 + '.' + host;
    }

    /** {@return the selector of a device at an address of its own, which peers in the same JVM reach by sockets too} */
    public static String wired() {
        return "soft:" + next() + "?fabric=wire";
    }
}
