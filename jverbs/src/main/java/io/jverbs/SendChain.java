package io.jverbs;

/** Checks that the objects which a chain of send requests names are open. */
final class SendChain {
    private SendChain() {}

    /**
     * Throws IllegalStateException if a request of the chain names a closed object; checks at most limit requests. See
     * {@link SendWorkRequest#checkOpen}, which checks plain requests itself.
     */
    static void checkOpen(SendWorkRequest head, int limit) {
        SendWorkRequest request = head;
        for (int i = 0; request != null && i < limit; i++, request = request.next()) {
            request.elements.checkOpen();
            AddressHandle handle = request.addressHandle();
            if (handle != null && handle.isClosed()) {
                throw new IllegalStateException(handle + " is closed");
            }
            if (request.memoryWindow() != null && request.rawOpcode() == WrOpcode.BIND_MW.code()) {
                checkBindOpen(request.memoryWindow(), request.bindRegion());
            }
        }
    }

    private static void checkBindOpen(MemoryWindow window, MemoryRegion region) {
        if (window.isClosed()) {
            throw new IllegalStateException(window + " is closed");
        }
        if (region != null && region.isClosed()) {
            throw new IllegalStateException(region + " is closed");
        }
    }
}
