package io.jverbs;

import io.jverbs.spi.ContextOps;
import io.jverbs.spi.DeviceLayer;
import io.jverbs.spi.LayerSource;
import io.jverbs.spi.ProviderDevice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The {@link DeviceLayer layers} of a context, in order, starting with the one next to the device. Immutable. */
final class Layers {
    private static final List<LayerSource> SOURCES = sources();

    private final List<DeviceLayer> layers;

    private Layers(List<DeviceLayer> layers) {
        this.layers = layers;
    }

    /** Returns the layer sources that {@link java.util.ServiceLoader} finds, one of each class. */
    static List<LayerSource> sources() {
        List<LayerSource> all = new ArrayList<>();
        Services.find(LayerSource.class, candidate -> Services.add(candidate, all));
        return List.copyOf(all);
    }

    /**
     * Returns the given layers and those that system properties configure, unless a layer of the same class is given.
     */
    static Layers of(DeviceLayer... given) {
        for (DeviceLayer layer : given) {
            Objects.requireNonNull(layer, "layers contains null");
        }
        List<DeviceLayer> all = new ArrayList<>(List.of(given));
        for (LayerSource source : SOURCES) {
            source.configured().filter(layer -> all.stream().noneMatch(other -> other.getClass() == layer.getClass()))
                    .ifPresent(all::add);
        }
        all.sort(Comparator.comparingInt(DeviceLayer::position));
        return new Layers(List.copyOf(all));
    }

    /** Opens a device and wraps it with the layers. If a layer throws, the device is closed. */
    ContextOps open(ProviderDevice device) {
        DataPathClasses.initialize();
        ContextOps ops = device.open();
        boolean isDone = false;
        try {
            for (DeviceLayer layer : layers) {
                ops = layer.wrap(device, ops);
            }
            isDone = true;
            return ops;
        } finally {
            if (!isDone) {
                ops.close();
            }
        }
    }

    /** Returns the first layer of a type. */
    <T> Optional<T> find(Class<T> type) {
        return layers.stream().filter(type::isInstance).map(type::cast).findFirst();
    }
}
