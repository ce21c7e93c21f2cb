package io.jverbs.endpoint;

import io.jverbs.Errno;
import io.jverbs.VerbsException;
import io.jverbs.cm.CmId;
import java.net.InetSocketAddress;

/** Listens at an address. If it is in use, the message says what a program with endpoints can do. */
final class ListenAddress {
    private ListenAddress() {}

    /**
     * Binds the ID of a listener and listens.
     *
     * @throws VerbsException if the address cannot be used; the message does not name the options of IDs, which
     *         programs with endpoints do not have
     */
    static void bindAndListen(CmId id, InetSocketAddress address, int backlog) {
        try {
            id.bind(address);
            id.listen(backlog);
        } catch (VerbsException e) {
            if (e.error() != Errno.EADDRINUSE && e.error() != Errno.EADDRNOTAVAIL) {
                throw e;
            }
            String reason = e.error() == Errno.EADDRINUSE
                    ? "the port is in use at this address"
                    : "the port is in use at an address that includes this one or is included in it, or no port is"
                            + " free, or this machine does not have the address";
            VerbsException advice = new VerbsException(e.operation(), e.error(),
                    "cannot listen at " + address + ": " + reason + ": use another port or address");
            advice.initCause(e);
            throw advice;
        }
    }
}
