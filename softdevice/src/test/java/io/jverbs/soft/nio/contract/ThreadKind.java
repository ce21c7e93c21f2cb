package io.jverbs.soft.nio.contract;

/** The kinds of threads that call blocking operations. */
public enum ThreadKind {
    PLATFORM, VIRTUAL;

    /** Returns a thread that is not started and does not keep the JVM alive. */
    Thread thread(Runnable work) {
        return this == VIRTUAL ? Thread.ofVirtual().unstarted(work) : Thread.ofPlatform().daemon().unstarted(work);
    }
}
