package io.jverbs.ibverbs.shared;

import static io.jverbs.QpAttribute.ALT_PATH;
import static io.jverbs.QpAttribute.AV;

import io.jverbs.PathMigrationState;
import io.jverbs.QpAttribute;
import io.jverbs.QpAttributes;
import io.jverbs.QpCapabilities;
import io.jverbs.QpState;
import io.jverbs.ffm.ibverbs.ibv_qp_attr;
import io.jverbs.ffm.ibverbs.ibv_qp_cap;
import java.lang.foreign.MemorySegment;

/**
 * Converts {@link QpAttributes} to and from {@code struct ibv_qp_attr}, and {@link QpCapabilities} to and from {@code
 * struct ibv_qp_cap}. Values must be within the ranges that {@link io.jverbs.QpTransitions#checkRanges} checks, because
 * the fields of the struct truncate them.
 */
public final class QpStruct {
    private QpStruct() {}

    /**
     * Writes a struct.
     *
     * @param from the attributes
     * @param to a {@code struct ibv_qp_attr}
     */
    public static void write(QpAttributes from, MemorySegment to) {
        ibv_qp_attr.qp_state(to, from.rawState());
        QpState current = from.currentState();
        ibv_qp_attr.cur_qp_state(to, current == null ? 0 : current.code());
        ibv_qp_attr.en_sqd_async_notify(to, (byte) (from.enableSqdAsyncNotify() ? 1 : 0));
        ibv_qp_attr.qp_access_flags(to, from.accessFlags());
        ibv_qp_attr.pkey_index(to, (short) from.pkeyIndex());
        ibv_qp_attr.port_num(to, (byte) from.port());
        ibv_qp_attr.qkey(to, from.qkey());
        ibv_qp_attr.path_mtu(to, from.rawPathMtu());
        ibv_qp_attr.timeout(to, (byte) from.timeout());
        ibv_qp_attr.retry_cnt(to, (byte) from.retryCount());
        ibv_qp_attr.rnr_retry(to, (byte) from.rnrRetry());
        ibv_qp_attr.rq_psn(to, from.rqPsn());
        ibv_qp_attr.max_rd_atomic(to, (byte) from.maxRdAtomic());
        ibv_qp_attr.min_rnr_timer(to, (byte) from.minRnrTimer());
        ibv_qp_attr.sq_psn(to, from.sqPsn());
        ibv_qp_attr.max_dest_rd_atomic(to, (byte) from.maxDestRdAtomic());
        PathMigrationState migration = from.pathMigrationState();
        ibv_qp_attr.path_mig_state(to, migration == null ? 0 : migration.code());
        ibv_qp_attr.dest_qp_num(to, from.destinationQpn());
        if (from.present(AV)) {
            AhStruct.write(from.addressVector(), ibv_qp_attr.ah_attr(to));
        }
        if (from.present(ALT_PATH)) {
            AhStruct.write(from.alternatePath(), ibv_qp_attr.alt_ah_attr(to));
            ibv_qp_attr.alt_port_num(to, (byte) from.alternatePath().port());
        }
    }

    /**
     * {@return the result of a query: the state, and the attributes set since RESET}
     *
     * @param from a {@code struct ibv_qp_attr}
     * @param attributesSet bits of {@code enum ibv_qp_attr_mask}
     */
    public static QpAttributes readQuery(MemorySegment from, int attributesSet) {
        return read(from, attributesSet | QpAttribute.STATE.bit() | QpAttribute.CUR_STATE.bit());
    }

    /**
     * {@return the attributes whose bits are given}
     *
     * @param from a {@code struct ibv_qp_attr}
     * @param present bits of {@code enum ibv_qp_attr_mask}; unknown ones have no effect
     */
    public static QpAttributes read(MemorySegment from, int present) {
        QpState state = QpState.of(ibv_qp_attr.qp_state(from));
        QpAttributes.Builder all = QpAttributes.builder().rawState(ibv_qp_attr.qp_state(from)).currentState(state)
                .enableSqdAsyncNotify(ibv_qp_attr.en_sqd_async_notify(from) != 0)
                .accessFlags(ibv_qp_attr.qp_access_flags(from))
                .pkeyIndex(Short.toUnsignedInt(ibv_qp_attr.pkey_index(from)))
                .port(Byte.toUnsignedInt(ibv_qp_attr.port_num(from))).qkey(ibv_qp_attr.qkey(from))
                .addressVector(AhStruct.read(ibv_qp_attr.ah_attr(from))).rawPathMtu(ibv_qp_attr.path_mtu(from))
                .timeout(Byte.toUnsignedInt(ibv_qp_attr.timeout(from)))
                .retryCount(Byte.toUnsignedInt(ibv_qp_attr.retry_cnt(from)))
                .rnrRetry(Byte.toUnsignedInt(ibv_qp_attr.rnr_retry(from))).rqPsn(ibv_qp_attr.rq_psn(from))
                .maxRdAtomic(Byte.toUnsignedInt(ibv_qp_attr.max_rd_atomic(from)))
                .alternatePath(AhStruct.read(ibv_qp_attr.alt_ah_attr(from)))
                .minRnrTimer(Byte.toUnsignedInt(ibv_qp_attr.min_rnr_timer(from))).sqPsn(ibv_qp_attr.sq_psn(from))
                .maxDestRdAtomic(Byte.toUnsignedInt(ibv_qp_attr.max_dest_rd_atomic(from)))
                .pathMigrationState(PathMigrationState.of(ibv_qp_attr.path_mig_state(from)))
                .destinationQpn(ibv_qp_attr.dest_qp_num(from)).sqDraining(ibv_qp_attr.sq_draining(from) != 0);
        for (QpAttribute attribute : QpAttribute.values()) {
            if ((present & attribute.bit()) == 0) {
                all.without(attribute);
            }
        }
        return all.build();
    }

    /**
     * Writes a struct.
     *
     * @param from the sizes
     * @param to a {@code struct ibv_qp_cap}
     */
    public static void write(QpCapabilities from, MemorySegment to) {
        ibv_qp_cap.max_send_wr(to, from.maxSendWr());
        ibv_qp_cap.max_recv_wr(to, from.maxRecvWr());
        ibv_qp_cap.max_send_sge(to, from.maxSendSge());
        ibv_qp_cap.max_recv_sge(to, from.maxRecvSge());
        ibv_qp_cap.max_inline_data(to, from.maxInlineData());
    }

    /**
     * {@return the sizes in a struct}
     *
     * @param from a {@code struct ibv_qp_cap}
     */
    public static QpCapabilities readCapabilities(MemorySegment from) {
        return new QpCapabilities(ibv_qp_cap.max_send_wr(from), ibv_qp_cap.max_recv_wr(from),
                ibv_qp_cap.max_send_sge(from), ibv_qp_cap.max_recv_sge(from), ibv_qp_cap.max_inline_data(from));
    }
}
