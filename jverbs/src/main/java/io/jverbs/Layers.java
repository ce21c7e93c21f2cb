package io.jverbs;

import io.jverbs.spi.ContextOps;
import io.jverbs.spi.DeviceLayer;
import io.jverbs.spi.LayerSource;
import io.jverbs.spi.ProviderDevice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The layers of a context, nearest to the device first. */
final class Layers {
    private static final List<LayerSource> SOURCES = sources();

    private final List<DeviceLayer> layers;

    private Layers(List<DeviceLayer> layers) {
        this.layers = layers;
    }

    static List<LayerSource> sources() {
        List<LayerSource> all = new ArrayList<>();
        Services.find(LayerSource.class, candidate -> Services.add(candidate, all));
        return List.copyOf(all);
    }

    /** What a program gives, and what system properties ask for unless the program gives one of that kind. */
    static Layers of(DeviceLayer... given) {
        List<DeviceLayer> all = new ArrayList<>(List.of(given));
        for (LayerSource source : SOURCES) {
            source.configured().filter(layer -> all.stream().noneMatch(other -> other.getClass() == layer.getClass()))
                    .ifPresent(all::add);
        }
        all.sort(Comparator.comparingInt(DeviceLayer::position));
        return new Layers(List.copyOf(all));
    }

    /** Opens a device and puts the layers before it; if one refuses, the device is closed. */
    ContextOps open(ProviderDevice device) {
        ContextOps ops = device.open();
        try {
            for (DeviceLayer layer : layers) {
                ops = layer.wrap(device, ops);
            }
            return ops;
        } catch (RuntimeException e) {
            ops.close();
            throw e;
        }
    }

    <T> Optional<T> find(Class<T> type) {
        return layers.stream().filter(type::isInstance).map(type::cast).findFirst();
    }
}
