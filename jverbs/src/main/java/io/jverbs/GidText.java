package io.jverbs;

/**
 * Parses and formats the text form of GIDs, as inet_pton(3) and inet_ntop(3) do. {@link java.net.InetAddress} is not
 * used because it accepts host names and short forms of IPv4 addresses, and formats IPv6 addresses without "::".
 */
final class GidText {
    private static final int WORDS = 8;
    private static final int LONGEST_WORD = 4;
    private static final int IPV4_OCTETS = 4;

    private final String text;
    private final int[] words = new int[WORDS];
    private int count;
    /** The number of words before "::"; -1 if there is no "::". */
    private int gap = -1;

    /** Creates a parser. */
    private GidText(String text) {
        this.text = text;
    }

    static Gid parse(String text) {
        GidText parser = new GidText(text);
        return text.indexOf(':') < 0 ? Gid.ofIpv4(parser.ipv4(text)) : parser.ipv6();
    }

    private Gid ipv6() {
        String rest = text;
        if (rest.startsWith("::")) {
            gap = 0;
            rest = rest.substring(2);
        }
        while (!rest.isEmpty()) {
            rest = takeWord(rest);
        }
        if (gap < 0 ? count < WORDS : count == WORDS) {
            throw malformed(gap < 0
                    ? "it has fewer than eight groups and no \"::\""
                    : "it has eight groups and also \"::\"");
        }
        return expand();
    }

    /** Parses one group, or the IPv4 address at the end, and the colons after it; returns the remaining text. */
    private String takeWord(String rest) {
        int end = rest.indexOf(':');
        String word = end < 0 ? rest : rest.substring(0, end);
        if (end < 0 && word.indexOf('.') >= 0) {
            int address = ipv4(word);
            put(address >>> 16);
            put(address & 0xffff);
            return "";
        }
        put(hex(word));
        if (end < 0) {
            return "";
        }
        String after = rest.substring(end + 1);
        if (after.startsWith(":")) {
            if (gap >= 0) {
                throw malformed("it has \"::\" more than once");
            }
            gap = count;
            return after.substring(1);
        }
        if (after.isEmpty()) {
            throw malformed("it ends with a colon");
        }
        return after;
    }

    private void put(int word) {
        if (count == WORDS) {
            throw malformed("it has more than eight groups");
        }
        words[count++] = word;
    }

    private int hex(String word) {
        if (word.isEmpty() || word.length() > LONGEST_WORD) {
            throw malformed("a group has one to four hexadecimal digits, not \"" + word + "\"");
        }
        int value = 0;
        for (int i = 0; i < word.length(); i++) {
            int digit = asciiDigit(word.charAt(i), 16);
            if (digit < 0) {
                throw malformed("\"" + word + "\" is not a hexadecimal number");
            }
            value = value << 4 | digit;
        }
        return value;
    }

    private int ipv4(String dotted) {
        String[] numbers = dotted.split("\\.", -1);
        if (numbers.length != IPV4_OCTETS) {
            throw malformed("an IPv4 address has four numbers");
        }
        int address = 0;
        for (String number : numbers) {
            address = address << 8 | octet(number);
        }
        return address;
    }

    private int octet(String number) {
        int value = 0;
        for (int i = 0; i < number.length(); i++) {
            int digit = asciiDigit(number.charAt(i), 10);
            // inet_pton rejects a leading zero too, because some programs parse such a number as octal
            if (digit < 0 || i > 0 && value == 0) {
                throw malformed("\"" + number + "\" is not a decimal number without leading zeros");
            }
            value = Math.min(value * 10 + digit, 256);
        }
        if (number.isEmpty() || value > 255) {
            throw malformed("the numbers of an IPv4 address are 0..255, not \"" + number + "\"");
        }
        return value;
    }

    /** Unlike {@link Character#digit(char, int)}, accepts no digits of other scripts. */
    private static int asciiDigit(char c, int radix) {
        return c < 128 ? Character.digit(c, radix) : -1;
    }

    /** Creates the GID; replaces "::" by zero words. */
    private Gid expand() {
        int zeros = WORDS - count;
        long high = 0;
        long low = 0;
        for (int i = 0; i < WORDS; i++) {
            int word = 0;
            if (gap < 0 || i < gap) {
                word = words[i];
            } else if (i >= gap + zeros) {
                word = words[i - zeros];
            }
            high = high << 16 | low >>> 48;
            low = low << 16 | word;
        }
        return Gid.of(high, low);
    }

    private IllegalArgumentException malformed(String reason) {
        return new IllegalArgumentException("\"" + text + "\" is neither an IPv6 nor an IPv4 address: " + reason);
    }

    static String format(Gid gid) {
        int[] words = new int[WORDS];
        for (int i = 0; i < WORDS; i++) {
            long half = i < WORDS / 2 ? gid.high() : gid.low();
            words[i] = (int) (half >>> 48 - 16 * (i % 4)) & 0xffff;
        }
        int[] run = longestRunOfZeros(words);
        int start = run[0];
        int length = run[1];
        // inet_ntop formats IPv4-mapped and IPv4-compatible addresses with a dotted end
        boolean dotted = start == 0 && (length == 6 || length == 5 && words[5] == 0xffff);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < WORDS; i++) {
            if (i == start) {
                text.append("::");
                i += length - 1;
                continue;
            }
            if (!text.isEmpty() && text.charAt(text.length() - 1) != ':') {
                text.append(':');
            }
            if (dotted && i == 6) {
                return text.append(words[6] >>> 8).append('.').append(words[6] & 0xff).append('.')
                        .append(words[7] >>> 8).append('.').append(words[7] & 0xff).toString();
            }
            text.append(Integer.toHexString(words[i]));
        }
        return text.toString();
    }

    /**
     * {@return the start and length of the first of the longest runs of two or more zero words; start -1 if there is
     * none}
     */
    private static int[] longestRunOfZeros(int[] words) {
        int bestStart = -1;
        int bestLength = 1;
        int length = 0;
        for (int i = 0; i < WORDS; i++) {
            length = words[i] == 0 ? length + 1 : 0;
            if (length > bestLength) {
                bestLength = length;
                bestStart = i - length + 1;
            }
        }
        return new int[] {bestStart, bestLength};
    }
}
