package io.jverbs;

import java.util.List;

/**
 * The way in: lists devices and opens one. Which one a program gets is chosen by the system property {@code jverbs.device}, a
 * selector {@code provider[:target][?key=value{&key=value}]}:
 * <ul>
 * <li>{@code auto}, the default: the first device with hardware and an active port, otherwise the software device
 * <li>{@code native}, {@code native:mlx5_0}: RDMA hardware through libibverbs
 * <li>{@code soft}, {@code soft:soft1}: the software device, within this JVM
 * <li>{@code soft:sim0?seed=7}: a device of a simulated network, see {@link io.jverbs.control.SimulatedNetwork}
 * </ul>
 * All methods may be called by any thread.
 */
public final class Verbs {
    /** The system property that holds the default selector. */
    public static final String DEVICE_PROPERTY = "jverbs.device";

    private Verbs() {}

    /** {@return every device of every provider, hardware first; see ibv_get_device_list(3)} */
    public static List<RdmaDevice> devices() {
        return Providers.installed().devices();
    }

    /** {@return the contexts of this JVM that are open, in no order} */
    public static List<RdmaContext> openContexts() {
        return RdmaContext.open();
    }

    /**
     * {@return the device that {@link #open()} would open}
     *
     * @throws VerbsException with ENODEV if there is none
     * @throws IllegalArgumentException if the property holds a bad selector; the message gives the grammar
     */
    public static RdmaDevice select() {
        return select(System.getProperty(DEVICE_PROPERTY, Providers.AUTO));
    }

    /**
     * {@return the device that a selector names}
     *
     * @param selector as above
     * @throws VerbsException with ENODEV if there is none
     * @throws IllegalArgumentException if the selector is bad; the message gives the grammar
     */
    public static RdmaDevice select(String selector) {
        return Providers.installed().select(selector);
    }

    /**
     * Opens the device that the system property {@code jverbs.device} names.
     *
     * @return the open device
     * @throws VerbsException with ENODEV if there is none, or as the device reports
     * @throws IllegalArgumentException if the property holds a bad selector; the message gives the grammar
     */
    public static RdmaContext open() {
        return select().open();
    }

    /**
     * Opens the device that a selector names.
     *
     * @param selector as above
     * @return the open device
     * @throws VerbsException with ENODEV if there is none, or as the device reports
     * @throws IllegalArgumentException if the selector is bad; the message gives the grammar
     */
    public static RdmaContext open(String selector) {
        return select(selector).open();
    }
}
