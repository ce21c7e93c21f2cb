package io.jverbs.soft.fabric;

/** How long the network of a fabric exists. A simulated network ends with its last context. Thread-safe. */
public interface NetworkLifetime {
    /** The lifetime of a network that exists with and without contexts. */
    NetworkLifetime UNLIMITED = new NetworkLifetime() {
        @Override
        public void contextOpened() {
            // exists without contexts
        }

        @Override
        public void contextClosed() {
            // exists without contexts
        }

        @Override
        public void atEnd(Runnable action) {
            // never ends
        }

        @Override
        public boolean hasEnded() {
            return false;
        }
    };

    /**
     * Called before a context is opened on the device.
     *
     * @throws io.jverbs.VerbsException with ENODEV if the network has ended
     */
    void contextOpened();

    /** Called after a context on the device was closed. */
    void contextClosed();

    /**
     * Sets what is called when the network has ended. The caller of the action holds no lock of the network.
     *
     * @param action the action, which replaces the one that was set before
     */
    void atEnd(Runnable action);

    /** {@return whether the network has ended: no context can be opened any more} */
    boolean hasEnded();
}
