package io.jverbs;

/**
 * The text form of GIDs: what inet_pton(3) reads and inet_ntop(3) prints. Written out here because
 * {@link java.net.InetAddress} takes host names and short forms of IPv4 addresses, and prints IPv6 without "::".
 */
final class GidText {
    private static final int WORDS = 8;
    private static final int LONGEST_WORD = 4;
    private static final int IPV4_NUMBERS = 4;

    private final String text;
    private final int[] words = new int[WORDS];
    private int count;
    /** Where "::" stands among the words, -1 if nowhere. */
    private int gap = -1;

    private GidText(String text) {
        this.text = text;
    }

    static Gid parse(String text) {
        GidText reader = new GidText(text);
        return text.indexOf(':') < 0 ? Gid.ofIpv4(reader.ipv4(text)) : reader.ipv6();
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
            throw bad(gap < 0 ? "it has fewer than eight groups and no \"::\"" : "\"::\" stands for no group");
        }
        return spread();
    }

    /** Takes one group, or the IPv4 address at the end, and the colons after it. */
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
                throw bad("\"::\" stands more than once");
            }
            gap = count;
            return after.substring(1);
        }
        if (after.isEmpty()) {
            throw bad("it ends with a colon");
        }
        return after;
    }

    private void put(int word) {
        if (count == WORDS) {
            throw bad("it has more than eight groups");
        }
        words[count++] = word;
    }

    private int hex(String word) {
        if (word.isEmpty() || word.length() > LONGEST_WORD) {
            throw bad("a group has one to four hexadecimal digits, not \"" + word + "\"");
        }
        int value = 0;
        for (int i = 0; i < word.length(); i++) {
            int digit = asciiDigit(word.charAt(i), 16);
            if (digit < 0) {
                throw bad("\"" + word + "\" is no hexadecimal number");
            }
            value = value << 4 | digit;
        }
        return value;
    }

    private int ipv4(String dotted) {
        String[] numbers = dotted.split("\\.", -1);
        if (numbers.length != IPV4_NUMBERS) {
            throw bad("an IPv4 address has four numbers");
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
            // A leading zero is refused, as inet_pton does: some programs would read the number as octal.
            if (digit < 0 || i > 0 && value == 0) {
                throw bad("\"" + number + "\" is no decimal number without leading zeros");
            }
            value = Math.min(value * 10 + digit, 256);
        }
        if (number.isEmpty() || value > 255) {
            throw bad("the numbers of an IPv4 address are 0..255, not \"" + number + "\"");
        }
        return value;
    }

    /** Digits of other scripts are no digits here, unlike in {@link Character#digit(char, int)}. */
    private static int asciiDigit(char c, int radix) {
        return c < 128 ? Character.digit(c, radix) : -1;
    }

    /** Puts the zeros that "::" stands for between the words before and after it. */
    private Gid spread() {
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

    private IllegalArgumentException bad(String reason) {
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
        // Mapped and "compatible" IPv4 addresses end in dotted form, which is what inet_ntop does.
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

    /** {@return start and length of the first longest run of at least two zero words; start -1 if there is none} */
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
