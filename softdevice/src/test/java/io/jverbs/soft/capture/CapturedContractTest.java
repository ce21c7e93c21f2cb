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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.discovery.ClassNameFilter;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** Captures the traffic of the contract suite. The suite passes as it does uncaptured, and every packet is valid. */
final class CapturedContractTest {
    private static final String CONTRACTS = "(Atomic|Datagram|Mismatch|Multicast|Payload|Read|Reliable|RemoteAccess"
            + "|Rnr|SendWithInvalidate|UnreliableConnection|WindowUse)Contract";
    private static final int MIN_TESTS = 100;

    @TempDir
    private Path folder;

    /** Runs the contracts that send packets and prints the results. The exit status is the number of failures. */
    public static final class Suite {
        private Suite() {}

        public static void main(String[] args) {
            SummaryGeneratingListener summary = new SummaryGeneratingListener();
            LauncherFactory.create().execute(LauncherDiscoveryRequestBuilder.request()
                    .selectors(DiscoverySelectors.selectPackage("io.jverbs.contract"))
                    .filters(EngineFilter.includeEngines("junit-jupiter"),
                            ClassNameFilter.includeClassNamePatterns("io\\.jverbs\\.contract\\.\\w+\\." + CONTRACTS))
                    .build(), summary);
            summary.getSummary().printFailuresTo(new PrintWriter(System.out, true));
            System.out.println("succeeded: " + summary.getSummary().getTestsSucceededCount());
            System.exit((int) Math.min(100, summary.getSummary().getTotalFailureCount()));
        }
    }

    @Test
    @Tag("variants")
    void theContractHoldsUnderCaptureAndEachPacketIsValid() throws Exception {
        Path file = folder.resolve("contract.pcapng");
        ChildJvm.Result result = ChildJvm.run(folder, List.of("-Xmx1g", "-Djverbs.capture=" + file + "?buffer=64",
                "-Djverbs.contract.fixtures=two-devices", "-Djverbs.contract.report=" + folder, "-cp",
                System.getProperty("java.class.path"), Suite.class.getName()));

        assertEquals(0, result.exit(), result::out);
        int succeeded = Integer.parseInt(result.out().strip().replaceFirst("(?s).*succeeded: ", ""));
        assertTrue(succeeded >= MIN_TESTS, result::out);
        Pcapng pcapng = Pcapng.read(file);
        assertEquals(0, pcapng.statistics().stream().mapToLong(Pcapng.Statistics::dropped).sum());
        assertEquals(pcapng.packets().size(),
                pcapng.statistics().stream().mapToLong(Pcapng.Statistics::received).sum());
        List<RocePacket> whole = pcapng.packets().stream().filter(packet -> packet.bytes().length == packet.length())
                .toList();
        assertEquals(List.of(), whole.stream().filter(packet -> !packet.hasGoodIcrc()).toList());
        // the opcodes of RC and UD
        Set<Integer> missing = IntStream.rangeClosed(0, WireOpcode.UD_SEND_ONLY_WITH_IMM)
                .filter(each -> WireOpcode.isKnown(each) && WireOpcode.transport(each) != WireOpcode.UC).boxed()
                .collect(Collectors.toCollection(TreeSet::new));
        whole.forEach(packet -> missing.remove(packet.opcode()));
        assertEquals(Set.of(WireOpcode.SEND_LAST_WITH_IMM), missing, "opcodes that the suite does not send");
    }
}
