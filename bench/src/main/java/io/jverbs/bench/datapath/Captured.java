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

/** RDMA WRITE of eight bytes while packets are captured, and after they were, beside a device that was never captured. */
@Quick(value = "capture=ring", without = {"prepared", "handWritten"})
public class Captured extends OneThread {
    private static final int BYTES = 8;
    private static final int BEFORE = 1000;

    /** Never, ended before the measurement, the last thousand packets kept in memory, or all written to nowhere. */
    @Param({"never", "ended", "ring", "file"})
    public String capture;

    private SendWorkRequest write;
    private PacketCapture.Running running;

    /** For JMH. */
    public Captured() {
        // open makes it all
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
            for (int i = 0; i < BEFORE; i++) {
                prepared();
            }
            stop();
        }
    }

    private PacketCapture.Running start(String specification) {
        return loop.context().device().capability(PacketCapture.class)
                .orElseThrow(() -> new IllegalStateException("only the software device is captured"))
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

    /** {@return 1} */
    @Benchmark
    @Against(value = "prepared", with = "capture=never")
    @Against("handWritten")
    public int prepared() {
        loop.qp().postSend(write);
        return Loopback.await(loop.cq(), completion);
    }
}
