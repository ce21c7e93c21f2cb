package io.jverbs.spi;

import io.jverbs.Gid;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The selector of a device: {@code provider[:target][?key=value{&key=value}]}, for instance {@code auto}, {@code
 * native:mlx5_0}, {@code soft:192.0.2.7}, {@code soft:[2001:db8::7]?fabric=wire} or {@code soft:sim?seed=7}. This class
 * checks the syntax only; the provider defines the meaning of targets and options. Immutable.
 *
 * @param provider the name of the provider: a letter, then letters, digits, "_" and "-"
 * @param target the target that the provider looks up, empty if none is given: an IPv6 address without brackets, or
 *        other text without white space and without {@code : ? & = [ ]}
 * @param options the options in the order given, unmodifiable. A key is a letter, then letters, digits, "_", "-" and
 *        "."; a value is not empty and contains neither white space nor {@code ? & =}
 */
public record DeviceSelector(String provider, String target, Map<String, String> options) {
    /** The grammar of a selector, for messages. */
    public static final String GRAMMAR = "provider[:target][?key=value{&key=value}], an IPv6 target in brackets";

    private static final Pattern PROVIDER = Pattern.compile("[A-Za-z][A-Za-z0-9_-]*");
    private static final Pattern TARGET = Pattern.compile("[^\\s:?&=\\[\\]]+");
    private static final Pattern KEY = Pattern.compile("[A-Za-z][A-Za-z0-9_.-]*");
    private static final Pattern VALUE = Pattern.compile("[^\\s?&=]+");
    /** Group 1 is the provider, group 2 the text from the colon to the question mark, group 3 the rest. */
    private static final Pattern PARTS = Pattern.compile("([^:?]*)(?::([^?]*))?(?:\\?(.*))?", Pattern.DOTALL);
    private static final Pattern ZONE = Pattern.compile("%[A-Za-z0-9_.-]+$");

    /**
     * Checks the syntax of all parts, so that {@link #parse} can read the result of {@link #toString()}.
     *
     * @throws IllegalArgumentException if a part is malformed
     */
    public DeviceSelector {
        require(PROVIDER, "provider", provider);
        Objects.requireNonNull(target, "target");
        if (target.indexOf(':') >= 0) {
            requireIpv6(target);
        } else if (!target.isEmpty()) {
            require(TARGET, "target", target);
        }
        options = Collections.unmodifiableMap(new LinkedHashMap<>(Objects.requireNonNull(options, "options")));
        options.forEach((key, value) -> {
            require(KEY, "option", key);
            require(VALUE, "value of option \"" + key + "\"", value);
        });
    }

    /**
     * Parses a selector.
     *
     * @param text the selector
     * @return its parts
     * @throws IllegalArgumentException if the selector is malformed; the message names the malformed part and the
     *             grammar
     */
    public static DeviceSelector parse(String text) {
        Matcher parts = PARTS.matcher(Objects.requireNonNull(text, "text"));
        if (!parts.matches()) {
            throw new AssertionError("the pattern matches every text, but not: " + text);
        }
        try {
            return new DeviceSelector(parts.group(1), parseTarget(parts.group(2)), parseOptions(parts.group(3)));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(refusal(text, e.getMessage(), GRAMMAR), e);
        }
    }

    private static String refusal(String text, String wrong, String form) {
        return "device selector \"" + text + "\": " + wrong + "; the form is " + form
                + SystemProperties.see(SystemProperties.DEVICE);
    }

    /**
     * {@return the sentence with which a provider refuses this selector; it ends with the page to read}
     *
     * @param wrong the part that is wrong, its value, and why it is wrong
     * @param form the form of the selectors of the provider
     */
    public String refusal(String wrong, String form) {
        return refusal(toString(), Objects.requireNonNull(wrong, "wrong"), Objects.requireNonNull(form, "form"));
    }

    private static String parseTarget(String text) {
        if (text == null) {
            return "";
        }
        if (text.isEmpty()) {
            throw new IllegalArgumentException("no target after \":\"");
        }
        if (text.startsWith("[") && text.endsWith("]")) {
            String address = text.substring(1, text.length() - 1);
            requireIpv6(address);
            return address;
        }
        return require(TARGET, "target", text);
    }

    private static Map<String, String> parseOptions(String text) {
        Map<String, String> options = new LinkedHashMap<>();
        if (text == null) {
            return options;
        }
        for (String option : text.split("&", -1)) {
            int equals = option.indexOf('=');
            if (equals < 0) {
                throw new IllegalArgumentException("option \"" + option + "\" is not key=value");
            }
            String key = option.substring(0, equals);
            if (options.put(key, option.substring(equals + 1)) != null) {
                throw new IllegalArgumentException("option \"" + key + "\" is given twice");
            }
        }
        return options;
    }

    private static String require(Pattern form, String what, String text) {
        Objects.requireNonNull(text, what);
        if (!form.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    what + " \"" + text + "\" is " + (text.isEmpty() ? "empty" : "malformed"));
        }
        return text;
    }

    private static void requireIpv6(String text) {
        String address = ZONE.matcher(text).replaceFirst("");
        if (address.indexOf(':') < 0) {
            throw new IllegalArgumentException("target \"" + text + "\" is not an IPv6 address");
        }
        Gid.parse(address);
    }

    /** {@return the selector in the syntax that {@link #parse(String)} reads} */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(provider);
        if (!target.isEmpty()) {
            text.append(':').append(target.indexOf(':') < 0 ? target : "[" + target + "]");
        }
        if (!options.isEmpty()) {
            StringJoiner list = new StringJoiner("&", "?", "");
            options.forEach((key, value) -> list.add(key + "=" + value));
            text.append(list);
        }
        return text.toString();
    }
}
