package io.jverbs.samples.devinfo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.DeviceAttributes;
import io.jverbs.PortAttributes;
import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.samples.Run;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Names, order and columns are those of {@code ibv_devinfo}, and values are those of the API. */
class DevinfoTest {
    private static final List<String> DEVICE = List.of("transport", "fw_ver", "node_guid", "sys_image_guid",
            "vendor_id", "vendor_part_id", "hw_ver", "phys_port_cnt");
    private static final List<String> LIMITS = List.of("max_mr_size", "page_size_cap", "max_qp", "max_qp_wr",
            "device_cap_flags", "max_sge", "max_sge_rd", "max_cq", "max_cqe", "max_mr", "max_pd", "max_qp_rd_atom",
            "max_ee_rd_atom", "max_res_rd_atom", "max_qp_init_rd_atom", "max_ee_init_rd_atom", "atomic_cap", "max_ee",
            "max_rdd", "max_mw", "max_raw_ipv6_qp", "max_raw_ethy_qp", "max_mcast_grp", "max_mcast_qp_attach",
            "max_total_mcast_qp_attach", "max_ah", "max_fmr", "max_srq", "max_srq_wr", "max_srq_sge", "max_pkeys",
            "local_ca_ack_delay", "device_cap_flags_ex", "num_comp_vectors");
    private static final List<String> PORT = List.of("state", "max_mtu", "active_mtu", "sm_lid", "port_lid",
            "port_lmc", "link_layer");
    private static final List<String> PORT_DETAILS = List.of("max_msg_sz", "port_cap_flags", "max_vl_num",
            "bad_pkey_cntr", "qkey_viol_cntr", "sm_sl", "pkey_tbl_len", "gid_tbl_len", "subnet_timeout",
            "init_type_reply", "active_width", "active_speed", "phys_state", "GID[  0]", "GID[  1]");

    private static Run devinfo(String... options) {
        return Run.of(Stream.concat(Stream.of("devinfo", "-d", "soft:soft0"), Stream.of(options))
                .toArray(String[]::new));
    }

    /** {@return the values of the lines with a number of leading tabs, by name} */
    private static Map<String, String> fields(Run run, int tabs) {
        Map<String, String> fields = new LinkedHashMap<>();
        run.lines().stream().filter(line -> line.matches("\t{" + tabs + "}[^\t].*:\t.*")).forEach(line -> {
            String[] parts = line.strip().split(":\t+", 2);
            fields.put(parts[0], parts[1]);
        });
        return fields;
    }

    @Test
    void theShortFormHasTheFieldsOfTheOriginalInItsOrder() {
        Run run = devinfo();

        assertEquals(0, run.status());
        assertEquals("hca_id:\tsoft0", run.lines().getFirst());
        assertEquals(DEVICE, List.copyOf(fields(run, 1).keySet()));
        assertEquals(PORT, List.copyOf(fields(run, 3).keySet()));
        assertTrue(run.lines().contains("\t\tport:\t1"));
    }

    @Test
    void theVerboseFormHasTheFieldsOfTheOriginalInItsOrder() {
        Run run = devinfo("-v");

        assertEquals(Stream.concat(DEVICE.stream(), LIMITS.stream()).toList(), List.copyOf(fields(run, 1).keySet()));
        assertEquals(Stream.concat(PORT.stream(), PORT_DETAILS.stream()).toList(),
                List.copyOf(fields(run, 3).keySet()));
    }

    @Test
    void valuesAreInTheColumnsOfTheOriginal() {
        for (String line : devinfo("-v").lines()) {
            if (line.matches("\t[^\t].*:\t.*")) {
                assertEquals(40, columnOfValue(line), line);
            } else if (line.matches("\t\t\t[^\t].*:\t.*")) {
                assertEquals(48, columnOfValue(line), line);
            }
        }
    }

    private static int columnOfValue(String line) {
        int column = 0;
        int value = line.lastIndexOf('\t') + 1;
        for (int i = 0; i < value; i++) {
            column = line.charAt(i) == '\t' ? (column / 8 + 1) * 8 : column + 1;
        }
        return column;
    }

    @Test
    void deviceValuesAreThoseOfTheApi() {
        try (RdmaContext context = Verbs.open("soft:soft0")) {
            DeviceAttributes device = context.queryDevice();
            Map<String, String> fields = fields(devinfo("-v"), 1);

            assertEquals("InfiniBand (0)", fields.get("transport"));
            assertEquals(device.nodeGuid(), Long.parseUnsignedLong(fields.get("node_guid").replace(":", ""), 16));
            assertEquals("0x" + Long.toHexString(device.maxMrSize()), fields.get("max_mr_size"));
            assertEquals("0x" + Long.toHexString(device.pageSizeCap()), fields.get("page_size_cap"));
            assertEquals(Integer.toString(device.maxQp()), fields.get("max_qp"));
            assertEquals(Integer.toString(device.maxQpWr()), fields.get("max_qp_wr"));
            assertEquals(String.format("0x%08x", device.deviceCapFlags()), fields.get("device_cap_flags"));
            assertEquals(Integer.toString(device.maxCqe()), fields.get("max_cqe"));
            assertEquals(Integer.toString(device.maxQpRdAtom()), fields.get("max_qp_rd_atom"));
            assertEquals("ATOMIC_GLOB (2)", fields.get("atomic_cap"));
            assertEquals(Integer.toString(device.maxMcastGroups()), fields.get("max_mcast_grp"));
            assertEquals(Integer.toString(device.maxSrqWr()), fields.get("max_srq_wr"));
            assertEquals(Integer.toString(device.localCaAckDelay()), fields.get("local_ca_ack_delay"));
            assertEquals(Integer.toString(device.completionVectors()), fields.get("num_comp_vectors"));
        }
    }

    @Test
    void portValuesAreThoseOfTheApi() {
        try (RdmaContext context = Verbs.open("soft:soft0")) {
            PortAttributes port = context.queryPort(1);
            Map<String, String> fields = fields(devinfo("-v"), 3);

            assertEquals("PORT_ACTIVE (4)", fields.get("state"));
            assertEquals(port.activeMtu().bytes() + " (" + port.activeMtu().code() + ")", fields.get("active_mtu"));
            assertEquals("0x00", fields.get("port_lmc"));
            assertEquals("Ethernet", fields.get("link_layer"));
            assertEquals("0x" + Long.toHexString(port.maxMessageSize()), fields.get("max_msg_sz"));
            assertEquals("0x00000000", fields.get("port_cap_flags"));
            assertEquals("1 (1)", fields.get("max_vl_num"));
            assertEquals(Integer.toString(port.pkeyTableLength()), fields.get("pkey_tbl_len"));
            assertEquals(Integer.toString(port.gidTableLength()), fields.get("gid_tbl_len"));
            assertEquals("1X (1)", fields.get("active_width"));
            assertEquals("2.5 Gbps (1)", fields.get("active_speed"));
            assertEquals("LINK_UP (5)", fields.get("phys_state"));
            assertEquals(context.queryGid(1, 0) + ", RoCE v2", fields.get("GID[  0]"));
            assertEquals(context.queryGid(1, 1) + ", RoCE v2", fields.get("GID[  1]"));
        }
    }

    @Test
    void theLastLineNamesTheDeviceThatAutoSelects() {
        assertEquals("auto takes " + Verbs.select("auto").selector(), Run.of("devinfo").lines().getLast());
        assertEquals("auto takes " + Verbs.select("auto").selector()
                + "; -Djverbs.device=soft:soft4 takes soft:soft4", Run.on("soft:soft4", "devinfo").lines().getLast());
    }

    @Test
    void everyDeviceOfEveryProviderIsPrinted() {
        Run run = Run.on("soft:soft5", "devinfo");

        List<String> names = run.lines().stream().filter(line -> line.startsWith("hca_id:\t"))
                .map(line -> line.substring("hca_id:\t".length())).toList();
        assertEquals(Verbs.devices().stream().map(device -> device.name()).toList(), names);
        assertTrue(names.contains("soft5"), names.toString());
    }

    @Test
    void theListHasOnlyNames() {
        Run run = Run.of("devinfo", "-l");

        int count = Verbs.devices().size();
        assertEquals(count + (count == 1 ? " HCA found:" : " HCAs found:"), run.lines().getFirst());
        assertEquals("\tsoft0", run.lines().get(1));
        assertTrue(run.lines().stream().noneMatch(line -> line.startsWith("hca_id")));
    }

    @Test
    void anUnknownDeviceIsRefusedWithTheExistingOnes() {
        Run run = Run.of("devinfo", "-d", "mlx5_9");

        assertEquals(2, run.status());
        assertTrue(run.err().startsWith(
                "samples/run devinfo: --ib-dev mlx5_9: there is no such device; the devices are soft0"), run.err());
        assertEquals(1, run.errors().size());
    }

    @Test
    void anUnknownPortIsRefusedWithTheRange() {
        Run run = devinfo("-i", "2");

        assertEquals(2, run.status());
        assertEquals("samples/run devinfo: --ib-port 2 is outside 1..1, the ports of soft:soft0; samples/run devinfo"
                + " --help describes the options.", run.err().strip());
    }

    /** The value and the names are those that {@code ibv_devinfo -v} prints for the rxe driver of Linux. */
    @Test
    void capabilityFlagsArePrintedByName() {
        StringWriter text = new StringWriter();
        Fields fields = Fields.ofDevice(new PrintWriter(text));
        CapabilityFlags.print(fields, 0x1C0_0122_3C76L);
        CapabilityFlags.printExtended(fields, 0x1C0_0122_3C76L);

        String flag = "\n\t\t\t\t\t";
        assertEquals("\tdevice_cap_flags:\t\t0x01223c76" + flag + String.join(flag, "BAD_PKEY_CNTR", "BAD_QKEY_CNTR",
                "AUTO_PATH_MIG", "CHANGE_PHY_PORT", "UD_AV_PORT_ENFORCE", "PORT_ACTIVE_EVENT", "SYS_IMAGE_GUID",
                "RC_RNR_NAK_GEN", "SRQ_RESIZE", "MEM_WINDOW", "MEM_MGT_EXTENSIONS", "MEM_WINDOW_TYPE_2B")
                + "\n\tdevice_cap_flags_ex:\t\t0x1C001223C76" + flag + "Unknown flags: 0x1C000000000\n",
                text.toString());
    }

    @Test
    void guidsArePrintedInFourGroups() {
        assertEquals("88d2:b2ff:fec9:ea5a", DeviceReport.guid(0x88D2_B2FF_FEC9_EA5AL));
        assertEquals("0000:0000:0000:0001", DeviceReport.guid(1));
    }
}
