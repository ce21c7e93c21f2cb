package io.jverbs.soft.transport;

/**
 * The network within the JVM, as the state machines see it: the lookup of the queue pairs that a queue pair can send
 * to. Thread-safe.
 */
public interface LocalPeers {

    /** A network without queue pairs, for queue pairs that reach their peers over the wire only. */
    LocalPeers EMPTY = new LocalPeers() {
        private static final SoftQp[] NO_MEMBERS = {};

        @Override
        public int generation() {
            return 0;
        }

        @Override
        public SoftQp find(long gidHigh, long gidLow, int qpn) {
            return null;
        }

        @Override
        public boolean isLocal(long gidHigh, long gidLow) {
            return false;
        }

        @Override
        public SoftQp[] members(long gidHigh, long gidLow) {
            return NO_MEMBERS;
        }
    };

    /**
     * {@return the generation of the network} It changes when a queue pair that {@link #find} returned may no longer be
     * the right one: GIDs, links or members have changed. The destruction of a queue pair does not change it. This
     * costs one read.
     */
    int generation();

    /**
     * Finds a reachable queue pair.
     *
     * @param gidHigh the upper half of the GID of its port
     * @param gidLow the lower half of the GID
     * @param qpn the QPN
     * @return the queue pair, or null if the GID or the QPN is unknown or the link is down
     */
    SoftQp find(long gidHigh, long gidLow, int qpn);

    /**
     * {@return whether a GID belongs to a port of this JVM}
     *
     * @param gidHigh the upper half of the GID
     * @param gidLow the lower half of the GID
     */
    boolean isLocal(long gidHigh, long gidLow);

    /**
     * {@return the queue pairs attached to a multicast group} The array is never modified.
     *
     * @param gidHigh the upper half of the multicast GID
     * @param gidLow the lower half of the multicast GID
     */
    SoftQp[] members(long gidHigh, long gidLow);
}
