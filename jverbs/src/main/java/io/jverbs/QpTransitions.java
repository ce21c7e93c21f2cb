package io.jverbs;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The legal state transitions of a queue pair and their attributes; see ibv_modify_qp(3) and the InfiniBand
 * Architecture Specification, volume 1, chapter 11, Modify Queue Pair. All devices use this class to check a modify, so
 * their error messages are the same.
 *
 * <p>
 * A modify without {@link QpAttribute#STATE} is a transition from the present state to itself. This class is
 * thread-safe.
 */
public final class QpTransitions {
    private static final String OPERATION = "modify_qp";

    private QpTransitions() {}

    /**
     * The attributes of one transition. {@link QpAttribute#STATE} is in neither set and always allowed. All other
     * attributes that are in neither set are rejected. Immutable.
     *
     * @param required the attributes that must be present; unmodifiable, in the order of their bits
     * @param optional the attributes that can be present; unmodifiable, in the order of their bits
     */
    public record Rule(Set<QpAttribute> required, Set<QpAttribute> optional) {

        /** Creates a rule with copies of the sets. */
        public Rule {
            required = inOrder(Objects.requireNonNull(required, "required"));
            optional = inOrder(Objects.requireNonNull(optional, "optional"));
        }

        private static Set<QpAttribute> inOrder(Set<QpAttribute> attributes) {
            EnumSet<QpAttribute> copy = EnumSet.noneOf(QpAttribute.class);
            copy.addAll(attributes);
            return Collections.unmodifiableSet(copy);
        }
    }

    /**
     * Returns the rule of a transition.
     *
     * @param type the type of the queue pair
     * @param from the present state
     * @param to the next state
     * @return the attributes of the transition; empty if the transition is not legal
     */
    public static Optional<Rule> rule(QpType type, QpState from, QpState to) {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(from, "from");
        Objects.requireNonNull(to, "to");
        return Optional.ofNullable(from(type, from).get(to)).map(QpTransitionTable.Row::rule);
    }

    /**
     * Returns the next state of a modify.
     *
     * @param current the present state
     * @param attributes the attributes of the modify
     * @return the state in the attributes, or the present state if they have none; {@link QpState#UNKNOWN} for a value
     *         that is not a state
     */
    public static QpState target(QpState current, QpAttributes attributes) {
        Objects.requireNonNull(current, "current");
        Objects.requireNonNull(attributes, "attributes");
        return attributes.present(QpAttribute.STATE) ? attributes.state() : current;
    }

    /**
     * Checks that a modify is a legal transition, that {@link QpAttribute#CUR_STATE}, if present, is the present state,
     * and that all required and no illegal attributes are present. {@link #checkRanges} checks the values.
     *
     * @param type the type of the queue pair
     * @param current the present state
     * @param attributes the attributes of the modify
     * @throws VerbsException with EINVAL if a check fails; the message names the transition, the missing, the illegal
     *         and the legal attributes
     */
    public static void check(QpType type, QpState current, QpAttributes attributes) {
        Objects.requireNonNull(type, "type");
        QpState target = target(current, attributes);
        Map<QpState, QpTransitionTable.Row> legal = from(type, current);
        QpTransitionTable.Row row = legal.get(target);
        if (row == null) {
            String implied = attributes.present(QpAttribute.STATE) ? "" : " (a modify without STATE)";
            throw refused(transition(type, current, attributes) + implied + " is not legal; legal from " + current
                    + ": " + list(legal.keySet()));
        }
        if (attributes.present(QpAttribute.CUR_STATE) && attributes.currentState() != current) {
            throw refused(transition(type, current, attributes) + ": CUR_STATE says " + attributes.currentState()
                    + ", but the state is " + current);
        }
        int given = attributes.mask() & ~QpAttribute.STATE.bit();
        int required = row.required();
        int allowed = row.allowed();
        if ((required & ~given) != 0 || (given & ~allowed) != 0) {
            throw refused(transition(type, current, attributes), row.rule(), QpAttribute.ofMask(required & ~given),
                    QpAttribute.ofMask(given & ~allowed));
        }
    }

    private static String transition(QpType type, QpState current, QpAttributes attributes) {
        QpState target = target(current, attributes);
        return current + " -> " + (target == QpState.UNKNOWN ? "state " + attributes.rawState() : target) + " of "
                + name(type);
    }

    /**
     * Checks the values of the attributes that are present against the limits of the device and the port. Packet
     * sequence numbers are not checked, because devices use only their low 24 bits. The device checks whether a GID
     * table entry is empty.
     *
     * @param type the type of the queue pair
     * @param attributes the attributes of the modify
     * @param device the attributes of the device
     * @param port the attributes of the port of the queue pair
     * @throws VerbsException with EINVAL if a value is out of range or there is an alternate path on an Ethernet port;
     *         the message names the attribute, its value and its range
     */
    public static void checkRanges(QpType type, QpAttributes attributes, DeviceAttributes device, PortAttributes port) {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(attributes, "attributes");
        Objects.requireNonNull(device, "device");
        Objects.requireNonNull(port, "port");
        if (attributes.present(QpAttribute.ALT_PATH) && port.linkLayer() == LinkLayer.ETHERNET) {
            throw refused("ALT_PATH is not allowed for " + name(type)
                    + " on an Ethernet port, which does not support alternate paths: remove it");
        }
        new QpAttributeRanges(OPERATION, attributes, device, port).check();
    }

    private static VerbsException refused(String transition, Rule rule, Set<QpAttribute> missing,
            Set<QpAttribute> surplus) {
        StringBuilder text = new StringBuilder(transition);
        if (!missing.isEmpty()) {
            text.append(" lacks ").append(list(missing));
        }
        if (!surplus.isEmpty()) {
            text.append(missing.isEmpty() ? ": " : "; ").append("not allowed here: ").append(list(surplus));
        }
        return refused(text + "; required are " + list(rule.required()) + ", optional " + list(rule.optional()));
    }

    private static Map<QpState, QpTransitionTable.Row> from(QpType type, QpState state) {
        return QpTransitionTable.from(type, state);
    }

    private static String name(QpType type) {
        return switch (type) {
            case RC -> "an RC queue pair";
            case UC -> "a UC queue pair";
            case UD -> "a UD queue pair";
            case UNKNOWN -> "a queue pair of unknown type";
        };
    }

    private static String list(Set<? extends Enum<?>> names) {
        return names.isEmpty() ? "none" : names.stream().map(Enum::name).collect(Collectors.joining(", "));
    }

    private static VerbsException refused(String explanation) {
        return new VerbsException(OPERATION, Errno.EINVAL, explanation);
    }
}
