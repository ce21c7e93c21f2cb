package io.jverbs.soft.fabric;

import io.jverbs.soft.linux.ForbiddenCalls;

/** Says which sockets are chosen. */
public final class ChoiceProgram {
    private ChoiceProgram() {}

    /**
     * Prints it.
     *
     * @param args the system calls that are forbidden before
     */
    public static void main(String... args) {
        for (String call : args) {
            ForbiddenCalls.forbid(call);
        }
        System.out.println(SocketChoice.sockets());
    }
}
