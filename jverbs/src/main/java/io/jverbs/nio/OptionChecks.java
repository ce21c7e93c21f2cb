package io.jverbs.nio;

import java.net.SocketOption;
import java.util.Set;
import java.util.stream.Collectors;

/** Checks of socket options, with the messages of the JDK and what is supported. Stateless. */
final class OptionChecks {
    private OptionChecks() {}

    /** Throws UnsupportedOperationException if an option is not supported. */
    static void require(SocketOption<?> name, Set<SocketOption<?>> supported) {
        if (!supported.contains(name)) {
            throw new UnsupportedOperationException("'" + name + "' not supported; supported are "
                    + supported.stream().map(SocketOption::name).sorted().collect(Collectors.joining(", ")));
        }
    }

    /** Throws IllegalArgumentException if a value is not of the type of its option. */
    static void requireType(SocketOption<?> name, Object value) {
        if (!name.type().isInstance(value)) {
            throw new IllegalArgumentException(
                    "Invalid value '" + value + "' of " + name + ", which is of type " + name.type().getSimpleName());
        }
    }
}
