package io.jverbs.ibverbs;

import io.jverbs.AtomicCapability;
import io.jverbs.DeviceAttributes;
import io.jverbs.Errno;
import io.jverbs.Gid;
import io.jverbs.GidEntry;
import io.jverbs.GidType;
import io.jverbs.LinkLayer;
import io.jverbs.Mtu;
import io.jverbs.NodeType;
import io.jverbs.PortAttributes;
import io.jverbs.PortState;
import io.jverbs.TransportType;
import io.jverbs.VerbsException;
import io.jverbs.ffm.DeviceCalls;
import io.jverbs.ffm.Fields;
import io.jverbs.ffm.ibverbs.ibv_device_attr;
import io.jverbs.ffm.ibverbs.ibv_gid_entry;
import io.jverbs.ffm.ibverbs.ibv_port_attr;
import io.jverbs.ibverbs.shared.AhStruct;
import io.jverbs.ibverbs.shared.Failure;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * The queries of a device, its ports, and their GID and P_Key tables; see ibv_query_device(3), ibv_query_port(3),
 * ibv_query_gid(3), ibv_query_gid_ex(3), ibv_query_gid_table(3) and ibv_query_pkey(3). It has no mutable state; any
 * thread may call any method.
 */
final class Queries {
    private static final int GID_BYTES = 16;

    private final long context;

    Queries(long context) {
        this.context = context;
    }

    DeviceAttributes device() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment from = ibv_device_attr.allocate(arena);
            Failure.check("query_device", DeviceCalls.queryDevice(context, from));
            long device = Fields.device(context);
            return DeviceAttributes.builder().fwVersion(ibv_device_attr.fw_ver(from).getString(0))
                    .nodeGuid(guid(ibv_device_attr.node_guid(from)))
                    .systemImageGuid(guid(ibv_device_attr.sys_image_guid(from)))
                    .maxMrSize(ibv_device_attr.max_mr_size(from)).pageSizeCap(ibv_device_attr.page_size_cap(from))
                    .vendorId(ibv_device_attr.vendor_id(from)).vendorPartId(ibv_device_attr.vendor_part_id(from))
                    .hwVersion(ibv_device_attr.hw_ver(from)).maxQp(ibv_device_attr.max_qp(from))
                    .maxQpWr(ibv_device_attr.max_qp_wr(from))
                    .deviceCapFlags(Integer.toUnsignedLong(ibv_device_attr.device_cap_flags(from)))
                    .maxSge(ibv_device_attr.max_sge(from)).maxSgeRd(ibv_device_attr.max_sge_rd(from))
                    .maxCq(ibv_device_attr.max_cq(from)).maxCqe(ibv_device_attr.max_cqe(from))
                    .maxMr(ibv_device_attr.max_mr(from)).maxPd(ibv_device_attr.max_pd(from))
                    .maxQpRdAtom(ibv_device_attr.max_qp_rd_atom(from))
                    .maxResRdAtom(ibv_device_attr.max_res_rd_atom(from))
                    .maxQpInitRdAtom(ibv_device_attr.max_qp_init_rd_atom(from))
                    .atomicCapability(AtomicCapability.of(ibv_device_attr.atomic_cap(from)))
                    .maxMw(ibv_device_attr.max_mw(from)).maxMcastGroups(ibv_device_attr.max_mcast_grp(from))
                    .maxMcastQpAttach(ibv_device_attr.max_mcast_qp_attach(from))
                    .maxTotalMcastQpAttach(ibv_device_attr.max_total_mcast_qp_attach(from))
                    .maxAh(ibv_device_attr.max_ah(from)).maxSrq(ibv_device_attr.max_srq(from))
                    .maxSrqWr(ibv_device_attr.max_srq_wr(from)).maxSrqSge(ibv_device_attr.max_srq_sge(from))
                    .maxPkeys(Short.toUnsignedInt(ibv_device_attr.max_pkeys(from)))
                    .localCaAckDelay(Byte.toUnsignedInt(ibv_device_attr.local_ca_ack_delay(from)))
                    .portCount(Byte.toUnsignedInt(ibv_device_attr.phys_port_cnt(from)))
                    .completionVectors(Fields.numCompVectors(context)).nodeType(NodeType.of(Fields.nodeType(device)))
                    .transportType(TransportType.of(Fields.transportType(device))).build();
        }
    }

    /** Converts a GUID from network byte order, which the structs of the library use. */
    private static long guid(long bigEndian) {
        return Long.reverseBytes(bigEndian);
    }

    PortAttributes port(int port) {
        if (port < 1 || port > 255) {
            throw VerbsException.outOfRange("query_port", "port", port, 1, device().portCount());
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment from = ibv_port_attr.allocate(arena);
            int errno = DeviceCalls.queryPort(context, port, from);
            if (errno != 0) {
                int ports = device().portCount();
                throw port > ports
                        ? VerbsException.outOfRange("query_port", "port", port, 1, ports)
                        : Failure.of("query_port", errno, "the device refused port " + port);
            }
            return PortAttributes.builder().state(PortState.of(ibv_port_attr.state(from)))
                    .maxMtu(Mtu.of(ibv_port_attr.max_mtu(from))).activeMtu(Mtu.of(ibv_port_attr.active_mtu(from)))
                    .gidTableLength(ibv_port_attr.gid_tbl_len(from)).portCapFlags(ibv_port_attr.port_cap_flags(from))
                    .maxMessageSize(Integer.toUnsignedLong(ibv_port_attr.max_msg_sz(from)))
                    .badPkeyCounter(ibv_port_attr.bad_pkey_cntr(from))
                    .qkeyViolationCounter(ibv_port_attr.qkey_viol_cntr(from))
                    .pkeyTableLength(Short.toUnsignedInt(ibv_port_attr.pkey_tbl_len(from)))
                    .lid(Short.toUnsignedInt(ibv_port_attr.lid(from)))
                    .smLid(Short.toUnsignedInt(ibv_port_attr.sm_lid(from)))
                    .lmc(Byte.toUnsignedInt(ibv_port_attr.lmc(from)))
                    .maxVlNum(Byte.toUnsignedInt(ibv_port_attr.max_vl_num(from)))
                    .smSl(Byte.toUnsignedInt(ibv_port_attr.sm_sl(from)))
                    .subnetTimeout(Byte.toUnsignedInt(ibv_port_attr.subnet_timeout(from)))
                    .initTypeReply(Byte.toUnsignedInt(ibv_port_attr.init_type_reply(from)))
                    .activeWidth(Byte.toUnsignedInt(ibv_port_attr.active_width(from)))
                    .activeSpeed(Byte.toUnsignedInt(ibv_port_attr.active_speed(from)))
                    .physState(Byte.toUnsignedInt(ibv_port_attr.phys_state(from)))
                    .linkLayer(LinkLayer.of(Byte.toUnsignedInt(ibv_port_attr.link_layer(from)))).build();
        }
    }

    /** Returns zero for an empty entry, also with kernels that report ENODATA for it. */
    Gid gid(int port, int index) {
        checkIndex("query_gid", "GID index", index, port(port).gidTableLength());
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment gid = arena.allocate(GID_BYTES, Long.BYTES);
            int errno = DeviceCalls.queryGid(context, port, index, gid);
            if (errno == Errno.ENODATA.code()) {
                return Gid.ZERO;
            }
            Failure.check("query_gid", errno);
            return AhStruct.gid(gid);
        }
    }

    GidEntry gidEntry(int port, int index) {
        checkIndex("query_gid_ex", "GID index", index, port(port).gidTableLength());
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment entry = ibv_gid_entry.allocate(arena);
            int errno = DeviceCalls.queryGidEx(context, port, index, entry, 0);
            Failure.check("query_gid_ex", errno,
                    errno == Errno.ENODATA.code()
                            ? "GID index " + index + " of port " + port + " is empty"
                            : "the device refused GID index " + index + " of port " + port);
            return entry(entry);
        }
    }

    List<GidEntry> gidTable() {
        int ports = device().portCount();
        long capacity = 0;
        for (int port = 1; port <= ports; port++) {
            capacity += port(port).gidTableLength();
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment entries = ibv_gid_entry.allocateArray(Math.max(capacity, 1), arena);
            long count = Failure.pointer("query_gid_table", DeviceCalls.queryGidTable(context, entries, capacity, 0),
                    "the device refused the operation");
            List<GidEntry> table = new ArrayList<>();
            for (long i = 0; i < count; i++) {
                table.add(entry(entries.asSlice(i * ibv_gid_entry.sizeof(), ibv_gid_entry.sizeof())));
            }
            return List.copyOf(table);
        }
    }

    private static GidEntry entry(MemorySegment from) {
        return new GidEntry(AhStruct.gid(ibv_gid_entry.gid(from)), ibv_gid_entry.gid_index(from),
                ibv_gid_entry.port_num(from), GidType.of(ibv_gid_entry.gid_type(from)),
                ibv_gid_entry.ndev_ifindex(from));
    }

    int pkey(int port, int index) {
        checkIndex("query_pkey", "P_Key index", index, port(port).pkeyTableLength());
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment pkey = arena.allocate(ValueLayout.JAVA_SHORT);
            Failure.check("query_pkey", DeviceCalls.queryPkey(context, port, index, pkey));
            return Short.toUnsignedInt(Short.reverseBytes(pkey.get(ValueLayout.JAVA_SHORT, 0)));
        }
    }

    private static void checkIndex(String operation, String name, int index, int length) {
        if (index < 0 || index >= length) {
            throw VerbsException.outOfRange(operation, name, index, 0, length - 1L);
        }
    }
}
