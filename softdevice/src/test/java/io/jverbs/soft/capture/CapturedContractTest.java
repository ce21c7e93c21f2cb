package io.jverbs.soft.capture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.soft.program.ChildJvm;
import io.jverbs.soft.wire.WireOpcode;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.discovery.ClassNameFilter;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** The contract suite's traffic is captured: it goes as it goes uncaptured, and each packet of it is one. */
final class CapturedContractTest {
    private static final String CONTRACTS = "(Atomic|Datagram|Mismatch|Multicast|Payload|Read|Reliable|RemoteAccess"
            + "|Rnr|SendWithInvalidate|UnreliableConnection|WindowUse)Contract";
    private static final int LEAST_TESTS = 100;

    @TempDir
    private Path folder;

    /** Runs the suite's traffic, and tells how it went. */
    public static final class Suite {
        private Suite() {}

        public static void main(String[] args) {
            SummaryGeneratingListener summary = new SummaryGeneratingListener();
            LauncherFactory.create().execute(LauncherDiscoveryRequestBuilder.request()
                    .selectors(DiscoverySelectors.selectPackage("io.jverbs.contract"))
                    .filters(EngineFilter.includeEngines("junit-jupiter"),
                            ClassNameFilter.includeClassNamePatterns("io\\.jverbs\\.contract\\." + CONTRACTS))
                    .build(), summary);
            summary.getSummary().printFailuresTo(new PrintWriter(System.out, true));
            System.out.println("succeeded: " + summary.getSummary().getTestsSucceededCount());
            System.exit((int) Math.min(100, summary.getSummary().getTotalFailureCount()));
        }
    }

    @Test
    void theContractHoldsUnderCaptureAndEachPacketIsWhole() throws Exception {
        Path file = folder.resolve("contract.pcapng");
        ChildJvm.Result result = ChildJvm.run(folder, List.of("-Xmx1g", "-Djverbs.capture=" + file + "?buffer=64",
                "-Djverbs.contract.fixtures=two-devices", "-Djverbs.contract.report=" + folder, "-cp",
                System.getProperty("java.class.path"), Suite.class.getName()));

        assertEquals(0, result.exit(), result::out);
        int succeeded = Integer.parseInt(result.out().strip().replaceFirst("(?s).*succeeded: ", ""));
        assertTrue(succeeded >= LEAST_TESTS, result::out);
        Pcapng pcapng = Pcapng.read(file);
        assertEquals(0, pcapng.statistics().stream().mapToLong(Pcapng.Statistics::dropped).sum());
        assertEquals(pcapng.packets().size(),
                pcapng.statistics().stream().mapToLong(Pcapng.Statistics::received).sum());
        List<RocePacket> whole = pcapng.packets().stream().filter(packet -> packet.bytes().length == packet.length())
                .toList();
        assertEquals(List.of(), whole.stream().filter(packet -> !packet.hasGoodIcrc()).toList());
        // those of a reliable connection, and datagrams
        Set<Integer> missing = IntStream.rangeClosed(0, WireOpcode.UD_SEND_ONLY_WITH_IMM)
                .filter(each -> WireOpcode.isKnown(each) && WireOpcode.transport(each) != WireOpcode.UC).boxed()
                .collect(Collectors.toCollection(TreeSet::new));
        whole.forEach(packet -> missing.remove(packet.opcode()));
        assertEquals(Set.of(WireOpcode.SEND_LAST_WITH_IMM), missing, "what the suite does not send");
    }
}
