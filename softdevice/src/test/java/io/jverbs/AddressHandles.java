package io.jverbs;

import io.jverbs.spi.ContextOps;
import io.jverbs.spi.Handle;
import io.jverbs.spi.ProviderDevice;
import java.lang.reflect.Proxy;
import java.util.Map;

/** Makes address handles without a device. */
public final class AddressHandles {
    private AddressHandles() {}

    /** {@return an address handle of the API with that of a device} Its context is closed. */
    public static AddressHandle of(Handle.Ah handle) {
        ContextOps ops = proxy(ContextOps.class, Map.of("allocatePd", new Handle.Pd() {}, "createAh", handle));
        try (RdmaContext context = Devices.open(proxy(ProviderDevice.class, Map.of("open", ops, "name", "none")))) {
            return context.allocatePd().createAddressHandle(AhAttributes.to(Gid.ZERO, 1, 0));
        }
    }

    /** Returns an object whose methods return given values, by their names, or null. */
    private static <T> T proxy(Class<T> type, Map<String, Object> results) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
                (proxy, method, arguments) -> results.get(method.getName())));
    }
}
