package io.jverbs.contract.dsl;

/** How long tests wait, in milliseconds. A wait ends as soon as its condition holds; these bound a failure. */
public final class Waits {

    /** For what must happen. The system property shortens it where failures are expected. */
    public static final long DEADLINE = Long.getLong("jverbs.contract.deadlineMillis", 10_000);

    private Waits() {}
}
