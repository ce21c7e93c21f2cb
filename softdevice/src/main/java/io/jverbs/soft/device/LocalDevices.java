package io.jverbs.soft.device;

import io.jverbs.Errno;
import io.jverbs.VerbsException;
import io.jverbs.soft.fabric.LocalFabric;
import io.jverbs.soft.fabric.LocalNetwork;
import io.jverbs.spi.DeviceSelector;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The devices {@code soft0} to {@code soft255} within this JVM. Guarded by {@link #devices}. */
public final class LocalDevices implements DeviceSource {
    private static final int MAX_INDEX = 255;
    private static final Pattern NAME = Pattern.compile("soft(0|[1-9][0-9]{0,2})");

    private final LocalNetwork network;
    private final Map<Integer, SoftDevice> devices = new TreeMap<>();

    /** @param network the network within the JVM */
    public LocalDevices(LocalNetwork network) {
        this.network = network;
    }

    @Override
    public String grammar() {
        return "soft[:softN], N from 0 to " + MAX_INDEX + ", a device within this JVM";
    }

    @Override
    public boolean accepts(String target) {
        return target.isEmpty() || target.startsWith("soft");
    }

    @Override
    public SoftDevice device(DeviceSelector selector) {
        if (!selector.options().isEmpty()) {
            throw new IllegalArgumentException(selector.refusal("unknown option \""
                    + selector.options().keySet().iterator().next() + "\", as a device within this JVM takes none",
                    grammar()));
        }
        return device(selector.target().isEmpty() ? 0 : index(selector));
    }

    private int index(DeviceSelector selector) {
        Matcher matcher = NAME.matcher(selector.target());
        if (!matcher.matches()) {
            throw new IllegalArgumentException(selector.refusal(
                    "target \"" + selector.target() + "\" is not a software device", grammar()));
        }
        int index = Integer.parseInt(matcher.group(1));
        if (index > MAX_INDEX) {
            throw new VerbsException("open_device", Errno.ENODEV,
                    selector.refusal("there is no device \"" + selector.target() + "\"", grammar()));
        }
        return index;
    }

    /**
     * {@return a device}
     *
     * @param index the number in its name, 0 to 255
     */
    public SoftDevice device(int index) {
        synchronized (devices) {
            SoftDevice present = devices.get(index);
            if (present == null || present.removed()) {
                present = new SoftDevice(new LocalFabric(index, network, new SecureRandom()));
                devices.put(index, present);
            }
            return present;
        }
    }

    @Override
    public List<SoftDevice> devices() {
        synchronized (devices) {
            devices.values().removeIf(SoftDevice::removed);
            return List.copyOf(devices.values());
        }
    }
}
