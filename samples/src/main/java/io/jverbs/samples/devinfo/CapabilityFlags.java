package io.jverbs.samples.devinfo;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Prints device capability flags by name: {@code enum ibv_device_cap_flags}, and the extended flags above bit 31. */
final class CapabilityFlags {
    private static final Map<Integer, String> BASIC = new TreeMap<>(Map.ofEntries(
            Map.entry(0, "RESIZE_MAX_WR"), Map.entry(1, "BAD_PKEY_CNTR"), Map.entry(2, "BAD_QKEY_CNTR"),
            Map.entry(3, "RAW_MULTI"), Map.entry(4, "AUTO_PATH_MIG"), Map.entry(5, "CHANGE_PHY_PORT"),
            Map.entry(6, "UD_AV_PORT_ENFORCE"), Map.entry(7, "CURR_QP_STATE_MOD"), Map.entry(8, "SHUTDOWN_PORT"),
            Map.entry(9, "INIT_TYPE"), Map.entry(10, "PORT_ACTIVE_EVENT"), Map.entry(11, "SYS_IMAGE_GUID"),
            Map.entry(12, "RC_RNR_NAK_GEN"), Map.entry(13, "SRQ_RESIZE"), Map.entry(14, "N_NOTIFY_CQ"),
            Map.entry(17, "MEM_WINDOW"), Map.entry(18, "UD_IP_CSUM"), Map.entry(20, "XRC"),
            Map.entry(21, "MEM_MGT_EXTENSIONS"), Map.entry(23, "MEM_WINDOW_TYPE_2A"),
            Map.entry(24, "MEM_WINDOW_TYPE_2B"), Map.entry(25, "RC_IP_CSUM"), Map.entry(26, "RAW_IP_CSUM"),
            Map.entry(29, "MANAGED_FLOW_STEERING")));
    private static final Map<Integer, String> EXTENDED = new TreeMap<>(Map.of(
            34, "RAW_SCATTER_FCS", 36, "PCI_WRITE_END_PADDING"));
    private static final long BASIC_BITS = 0xFFFF_FFFFL;

    private CapabilityFlags() {}

    static void print(Fields fields, long flags) {
        fields.print("device_cap_flags", "0x%08x", flags & BASIC_BITS);
        printNames(fields, BASIC, flags & BASIC_BITS);
    }

    static void printExtended(Fields fields, long flags) {
        fields.print("device_cap_flags_ex", "0x%X", flags);
        printNames(fields, EXTENDED, flags & ~BASIC_BITS);
    }

    /** Prints the name of each flag that is set, and all unnamed flags together in one line. */
    static void printNames(Fields fields, Map<Integer, String> names, long flags) {
        long unknown = flags;
        for (Map.Entry<Integer, String> name : names.entrySet()) {
            long bit = 1L << name.getKey();
            if ((flags & bit) != 0) {
                fields.printFlag(name.getValue());
                unknown &= ~bit;
            }
        }
        if (unknown != 0) {
            fields.printFlag(String.format(Locale.ROOT, "Unknown flags: 0x%X", unknown));
        }
    }
}
