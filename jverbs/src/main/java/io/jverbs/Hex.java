package io.jverbs;

/** How numbers are shown in diagnostic text. */
final class Hex {

    private Hex() {}

    /** A key or Q_Key, all eight digits. */
    static String key(int key) {
        return String.format("0x%08x", key);
    }

    /** A queue pair number or PSN, all six digits. */
    static String number(int number) {
        return String.format("0x%06x", number);
    }

    /** An address. */
    static String address(long address) {
        return "0x" + Long.toHexString(address);
    }
}
