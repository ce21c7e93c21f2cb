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
 * Names a device: {@code provider[:target][?key=value{&key=value}]}, for instance {@code auto}, {@code
 * native:mlx5_0}, {@code soft:192.0.2.7}, {@code soft:[2001:db8::7]?fabric=udp} or {@code soft:sim?seed=7}. Only the
 * form is checked here; what targets and options mean is the provider's business.
 *
 * @param provider the name of the provider: a letter, then letters, digits, "_" and "-"
 * @param target what the provider shall look for, empty if nothing is given: an IPv6 address, here without brackets, or
 *        any other text without white space and without {@code : ? & = [ ]}
 * @param options the options in the order in which they are given, unmodifiable. Keys are formed as the provider's name
 *        with "." in addition; values are not empty and have neither white space nor {@code ? & =}
 */
public record DeviceSelector(String provider, String target, Map<String, String> options) {
    /** The form of a selector, for messages. */
    public static final String GRAMMAR = "provider[:target][?key=value{&key=value}], an IPv6 target in brackets";

    private static final Pattern PROVIDER = Pattern.compile("[A-Za-z][A-Za-z0-9_-]*");
    private static final Pattern TARGET = Pattern.compile("[^\\s:?&=\\[\\]]+");
    private static final Pattern KEY = Pattern.compile("[A-Za-z][A-Za-z0-9_.-]*");
    private static final Pattern VALUE = Pattern.compile("[^\\s?&=]+");
    /** Provider, then what follows the colon up to the question mark, then what follows the question mark. */
    private static final Pattern PARTS = Pattern.compile("([^:?]*)(?::([^?]*))?(?:\\?(.*))?", Pattern.DOTALL);
    private static final Pattern ZONE = Pattern.compile("%[A-Za-z0-9_.-]+$");

    /**
     * Checks that all parts have their form, so that {@link #toString()} can be parsed again.
     *
     * @throws IllegalArgumentException if one has not
     */
    public DeviceSelector {
        require(PROVIDER, "provider", provider);
        Objects.requireNonNull(target, "target");
        if (target.indexOf(':') >= 0) {
            requireIpv6(target);
        } else if (!target.isEmpty()) {
            require(TARGET, "target", target);
        }
        options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
        options.forEach((key, value) -> {
            require(KEY, "option", key);
            require(VALUE, "value of option \"" + key + "\"", value);
        });
    }

    /**
     * Reads a selector.
     *
     * @param text the selector
     * @return its parts
     * @throws IllegalArgumentException if it does not have the form; the message names the offending part and the form
     */
    public static DeviceSelector parse(String text) {
        Matcher parts = PARTS.matcher(Objects.requireNonNull(text, "text"));
        if (!parts.matches()) {
            throw new AssertionError("every text has these parts: " + text);
        }
        try {
            return new DeviceSelector(parts.group(1), parseTarget(parts.group(2)), parseOptions(parts.group(3)));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "device selector \"" + text + "\": " + e.getMessage() + "; the form is " + GRAMMAR, e);
        }
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
            throw new IllegalArgumentException("target \"" + text + "\" is no IPv6 address");
        }
        Gid.parse(address);
    }

    /** {@return the text that {@link #parse(String)} reads} */
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
