package io.jverbs.ibverbs.shared;

import io.jverbs.AhAttributes;
import io.jverbs.Gid;
import io.jverbs.ffm.ibverbs.ibv_ah_attr;
import io.jverbs.ffm.ibverbs.ibv_global_route;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Converts {@link AhAttributes} to and from {@code struct ibv_ah_attr}, and a GID to and from {@code union ibv_gid}.
 * Values must be within the ranges that {@link AhAttributes} checks, because the fields of the struct truncate them.
 */
public final class AhStruct {
    private static final int GID_BYTES = 16;

    private AhStruct() {}

    /**
     * Writes a struct.
     *
     * @param from the attributes
     * @param to a {@code struct ibv_ah_attr}
     */
    public static void write(AhAttributes from, MemorySegment to) {
        MemorySegment route = ibv_ah_attr.grh(to);
        gid(from.destination(), ibv_global_route.dgid(route));
        ibv_global_route.flow_label(route, from.flowLabel());
        ibv_global_route.sgid_index(route, (byte) from.sgidIndex());
        ibv_global_route.hop_limit(route, (byte) from.hopLimit());
        ibv_global_route.traffic_class(route, (byte) from.trafficClass());
        ibv_ah_attr.dlid(to, (short) from.dlid());
        ibv_ah_attr.sl(to, (byte) from.serviceLevel());
        ibv_ah_attr.src_path_bits(to, (byte) from.sourcePathBits());
        ibv_ah_attr.static_rate(to, (byte) from.staticRate());
        ibv_ah_attr.is_global(to, (byte) (from.global() ? 1 : 0));
        ibv_ah_attr.port_num(to, (byte) from.port());
    }

    /**
     * {@return the attributes in a struct}
     *
     * @param from a {@code struct ibv_ah_attr}
     */
    public static AhAttributes read(MemorySegment from) {
        MemorySegment route = ibv_ah_attr.grh(from);
        return AhAttributes.builder().destination(gid(ibv_global_route.dgid(route)))
                .flowLabel(ibv_global_route.flow_label(route))
                .sgidIndex(Byte.toUnsignedInt(ibv_global_route.sgid_index(route)))
                .hopLimit(Byte.toUnsignedInt(ibv_global_route.hop_limit(route)))
                .trafficClass(Byte.toUnsignedInt(ibv_global_route.traffic_class(route)))
                .dlid(Short.toUnsignedInt(ibv_ah_attr.dlid(from)))
                .serviceLevel(Byte.toUnsignedInt(ibv_ah_attr.sl(from)))
                .sourcePathBits(Byte.toUnsignedInt(ibv_ah_attr.src_path_bits(from)))
                .staticRate(Byte.toUnsignedInt(ibv_ah_attr.static_rate(from)))
                .global(ibv_ah_attr.is_global(from) != 0).port(Byte.toUnsignedInt(ibv_ah_attr.port_num(from))).build();
    }

    /**
     * Writes a GID.
     *
     * @param from the GID
     * @param to a {@code union ibv_gid}
     */
    public static void gid(Gid from, MemorySegment to) {
        MemorySegment.copy(from.toBytes(), 0, to, ValueLayout.JAVA_BYTE, 0, GID_BYTES);
    }

    /**
     * {@return the GID in a union}
     *
     * @param from a {@code union ibv_gid}
     */
    public static Gid gid(MemorySegment from) {
        return Gid.of(from.asSlice(0, GID_BYTES).toArray(ValueLayout.JAVA_BYTE));
    }
}
