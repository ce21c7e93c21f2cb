package io.jverbs.cm;

import io.jverbs.Errno;
import io.jverbs.VerbsException;
import java.net.InetSocketAddress;
import java.util.Objects;

/** Refuses addresses that are only the name of a host. */
final class ResolvedAddress {

    private ResolvedAddress() {}

    /** Returns an address; throws EINVAL if its host name could not be resolved. */
    static InetSocketAddress of(String operation, String name, InetSocketAddress address) {
        if (Objects.requireNonNull(address, name).isUnresolved()) {
            throw new VerbsException(operation, Errno.EINVAL, name + " " + address.getHostString()
                    + " is a host name without an address: check the spelling, or give an IP address");
        }
        return address;
    }
}
