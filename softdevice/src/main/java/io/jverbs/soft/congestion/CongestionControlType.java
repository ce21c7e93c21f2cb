package io.jverbs.soft.congestion;

import io.jverbs.spi.SystemProperties;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * The kinds of congestion control of a device that sends packets. The selector option {@value #OPTION} chooses one; if
 * it is absent, the system property {@link SystemProperties#SOFT_CONGESTION} does.
 */
public enum CongestionControlType {
    /** A window that shrinks when packets are lost. */
    WINDOW("window") {
        @Override
        CongestionControl create(PathCapacity capacity, boolean withinHost) {
            return new WindowControl(capacity, withinHost);
        }
    },
    /** DCQCN: a rate that CNPs cut. Packets are sent as ECN-capable, and receivers of marked ones send CNPs. */
    DCQCN("dcqcn") {
        @Override
        CongestionControl create(PathCapacity capacity, boolean withinHost) {
            return new DcqcnControl(capacity, withinHost);
        }
    };

    /** The name of the selector option. */
    public static final String OPTION = "congestion";

    private final String word;

    CongestionControlType(String word) {
        this.word = word;
    }

    /** Creates the congestion control of a path, which leaves the host or not. */
    abstract CongestionControl create(PathCapacity capacity, boolean withinHost);

    /** {@return whether packets are sent as ECN-capable, and the marks of congestion of those that arrive are read} */
    public boolean isEcnCapable() {
        return this == DCQCN;
    }

    /** {@return the word for it in selectors and in the system property} */
    public String word() {
        return word;
    }

    /**
     * {@return the words of all kinds, separated}
     *
     * @param separator the text between two words
     */
    public static String words(String separator) {
        return Arrays.stream(values()).map(CongestionControlType::word).collect(Collectors.joining(separator));
    }

    /**
     * {@return the kind that a word names, or null if it names none}
     *
     * @param word the word
     */
    public static CongestionControlType of(String word) {
        return Arrays.stream(values()).filter(each -> each.word.equals(word)).findFirst().orElse(null);
    }

    /**
     * {@return the kind that the system property names}
     *
     * @throws IllegalArgumentException if the property has a value that is not allowed
     */
    public static CongestionControlType ofProperty() {
        String wanted = System.getProperty(SystemProperties.SOFT_CONGESTION, WINDOW.word);
        CongestionControlType type = of(wanted);
        if (type == null) {
            throw new IllegalArgumentException(
                    SystemProperties.refusal(SystemProperties.SOFT_CONGESTION, wanted, words(", ")));
        }
        return type;
    }
}
