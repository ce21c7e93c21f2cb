package io.jverbs.contract.interop;

import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.control.DeviceCounters;
import io.jverbs.control.DeviceRemoval;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import java.util.stream.Collectors;
import jdk.net.ExtendedSocketOptions;

/** The process with the software device, in the network namespace "peer". It executes the commands of the leader. */
final class Follower {
    private static final int UDP_PORT = 4791;

    private final RdmaContext context;
    private final Control control;
    private DatagramChannel channel;

    private Follower(RdmaContext context, Control control) {
        this.context = context;
        this.control = control;
    }

    /**
     * Executes commands until the leader sends "end".
     *
     * @param args the selector of the device; the path of the socket
     */
    public static void main(String[] args) {
        try (RdmaContext context = Verbs.open(args[0]);
                Control control = Control.accept(Path.of(args[1]))) {
            Follower follower = new Follower(context, control);
            try {
                follower.follow();
            } finally {
                System.out.println("counters of the software device: " + follower.counters());
            }
        } catch (IOException | InterruptedException | RuntimeException e) {
            e.printStackTrace();
            // a blocked queue pair must not prevent the process from ending
            Runtime.getRuntime().halt(1);
        }
    }

    private void follow() throws IOException, InterruptedException {
        while (true) {
            String[] words = control.receive().split(" ");
            switch (words[0]) {
                case "random" -> round(Long.parseLong(words[1]), Integer.parseInt(words[2]));
                case "opcodes" -> opcodes(Long.parseLong(words[1]));
                case "counters" -> control.send(counters());
                case "raw" -> sendRaw(words[1], HexFormat.of().parseHex(words[2]));
                case "end" -> {
                    return;
                }
                default -> throw new IOException("unknown command: " + words[0]);
            }
        }
    }

    private void round(long seed, int timeout) throws IOException, InterruptedException {
        Round round = new Round(context, control, Plan.random(seed, timeout, false),
                Plan.random(seed, timeout, true));
        round.run(() -> {});
        round.close();
        control.send(round.unreliableReceived() + " " + round.datagramsReceived());
    }

    private void opcodes(long seed) throws IOException, InterruptedException {
        Round round = new Round(context, control, Plan.everyOpcode(seed, false), Plan.everyOpcode(seed, true));
        round.run(() -> {});
        round.checkNothingLost();
        control.barrier("nothing is lost");
        // The queue pairs of the leader stay open, as the target of raw packets.
    }

    private String counters() {
        Map<String, Long> counters = context.device().capability(DeviceCounters.class).orElseThrow().snapshot();
        return counters.entrySet().stream().map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining(" "));
    }

    /**
     * Removes the device, and sends a packet through its own socket. The source port must be that of the device,
     * because the ICRC covers it.
     */
    private void sendRaw(String to, byte[] packet) throws IOException {
        if (channel == null) {
            InetAddress own = context.preferredGid(TestedQueuePair.PORT).gid().toInetAddress();
            context.device().capability(DeviceRemoval.class).orElseThrow().remove();
            channel = DatagramChannel.open();
            // Without fragmentation the IPv4 identification is 0, the value that the ICRC was computed with.
            channel.setOption(ExtendedSocketOptions.IP_DONTFRAGMENT, true);
            channel.bind(new InetSocketAddress(own, UDP_PORT));
        }
        channel.send(ByteBuffer.wrap(packet), new InetSocketAddress(InetAddress.getByName(to), UDP_PORT));
        control.send("sent");
    }
}
