package io.jverbs.soft.structure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The package structure of the modules beside the software device. As in {@link LayersTest}, a package may depend on
 * other packages of its own layer, without circles, and on packages of the layers after it.
 */
final class ModuleLayersTest {

    /** The API and the layers between it and devices. The API finds them, and the native device, as services. */
    private static final PackageLayers JVERBS = new PackageLayers(Path.of("../jverbs"), "io.jverbs",
            List.of(Set.of("fault", "strict", "ibverbs"), Set.of("strict.tracking", "ibverbs.rdmacm"),
                    Set.of("ibverbs.shared"), Set.of("control"), Set.of("nio"), Set.of("nio.selector"),
                    Set.of("rsocket", "rsocket.datagram"),
                    Set.of("rsocket.closing", "rsocket.journal", "rsocket.memory", "rsocket.polling"),
                    Set.of("rsocket.datagram.protocol", "rsocket.protocol"),
                    Set.of("endpoint"), Set.of("endpoint.polling"),
                    Set.of("spi.journal"), Set.of("cm"), Set.of("spi.wait"), Set.of("", "spi")));

    /** The functions of the libraries, how they are called, and what jextract generates. */
    private static final PackageLayers BINDINGS = new PackageLayers(Path.of("../ffm-bindings"), "io.jverbs.ffm",
            List.of(Set.of(""), Set.of("call"), Set.of("ibverbs")));

    private static final PackageLayers SAMPLES = new PackageLayers(Path.of("../samples"), "io.jverbs.samples",
            List.of(Set.of(""),
                    Set.of("devinfo", "memory", "multicast", "perftest", "pingpong", "rdmacm", "rsocket", "sockets",
                            "timeline", "top", "tour", "udpong"),
                    Set.of("nodes", "perftest.run", "tour.operation"), Set.of("perftest.exchange"), Set.of("connect"),
                    Set.of("console")));

    private static final PackageLayers BENCH = new PackageLayers(Path.of("../bench"), "io.jverbs.bench",
            List.of(Set.of("program"), Set.of("chart"), Set.of("report"), Set.of("busy"),
                    Set.of("connection", "nativedevice", "pingpong", "scaling", "streams", "waiting", "wire"),
                    Set.of("streams.netty"), Set.of("datapath", "process", "wire.segment"), Set.of("suite")));

    /**
     * The only circle. What a device implements takes and returns objects of the API, such as the attributes of a queue
     * pair, and the objects of the API pass calls on to it: neither can be used without the other.
     */
    private static final Set<String> API_AND_SPI = Set.of("io.jverbs <-> io.jverbs.spi");

    static List<PackageLayers> modules() {
        return List.of(BINDINGS, JVERBS, SAMPLES, BENCH);
    }

    @ParameterizedTest
    @MethodSource("modules")
    void everyPackageIsInALayerAndEveryLayerExists(PackageLayers module) {
        assertEquals(module.stated(), module.packages());
    }

    @ParameterizedTest
    @MethodSource("modules")
    void aSourceFileImportsOnlyFromItsOwnLayerAndFromLowerOnes(PackageLayers module) {
        assertEquals(Set.of(), module.upwardImports());
        assertTrue(module.importCount() > 50, () -> module.importCount() + " imports were found");
    }

    @ParameterizedTest
    @CsvSource({"endpoint, cm|endpoint|endpoint\\.polling",
        "rsocket, cm|rsocket|rsocket\\.(closing|datagram|journal|memory|polling)|rsocket(\\.datagram)?\\.protocol"
                + "|spi\\.journal",
        "nio, cm|nio|nio\\.selector|rsocket|rsocket\\.(journal|polling)|spi"})
    void endpointsAndStreamsUseOnlyTheVerbsAndTheConnectionManager(String name, String packages) throws IOException {
        Pattern allowed = Pattern.compile("import (static )?io\\.jverbs\\.((" + packages + ")\\.)?[A-Z].*");
        List<String> others;
        try (Stream<Path> files = Files.walk(Path.of("../jverbs/src/main/java/io/jverbs", name))) {
            others = files.filter(Files::isRegularFile).flatMap(ModuleLayersTest::lines)
                    .filter(line -> line.startsWith("import io.jverbs.") && !allowed.matcher(line).matches()).toList();
        }
        assertEquals(List.of(), others);
    }

    private static Stream<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void theApiAndTheInterfaceOfDevicesAreTheOnlyPackagesThatDependOnEachOther() {
        assertEquals(API_AND_SPI, JVERBS.circles());
        assertEquals(Set.of(), BINDINGS.circles());
        assertEquals(Set.of(), SAMPLES.circles());
        assertEquals(Set.of(), BENCH.circles());
    }
}
