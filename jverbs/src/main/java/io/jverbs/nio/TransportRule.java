package io.jverbs.nio;

import io.jverbs.spi.SystemProperties;
import java.net.InetAddress;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which addresses are reached by RDMA; the others are reached by TCP. Immutable. */
record TransportRule(Kind kind, List<AddressPrefix> prefixes) {
    /** What the property may be. */
    static final String ALLOWED = "auto, always, and a list of addresses and prefixes such as 192.0.2.0/24,::1";

    /** What decides. */
    enum Kind {
        /** The networks of the device; a peer that has no RDMA there is reached by TCP. */
        AUTO,
        /** Every address is reached by RDMA. */
        ALWAYS,
        /** The prefixes of the rule. */
        PREFIXES
    }

    static final TransportRule AUTO = new TransportRule(Kind.AUTO, List.of());
    static final TransportRule ALWAYS = new TransportRule(Kind.ALWAYS, List.of());

    /**
     * Parses a rule.
     *
     * @throws IllegalArgumentException if it is malformed; the message has the wrong part and what is allowed
     */
    static TransportRule parse(String text) {
        return switch (text) {
            case "auto" -> AUTO;
            case "always" -> ALWAYS;
            default -> {
                try {
                    yield new TransportRule(Kind.PREFIXES,
                            Stream.of(text.split(",", -1)).map(String::strip).map(AddressPrefix::parse).toList());
                } catch (IllegalArgumentException e) {
                    throw new IllegalArgumentException(
                            e.getMessage() + "; allowed are " + ALLOWED + SystemProperties.see(
                                    SystemProperties.NIO_RDMA),
                            e);
                }
            }
        };
    }

    /** Returns the rule of the system property. */
    static TransportRule ofProperty() {
        String text = System.getProperty(SystemProperties.NIO_RDMA, "auto");
        try {
            return parse(text);
        } catch (IllegalArgumentException e) {
            throw SystemProperties.named(SystemProperties.NIO_RDMA, e);
        }
    }

    /** Returns whether the prefixes of this rule contain an address. */
    boolean contains(InetAddress address) {
        return prefixes.stream().anyMatch(prefix -> prefix.contains(address));
    }

    @Override
    public String toString() {
        return kind == Kind.PREFIXES
                ? prefixes.stream().map(AddressPrefix::toString).collect(Collectors.joining(","))
                : kind == Kind.AUTO ? "auto" : "always";
    }
}
