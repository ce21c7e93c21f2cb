package io.jverbs.soft.fabric;

import io.jverbs.Errno;
import io.jverbs.VerbsException;
import io.jverbs.spi.DeviceSelector;
import java.security.SecureRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The fabrics of the devices {@code soft0} to {@code soft255}, within this JVM. */
public final class LocalFabricType implements FabricType {
    private static final int MAX_INDEX = 255;
    private static final Pattern NAME = Pattern.compile("soft(0|[1-9][0-9]{0,2})");

    private final LocalNetwork network;

    /** @param network the network within the JVM */
    public LocalFabricType(LocalNetwork network) {
        this.network = network;
    }

    /**
     * A device within the JVM.
     *
     * @param index the number in its name
     * @param network the network within the JVM
     */
    private record Resolved(int index, LocalNetwork network) implements ResolvedDevice {

        @Override
        public Key key() {
            return new Key("soft", index);
        }

        @Override
        public Fabric open() {
            return new LocalFabric(index, network, new SecureRandom());
        }
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
    public ResolvedDevice resolve(DeviceSelector selector) {
        if (!selector.options().isEmpty()) {
            throw new IllegalArgumentException(selector.refusal("unknown option \""
                    + selector.options().keySet().iterator().next() + "\", as a device within this JVM takes none",
                    grammar()));
        }
        return new Resolved(selector.target().isEmpty() ? 0 : index(selector), network);
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
}
