package io.jverbs.contract.end.local;

import io.jverbs.AhAttributes;
import io.jverbs.PathMigrationState;
import io.jverbs.QpAttribute;
import io.jverbs.QpAttributes;
import io.jverbs.QpState;
import io.jverbs.contract.end.QpAttr;
import java.util.EnumMap;
import java.util.Map;

/** Converts between attributes by value and attributes of the API. */
final class Attributes {

    private Attributes() {}

    static QpAttributes toApi(QpAttr attr) {
        QpAttributes.Builder builder = QpAttributes.builder();
        attr.values().forEach((attribute, value) -> set(builder, attribute, value));
        return builder.build();
    }

    private static void set(QpAttributes.Builder builder, QpAttribute attribute, Object value) {
        switch (attribute) {
            case STATE -> builder.rawState((int) value);
            case CUR_STATE -> builder.currentState(QpState.of((int) value));
            case EN_SQD_ASYNC_NOTIFY -> builder.enableSqdAsyncNotify((boolean) value);
            case ACCESS_FLAGS -> builder.accessFlags((int) value);
            case PKEY_INDEX -> builder.pkeyIndex((int) value);
            case PORT -> builder.port((int) value);
            case QKEY -> builder.qkey((int) value);
            case AV -> builder.addressVector((AhAttributes) value);
            case PATH_MTU -> builder.rawPathMtu((int) value);
            case TIMEOUT -> builder.timeout((int) value);
            case RETRY_CNT -> builder.retryCount((int) value);
            case RNR_RETRY -> builder.rnrRetry((int) value);
            case RQ_PSN -> builder.rqPsn((int) value);
            case MAX_QP_RD_ATOMIC -> builder.maxRdAtomic((int) value);
            case ALT_PATH -> builder.alternatePath((AhAttributes) value);
            case MIN_RNR_TIMER -> builder.minRnrTimer((int) value);
            case SQ_PSN -> builder.sqPsn((int) value);
            case MAX_DEST_RD_ATOMIC -> builder.maxDestRdAtomic((int) value);
            case PATH_MIG_STATE -> builder.pathMigrationState(PathMigrationState.of((int) value));
            case DEST_QPN -> builder.destinationQpn((int) value);
            case CAP -> throw new IllegalArgumentException("the API cannot change capabilities");
        }
    }

    static QpAttr fromApi(QpAttributes attributes) {
        Map<QpAttribute, Object> values = new EnumMap<>(QpAttribute.class);
        for (QpAttribute attribute : QpAttribute.values()) {
            Object value = attributes.present(attribute) ? get(attributes, attribute) : null;
            if (value != null) {
                values.put(attribute, value);
            }
        }
        return new QpAttr(values, attributes.sqDraining());
    }

    private static Object get(QpAttributes attributes, QpAttribute attribute) {
        return switch (attribute) {
            case STATE -> attributes.state().code();
            case CUR_STATE -> attributes.currentState().code();
            case EN_SQD_ASYNC_NOTIFY -> attributes.enableSqdAsyncNotify();
            case ACCESS_FLAGS -> attributes.accessFlags();
            case PKEY_INDEX -> attributes.pkeyIndex();
            case PORT -> attributes.port();
            case QKEY -> attributes.qkey();
            case AV -> attributes.addressVector();
            case PATH_MTU -> attributes.pathMtu().code();
            case TIMEOUT -> attributes.timeout();
            case RETRY_CNT -> attributes.retryCount();
            case RNR_RETRY -> attributes.rnrRetry();
            case RQ_PSN -> attributes.rqPsn();
            case MAX_QP_RD_ATOMIC -> attributes.maxRdAtomic();
            case ALT_PATH -> attributes.alternatePath();
            case MIN_RNR_TIMER -> attributes.minRnrTimer();
            case SQ_PSN -> attributes.sqPsn();
            case MAX_DEST_RD_ATOMIC -> attributes.maxDestRdAtomic();
            case PATH_MIG_STATE -> attributes.pathMigrationState().code();
            case DEST_QPN -> attributes.destinationQpn();
            case CAP -> null;
        };
    }
}
