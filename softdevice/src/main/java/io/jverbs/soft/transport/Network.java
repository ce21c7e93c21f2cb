package io.jverbs.soft.transport;

/** How a queue pair finds its peers: the fabric as the state machines see it. */
public interface Network {

    /** One without queue pairs: whoever has it reaches others over the wire alone. */
    Network EMPTY = new Network() {
        private static final SoftQp[] NOBODY = {};

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
            return NOBODY;
        }
    };

    /**
     * {@return a number that changes whenever an answer of {@link #find} that was not null may have changed, other than by the
     * queue pair's end} One read.
     */
    int generation();

    /**
     * Finds a queue pair that can be reached.
     *
     * @param gidHigh the upper half of its port's GID
     * @param gidLow the lower half
     * @param qpn its number
     * @return the queue pair, or null if the GID or the number is unknown or the link is down
     */
    SoftQp find(long gidHigh, long gidLow, int qpn);

    /**
     * {@return whether a GID belongs to a port of this JVM}
     *
     * @param gidHigh the upper half
     * @param gidLow the lower half
     */
    boolean isLocal(long gidHigh, long gidLow);

    /**
     * {@return the queue pairs attached to a multicast group; never changed once returned}
     *
     * @param gidHigh the upper half of the group
     * @param gidLow the lower half
     */
    SoftQp[] members(long gidHigh, long gidLow);
}
