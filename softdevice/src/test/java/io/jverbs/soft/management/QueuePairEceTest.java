package io.jverbs.soft.management;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.jverbs.Ece;
import io.jverbs.Errno;
import io.jverbs.QpAttributes;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.VerbsException;
import io.jverbs.cm.CmEvent;
import io.jverbs.cm.CmEventChannel;
import io.jverbs.cm.CmEventType;
import io.jverbs.cm.CmId;
import io.jverbs.cm.ConnectionParameters;
import io.jverbs.cm.PortSpace;
import io.jverbs.spi.ContextOps;
import io.jverbs.spi.DeviceLayer;
import io.jverbs.spi.ForwardingContext;
import io.jverbs.spi.Handle;
import io.jverbs.spi.ProviderDevice;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * K146: the options of ECE of the queue pairs of two IDs, and what both sides agree on. The software device has none,
 * so a layer acts as a device of a vendor whose options are bits.
 */
@Timeout(60)
final class QueuePairEceTest {
    private static final Duration STEP = Duration.ofSeconds(10);
    private static final int VENDOR = 0x15B3;
    private static final int OTHER_VENDOR = 0xABCDEF;

    /**
     * Has options of a vendor: those that are set, as far as the device knows them. As devices do, it states them only
     * after the next transition.
     */
    private record VendorLayer(int vendor, int known) implements DeviceLayer {
        @Override
        public int position() {
            return DEVICE;
        }

        @Override
        public ContextOps wrap(ProviderDevice device, ContextOps inner) {
            Map<Handle.Qp, Integer> set = new ConcurrentHashMap<>();
            Map<Handle.Qp, Integer> used = new ConcurrentHashMap<>();
            return new ForwardingContext(inner) {
                @Override
                public Ece queryEce(Handle.Qp qp) {
                    return new Ece(vendor, used.getOrDefault(qp, known));
                }

                @Override
                public void modifyQp(Handle.Qp qp, QpAttributes attributes) {
                    super.modifyQp(qp, attributes);
                    if (set.containsKey(qp)) {
                        used.put(qp, set.get(qp));
                    }
                }

                @Override
                public void setEce(Handle.Qp qp, Ece ece) {
                    if (ece.vendorId() != vendor) {
                        throw new VerbsException("set_ece", Errno.EINVAL, "vendor " + ece.vendorId());
                    }
                    set.put(qp, ece.options() & known);
                    used.put(qp, 0);
                }
            };
        }
    }

    /** Opens a device with options of a vendor, or the software device as it is if the vendor is 0. */
    private static RdmaContext open(String selector, int vendor, int known) {
        return vendor == 0
                ? Verbs.open(selector)
                : Verbs.select(selector).open(new VendorLayer(vendor, known));
    }

    private static CmId next(CmEventChannel channel, CmEventType type) throws InterruptedException {
        try (CmEvent event = channel.awaitEvent(STEP)) {
            assertNotNull(event, "no event");
            assertEquals(type, event.type(), event::toString);
            return event.id();
        }
    }

    private static QueuePair createQueuePair(CmId id) {
        return id.createQueuePair(id.context().allocatePd(), QpInitAttributes.builder(QpType.RC)
                .cq(id.context().createCompletionQueue(2)).build());
    }

    private static CmId listen(CmEventChannel channel) {
        CmId listener = channel.createId(PortSpace.TCP);
        listener.bind(new InetSocketAddress(channel.context().preferredGid(1).gid().toInetAddress(), 0));
        listener.listen(1);
        return listener;
    }

    private static CmId resolve(CmEventChannel channel, CmId listener) throws InterruptedException {
        CmId id = channel.createId(PortSpace.TCP);
        id.resolveAddress(listener.localAddress(), STEP);
        next(channel, CmEventType.ADDR_RESOLVED);
        id.resolveRoute(STEP);
        return next(channel, CmEventType.ROUTE_RESOLVED);
    }

    /** The columns are the vendor and the options of both devices, and the options that both sides use. */
    @ParameterizedTest
    @CsvSource({"0x15B3, 7, 0x15B3, 14, 6, 6", "0x15B3, 7, 0xABCDEF, 14, 0, 0", "0x15B3, 7, 0, 0, 0, 0",
        "0, 0, 0x15B3, 7, 0, 7"})
    void bothSidesUseTheOptionsThatBothDevicesOfOneVendorHave(int activeVendor, int activeKnown, int passiveVendor,
            int passiveKnown, int activeUsed, int passiveUsed) throws InterruptedException {
        try (RdmaContext client = open("soft:soft76", activeVendor, activeKnown);
                RdmaContext server = open("soft:soft77", passiveVendor, passiveKnown)) {
            CmEventChannel clientEvents = CmEventChannel.create(client);
            CmEventChannel serverEvents = CmEventChannel.create(server);
            CmId active = resolve(clientEvents, listen(serverEvents));
            QueuePair activeQp = createQueuePair(active);
            active.connect(ConnectionParameters.DEFAULT);
            CmId passive = next(serverEvents, CmEventType.CONNECT_REQUEST);
            QueuePair passiveQp = createQueuePair(passive);
            passive.accept(ConnectionParameters.DEFAULT);
            next(clientEvents, CmEventType.ESTABLISHED);
            next(serverEvents, CmEventType.ESTABLISHED);
            assertEce(activeVendor, activeUsed, activeQp);
            assertEce(passiveVendor, passiveUsed, passiveQp);
        }
    }

    private static void assertEce(int vendor, int options, QueuePair qp) {
        if (vendor == 0) {
            assertEquals(Errno.EOPNOTSUPP, assertThrows(VerbsException.class, qp::queryEce).error());
            VerbsException refused = assertThrows(VerbsException.class, () -> qp.setEce(new Ece(VENDOR, 1)));
            assertEquals(Errno.EOPNOTSUPP, refused.error());
        } else {
            assertEquals(new Ece(vendor, options), qp.queryEce());
        }
    }

    @Test
    void aResponseOfAnotherVendorIsAConnectError() throws InterruptedException {
        try (RdmaContext client = open("soft:soft76", VENDOR, 7); RdmaContext server = open("soft:soft77", 0, 0)) {
            CmEventChannel clientEvents = CmEventChannel.create(client);
            CmEventChannel serverEvents = CmEventChannel.create(server);
            CmId active = resolve(clientEvents, listen(serverEvents));
            createQueuePair(active);
            active.connect(ConnectionParameters.DEFAULT);
            CmId passive = next(serverEvents, CmEventType.CONNECT_REQUEST);
            assertEquals(new Ece(VENDOR, 7), passive.options().remoteEce());
            passive.options().localEce(new Ece(OTHER_VENDOR, 7));
            passive.accept(ConnectionParameters.builder().queuePair(100, false).build());
            next(clientEvents, CmEventType.CONNECT_ERROR);
        }
    }
}
