package io.jverbs.samples.pingpong;

import picocli.CommandLine.Command;

/** Ping-pong with datagrams. Interoperates with {@code ibv_ud_pingpong}. */
@Command(name = "ud-pingpong", exitCodeOnInvalidInput = 1, description = "Measures round trips of datagrams;"
        + " interoperates with ibv_ud_pingpong.")
public final class UdPingPongCommand extends PingPongCommand {
    /** The default of the C program, although its usage text says 2048. */
    private static final int DEFAULT_SIZE = 1024;

    /** Creates the command. */
    public UdPingPongCommand() {
        super(new UdTransport(), DEFAULT_SIZE);
    }
}
