package io.jverbs.soft.capture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.AddressHandle;
import io.jverbs.AhAttributes;
import io.jverbs.Gid;
import io.jverbs.QpType;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcStatus;
import io.jverbs.WrOpcode;
import io.jverbs.contract.fixture.InOtherProcesses;
import io.jverbs.soft.LoopbackAddress;
import io.jverbs.soft.PairOfQueuePairs;
import io.jverbs.soft.program.ChildJvm;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs that are started with the system property are captured until they exit; tshark reads the files. */
@InOtherProcesses
final class CapturedProgramTest {
    @TempDir
    private Path folder;

    /** Executes a WRITE, a SEND, a READ and an atomic over a reliable connection within the JVM. */
    public static final class Program {
        private Program() {}

        /** Exits without closing anything. */
        @SuppressWarnings("resource")
        public static void main(String[] args) {
            PairOfQueuePairs pair = new PairOfQueuePairs("soft:soft0", "soft:soft1", QpType.RC);
            pair.right.postReceive(1024);
            for (WrOpcode opcode : List.of(WrOpcode.RDMA_WRITE, WrOpcode.SEND, WrOpcode.RDMA_READ)) {
                if (pair.left.run(pair.request(1000).opcode(opcode)) != WcStatus.SUCCESS) {
                    throw new AssertionError(opcode.toString());
                }
            }
            pair.left.run(pair.request(8).fetchAndAdd(pair.right.memory.address(), pair.right.memory.rkey(), 1));
            System.exit(0);
        }
    }

    /**
     * Sends messages of each transport within the JVM, over the wire from one address to another, and over a simulated
     * network.
     */
    public static final class Mixture {
        private static final Gid GROUP = Gid.parse("::ffff:239.1.2.5");

        private Mixture() {}

        public static void main(String[] args) {
            for (List<String> ends : List.of(List.of("soft:soft0", "soft:soft1"),
                    List.of("soft:" + args[0] + "?fabric=wire", "soft:" + args[1] + "?fabric=wire"),
                    List.of("soft:sim0?seed=1&network=mixture", "soft:sim1?seed=1&network=mixture"))) {
                for (QpType type : List.of(QpType.RC, QpType.UC, QpType.UD)) {
                    try (PairOfQueuePairs pair = new PairOfQueuePairs(ends.get(0), ends.get(1), type)) {
                        pair.right.postReceive(1024);
                        pair.right.postReceive(1024);
                        if (type == QpType.UD) {
                            datagrams(pair);
                        } else {
                            connected(pair);
                        }
                    }
                }
            }
        }

        private static void connected(PairOfQueuePairs pair) {
            pair.left.run(pair.request(1000).opcode(WrOpcode.RDMA_WRITE));
            pair.left.run(pair.request(600).opcode(WrOpcode.SEND_WITH_IMM).immediate(7));
            pair.right.next();
            if (pair.left.qp.type() == QpType.RC) {
                pair.left.run(pair.request(1000).opcode(WrOpcode.RDMA_READ));
                pair.left.run(pair.request(8).fetchAndAdd(pair.right.memory.address(), pair.right.memory.rkey(), 1));
                pair.left.run(
                        pair.request(8).compareAndSwap(pair.right.memory.address(), pair.right.memory.rkey(), 1, 2));
                pair.left.run(pair.request(0).opcode(WrOpcode.RDMA_WRITE));
                pair.left.run(pair.request(8).opcode(WrOpcode.RDMA_WRITE).remote(0, ~pair.right.memory.rkey()));
            }
        }

        private static void datagrams(PairOfQueuePairs pair) {
            pair.right.qp.attachMulticast(GROUP, 0);
            for (Gid to : List.of(pair.right.context.preferredGid(1).gid(), GROUP)) {
                try (AddressHandle handle = pair.left.pd.createAddressHandle(
                        AhAttributes.to(to, 1, pair.left.context.preferredGid(1).index()))) {
                    int qpn = to.equals(GROUP) ? 0xFFFFFF : pair.right.qp.number();
                    pair.left.run(SendWorkRequest.create(1).opcode(WrOpcode.SEND).sge(pair.left.memory, 0, 21)
                            .destination(handle, qpn, 0x11));
                    pair.right.next();
                }
            }
            pair.right.qp.detachMulticast(GROUP, 0);
        }
    }

    private ChildJvm.Result run(String capture) throws Exception {
        return run(folder, capture);
    }

    /** Runs a program that is captured. */
    static ChildJvm.Result run(Path folder, String capture) throws Exception {
        return run(folder, capture, Program.class);
    }

    /** Runs a program with arguments that is captured. */
    static ChildJvm.Result run(Path folder, String capture, Class<?> program, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
                "-Djverbs.capture=" + capture, "-cp", System.getProperty("java.class.path"), program.getName()));
        command.addAll(List.of(arguments));
        return ChildJvm.run(folder, command);
    }

    @Test
    void eachTransportIsCapturedOnEachFabric() throws Exception {
        Path file = folder.resolve("mixture.pcapng");
        String left = LoopbackAddress.next();
        String right = LoopbackAddress.next();
        ChildJvm.Result result = run(folder, file.toString(), Mixture.class, left, right);

        assertEquals("", result.err());
        assertEquals(0, result.exit());
        Pcapng pcapng = Pcapng.read(file);
        String simulated = "?seed=1&network=mixture";
        assertEquals(List.of("soft0", "soft1", left, right, "sim0" + simulated, "sim1" + simulated),
                pcapng.interfaces().stream().map(Pcapng.Interface::name).distinct().toList());
        new Tshark(file).check(pcapng.packets());
    }

    @Test
    void allPacketsAreInTheFileWhenTheJvmHasExited() throws Exception {
        Path file = folder.resolve("program.pcapng");
        ChildJvm.Result result = run(file.toString());

        assertEquals("", result.err());
        assertEquals(0, result.exit());
        Pcapng pcapng = Pcapng.read(file);
        assertEquals(List.of("soft0", "soft1"), pcapng.interfaces().stream().map(Pcapng.Interface::name).toList());
        assertEquals(5 + 5 + 5 + 2, pcapng.packets().size());
        assertEquals(2, pcapng.statistics().size());
        new Tshark(file).check(pcapng.packets());
    }

    @Test
    void anInvalidPropertyIsRefusedWhenADeviceIsOpened() throws Exception {
        ChildJvm.Result result = run(folder + "/x?ring=many");

        assertEquals(1, result.exit());
        assertTrue(result.err().contains("ring=many is not a number from 1 to 1000000; the form is file[?key=value"),
                result::err);
    }
}
