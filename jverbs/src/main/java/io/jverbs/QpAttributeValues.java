package io.jverbs;

import java.util.Arrays;
import java.util.Objects;
import java.util.StringJoiner;

/**
 * The values of a set of queue pair attributes, and which of them are present. A {@link QpAttributes.Builder} changes
 * its values; {@link QpAttributes} has a copy that nothing changes.
 */
final class QpAttributeValues {
    /** The value of each attribute, by ordinal; paths are in fields of their own. */
    private final int[] numbers;
    private int mask;
    private AhAttributes addressVector;
    private AhAttributes alternatePath;
    private boolean sqDraining;

    /** Creates an empty set. */
    QpAttributeValues() {
        numbers = new int[QpAttribute.values().length];
    }

    /** Creates a copy. */
    QpAttributeValues(QpAttributeValues from) {
        numbers = from.numbers.clone();
        mask = from.mask;
        addressVector = from.addressVector;
        alternatePath = from.alternatePath;
        sqDraining = from.sqDraining;
    }

    int mask() {
        return mask;
    }

    boolean present(QpAttribute attribute) {
        return (mask & Objects.requireNonNull(attribute, "attribute").bit()) != 0;
    }

    /** Returns the value of an attribute that is not a path; 0 if it is absent. */
    int number(QpAttribute attribute) {
        return numbers[attribute.ordinal()];
    }

    AhAttributes addressVector() {
        return addressVector;
    }

    AhAttributes alternatePath() {
        return alternatePath;
    }

    boolean sqDraining() {
        return sqDraining;
    }

    void set(QpAttribute attribute, int number) {
        numbers[attribute.ordinal()] = number;
        mask |= attribute.bit();
    }

    void addressVector(AhAttributes path) {
        addressVector = path;
        set(QpAttribute.AV, 0);
    }

    void alternatePath(AhAttributes path) {
        alternatePath = path;
        set(QpAttribute.ALT_PATH, 0);
    }

    void sqDraining(boolean draining) {
        sqDraining = draining;
    }

    void remove(QpAttribute attribute) {
        switch (Objects.requireNonNull(attribute, "attribute")) {
            case AV -> addressVector = null;
            case ALT_PATH -> alternatePath = null;
            default -> numbers[attribute.ordinal()] = 0;
        }
        mask &= ~attribute.bit();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof QpAttributeValues that && mask == that.mask && sqDraining == that.sqDraining
                && Arrays.equals(numbers, that.numbers) && Objects.equals(addressVector, that.addressVector)
                && Objects.equals(alternatePath, that.alternatePath);
    }

    @Override
    public int hashCode() {
        return Objects.hash(mask, sqDraining, Arrays.hashCode(numbers), addressVector, alternatePath);
    }

    /** Returns the text of {@link QpAttributes#toString}. */
    @Override
    public String toString() {
        StringJoiner text = new StringJoiner(", ", "QpAttributes[", "]");
        for (QpAttribute attribute : QpAttribute.ofMask(mask)) {
            text.add(attribute + "=" + show(attribute));
        }
        if (sqDraining) {
            text.add("draining");
        }
        return text.toString();
    }

    private String show(QpAttribute attribute) {
        int number = number(attribute);
        return switch (attribute) {
            case STATE, CUR_STATE -> name(QpState.of(number), QpState.UNKNOWN, number);
            case PATH_MTU -> name(Mtu.of(number), Mtu.UNKNOWN, number);
            case PATH_MIG_STATE -> name(PathMigrationState.of(number), PathMigrationState.UNKNOWN, number);
            case EN_SQD_ASYNC_NOTIFY -> Boolean.toString(number != 0);
            case ACCESS_FLAGS -> Access.toString(number);
            case QKEY -> Hex.key(number);
            case RQ_PSN, SQ_PSN, DEST_QPN -> Hex.number(number);
            case AV -> addressVector.toString();
            case ALT_PATH -> alternatePath.toString();
            default -> Integer.toString(number);
        };
    }

    private static String name(Enum<?> constant, Enum<?> unknown, int number) {
        return constant == unknown ? Integer.toString(number) : constant.name();
    }
}
