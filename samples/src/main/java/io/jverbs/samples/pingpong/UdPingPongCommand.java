package io.jverbs.samples.pingpong;

import picocli.CommandLine.Command;

/** Ping-pong with datagrams; plays with {@code ibv_ud_pingpong} too. */
@Command(name = "ud-pingpong", exitCodeOnInvalidInput = 1, description = "Times datagrams that go to and fro; plays with"
        + " ibv_ud_pingpong too.")
public final class UdPingPongCommand extends PingPongCommand {
    /** What the C program takes, though its usage says 2048. */
    private static final int DEFAULT_SIZE = 1024;

    /** Makes the command. */
    public UdPingPongCommand() {
        super(new UdTransport(), DEFAULT_SIZE);
    }
}
