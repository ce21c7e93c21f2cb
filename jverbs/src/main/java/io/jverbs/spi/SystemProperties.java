package io.jverbs.spi;

import io.jverbs.VerbsException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The system properties that configure jverbs: their names, the pages that describe them, and the sentences that refuse
 * a wrong value. Each such sentence has the name of the property, the part of the value that is wrong, what is allowed,
 * and the page. Stateless.
 */
public final class SystemProperties {
    /** The selector of the device. */
    public static final String DEVICE = "jverbs.device";
    /** The rules of fault injection. */
    public static final String FAULT = "jverbs.fault";
    /** Whether strict mode is on. */
    public static final String STRICT = "jverbs.strict";
    /** The file into which packets are captured, and its options. */
    public static final String CAPTURE = "jverbs.capture";
    /** The kind of sockets of software devices on the wire. */
    public static final String SOFT_UDP = "jverbs.soft.udp";
    /** The congestion control of software devices that send packets. */
    public static final String SOFT_CONGESTION = "jverbs.soft.congestion";
    /** What the times of the connection manager of software devices are divided by, for tests. */
    public static final String SOFT_CM_DIVISOR = "jverbs.soft.cm.divisor";
    /** The seed of simulated networks in tests. */
    public static final String SIM_SEED = "jverbs.sim.seed";
    /** Which addresses the channels of io.jverbs.nio reach by RDMA. */
    public static final String NIO_RDMA = "jverbs.nio.rdma";
    /** How long selectors of io.jverbs.nio poll before they block, in microseconds. */
    public static final String NIO_SPIN = "jverbs.nio.spin";
    /** The name or path of libibverbs. */
    public static final String LIBIBVERBS = "jverbs.libibverbs";
    /** The name or path of librdmacm. */
    public static final String LIBRDMACM = "jverbs.librdmacm";

    private static final String DEVICES = "docs/devices.md";
    private static final String SOCKETS = "docs/streams.md";
    private static final Map<String, String> PAGES = pages();

    private SystemProperties() {}

    private static Map<String, String> pages() {
        Map<String, String> pages = new LinkedHashMap<>();
        pages.put(DEVICE, DEVICES);
        pages.put(FAULT, "docs/fault-injection.md");
        pages.put(STRICT, "docs/strict-mode.md");
        pages.put(CAPTURE, "docs/observability.md");
        pages.put(SOFT_UDP, DEVICES);
        pages.put(SOFT_CONGESTION, DEVICES);
        pages.put(SOFT_CM_DIVISOR, "docs/testing.md");
        pages.put(SIM_SEED, "docs/testing.md");
        pages.put(NIO_RDMA, SOCKETS);
        pages.put(NIO_SPIN, SOCKETS);
        pages.put(LIBIBVERBS, DEVICES);
        pages.put(LIBRDMACM, DEVICES);
        return Collections.unmodifiableMap(pages);
    }

    /** {@return the page of the documentation that describes each property, by the name of the property} */
    public static Map<String, String> described() {
        return PAGES;
    }

    /**
     * {@return the end of a sentence that refuses a value: a semicolon, and the page that describes a property}
     *
     * @param name the name of the property
     */
    public static String see(String name) {
        return "; see " + PAGES.getOrDefault(Objects.requireNonNull(name, "name"), DEVICES);
    }

    /**
     * {@return the sentence that refuses a value}
     *
     * @param name the name of the property
     * @param value its value
     * @param allowed the values that are allowed, and what else helps
     */
    public static String refusal(String name, String value, String allowed) {
        Objects.requireNonNull(value, "value");
        Objects.requireNonNull(allowed, "allowed");
        return "system property " + Objects.requireNonNull(name, "name") + "=" + value + ": allowed are " + allowed
                + see(name);
    }

    /**
     * {@return an exception with the name of a property before its message}
     *
     * @param name the name of the property
     * @param refusal the exception of the parser of the value; its message has the wrong part, what is allowed, and the
     *        page
     */
    public static IllegalArgumentException named(String name, IllegalArgumentException refusal) {
        Objects.requireNonNull(refusal, "refusal");
        return new IllegalArgumentException(origin(name) + refusal.getMessage(), refusal);
    }

    /**
     * {@return an exception with the name of a property before its explanation, and the same operation and error}
     *
     * @param name the name of the property
     * @param refusal the exception that was thrown because of the value
     */
    public static VerbsException named(String name, VerbsException refusal) {
        Objects.requireNonNull(refusal, "refusal");
        VerbsException named = new VerbsException(refusal.operation(), refusal.errno(),
                origin(name) + refusal.explanation());
        named.initCause(refusal);
        return named;
    }

    private static String origin(String name) {
        return "system property " + Objects.requireNonNull(name, "name") + ": ";
    }
}
