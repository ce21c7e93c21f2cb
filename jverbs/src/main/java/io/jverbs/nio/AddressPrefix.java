package io.jverbs.nio;

import java.net.InetAddress;

/** The addresses that begin with the same bits, {@code 192.0.2.0/24}; without a length, one address. Immutable. */
record AddressPrefix(InetAddress address, int length) {

    /**
     * Parses a prefix.
     *
     * @throws IllegalArgumentException if it is malformed; the message has the wrong part and what is allowed
     */
    static AddressPrefix parse(String text) {
        int slash = text.indexOf('/');
        InetAddress address;
        try {
            address = InetAddress.ofLiteral(slash < 0 ? text : text.substring(0, slash));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("\"" + text + "\" does not begin with an IP address", e);
        }
        int bits = Byte.SIZE * address.getAddress().length;
        if (slash < 0) {
            return new AddressPrefix(address, bits);
        }
        String digits = text.substring(slash + 1);
        if (!digits.matches("\\d{1,3}") || Integer.parseInt(digits) > bits) {
            throw new IllegalArgumentException("length \"" + digits + "\" of \"" + text + "\" is outside 0.." + bits);
        }
        return new AddressPrefix(address, Integer.parseInt(digits));
    }

    /** Returns whether an address begins with these bits. */
    boolean contains(InetAddress other) {
        byte[] own = address.getAddress();
        byte[] bytes = other.getAddress();
        if (own.length != bytes.length) {
            return false;
        }
        for (int bit = 0; bit < length; bit += Byte.SIZE) {
            int mask = 0xFF00 >> Math.min(Byte.SIZE, length - bit) & 0xFF;
            int at = bit / Byte.SIZE;
            if (((own[at] ^ bytes[at]) & mask) != 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String toString() {
        return address.getHostAddress() + (length == Byte.SIZE * address.getAddress().length ? "" : "/" + length);
    }
}
