package io.jverbs.samples.devinfo;

import io.jverbs.ffm.ibverbs.ibv_cq_moderation_caps;
import io.jverbs.ffm.ibverbs.ibv_device_attr_ex;
import io.jverbs.ffm.ibverbs.ibv_odp_caps;
import io.jverbs.ffm.ibverbs.ibv_packet_pacing_caps;
import io.jverbs.ffm.ibverbs.ibv_rss_caps;
import io.jverbs.ffm.ibverbs.ibv_tm_caps;
import io.jverbs.ffm.ibverbs.ibv_tso_caps;
import java.io.PrintWriter;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Prints a {@code struct ibv_device_attr_ex} like {@code ibv_devinfo -v}. The columns of these lines are irregular. */
final class ExtendedReport {
    private static final Map<Integer, String> PAGING = new TreeMap<>(
            Map.of(0, "ODP_SUPPORT", 1, "ODP_SUPPORT_IMPLICIT"));
    private static final Map<Integer, String> PAGED_OPERATIONS = new TreeMap<>(
            Map.of(0, "SUPPORT_SEND", 1, "SUPPORT_RECV", 2, "SUPPORT_WRITE", 3, "SUPPORT_READ", 4, "SUPPORT_ATOMIC", 5,
                    "SUPPORT_SRQ"));
    /** Names by queue pair type, in descending order, as {@code ibv_devinfo} prints RAW_PACKET first. */
    private static final Map<Integer, String> QP_TYPES = new TreeMap<Integer, String>(Map.of(8, "SUPPORT_RAW_PACKET", 4,
            "SUPPORT_UD")).descendingMap();
    private static final Map<Integer, String> RAW_PACKETS = new TreeMap<>(Map.of(0, "C-VLAN stripping offload", 1,
            "Scatter FCS offload", 2, "IP csum offload", 3, "Delay drop"));
    private static final Map<Integer, String> TAG_MATCHING = Map.of(0, "IBV_TM_CAP_RC");

    private final PrintWriter out;
    private final Fields fields;
    private final MemorySegment device;

    ExtendedReport(PrintWriter out, MemorySegment device) {
        this.out = out;
        this.fields = Fields.ofDevice(out);
        this.device = device;
    }

    long deviceCapFlags() {
        return ibv_device_attr_ex.device_cap_flags_ex(device);
    }

    /** Prints the lines before device_cap_flags_ex. */
    void printPagingAndClocks() {
        MemorySegment paging = ibv_device_attr_ex.odp_caps(device);
        MemorySegment transports = ibv_odp_caps.per_transport_caps(paging);
        line("\tgeneral_odp_caps:");
        CapabilityFlags.printNames(fields, PAGING, ibv_odp_caps.general_caps(paging));
        printPaging("rc", ibv_odp_caps.per_transport_caps.rc_odp_caps(transports));
        printPaging("uc", ibv_odp_caps.per_transport_caps.uc_odp_caps(transports));
        printPaging("ud", ibv_odp_caps.per_transport_caps.ud_odp_caps(transports));
        printPaging("xrc", ibv_device_attr_ex.xrc_odp_caps(device));
        long timestamps = ibv_device_attr_ex.completion_timestamp_mask(device);
        line(timestamps == 0
                ? "\tcompletion_timestamp_mask not supported"
                : "\tcompletion timestamp_mask:\t\t\t0x%016x", timestamps);
        long clock = ibv_device_attr_ex.hca_core_clock(device);
        line(clock == 0 ? "\tcore clock not supported" : "\thca_core_clock:\t\t\t%skHZ", Long.toUnsignedString(clock));
        int raw = ibv_device_attr_ex.raw_packet_caps(device);
        if (raw != 0) {
            line("\traw packet caps:");
            CapabilityFlags.printNames(fields, RAW_PACKETS, raw);
        }
    }

    private void printPaging(String transport, int operations) {
        line("\t%s_odp_caps:", transport);
        if (operations == 0) {
            fields.printFlag("NO SUPPORT");
        } else {
            CapabilityFlags.printNames(fields, PAGED_OPERATIONS, Integer.toUnsignedLong(operations));
        }
    }

    /** Prints the lines after device_cap_flags_ex. */
    void printQueues() {
        MemorySegment segmentation = ibv_device_attr_ex.tso_caps(device);
        int largest = ibv_tso_caps.max_tso(segmentation);
        line("\ttso_caps:");
        line("\t\tmax_tso:\t\t\t%d", largest);
        printQpTypes(largest, ibv_tso_caps.supported_qpts(segmentation));
        printScaling(ibv_device_attr_ex.rss_caps(device));
        fields.print("max_wq_type_rq", Integer.toUnsignedString(ibv_device_attr_ex.max_wq_type_rq(device)));
        MemorySegment pacing = ibv_device_attr_ex.packet_pacing_caps(device);
        int fastest = ibv_packet_pacing_caps.qp_rate_limit_max(pacing);
        line("\tpacket_pacing_caps:");
        line("\t\tqp_rate_limit_min:\t%skbps",
                Integer.toUnsignedString(ibv_packet_pacing_caps.qp_rate_limit_min(pacing)));
        line("\t\tqp_rate_limit_max:\t%skbps", Integer.toUnsignedString(fastest));
        printQpTypes(fastest, ibv_packet_pacing_caps.supported_qpts(pacing));
        printTagMatching(ibv_device_attr_ex.tm_caps(device));
        printModeration(ibv_device_attr_ex.cq_mod_caps(device));
        long memory = ibv_device_attr_ex.max_dm_size(device);
        if (memory != 0) {
            line("\tmaximum available device memory:\t%sBytes\n", Long.toUnsignedString(memory));
        }
    }

    private void printScaling(MemorySegment scaling) {
        int types = ibv_rss_caps.supported_qpts(scaling);
        line("\trss_caps:");
        line("\t\tmax_rwq_indirection_tables:\t\t\t%s",
                Integer.toUnsignedString(ibv_rss_caps.max_rwq_indirection_tables(scaling)));
        line("\t\tmax_rwq_indirection_table_size:\t\t\t%s",
                Integer.toUnsignedString(ibv_rss_caps.max_rwq_indirection_table_size(scaling)));
        line("\t\trx_hash_function:\t\t\t\t0x%x", ibv_rss_caps.rx_hash_function(scaling));
        line("\t\trx_hash_fields_mask:\t\t\t\t0x%X", ibv_rss_caps.rx_hash_fields_mask(scaling));
        printQpTypes(types, types);
    }

    private void printQpTypes(int offered, int types) {
        if (offered != 0) {
            line("\t\tsupported_qp:");
            CapabilityFlags.printNames(fields, QP_TYPES, Integer.toUnsignedLong(types));
        }
    }

    private void printTagMatching(MemorySegment matching) {
        int tags = ibv_tm_caps.max_num_tags(matching);
        if (tags == 0) {
            line("\ttag matching not supported");
            return;
        }
        fields.print("max_rndv_hdr_size", Integer.toUnsignedString(ibv_tm_caps.max_rndv_hdr_size(matching)));
        fields.print("max_num_tags", Integer.toUnsignedString(tags));
        fields.print("max_ops", Integer.toUnsignedString(ibv_tm_caps.max_ops(matching)));
        fields.print("max_sge", Integer.toUnsignedString(ibv_tm_caps.max_sge(matching)));
        line("\tflags:");
        CapabilityFlags.printNames(fields, TAG_MATCHING, Integer.toUnsignedLong(ibv_tm_caps.flags(matching)) & 1);
    }

    private void printModeration(MemorySegment moderation) {
        int count = Short.toUnsignedInt(ibv_cq_moderation_caps.max_cq_count(moderation));
        int period = Short.toUnsignedInt(ibv_cq_moderation_caps.max_cq_period(moderation));
        if (count != 0 && period != 0) {
            line("\n\tcq moderation caps:\n\t\tmax_cq_count:\t%d\n\t\tmax_cq_period:\t%d us\n", count, period);
        }
    }

    private void line(String format, Object... values) {
        out.print(String.format(Locale.ROOT, format, values) + "\n");
    }
}
