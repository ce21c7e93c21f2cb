package io.jverbs.soft.device;

import io.jverbs.soft.fabric.Fabric;
import io.jverbs.soft.fabric.FabricType;
import io.jverbs.spi.DeviceSelector;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The software devices with one type of fabric. A device is created when it is first selected, and exists until it is
 * removed or its network ends. Guarded by {@link #devices}.
 */
public final class SoftDevices {
    private final FabricType type;
    private final Map<FabricType.Key, SoftDevice> devices = new TreeMap<>();

    /** @param type the type of their fabrics */
    public SoftDevices(FabricType type) {
        this.type = type;
    }

    /**
     * Finds or creates the device that a selector names.
     *
     * @param selector a selector whose target their type of fabric accepts
     * @return the device
     * @throws IllegalArgumentException if the selector is malformed or has an option that is not allowed
     * @throws io.jverbs.VerbsException if the device cannot be created, or exists with other options
     */
    public SoftDevice device(DeviceSelector selector) {
        synchronized (devices) {
            FabricType.ResolvedDevice resolved = type.resolve(selector);
            SoftDevice present = devices.get(resolved.key());
            if (present != null && present.exists()) {
                resolved.check(present.core().fabric());
                return present;
            }
            return create(resolved);
        }
    }

    private SoftDevice create(FabricType.ResolvedDevice resolved) {
        Fabric fabric = resolved.open();
        SoftDevice device = null;
        try {
            SoftDevice made = new SoftDevice(fabric);
            device = made;
            fabric.lifetime().atEnd(() -> networkEnded(resolved.key(), made));
            fabric.packets().start();
            devices.put(resolved.key(), made);
            return made;
        } catch (RuntimeException | Error e) {
            if (device == null) {
                fabric.packets().close();
            } else {
                // also frees its addresses
                device.remove();
            }
            throw e;
        }
    }

    private void networkEnded(FabricType.Key key, SoftDevice device) {
        synchronized (devices) {
            devices.remove(key, device);
        }
        device.networkEnded();
    }

    /** {@return the devices that exist and were not removed} */
    public List<SoftDevice> devices() {
        synchronized (devices) {
            devices.values().removeIf(device -> !device.exists());
            return List.copyOf(devices.values());
        }
    }
}
