package io.jverbs.soft.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.WrOpcode;
import io.jverbs.control.Devices;
import io.jverbs.control.DevicesMXBean;
import io.jverbs.control.QueuePairCounters;
import io.jverbs.soft.PairOfQueuePairs;
import io.jverbs.soft.program.ChildJvm;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks the JMX bean of the devices, with a client that has the classes of jverbs and with one that does not. */
final class DevicesMXBeanTest {
    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();

    @TempDir
    private Path folder;

    private static ObjectName name() throws Exception {
        return new ObjectName(DevicesMXBean.NAME);
    }

    @AfterEach
    void unregister() {
        Devices.unregister();
    }

    @Test
    void theBeanShowsOpenDevicesWithTheirQueuePairs() throws Exception {
        Devices.register();
        Devices.register();
        DevicesMXBean bean = JMX.newMXBeanProxy(server, name(), DevicesMXBean.class);
        try (PairOfQueuePairs pair = new PairOfQueuePairs("soft:soft7", "soft:soft8", QpType.RC)) {
            pair.left.run(pair.request(1000).opcode(WrOpcode.RDMA_WRITE));

            List<DevicesMXBean.Device> devices = bean.getDevices();
            assertEquals(List.of("soft7", "soft8"), devices.stream().map(DevicesMXBean.Device::name)
                    .filter(each -> each.equals("soft7") || each.equals("soft8")).toList());
            DevicesMXBean.Device device = devices.stream().filter(each -> each.name().equals("soft7")).findFirst()
                    .orElseThrow();
            assertEquals("soft", device.provider());
            assertEquals(1L, device.resources().get("qp"));
            assertEquals("ACTIVE", device.ports().getFirst().state());
            QueuePairCounters qp = device.queuePairs().getFirst();
            assertEquals(List.of(pair.left.qp.number(), QpType.RC, QpState.RTS, pair.right.qp.number(), 1000L),
                    List.of(qp.number(), qp.type(), qp.state(), qp.peer(), qp.counters().get("sent_bytes")));
        }
        assertTrue(bean.getDevices().stream().noneMatch(each -> each.name().equals("soft7")),
                "soft7 is listed after its context was closed");
    }

    @Test
    void aClientWithoutJverbsClassesReadsOpenTypes() throws Exception {
        // the way in which an external client registers the bean
        server.createMBean("io.jverbs.control.Devices", name());
        try (PairOfQueuePairs pair = new PairOfQueuePairs("soft:soft7", "soft:soft7", QpType.RC)) {
            pair.left.run(pair.request(8).opcode(WrOpcode.RDMA_WRITE));
            CompositeData[] devices = (CompositeData[]) server.getAttribute(name(), "Devices");
            CompositeData device = List.of(devices).stream().filter(each -> each.get("name").equals("soft7"))
                    .findFirst()
                    .orElseThrow();

            CompositeData[] queuePairs = (CompositeData[]) device.get("queuePairs");
            assertEquals(2, queuePairs.length);
            assertEquals("RTS", queuePairs[0].get("state"));
        }
    }

    /** A program that uses neither JMX nor Flight Recorder nor capture. */
    public static final class Program {
        private Program() {}

        public static void main(String[] args) {
            try (PairOfQueuePairs pair = PairOfQueuePairs.within(QpType.RC)) {
                pair.left.run(pair.request(8).opcode(WrOpcode.RDMA_WRITE));
            }
        }
    }

    @Test
    void optionalClassesAreNotLoadedUnlessUsed() throws Exception {
        ChildJvm.Result result = ChildJvm.run(folder, List.of("-Xlog:class+load", "-XX:TieredStopAtLevel=1", "-cp",
                System.getProperty("java.class.path"), Program.class.getName()));

        assertEquals(0, result.exit());
        for (String name : List.of("io.jverbs.control.Devices", "javax.management.MBeanServer", "jdk.jfr.Event",
                "io.jverbs.soft.journal.Recorder", "io.jverbs.spi.journal.CmIdEvent",
                "io.jverbs.soft.capture.CaptureFile")) {
            assertFalse(result.out().contains(" " + name + " "), name);
        }
        assertEquals(Map.of(), result.out().contains(" io.jverbs.Verbs ") ? Map.of() : Map.of("nothing", "logged"));
    }
}
