package io.jverbs.samples.pingpong;

import io.jverbs.Mtu;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Ping-pong over an unreliable connection. Interoperates with {@code ibv_uc_pingpong}. */
@Command(name = "uc-pingpong", exitCodeOnInvalidInput = 1, description = "Measures round trips over UC; interoperates"
        + " with ibv_uc_pingpong.")
public final class UcPingPongCommand extends PingPongCommand {
    private static final int DEFAULT_SIZE = 4096;

    @Mixin
    private MtuOption mtu;

    /** Creates the command. */
    public UcPingPongCommand() {
        super(new UcTransport(), DEFAULT_SIZE);
    }

    @Override
    Mtu mtu() {
        return mtu.value();
    }
}
