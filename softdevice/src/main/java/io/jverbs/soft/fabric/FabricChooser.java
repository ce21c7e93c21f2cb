package io.jverbs.soft.fabric;

import io.jverbs.spi.DeviceSelector;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Chooses the type of fabric of a device by the target in its selector: the first type that accepts the target.
 * Immutable.
 */
public final class FabricChooser {
    private final List<FabricType> types;

    /** @param types the types, in the order in which they are tried */
    public FabricChooser(List<FabricType> types) {
        this.types = List.copyOf(types);
    }

    /** {@return the types, in the order in which they are tried} */
    public List<FabricType> types() {
        return types;
    }

    /**
     * Chooses the type of fabric that a selector is for.
     *
     * @param selector the selector
     * @return the type
     * @throws IllegalArgumentException if no type accepts the target; the message lists what they accept
     */
    public FabricType choose(DeviceSelector selector) {
        for (FabricType type : types) {
            if (type.accepts(selector.target())) {
                return type;
            }
        }
        throw new IllegalArgumentException(selector.refusal(
                "target \"" + selector.target() + "\" is not a software device",
                types.stream().map(FabricType::grammar).collect(Collectors.joining("; "))));
    }
}
