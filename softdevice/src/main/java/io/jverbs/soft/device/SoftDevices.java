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
     * {@return whether a selector is for these devices}
     *
     * @param target the target of the selector, empty if it has none
     */
    public boolean accepts(String target) {
        return type.accepts(target);
    }

    /**
     * Finds or creates the device that a selector names.
     *
     * @param selector a selector that {@link #accepts} returned true for
     * @return the device
     * @throws IllegalArgumentException if the selector is malformed or has an option that is not allowed
     * @throws io.jverbs.VerbsException if the device cannot be created, or exists with other options
     */
    public SoftDevice device(DeviceSelector selector) {
        synchronized (devices) {
            FabricType.Selection selection = type.select(selector);
            SoftDevice present = devices.get(selection.key());
            if (present != null && present.exists()) {
                selection.check(present.core().fabric());
                return present;
            }
            return create(selection);
        }
    }

    private SoftDevice create(FabricType.Selection selection) {
        Fabric fabric = selection.open();
        SoftDevice device = null;
        try {
            SoftDevice made = new SoftDevice(fabric);
            device = made;
            fabric.lifetime().atEnd(() -> networkEnded(selection.key(), made));
            fabric.packets().start();
            devices.put(selection.key(), made);
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
