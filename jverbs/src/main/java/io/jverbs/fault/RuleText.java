package io.jverbs.fault;

import io.jverbs.AsyncEventType;
import io.jverbs.Errno;
import io.jverbs.WcStatus;
import io.jverbs.cm.CmEventType;
import io.jverbs.spi.SystemProperties;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Converts rules from and to text of the form {@link FaultInjection#GRAMMAR}. Stateless. */
final class RuleText {
    private static final Pattern TIME = Pattern.compile("([0-9]{1,19})(ns|us|ms|s)");

    private RuleText() {}

    static List<FaultRule> parse(String text) {
        List<FaultRule> rules = new ArrayList<>();
        if (!text.strip().equals(FaultInjection.NO_RULES)) {
            for (String rule : text.split(";", -1)) {
                rules.add(rule(rule.strip()));
            }
        }
        return rules;
    }

    private static FaultRule rule(String text) {
        String[] parts = text.split(",", -1);
        FaultRule rule = at(text, parts[0], () -> FaultRule.of(fault(parts[0].strip())));
        Set<String> given = new HashSet<>();
        for (int i = 1; i < parts.length; i++) {
            String part = parts[i].strip();
            FaultRule before = rule;
            rule = at(text, part, () -> {
                if (!given.add(key(part))) {
                    throw new IllegalArgumentException("given twice");
                }
                return with(before, key(part), value(part));
            });
        }
        if (given.contains("seed") && !given.contains("p")) {
            String part = Arrays.stream(parts).map(String::strip).filter(each -> key(each).equals("seed")).findFirst()
                    .orElseThrow();
            at(text, part, () -> {
                throw new IllegalArgumentException("seed has no effect without p");
            });
        }
        return rule;
    }

    private interface Step {
        FaultRule run();
    }

    private static FaultRule at(String rule, String part, Step step) {
        try {
            return step.run();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("\"" + part + "\" in fault rule \"" + rule + "\": " + e.getMessage()
                    + "; the form is " + FaultInjection.GRAMMAR + SystemProperties.see(FaultInjection.PROPERTY), e);
        }
    }

    private static String key(String part) {
        int equals = part.indexOf('=');
        return equals < 0 ? part : part.substring(0, equals).strip();
    }

    /** The text after the equals sign; null if there is none. */
    private static String value(String part) {
        int equals = part.indexOf('=');
        return equals < 0 ? null : part.substring(equals + 1).strip();
    }

    private static Fault fault(String part) {
        String value = value(part);
        return switch (key(part)) {
            case "post" -> new Fault.FailSend(constant(Errno.class, Set.of(Errno.UNKNOWN), value));
            case "recv" -> new Fault.FailReceive(constant(Errno.class, Set.of(Errno.UNKNOWN), value));
            case "register" -> new Fault.FailRegistration(constant(Errno.class, Set.of(Errno.UNKNOWN), value));
            case "complete" ->
                new Fault.FailCompletion(constant(WcStatus.class, Set.of(WcStatus.SUCCESS, WcStatus.UNKNOWN), value));
            case "event" -> new Fault.RaiseEvent(constant(AsyncEventType.class,
                    Set.of(AsyncEventType.WQ_FATAL, AsyncEventType.UNKNOWN), value));
            case "delay" -> new Fault.Delay(time(value));
            case "hold" -> bare(value, new Fault.Hold());
            case "flush" -> bare(value, new Fault.Flush());
            case "resolve" -> new Fault.FailResolution(constant(Errno.class, Set.of(Errno.UNKNOWN), value));
            case "connect" -> new Fault.FailConnection(constant(CmEventType.class,
                    EnumSet.complementOf(EnumSet.of(CmEventType.REJECTED, CmEventType.UNREACHABLE)), value));
            case "lose-message" -> bare(value, new Fault.LoseMessage());
            case "delay-message" -> new Fault.DelayMessage(time(value));
            case "lose" -> bare(value, new Fault.LosePacket());
            default -> throw new IllegalArgumentException("unknown fault");
        };
    }

    private static Fault bare(String value, Fault fault) {
        if (value != null) {
            throw new IllegalArgumentException("takes no value");
        }
        return fault;
    }

    /**
     * The constant with a name. A constant that the fault rejects is accepted here, so that the fault gives the reason;
     * the message does not list such constants.
     */
    private static <E extends Enum<E>> E constant(Class<E> type, Set<E> impossible, String name) {
        List<E> all = List.of(type.getEnumConstants());
        return all.stream().filter(each -> each.name().equals(name)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "the value must be one of " + all.stream().filter(each -> !impossible.contains(each))
                                .map(Enum::name).collect(Collectors.joining(", "))));
    }

    private static Duration time(String value) {
        Matcher matcher = TIME.matcher(value == null ? "" : value);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("the value must be a whole number of ns, us, ms or s, for example 5ms");
        }
        return Duration.of(number(matcher.group(1), Long.MAX_VALUE), switch (matcher.group(2)) {
            case "ns" -> ChronoUnit.NANOS;
            case "us" -> ChronoUnit.MICROS;
            case "ms" -> ChronoUnit.MILLIS;
            default -> ChronoUnit.SECONDS;
        });
    }

    /** Writes a duration in the largest unit of which it is a whole number. */
    private static String write(Duration time) {
        String[] units = {"ns", "us", "ms", "s"};
        long number = time.toNanos();
        int unit = 0;
        while (number % 1000 == 0 && unit < units.length - 1) {
            number /= 1000;
            unit++;
        }
        return number + units[unit];
    }

    private static FaultRule with(FaultRule rule, String key, String value) {
        return switch (key) {
            case "qp" -> value != null && value.startsWith("#")
                    ? rule.queuePairCreated(Math.toIntExact(number(value.substring(1), Integer.MAX_VALUE)))
                    : rule.queuePair(Math.toIntExact(number(value, 0xFF_FFFF)));
            case "opcode" -> withOpcode(rule, value);
            case "nth" -> rule.nth(number(value, Long.MAX_VALUE));
            case "every" -> rule.every(number(value, Long.MAX_VALUE));
            case "times" -> rule.times(number(value, Long.MAX_VALUE));
            case "p" -> rule.probability(part(value), rule.seed());
            case "seed" -> rule.probability(rule.probability(), number(value, Long.MAX_VALUE));
            default -> throw new IllegalArgumentException("unknown condition");
        };
    }

    private static FaultRule withOpcode(FaultRule rule, String value) {
        FaultTarget target = FaultTarget.of(rule.fault());
        Integer code = target.code(String.valueOf(value));
        if (code == null) {
            throw new IllegalArgumentException(!target.hasOpcodes()
                    ? FaultRule.NO_OPCODES
                    : "the opcode must be one of " + target.names());
        }
        return new FaultRule(rule.fault(), rule.queuePairs(), code, rule.nth(), rule.every(), rule.times(),
                rule.probability(), rule.seed());
    }

    private static long number(String value, long most) {
        try {
            boolean isHex = value != null && value.startsWith("0x");
            long number = Long.parseLong(isHex ? value.substring(2) : String.valueOf(value), isHex ? 16 : 10);
            if (number >= 0 && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw new IllegalArgumentException("the value must be a number from 0 to " + most);
    }

    private static double part(String value) {
        try {
            return Double.parseDouble(String.valueOf(value));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "the value must be a number greater than 0 and at most 1, for example 0.05", e);
        }
    }

    static String write(FaultRule rule) {
        StringBuilder text = new StringBuilder(write(rule.fault()));
        switch (rule.queuePairs()) {
            case QueuePairFilter.Any any -> {
            }
            case QueuePairFilter.Number number -> text.append(",qp=").append(number.number());
            case QueuePairFilter.Created created -> text.append(",qp=#").append(created.nth());
        }
        if (rule.opcode() != FaultRule.ANY_OPCODE) {
            text.append(",opcode=").append(FaultTarget.of(rule.fault()).name(rule.opcode()));
        }
        append(text, ",nth=", rule.nth(), 0);
        append(text, ",every=", rule.every(), 1);
        append(text, ",times=", rule.times(), Long.MAX_VALUE);
        if (rule.probability() != 1 || rule.seed() != 0) {
            text.append(",p=").append(rule.probability());
        }
        append(text, ",seed=", rule.seed(), 0);
        return text.toString();
    }

    private static void append(StringBuilder text, String key, long value, long absent) {
        if (value != absent) {
            text.append(key).append(value);
        }
    }

    static String write(Fault fault) {
        return switch (fault) {
            case Fault.FailSend f -> "post=" + f.errno();
            case Fault.FailReceive f -> "recv=" + f.errno();
            case Fault.FailRegistration f -> "register=" + f.errno();
            case Fault.FailCompletion f -> "complete=" + f.status();
            case Fault.RaiseEvent f -> "event=" + f.event();
            case Fault.Delay f -> "delay=" + write(f.time());
            case Fault.Hold f -> "hold";
            case Fault.Flush f -> "flush";
            case Fault.LosePacket f -> "lose";
            case Fault.LoseMessage f -> "lose-message";
            case Fault.DelayMessage f -> "delay-message=" + write(f.time());
            case Fault.FailResolution f -> "resolve=" + f.errno();
            case Fault.FailConnection f -> "connect=" + f.event();
        };
    }
}
