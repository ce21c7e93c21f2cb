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
import io.jverbs.spi.ProviderDevice;
import io.jverbs.strict.StrictMode;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What stands between the API and a device. */
class LayersTest {
    private final List<String> calls = new ArrayList<>();
    /** A context that notes what is called and answers nothing. */
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

    private record Telling(String name, int position, List<String> calls) implements DeviceLayer {

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

    private Telling layer(String name, int position) {
        return new Telling(name, position, calls);
    }

    @Test
    void withoutLayersTheApiCallsTheDeviceItself() {
        assertSame(own, Layers.of().open(device));
    }

    @Test
    void layersStandInTheOrderOfTheirPositionsHoweverTheyAreGiven() {
        Layers.of(layer("program", DeviceLayer.PROGRAM), layer("device", DeviceLayer.DEVICE)).open(device).close();
        assertEquals(List.of("program", "device", "device.close"), calls);
    }

    @Test
    void theDeviceIsClosedWhenALayerRefuses() {
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
    void strictModeStandsBeforeFaults() {
        assertTrue(StrictMode.reporting().position() > FaultInjection.of().position());
    }

    @Test
    void aPropertyPutsALayerThereUnlessOneOfItsKindIsGiven() {
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
