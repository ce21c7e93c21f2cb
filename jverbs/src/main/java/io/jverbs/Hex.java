package io.jverbs;

/** Formats numbers in hexadecimal for diagnostic text. */
final class Hex {

    private Hex() {}

    /** Formats a key or Q_Key with eight digits. */
    static String key(int key) {
        return String.format("0x%08x", key);
    }

    /** Formats a queue pair number or PSN with six digits. */
    static String number(int number) {
        return String.format("0x%06x", number);
    }

    /** Formats an address without leading zeros. */
    static String address(long address) {
        return "0x" + Long.toHexString(address);
    }
}
