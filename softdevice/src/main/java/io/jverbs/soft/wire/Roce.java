package io.jverbs.soft.wire;

/** Constants of RoCEv2 (InfiniBand Architecture Specification, Annex A17). */
public final class Roce {
    /** The UDP destination port. */
    public static final int UDP_PORT = 4791;

    private Roce() {}
}
