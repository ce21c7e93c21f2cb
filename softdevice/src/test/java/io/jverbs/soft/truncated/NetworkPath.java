package io.jverbs.soft.truncated;

import io.jverbs.QpType;
import io.jverbs.control.PacketCapture;
import io.jverbs.soft.PairOfQueuePairs;
import io.jverbs.soft.TemporaryProperties;
import java.nio.file.Path;
import java.util.Map;

/**
 * A path between two devices.
 *
 * @param name the name of the path
 * @param left the selector of the requester's device
 * @param right the selector of the responder's device
 * @param properties system properties that are set while the devices are opened
 * @param captured whether the packets of both devices are captured
 */
record NetworkPath(String name, String left, String right, Map<String, String> properties, boolean captured) {
    private static final String SOCKETS = "jverbs.soft.udp";

    /** Returns the path with a name. */
    static NetworkPath of(String name) {
        return switch (name) {
            case "jvm" -> new NetworkPath(name, "soft:soft0", "soft:soft1", Map.of(), false);
            case "captured" -> new NetworkPath(name, "soft:soft2", "soft:soft3", Map.of(), true);
            case "layers" -> new NetworkPath(name, "soft:soft4", "soft:soft5",
                    Map.of("jverbs.fault", "none", "jverbs.strict", "throw"), false);
            case "simulated" -> new NetworkPath(name, "soft:sim0?seed=5", "soft:sim1?seed=5", Map.of(), false);
            case "udp" -> new NetworkPath(name, "soft:127.0.46.1?fabric=wire", "soft:127.0.46.2?fabric=wire",
                    Map.of(SOCKETS, "nio"), false);
            case "linux" -> new NetworkPath(name, "soft:127.0.46.3?fabric=wire", "soft:127.0.46.4?fabric=wire",
                    Map.of(SOCKETS, "linux"), false);
            default -> throw new IllegalArgumentException(name);
        };
    }

    /** Whether packets are sent through a network, real or simulated. */
    boolean isNetwork() {
        return left.contains("fabric") || left.contains("seed");
    }

    /** Whether the code of the path differs from that of another one by a class or a layer only. */
    boolean isVariant() {
        return captured || !properties.isEmpty() && !name.equals("udp");
    }

    /** Creates two queue pairs that are connected over the path. */
    PairOfQueuePairs pair(QpType type, boolean shared) {
        return TemporaryProperties.with(properties, () -> new PairOfQueuePairs(left, right, type, shared));
    }

    /** Starts the capture of a device, if the path is captured. */
    void capture(PairOfQueuePairs pair, Path folder) {
        if (captured) {
            for (PacketCapture capture : new PacketCapture[] {PairOfQueuePairs.capture(pair.leftDevice),
                PairOfQueuePairs.capture(pair.rightDevice)}) {
                if (capture.running().isEmpty()) {
                    capture.start(folder.resolve("capture.pcapng") + "?snap=64");
                }
            }
        }
    }
}
