package io.jverbs;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which changes of state a queue pair can make, and with which attributes; see ibv_modify_qp(3) and the InfiniBand
 * Architecture Specification, volume 1, chapter 11, Modify Queue Pair. Every device explains a refusal in the same
 * words, since all of them ask here.
 *
 * <p>
 * A modify without {@link QpAttribute#STATE} counts as one from the present state to itself. Safe for use by many
 * threads.
 */
public final class QpTransitions {
    private static final String OPERATION = "modify_qp";

    private QpTransitions() {}

    /**
     * The attributes of one transition. {@link QpAttribute#STATE} is in neither set: it is always allowed. Any
     * attribute that is in neither set is refused.
     *
     * @param required those that must be given; unmodifiable, in the order of their bits
     * @param optional those that may be given besides; unmodifiable, in the order of their bits
     */
    public record Rule(Set<QpAttribute> required, Set<QpAttribute> optional) {

        /** Copies the sets. */
        public Rule {
            required = inOrder(required);
            optional = inOrder(optional);
        }

        private static Set<QpAttribute> inOrder(Set<QpAttribute> attributes) {
            EnumSet<QpAttribute> copy = EnumSet.noneOf(QpAttribute.class);
            copy.addAll(attributes);
            return Collections.unmodifiableSet(copy);
        }
    }

    /**
     * Looks a transition up.
     *
     * @param type the type of the queue pair
     * @param from its present state
     * @param to the state to move to
     * @return the attributes of the transition, empty if it is not legal
     */
    public static Optional<Rule> rule(QpType type, QpState from, QpState to) {
        Objects.requireNonNull(to, "to");
        return Optional.ofNullable(from(type, from).get(to));
    }

    /**
     * Tells where a modify leads.
     *
     * @param current the present state
     * @param attributes what the modify gives
     * @return the state asked for, or the present one where none is; {@link QpState#UNKNOWN} for a number that is no
     *         state
     */
    public static QpState target(QpState current, QpAttributes attributes) {
        Objects.requireNonNull(current, "current");
        return attributes.present(QpAttribute.STATE) ? attributes.state() : current;
    }

    /**
     * Checks that a modify is a legal transition, that {@link QpAttribute#CUR_STATE} is right, and that its
     * attributes are those of the transition. Values are checked by {@link #checkRanges}.
     *
     * @param type the type of the queue pair
     * @param current its present state
     * @param attributes what the modify gives
     * @throws VerbsException with EINVAL, naming the transition, what is missing, what is not allowed and what would be
     *         legal
     */
    public static void check(QpType type, QpState current, QpAttributes attributes) {
        QpState target = target(current, attributes);
        String transition = current + " -> " + (target == QpState.UNKNOWN ? "state " + attributes.rawState() : target)
                + " of " + name(type);
        Map<QpState, Rule> legal = from(type, current);
        Rule rule = legal.get(target);
        if (rule == null) {
            String stayed = attributes.present(QpAttribute.STATE) ? "" : ", which a modify without STATE is,";
            throw refused(transition + stayed + " is not legal; legal from " + current + ": " + list(legal.keySet()));
        }
        if (attributes.present(QpAttribute.CUR_STATE) && attributes.currentState() != current) {
            throw refused(
                    transition + ": CUR_STATE says " + attributes.currentState() + ", but the state is " + current);
        }
        checkAttributes(transition, rule, QpAttribute.ofMask(attributes.mask()));
    }

    /**
     * Checks the values of a modify against what the device and the port can do; only those that are present count.
     * Sequence numbers are not checked, since devices take their low 24 bits. Whether an entry of the GID table is
     * empty is for the device to check.
     *
     * @param type the type of the queue pair
     * @param attributes what the modify gives
     * @param device the attributes of the device
     * @param port the attributes of the queue pair's port
     * @throws VerbsException with EINVAL, naming the attribute, its value and its range; also for an alternate path on
     *         Ethernet
     */
    public static void checkRanges(QpType type, QpAttributes attributes, DeviceAttributes device, PortAttributes port) {
        if (attributes.present(QpAttribute.ALT_PATH) && port.linkLayer() == LinkLayer.ETHERNET) {
            throw refused("ALT_PATH is not allowed for " + name(type)
                    + " on an Ethernet port, which has no alternate paths: leave it out");
        }
        new QpAttributeRanges(OPERATION, attributes, device, port).check();
    }

    private static void checkAttributes(String transition, Rule rule, Set<QpAttribute> given) {
        EnumSet<QpAttribute> missing = EnumSet.noneOf(QpAttribute.class);
        missing.addAll(rule.required());
        missing.removeAll(given);
        EnumSet<QpAttribute> surplus = EnumSet.copyOf(given);
        surplus.remove(QpAttribute.STATE);
        surplus.removeAll(rule.required());
        surplus.removeAll(rule.optional());
        if (missing.isEmpty() && surplus.isEmpty()) {
            return;
        }
        StringBuilder text = new StringBuilder(transition);
        if (!missing.isEmpty()) {
            text.append(" lacks ").append(list(missing));
        }
        if (!surplus.isEmpty()) {
            text.append(missing.isEmpty() ? ": " : "; ").append("not allowed here: ").append(list(surplus));
        }
        throw refused(text + "; required are " + list(rule.required()) + ", optional " + list(rule.optional()));
    }

    private static Map<QpState, Rule> from(QpType type, QpState state) {
        return QpTransitionTable.from(Objects.requireNonNull(type, "type"), Objects.requireNonNull(state, "state"));
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
