package io.jverbs.samples.devinfo;

import io.jverbs.DeviceAttributes;
import io.jverbs.Gid;
import io.jverbs.GidEntry;
import io.jverbs.GidType;
import io.jverbs.LinkLayer;
import io.jverbs.PortAttributes;
import io.jverbs.RdmaContext;
import io.jverbs.TransportType;
import java.io.PrintWriter;
import java.lang.foreign.Arena;
import java.util.HexFormat;
import java.util.Optional;
import java.util.StringJoiner;

/**
 * Prints a device and its ports like {@code ibv_devinfo}: with the same names, order, columns and formats of values.
 * The API does not query the board, port_cap_flags2 and the extended attributes (on-demand paging, time stamps,
 * segmentation, receive-side scaling, pacing, tag matching). {@link LibibverbsAttributes} has them for devices of
 * libibverbs.
 */
final class DeviceReport {
    /**
     * The limit of what does not exist: reliable datagrams and fast memory regions on any device, raw queue pairs in
     * the API.
     */
    private static final int NOT_SUPPORTED = 0;

    private final PrintWriter out;
    private final boolean verbose;

    DeviceReport(PrintWriter out, boolean verbose) {
        this.out = out;
        this.verbose = verbose;
    }

    void printDevice(RdmaContext context) {
        DeviceAttributes device = context.queryDevice();
        Optional<LibibverbsAttributes> more = LibibverbsAttributes.of(context);
        out.print("hca_id:\t" + context.device().name() + "\n");
        Fields fields = Fields.ofDevice(out);
        fields.printCoded("transport", Names.of(device.transportType()), device.transportType().code());
        if (!device.fwVersion().isEmpty()) {
            fields.print("fw_ver", device.fwVersion());
        }
        fields.print("node_guid", guid(device.nodeGuid()));
        fields.print("sys_image_guid", guid(device.systemImageGuid()));
        fields.print("vendor_id", "0x%04x", device.vendorId());
        fields.print("vendor_part_id", device.vendorPartId());
        fields.print("hw_ver", "0x%X", device.hwVersion());
        more.flatMap(LibibverbsAttributes::board).ifPresent(board -> fields.print("board_id", board));
        fields.print("phys_port_cnt", device.portCount());
        if (verbose) {
            printLimits(fields, device);
            printExtended(fields, device, more);
            fields.print("num_comp_vectors", device.completionVectors());
        }
    }

    private static void printLimits(Fields fields, DeviceAttributes device) {
        fields.print("max_mr_size", "0x%x", device.maxMrSize());
        fields.print("page_size_cap", "0x%x", device.pageSizeCap());
        fields.print("max_qp", device.maxQp());
        fields.print("max_qp_wr", device.maxQpWr());
        CapabilityFlags.print(fields, device.deviceCapFlags());
        fields.print("max_sge", device.maxSge());
        fields.print("max_sge_rd", device.maxSgeRd());
        fields.print("max_cq", device.maxCq());
        fields.print("max_cqe", device.maxCqe());
        fields.print("max_mr", device.maxMr());
        fields.print("max_pd", device.maxPd());
        fields.print("max_qp_rd_atom", device.maxQpRdAtom());
        fields.print("max_ee_rd_atom", NOT_SUPPORTED);
        fields.print("max_res_rd_atom", device.maxResRdAtom());
        fields.print("max_qp_init_rd_atom", device.maxQpInitRdAtom());
        fields.print("max_ee_init_rd_atom", NOT_SUPPORTED);
        fields.printCoded("atomic_cap", Names.of(device.atomicCapability()), device.atomicCapability().code());
        fields.print("max_ee", NOT_SUPPORTED);
        fields.print("max_rdd", NOT_SUPPORTED);
        fields.print("max_mw", device.maxMw());
        fields.print("max_raw_ipv6_qp", NOT_SUPPORTED);
        fields.print("max_raw_ethy_qp", NOT_SUPPORTED);
        fields.print("max_mcast_grp", device.maxMcastGroups());
        fields.print("max_mcast_qp_attach", device.maxMcastQpAttach());
        fields.print("max_total_mcast_qp_attach", device.maxTotalMcastQpAttach());
        fields.print("max_ah", device.maxAh());
        fields.print("max_fmr", NOT_SUPPORTED);
        fields.print("max_srq", device.maxSrq());
        if (device.maxSrq() != 0) {
            fields.print("max_srq_wr", device.maxSrqWr());
            fields.print("max_srq_sge", device.maxSrqSge());
        }
        fields.print("max_pkeys", device.maxPkeys());
        fields.print("local_ca_ack_delay", device.localCaAckDelay());
    }

    private void printExtended(Fields fields, DeviceAttributes device, Optional<LibibverbsAttributes> more) {
        if (more.isEmpty()) {
            CapabilityFlags.printExtended(fields, device.deviceCapFlags());
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            ExtendedReport extended = new ExtendedReport(out, more.get().device(arena));
            extended.printPagingAndClocks();
            CapabilityFlags.printExtended(fields, extended.deviceCapFlags());
            extended.printQueues();
        }
    }

    void printPort(RdmaContext context, int number) {
        PortAttributes port = context.queryPort(number);
        out.print("\t\tport:\t" + number + "\n");
        Fields fields = Fields.ofPort(out);
        fields.printCoded("state", Names.of(port.state()), port.state().code());
        fields.printCoded("max_mtu", Names.of(port.maxMtu()), port.maxMtu().code());
        fields.printCoded("active_mtu", Names.of(port.activeMtu()), port.activeMtu().code());
        fields.print("sm_lid", port.smLid());
        fields.print("port_lid", port.lid());
        fields.print("port_lmc", "0x%02x", port.lmc());
        fields.print("link_layer", Names.of(port.linkLayer()));
        if (verbose) {
            printDetails(fields, port, LibibverbsAttributes.of(context).map(more -> more.portCapFlags2(number)));
            if (context.queryDevice().transportType() == TransportType.IB) {
                fields.printCoded("phys_state", Names.physicalState(port.physState()), port.physState());
            }
            context.queryGidTable().stream().filter(entry -> entry.port() == number)
                    .forEach(entry -> fields.print(String.format("GID[%3d]", entry.index()), gid(entry, port)));
        }
        out.print("\n");
    }

    private static void printDetails(Fields fields, PortAttributes port, Optional<Integer> portCapFlags2) {
        fields.print("max_msg_sz", "0x%x", port.maxMessageSize());
        fields.print("port_cap_flags", "0x%08x", port.portCapFlags());
        portCapFlags2.ifPresent(flags -> fields.print("port_cap_flags2", "0x%04x", flags));
        fields.printCoded("max_vl_num", Names.virtualLanes(port.maxVlNum()), port.maxVlNum());
        fields.print("bad_pkey_cntr", "0x%x", port.badPkeyCounter());
        fields.print("qkey_viol_cntr", "0x%x", port.qkeyViolationCounter());
        fields.print("sm_sl", port.smSl());
        fields.print("pkey_tbl_len", port.pkeyTableLength());
        fields.print("gid_tbl_len", port.gidTableLength());
        fields.print("subnet_timeout", port.subnetTimeout());
        fields.print("init_type_reply", port.initTypeReply());
        fields.printCoded("active_width", Names.width(port.activeWidth()) + "X", port.activeWidth());
        fields.printCoded("active_speed", Names.speed(port.activeSpeed()), port.activeSpeed());
    }

    /** {@return a GUID as four groups of four digits} */
    static String guid(long guid) {
        return groups(HexFormat.of().toHexDigits(guid));
    }

    /** {@return a GID as {@code ibv_devinfo} prints it: as an IP address for RoCEv2, otherwise as eight groups} */
    private static String gid(GidEntry entry, PortAttributes port) {
        Gid gid = entry.gid();
        String text = entry.type() == GidType.ROCE_V2
                ? gid.toString()
                : groups(HexFormat.of().formatHex(gid.toBytes()));
        return port.linkLayer() == LinkLayer.ETHERNET ? text + ", " + Names.of(entry.type()) : text;
    }

    private static String groups(String digits) {
        StringJoiner groups = new StringJoiner(":");
        for (int i = 0; i < digits.length(); i += 4) {
            groups.add(digits.substring(i, i + 4));
        }
        return groups.toString();
    }
}
