package io.jverbs.soft.queue;

/** A lock that every thread holds, for tests that call methods which require a lock. */
public final class HeldLock implements Guarded {
    private final Runnable onWait;

    /** @param onWait called by {@link #awaitRelease}, which does not wait */
    public HeldLock(Runnable onWait) {
        this.onWait = onWait;
    }

    @Override
    public void awaitRelease() {
        onWait.run();
    }

    @Override
    public boolean isHeldByCurrentThread() {
        return true;
    }
}
