package io.jverbs.soft.fabric.udp.socket;

import io.jverbs.soft.linux.ForbiddenCalls;

/** Prints which sockets {@link SocketsFactory} selects. */
public final class PrintSockets {
    private PrintSockets() {}

    /**
     * Prints the kind of the sockets.
     *
     * @param args the system calls to forbid first
     */
    public static void main(String... args) {
        for (String call : args) {
            ForbiddenCalls.forbid(call);
        }
        System.out.println(SocketsFactory.sockets(false));
    }
}
