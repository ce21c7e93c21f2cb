package io.jverbs.samples.pingpong;

import io.jverbs.Mtu;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Ping-pong over an unreliable connection; plays with {@code ibv_uc_pingpong} too. */
@Command(name = "uc-pingpong", exitCodeOnInvalidInput = 1, description = "Times messages that go to and fro over UC; plays with"
        + " ibv_uc_pingpong too.")
public final class UcPingPongCommand extends PingPongCommand {
    private static final int DEFAULT_SIZE = 4096;

    @Mixin
    private MtuOption mtu;

    /** Makes the command. */
    public UcPingPongCommand() {
        super(new UcTransport(), DEFAULT_SIZE);
    }

    @Override
    Mtu mtu() {
        return mtu.value();
    }
}
