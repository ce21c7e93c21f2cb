package io.jverbs.testing;

import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.control.SimulatedNetwork;
import io.jverbs.control.SimulatedPacket;
import io.jverbs.spi.SystemProperties;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

/** The simulated network of one test, and an open context on each of its devices. */
final class TestNetwork {
    private static final int MAX_DEVICES = 256;
    /** The number of latest packets in a failure report. */
    private static final int LATEST = 20;
    /** Numbers the networks, so that concurrent tests with the same seed do not share one. */
    private static final AtomicLong NUMBER = new AtomicLong();

    private final SimulatedNetwork network;
    private final RdmaContext[] contexts;
    private final SimulatedRdma annotation;
    private final String test;

    private TestNetwork(SimulatedNetwork network, RdmaContext[] contexts, SimulatedRdma annotation, String test) {
        this.network = network;
        this.contexts = contexts;
        this.annotation = annotation;
        this.test = test;
    }

    static TestNetwork open(SimulatedRdma annotation, String test) {
        if (annotation.devices() < 1 || annotation.devices() > MAX_DEVICES) {
            throw new ExtensionConfigurationException(
                    "@SimulatedRdma has devices = " + annotation.devices() + "; allowed are 1 to " + MAX_DEVICES
                            + SystemProperties.see(SimulatedRdma.SEED_PROPERTY));
        }
        String options = "?seed=" + seed(annotation) + "&network=test-" + NUMBER.incrementAndGet()
                + (annotation.options().isEmpty() ? "" : "&" + annotation.options());
        RdmaContext[] contexts = new RdmaContext[annotation.devices()];
        try {
            for (int i = 0; i < contexts.length; i++) {
                contexts[i] = Verbs.open("soft:sim" + i + options);
            }
        } catch (RuntimeException e) {
            close(contexts, e);
            throw e;
        }
        SimulatedNetwork network = contexts[0].device().capability(SimulatedNetwork.class).orElseThrow();
        return new TestNetwork(network, contexts, annotation, test);
    }

    private static long seed(SimulatedRdma annotation) {
        if (annotation.seed() != SimulatedRdma.DRAWN) {
            return annotation.seed();
        }
        String given = System.getProperty(SimulatedRdma.SEED_PROPERTY, "");
        try {
            return given.isEmpty() ? ThreadLocalRandom.current().nextInt(1, Integer.MAX_VALUE) : Long.parseLong(given);
        } catch (NumberFormatException e) {
            throw new ExtensionConfigurationException(SystemProperties.refusal(SimulatedRdma.SEED_PROPERTY, given,
                    "integers from " + Long.MIN_VALUE + " to " + Long.MAX_VALUE), e);
        }
    }

    SimulatedNetwork network() {
        return network;
    }

    RdmaContext[] contexts() {
        return contexts.clone();
    }

    /** Describes the network and how to repeat the run. */
    Replay replay() {
        List<SimulatedPacket> packets = network.packetLog();
        String latest = packets.stream().skip(Math.max(0, packets.size() - LATEST))
                .map(packet -> "\n    " + packet).collect(Collectors.joining());
        String again = annotation.seed() == SimulatedRdma.DRAWN
                ? "run it again with -D" + SimulatedRdma.SEED_PROPERTY + "=" + network.seed()
                        + " or @SimulatedRdma(seed = "
                        + network.seed() + ")"
                : "the seed is fixed, so each run is the same";
        return new Replay("The simulated network of " + test + " had seed " + network.seed() + ": " + again
                + ".\n  " + network.packetCount() + " packets in " + network.now().toNanos() / 1_000 + " us, hash "
                + network.packetLogHash() + (latest.isEmpty() ? "" : "; the latest packets:" + latest));
    }

    void close() {
        RuntimeException failure = close(contexts, null);
        if (failure != null) {
            throw failure;
        }
    }

    /** Closes all contexts; returns the first failure, to which further ones are added as suppressed; null for none. */
    private static RuntimeException close(RdmaContext[] contexts, RuntimeException before) {
        RuntimeException failure = before;
        for (RdmaContext context : contexts) {
            try {
                if (context != null) {
                    context.close();
                }
            } catch (RuntimeException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        return failure;
    }
}
