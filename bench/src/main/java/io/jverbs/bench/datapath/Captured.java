package io.jverbs.bench.datapath;

import io.jverbs.SendWorkRequest;
import io.jverbs.WrOpcode;
import io.jverbs.bench.suite.Against;
import io.jverbs.bench.suite.Quick;
import io.jverbs.control.PacketCapture;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/**
 * RDMA WRITE of eight bytes during and after a packet capture, compared with a device that was never captured.
 */
@Quick(value = "capture=ring", without = {"prepared", "handWritten"})
public class Captured extends OneThread {
    private static final int BYTES = 8;
    private static final int WRITES_WHILE_CAPTURED = 1000;

    /** No capture, a capture that ended before, a ring of the last 1000 packets, or a capture to /dev/null. */
    @Param({"never", "ended", "ring", "file"})
    public String capture;

    private SendWorkRequest write;
    private PacketCapture.Running running;

    /** For JMH. */
    public Captured() {
        // initialized by open
    }

    @Override
    protected int bytes() {
        return BYTES;
    }

    @Override
    protected void prepare() {
        write = loop.request(WrOpcode.RDMA_WRITE);
        switch (capture) {
            case "never" -> running = null;
            case "file" -> running = start("/dev/null");
            default -> running = start(temporary() + "?ring=1000");
        }
        if (capture.equals("ended")) {
            for (int i = 0; i < WRITES_WHILE_CAPTURED; i++) {
                prepared();
            }
            stop();
        }
    }

    private PacketCapture.Running start(String specification) {
        return loop.context().device().capability(PacketCapture.class)
                .orElseThrow(() -> new IllegalStateException(
                        loop.context().device() + " has no packet capture: use -Djverbs.device=soft"))
                .start(specification);
    }

    private static Path temporary() {
        try {
            Path file = Files.createTempFile("jverbs", ".pcapng");
            file.toFile().deleteOnExit();
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void stop() {
        if (running != null) {
            running.close();
            running = null;
        }
    }

    @Override
    public void close() {
        stop();
        super.close();
    }

    /** {@return 1, the number of completions} */
    @Benchmark
    @Against(value = "prepared", with = "capture=never")
    @Against("handWritten")
    public int prepared() {
        loop.qp().postSend(write);
        return Loopback.await(loop.cq(), completion);
    }
}
