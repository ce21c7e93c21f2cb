package io.jverbs.contract.end;

import io.jverbs.AhAttributes;
import io.jverbs.Mtu;
import io.jverbs.PathMigrationState;
import io.jverbs.QpAttribute;
import io.jverbs.QpState;
import java.io.Serializable;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;

/**
 * Attributes of a queue pair by value, for a modify or from a query. Immutable. Numbers are kept raw, so that illegal
 * ones can be expressed.
 *
 * @param values an Integer, Boolean or AhAttributes for each attribute
 * @param draining {@code sq_draining} of a query
 */
public record QpAttr(Map<QpAttribute, Object> values, boolean draining) implements Serializable {

    public QpAttr {
        EnumMap<QpAttribute, Object> copy = new EnumMap<>(QpAttribute.class);
        copy.putAll(values);
        values = Collections.unmodifiableMap(copy);
    }

    public static QpAttr none() {
        return new QpAttr(Map.of(), false);
    }

    public static QpAttr to(QpState state) {
        return none().with(QpAttribute.STATE, state.code());
    }

    /** Sets one attribute: Integer, Boolean (EN_SQD_ASYNC_NOTIFY) or AhAttributes (AV, ALT_PATH). */
    public QpAttr with(QpAttribute attribute, Object value) {
        EnumMap<QpAttribute, Object> copy = new EnumMap<>(QpAttribute.class);
        copy.putAll(values);
        copy.put(attribute, value);
        return new QpAttr(copy, draining);
    }

    public QpAttr without(QpAttribute attribute) {
        EnumMap<QpAttribute, Object> copy = new EnumMap<>(QpAttribute.class);
        copy.putAll(values);
        copy.remove(attribute);
        return new QpAttr(copy, draining);
    }

    /** Keeps only the given attributes. */
    public QpAttr only(Set<QpAttribute> attributes) {
        EnumMap<QpAttribute, Object> copy = new EnumMap<>(QpAttribute.class);
        copy.putAll(values);
        copy.keySet().retainAll(attributes);
        return new QpAttr(copy, draining);
    }

    public boolean has(QpAttribute attribute) {
        return values.containsKey(attribute);
    }

    /** Returns a number. Fails if the attribute is absent. */
    public int number(QpAttribute attribute) {
        Object value = values.get(attribute);
        if (value instanceof Integer number) {
            return number;
        }
        throw new AssertionError(attribute + " is not among " + values.keySet());
    }

    /** Returns AV or ALT_PATH. Fails if it is absent. */
    public AhAttributes path(QpAttribute attribute) {
        if (values.get(attribute) instanceof AhAttributes path) {
            return path;
        }
        throw new AssertionError(attribute + " is not among " + values.keySet());
    }

    public QpState state() {
        return QpState.of(number(QpAttribute.STATE));
    }

    public QpAttr state(QpState state) {
        return with(QpAttribute.STATE, state.code());
    }

    public QpAttr currentState(QpState state) {
        return with(QpAttribute.CUR_STATE, state.code());
    }

    public QpAttr sqdNotify(boolean on) {
        return with(QpAttribute.EN_SQD_ASYNC_NOTIFY, on);
    }

    public QpAttr access(int flags) {
        return with(QpAttribute.ACCESS_FLAGS, flags);
    }

    public QpAttr pkeyIndex(int index) {
        return with(QpAttribute.PKEY_INDEX, index);
    }

    public QpAttr port(int port) {
        return with(QpAttribute.PORT, port);
    }

    public QpAttr qkey(int qkey) {
        return with(QpAttribute.QKEY, qkey);
    }

    public QpAttr av(AhAttributes path) {
        return with(QpAttribute.AV, path);
    }

    public QpAttr alternatePath(AhAttributes path) {
        return with(QpAttribute.ALT_PATH, path);
    }

    public QpAttr mtu(Mtu mtu) {
        return with(QpAttribute.PATH_MTU, mtu.code());
    }

    public QpAttr rawMtu(int code) {
        return with(QpAttribute.PATH_MTU, code);
    }

    public QpAttr timeout(int code) {
        return with(QpAttribute.TIMEOUT, code);
    }

    public QpAttr retry(int count) {
        return with(QpAttribute.RETRY_CNT, count);
    }

    public QpAttr rnrRetry(int count) {
        return with(QpAttribute.RNR_RETRY, count);
    }

    public QpAttr rqPsn(int psn) {
        return with(QpAttribute.RQ_PSN, psn);
    }

    public QpAttr sqPsn(int psn) {
        return with(QpAttribute.SQ_PSN, psn);
    }

    public QpAttr maxRdAtomic(int count) {
        return with(QpAttribute.MAX_QP_RD_ATOMIC, count);
    }

    public QpAttr maxDestRdAtomic(int count) {
        return with(QpAttribute.MAX_DEST_RD_ATOMIC, count);
    }

    public QpAttr minRnrTimer(int code) {
        return with(QpAttribute.MIN_RNR_TIMER, code);
    }

    public QpAttr pathMigration(PathMigrationState state) {
        return with(QpAttribute.PATH_MIG_STATE, state.code());
    }

    public QpAttr destQpn(int qpn) {
        return with(QpAttribute.DEST_QPN, qpn);
    }
}
