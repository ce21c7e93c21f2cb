package io.jverbs;

import io.jverbs.spi.StackReserve;
import io.jverbs.spi.SystemProperties;
import java.util.List;

/**
 * The entry point of the API: lists the devices and opens one. This class is thread-safe.
 *
 * {@snippet :
 * try (RdmaContext context = Verbs.open()) {
 *     System.out.println("using " + context.device());
 * }
 * }
 *
 * <p>
 * A selector names a device. Its form is {@code provider[:target][?key=value{&key=value}]}, with an IPv6 target in
 * brackets. The system property {@code jverbs.device} holds the default selector:
 * <ul>
 * <li>{@code auto}, the default: the first RDMA device with an active port, otherwise the software device
 * <li>{@code native}, {@code native:mlx5_0}: an RDMA device of libibverbs; without a target the first one with an
 * active port
 * <li>{@code soft}, {@code soft:soft1}: a software device in this JVM
 * <li>{@code soft:192.0.2.7}, {@code soft:[2001:db8::7]}: a software device at an address of this machine, which
 * reaches other processes and hosts with RoCEv2; with {@code ?fabric=wire} it uses RoCEv2 also within this JVM
 * <li>{@code soft:sim0?seed=7}: a device of a simulated network, see {@link io.jverbs.control.SimulatedNetwork}
 * </ul>
 */
public final class Verbs {
    /** The name of the system property that holds the default selector. */
    public static final String DEVICE_PROPERTY = SystemProperties.DEVICE;

    private Verbs() {}

    /** {@return the devices of all providers, hardware first; see ibv_get_device_list(3)} */
    public static List<RdmaDevice> devices() {
        StackReserve.check();
        return Providers.installed().devices();
    }

    /** {@return the open contexts of this JVM, in no particular order} */
    public static List<RdmaContext> openContexts() {
        return RdmaContext.open();
    }

    /**
     * {@return the device that the system property {@code jverbs.device} selects}
     *
     * @throws VerbsException with ENODEV if there is no such device
     * @throws IllegalArgumentException if the property is not a valid selector; the message gives the grammar
     */
    public static RdmaDevice select() {
        String selector = System.getProperty(DEVICE_PROPERTY);
        if (selector == null) {
            return select(Providers.AUTO);
        }
        try {
            return select(selector);
        } catch (IllegalArgumentException e) {
            throw SystemProperties.named(DEVICE_PROPERTY, e);
        } catch (VerbsException e) {
            throw SystemProperties.named(DEVICE_PROPERTY, e);
        }
    }

    /**
     * {@return the device that a selector names}
     *
     * @param selector the selector
     * @throws VerbsException with ENODEV if there is no such device
     * @throws IllegalArgumentException if the selector is not valid; the message gives the grammar
     */
    public static RdmaDevice select(String selector) {
        StackReserve.check();
        return Providers.installed().select(selector);
    }

    /**
     * Opens the device that the system property {@code jverbs.device} selects.
     *
     * @return a new context of the device
     * @throws VerbsException with ENODEV if there is no such device, or with another error if it cannot be opened
     * @throws IllegalArgumentException if the property is not a valid selector; the message gives the grammar
     */
    public static RdmaContext open() {
        return select().open();
    }

    /**
     * Opens the device that a selector names.
     *
     * @param selector the selector
     * @return a new context of the device
     * @throws VerbsException with ENODEV if there is no such device, or with another error if it cannot be opened
     * @throws IllegalArgumentException if the selector is not valid; the message gives the grammar
     */
    public static RdmaContext open(String selector) {
        return select(selector).open();
    }
}
