package io.jverbs.rsocket.journal;

import java.net.InetSocketAddress;

/** The text of addresses in events and messages. Stateless. */
public final class AddressText {
    private AddressText() {}

    /**
     * {@return an address and its port without the name of the host}
     *
     * @param address the address, may be null
     */
    public static String of(InetSocketAddress address) {
        return address == null || address.isUnresolved()
                ? String.valueOf(address)
                : address.toString().replaceFirst(".*/", "");
    }
}
