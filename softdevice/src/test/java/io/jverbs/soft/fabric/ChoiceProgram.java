package io.jverbs.soft.fabric;

/** Says which sockets are chosen. */
public final class ChoiceProgram {
    private ChoiceProgram() {}

    /**
     * Prints it.
     *
     * @param args none
     */
    public static void main(String... args) {
        System.out.println(SocketChoice.sockets());
    }
}
