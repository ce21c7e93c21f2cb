package io.jverbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.fault.FaultInjection;
import io.jverbs.spi.ContextOps;
import io.jverbs.spi.DeviceLayer;
import io.jverbs.spi.ForwardingContext;
import io.jverbs.spi.LayerSource;
import io.jverbs.spi.ProviderDevice;
import io.jverbs.spi.VerbsProvider;
import io.jverbs.strict.StrictMode;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the layers between the API and a device. */
class LayersTest {
    private final List<String> calls = new ArrayList<>();
    /** A context that records the names of the called methods and returns null. */
    private final ContextOps own = (ContextOps) Proxy.newProxyInstance(LayersTest.class.getClassLoader(),
            new Class<?>[] {ContextOps.class}, (proxy, method, arguments) -> {
                if (method.getDeclaringClass() != Object.class) {
                    calls.add("device." + method.getName());
                }
                return null;
            });
    private final ProviderDevice device = new ProviderDevice() {
        @Override
        public String name() {
            return "fake";
        }

        @Override
        public long nodeGuid() {
            return 0;
        }

        @Override
        public ContextOps open() {
            return own;
        }

        @Override
        public <T> Optional<T> capability(Class<T> type) {
            return Optional.empty();
        }
    };

    private record RecordingLayer(String name, int position, List<String> calls) implements DeviceLayer {

        @Override
        public ContextOps wrap(ProviderDevice of, ContextOps inner) {
            return new ForwardingContext(inner) {
                @Override
                public void close() {
                    calls.add(name);
                    inner().close();
                }
            };
        }
    }

    private RecordingLayer layer(String name, int position) {
        return new RecordingLayer(name, position, calls);
    }

    @Test
    void withoutLayersTheApiCallsTheDeviceDirectly() {
        assertSame(own, Layers.of().open(device));
    }

    @Test
    void layersAreOrderedByPositionNotByArgumentOrder() {
        Layers.of(layer("program", DeviceLayer.PROGRAM), layer("device", DeviceLayer.DEVICE)).open(device).close();
        assertEquals(List.of("program", "device", "device.close"), calls);
    }

    @Test
    void theDeviceIsClosedIfALayerThrows() {
        DeviceLayer refusing = new DeviceLayer() {
            @Override
            public int position() {
                return DEVICE;
            }

            @Override
            public ContextOps wrap(ProviderDevice of, ContextOps inner) {
                throw new IllegalArgumentException("not this one");
            }
        };
        Layers layers = Layers.of(layer("outer", DeviceLayer.PROGRAM), refusing);
        assertThrows(IllegalArgumentException.class, () -> layers.open(device));
        assertEquals(List.of("device.close"), calls);
    }

    @Test
    void sourcesOfTheContextClassLoaderAreFoundAndBrokenOnesAreSkipped(@TempDir Path folder) throws IOException {
        Path services = Files.createDirectories(folder.resolve("META-INF/services"));
        Files.write(services.resolve(LayerSource.class.getName()),
                List.of("no.such.Source", BrokenSource.class.getName(), GoodSource.class.getName()));
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()},
                LayersTest.class.getClassLoader())) {
            thread.setContextClassLoader(loader);
            List<Class<?>> found = new ArrayList<>();
            Layers.sources().forEach(source -> found.add(source.getClass()));
            assertTrue(found.contains(GoodSource.class), found::toString);
            assertEquals(found.stream().distinct().count(), found.size());
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** A source that cannot be instantiated. */
    public static final class BrokenSource implements LayerSource {
        /** Throws. */
        public BrokenSource() {
            throw new IllegalStateException("broken");
        }

        @Override
        public Optional<DeviceLayer> configured() {
            return Optional.empty();
        }
    }

    /** A source that returns no layer. */
    public static final class GoodSource implements LayerSource {
        @Override
        public Optional<DeviceLayer> configured() {
            return Optional.empty();
        }
    }

    @Test
    void aProviderWithAnotherSpiVersionIsIgnored() {
        List<VerbsProvider> found = new ArrayList<>();
        Providers.add(candidate(VerbsProvider.SPI_VERSION - 1), found);
        assertEquals(List.of(), found);
        Providers.add(candidate(VerbsProvider.SPI_VERSION), found);
        assertEquals(1, found.size());
    }

    private static ServiceLoader.Provider<VerbsProvider> candidate(int version) {
        VerbsProvider provider = (VerbsProvider) Proxy.newProxyInstance(LayersTest.class.getClassLoader(),
                new Class<?>[] {VerbsProvider.class}, (proxy, method, arguments) -> switch (method.getName()) {
                    case "spiVersion" -> version;
                    case "name" -> "version" + version;
                    default -> null;
                });
        return new ServiceLoader.Provider<>() {
            @Override
            public Class<? extends VerbsProvider> type() {
                return provider.getClass();
            }

            @Override
            public VerbsProvider get() {
                return provider;
            }
        };
    }

    @Test
    void strictModeIsPositionedAboveFaultInjection() {
        assertTrue(StrictMode.reporting().position() > FaultInjection.of().position());
    }

    @Test
    void aSystemPropertyAddsALayerUnlessOneOfItsTypeIsGiven() {
        System.setProperty(StrictMode.PROPERTY, "true");
        try {
            StrictMode given = StrictMode.throwing();
            assertSame(given, Layers.of(given).find(StrictMode.class).orElseThrow());
            assertFalse(Layers.of(layer("other", 1)).find(StrictMode.class).isEmpty());
        } finally {
            System.clearProperty(StrictMode.PROPERTY);
        }
        assertTrue(Layers.of().find(StrictMode.class).isEmpty());
    }
}
