package io.jverbs.soft;

import io.jverbs.Errno;
import io.jverbs.VerbsException;
import io.jverbs.soft.fabric.LocalNetwork;
import io.jverbs.soft.fabric.RealTimers;
import io.jverbs.spi.DeviceSelector;
import io.jverbs.spi.ProviderDevice;
import io.jverbs.spi.VerbsProvider;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The provider {@code soft}: devices soft0 to soft255 on one network within this JVM, made when first asked for. */
public final class SoftProvider implements VerbsProvider {
    private static final int AUTO_RANK = 100;
    private static final int MAX_INDEX = 255;
    private static final Pattern NAME = Pattern.compile("soft(0|[1-9][0-9]{0,2})");
    private static final String GRAMMAR = "soft[:softN], N from 0 to " + MAX_INDEX
            + ", or soft:A.B.C.D[?fabric=wire] or soft:[A:B::C][?fabric=wire] with an IPv4 or IPv6 address of this machine, or soft:simN[?seed=S], a device of a simulated network";
    private static final String FABRIC = "fabric";
    private static final String WIRE = "wire";
    private static final RealTimers TIMERS = new RealTimers();
    /** One network a JVM, whoever makes a provider. */
    private static final LocalNetwork NETWORK = new LocalNetwork(TIMERS);
    private static final Map<Integer, SoftDevice> DEVICES = new TreeMap<>();
    /** By name, which is the address. */
    private static final Map<String, SoftDevice> WIRED = new TreeMap<>();

    /** For {@link java.util.ServiceLoader}; use {@link io.jverbs.Verbs}. */
    public SoftProvider() {
        // devices are made on demand
    }

    @Override
    public String name() {
        return "soft";
    }

    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public int autoRank() {
        return AUTO_RANK;
    }

    @Override
    public List<? extends ProviderDevice> devices() {
        synchronized (DEVICES) {
            device(0);
            DEVICES.values().removeIf(SoftDevice::isRemoved);
            WIRED.values().removeIf(SoftDevice::isRemoved);
            List<SoftDevice> all = new ArrayList<>(DEVICES.values());
            all.addAll(WIRED.values());
            all.addAll(SimulatedDevices.devices());
            return all;
        }
    }

    @Override
    public ProviderDevice device(DeviceSelector selector) {
        if (WireAddress.isAddress(selector.target())) {
            return wired(selector);
        }
        if (SimulatedDevices.isSimulated(selector.target())) {
            return SimulatedDevices.device(selector);
        }
        if (!selector.options().isEmpty()) {
            throw new IllegalArgumentException("device selector \"" + selector + "\": unknown option "
                    + selector.options().keySet().iterator().next() + "; the software device takes " + GRAMMAR);
        }
        return device(selector.target().isEmpty() ? 0 : index(selector));
    }

    /** A device of an address; with fabric=wire it reaches even the devices of this JVM over the wire alone. */
    private static SoftDevice wired(DeviceSelector selector) {
        for (Map.Entry<String, String> option : selector.options().entrySet()) {
            if (!option.getKey().equals(FABRIC) || !option.getValue().equals(WIRE)) {
                throw new IllegalArgumentException("device selector \"" + selector + "\": unknown option "
                        + option + "; the software device takes " + GRAMMAR);
            }
        }
        WireAddress address = address(selector);
        String name = address.name();
        synchronized (DEVICES) {
            SoftDevice present = WIRED.get(name);
            boolean apart = !selector.options().isEmpty();
            if (present == null || present.isRemoved()) {
                present = WireDevices.open(address, apart ? new LocalNetwork(TIMERS) : NETWORK);
                WIRED.put(name, present);
            } else if (apart == (present.network() == NETWORK)) {
                throw new VerbsException("open_device", Errno.EBUSY,
                        new DeviceSelector(selector.provider(), name, Map.of()) + " is there already "
                                + (apart ? "without" : "with") + " ?fabric=wire");
            }
            return present;
        }
    }

    private static WireAddress address(DeviceSelector selector) {
        try {
            return WireAddress.parse(selector.target());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("device selector \"" + selector + "\": " + e.getMessage(), e);
        }
    }

    private static int index(DeviceSelector selector) {
        Matcher matcher = NAME.matcher(selector.target());
        if (!matcher.matches()) {
            throw new IllegalArgumentException("device selector \"" + selector + "\": \"" + selector.target()
                    + "\" is no software device; the software device takes " + GRAMMAR);
        }
        int index = Integer.parseInt(matcher.group(1));
        if (index > MAX_INDEX) {
            throw new VerbsException("open_device", Errno.ENODEV, "there is no " + selector.target() + "; " + GRAMMAR);
        }
        return index;
    }

    private static SoftDevice device(int index) {
        synchronized (DEVICES) {
            SoftDevice present = DEVICES.get(index);
            if (present == null || present.isRemoved()) {
                present = new SoftDevice(index, NETWORK, new SecureRandom());
                DEVICES.put(index, present);
            }
            return present;
        }
    }

    @Override
    public AutoChoice auto() {
        return new AutoChoice.Usable(device(0));
    }
}
