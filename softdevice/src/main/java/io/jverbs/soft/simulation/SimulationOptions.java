package io.jverbs.soft.simulation;

import io.jverbs.soft.congestion.CongestionControlType;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The options of a simulated network, as given in a selector.
 *
 * @param seed the seed of all random numbers
 * @param label the name that distinguishes networks of the same seed; empty if none is given
 * @param time when events run
 * @param links the initial settings of links
 * @param switchSettings the settings of the switch between the devices
 * @param congestionControl the congestion control of all paths
 * @param given the options other than seed and network, as they were given
 */
public record SimulationOptions(long seed, String label, TimeMode time, LinkSettings links,
        SwitchSettings switchSettings, CongestionControlType congestionControl, Map<String, String> given) {
    /** The form of a selector, for messages. */
    public static final String GRAMMAR = "soft:simN[?key=value{&key=value}], N from 0 to 255, keys: seed=INTEGER,"
            + " network=NAME, time=auto|stepped|real, loss=P, burst=BEGIN,END[,LOSS], duplicate=P, reorder=P,TIME,"
            + " corrupt=P, delay=TIME, jitter=TIME, bandwidth=RATE, mtu=BYTES, switch=RATE,BYTES, ecn=MIN,MAX[,P],"
            + " congestion=" + CongestionControlType.words("|") + "; P, BEGIN, END and LOSS are probabilities"
            + " from 0 to 1, a TIME is a number with unit ns, us, ms or s, such as 5us, a RATE is a number with unit"
            + " bit, kbit, Mbit or Gbit, such as 10Gbit";
    /** Where the options are described, for messages. */
    public static final String SEE = "see docs/testing.md";
    private static final Pattern TIME = Pattern.compile("([0-9]{1,15})(ns|us|ms|s)");
    private static final Pattern RATE = Pattern.compile("([0-9]{1,12})(bit|kbit|Mbit|Gbit)");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,64}");
    private static final Map<String, Long> NANOS = Map.of("ns", 1L, "us", 1_000L, "ms", 1_000_000L, "s",
            1_000_000_000L);
    private static final Map<String, Long> BITS = Map.of("bit", 1L, "kbit", 1_000L, "Mbit", 1_000_000L, "Gbit",
            1_000_000_000L);

    /**
     * Parses options.
     *
     * @param options the values by key
     * @return the options
     * @throws IllegalArgumentException if a key is unknown or a value is not allowed for its key; the message contains
     *         the key, the value and what is allowed
     */
    public static SimulationOptions parse(Map<String, String> options) {
        long seed = 0;
        String label = "";
        TimeMode time = TimeMode.AUTO;
        LinkSettings links = new LinkSettings();
        SwitchSettings switchSettings = new SwitchSettings();
        String congestion = null;
        Map<String, String> given = new TreeMap<>(options);
        given.remove("seed");
        given.remove("network");
        for (Map.Entry<String, String> option : options.entrySet()) {
            String value = option.getValue();
            try {
                switch (option.getKey()) {
                    case "seed" -> seed = Long.parseLong(value);
                    case "network" -> label = match(NAME, value, "a name of 1 to 64 letters, digits, _ . -").group();
                    case "time" -> time = time(value);
                    case "switch" -> switchQueue(switchSettings, value);
                    case "ecn" -> marking(switchSettings, value);
                    case CongestionControlType.OPTION -> congestion = congestion(value);
                    default -> link(links, option.getKey(), value);
                }
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(option.getKey() + "=" + value + ": not a number from "
                        + range(option.getKey()), e);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(option.getKey() + "=" + value + ": " + e.getMessage(), e);
            }
        }
        return new SimulationOptions(seed, label, time, links, switchSettings, congestion == null
                ? CongestionControlType.ofProperty()
                : CongestionControlType.of(congestion), given);
    }

    /** {@return the range of the numbers of an option, for messages} */
    private static String range(String key) {
        return switch (key) {
            case "seed" -> Long.MIN_VALUE + " to " + Long.MAX_VALUE;
            case "switch" -> SwitchSettings.LEAST_BUFFER + " to " + SwitchSettings.MOST_BUFFER + " bytes";
            case "ecn" -> "0 to " + Integer.MAX_VALUE + " bytes, and a probability from 0 to 1";
            case "mtu" -> LinkSettings.SHORTEST_MTU + " to " + LinkSettings.LONGEST_MTU + " bytes";
            default -> "0 to 1";
        };
    }

    private static void link(LinkSettings links, String key, String value) {
        String[] parts = value.split(",", -1);
        switch (key) {
            case "loss" -> links.loss(Double.parseDouble(value));
            case "duplicate" -> links.duplicate(Double.parseDouble(value));
            case "corrupt" -> links.corrupt(Double.parseDouble(value));
            case "delay" -> links.delay(duration(value));
            case "jitter" -> links.jitter(duration(value));
            case "mtu" -> links.mtu(Integer.parseInt(value));
            case "bandwidth" -> links.bandwidth(rate(value));
            case "reorder" -> {
                require(parts.length == 2, "not P,TIME");
                links.reorder(Double.parseDouble(parts[0]), duration(parts[1]));
            }
            case "burst" -> {
                require(parts.length == 2 || parts.length == 3, "not BEGIN,END[,LOSS]");
                links.burst(Double.parseDouble(parts[0]), Double.parseDouble(parts[1]),
                        parts.length == 2 ? 1 : Double.parseDouble(parts[2]));
            }
            default -> throw new IllegalArgumentException("unknown option");
        }
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }

    private static void switchQueue(SwitchSettings settings, String value) {
        String[] parts = value.split(",", -1);
        require(parts.length == 2, "not RATE,BYTES");
        settings.queue(rate(parts[0]), Integer.parseInt(parts[1]));
    }

    private static void marking(SwitchSettings settings, String value) {
        String[] parts = value.split(",", -1);
        require(parts.length == 2 || parts.length == 3, "not MIN,MAX[,P]");
        settings.marking(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]),
                parts.length == 2 ? 1 : Double.parseDouble(parts[2]));
    }

    private static String congestion(String value) {
        require(CongestionControlType.of(value) != null, "not one of " + CongestionControlType.words(", "));
        return value;
    }

    private static TimeMode time(String value) {
        for (TimeMode mode : TimeMode.values()) {
            if (mode.word().equals(value)) {
                return mode;
            }
        }
        throw new IllegalArgumentException(
                "not one of " + Arrays.stream(TimeMode.values()).map(TimeMode::word).collect(Collectors.joining(", ")));
    }

    private static Matcher match(Pattern pattern, String value, String what) {
        Matcher matcher = pattern.matcher(value);
        require(matcher.matches(), "not " + what);
        return matcher;
    }

    private static Duration duration(String value) {
        Matcher parts = match(TIME, value, "a time such as 5us, with unit ns, us, ms or s");
        return scaled(
                () -> Duration.ofNanos(Math.multiplyExact(Long.parseLong(parts.group(1)), NANOS.get(parts.group(2)))));
    }

    private static long rate(String value) {
        Matcher parts = match(RATE, value, "a rate such as 10Gbit, with unit bit, kbit, Mbit or Gbit");
        return scaled(() -> Math.multiplyExact(Long.parseLong(parts.group(1)), BITS.get(parts.group(2))));
    }

    private static <T> T scaled(Supplier<T> number) {
        try {
            return number.get();
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("too large", e);
        }
    }

    /** {@return what identifies the network, its seed and name, in the form of selector options} */
    public String identity() {
        return "seed=" + seed + (label.isEmpty() ? "" : "&network=" + label);
    }

    /**
     * {@return whether a selector with the given options can refer to this network: it has the same seed and name, and
     * the same other options or none}
     *
     * @param other the options of the selector
     */
    public boolean admits(SimulationOptions other) {
        return Objects.equals(identity(), other.identity()) && (other.given.isEmpty() || other.given.equals(given));
    }

    /** {@return the options other than seed and network in the form of a selector, for messages} */
    public String others() {
        return given.isEmpty()
                ? "no other option"
                : given.entrySet().stream().map(Map.Entry::toString).collect(Collectors.joining("&"));
    }
}
