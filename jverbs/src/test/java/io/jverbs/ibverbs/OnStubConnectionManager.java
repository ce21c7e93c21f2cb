package io.jverbs.ibverbs;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Errno;
import io.jverbs.Gid;
import io.jverbs.QpType;
import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.VerbsException;
import io.jverbs.cm.CmEventType;
import io.jverbs.cm.CmException;
import io.jverbs.cm.PortSpace;
import io.jverbs.cm.SynchronousCmId;
import io.jverbs.ffm.NativeLibrary;
import io.jverbs.spi.CmChannelOps;
import io.jverbs.spi.CmEventData;
import io.jverbs.spi.CmIdOps;
import io.jverbs.spi.CmParameters;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/**
 * Tests the connection manager of the native device with a stub of librdmacm, which ends the JVM where librdmacm would
 * crash or wait for an acknowledgement. {@link NativeDataPathTest} runs it.
 */
class OnStubConnectionManager {
    private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final InetSocketAddress OWN = new InetSocketAddress("192.0.2.1", 4791);
    private static final InetSocketAddress OF_OTHER_DEVICE = new InetSocketAddress("192.0.2.9", 4791);
    private static final InetSocketAddress OF_NO_DEVICE = new InetSocketAddress("192.0.2.77", 4791);
    private static final InetSocketAddress GROUP = new InetSocketAddress("239.1.2.3", 0);

    private final Object owner = new Object();
    private RdmaContext context;
    private CmChannelOps channel;

    @BeforeEach
    void open() {
        context = Verbs.select("stub").open();
        channel = context.createManagementChannel().operations();
    }

    /** The close of the context closes the channel and its IDs. */
    @AfterEach
    void nothingIsLeftAfterTheClose() {
        context.close();
        assertEquals(0, variable("stub_ids"));
        assertEquals(0, variable("stub_channels"));
    }

    private static long variable(String name) {
        return symbol(name).get(JAVA_LONG, 0);
    }

    @SuppressWarnings("restricted")
    private static MemorySegment symbol(String name) {
        return ((NativeLibrary.Usable) NativeLibrary.rdmacm()).symbols().find(name).orElseThrow()
                .reinterpret(Long.BYTES);
    }

    private CmIdOps create(PortSpace portSpace) {
        return channel.createId(portSpace.code(), portSpace.qpType().code(), owner);
    }

    private CmIdOps bound(PortSpace portSpace) {
        CmIdOps id = create(portSpace);
        id.bind(OWN);
        return id;
    }

    private CmIdOps resolved() throws InterruptedException {
        CmIdOps id = create(PortSpace.TCP);
        id.resolveAddress(null, OWN, SECOND);
        expect(CmEventType.ADDR_RESOLVED);
        id.resolveRoute(SECOND);
        expect(CmEventType.ROUTE_RESOLVED);
        return id;
    }

    private CmEventData expect(CmEventType type) throws InterruptedException {
        CmEventData event = channel.await(DEADLINE_NANOS);
        assertEquals(type.code(), event.type());
        return event;
    }

    private static CmParameters parameters(int privateData) {
        byte[] data = new byte[privateData];
        Arrays.fill(data, (byte) 5);
        return new CmParameters(data, 1, 2, false, 7, 7, false, 9, 0);
    }

    private static VerbsException assertErrno(Errno expected, Executable call) {
        VerbsException refused = assertThrows(VerbsException.class, call);
        assertEquals(expected, refused.error(), refused::getMessage);
        return refused;
    }

    /** K161, K162: librdmacm reads the device of the ID. */
    @Test
    void callsThatReadTheDeviceAreRefusedForAnIdWithoutOne() {
        CmIdOps id = create(PortSpace.TCP);
        VerbsException refused = assertErrno(Errno.EINVAL, () -> id.resolveRoute(SECOND));
        assertTrue(refused.getMessage().contains("IDLE, allowed: [ADDR_RESOLVED]"), refused::getMessage);
        assertErrno(Errno.EINVAL, () -> id.connect(parameters(0)));
        assertErrno(Errno.EINVAL, () -> id.accept(parameters(0)));
        assertErrno(Errno.EINVAL, id::disconnect);
    }

    /** K164: the field of librdmacm truncates the length. */
    @Test
    void privateDataThatIsTooLongIsNotPassedToTheLibrary() throws InterruptedException {
        CmIdOps id = resolved();
        long before = variable("stub_connects");
        VerbsException refused = assertErrno(Errno.EINVAL, () -> id.connect(parameters(256 + 3)));
        assertTrue(refused.getMessage().contains("259 bytes, allowed are 0 to 56"), refused::getMessage);
        assertEquals(before, variable("stub_connects"));
    }

    @Test
    void whatAnEventPointsToIsCopiedBeforeTheEventIsAcknowledged() throws InterruptedException {
        CmIdOps id = resolved();
        id.connect(parameters(56));
        CmEventData rejected = expect(CmEventType.REJECTED);
        assertSame(id, rejected.id());
        assertEquals(28, rejected.status());
        assertArrayEquals(parameters(56).privateData(), rejected.parameters().privateData());
    }

    /** K3: the stub ends the JVM if an ID with an event that is not acknowledged is destroyed. */
    @Test
    void anIdIsDestroyedAtOnceAndReportsItsEvents() throws InterruptedException {
        CmIdOps id = resolved();
        id.connect(parameters(0));
        assertEquals(2, id.destroy());
        assertEquals(2, id.destroy());
        assertNull(channel.await(0));
        assertErrno(Errno.EINVAL, () -> id.listen(1));
        assertErrno(Errno.EINVAL, id::route);
        assertSame(owner, id.owner());
    }

    @Test
    void anAddressOfAnotherDeviceIsRefusedAndLeavesTheIdAsItIs() {
        CmIdOps id = create(PortSpace.TCP);
        VerbsException refused = assertErrno(Errno.ENODEV, () -> id.bind(OF_OTHER_DEVICE));
        assertTrue(refused.getMessage().contains("another device than stub0"), refused::getMessage);
        assertErrno(Errno.ENODEV, () -> id.bind(OF_NO_DEVICE));
        assertNull(id.route().local());
        id.bind(OWN);
        assertEquals(OWN, id.route().local());
        assertEquals("stub0", id.route().device());
        assertEquals(1, id.route().port());
        assertNull(id.route().localGid());
    }

    @Test
    void anAddressThatLeadsToAnotherDeviceIsNotResolved() throws InterruptedException {
        CmIdOps id = create(PortSpace.TCP);
        id.resolveAddress(null, OF_OTHER_DEVICE, SECOND);
        CmEventData event = expect(CmEventType.ADDR_ERROR);
        assertEquals(-Errno.ENODEV.code(), event.status());
        assertEquals(0, id.route().port());
        assertErrno(Errno.EINVAL, () -> id.resolveRoute(SECOND));
    }

    @Test
    void aRequestToAnotherDeviceIsRejected() throws InterruptedException {
        CmIdOps listener = create(PortSpace.TCP);
        listener.bind(new InetSocketAddress("0.0.0.0", 4791));
        assertEquals(0, listener.route().port());
        listener.listen(2);
        CmEventData request = expect(CmEventType.CONNECT_REQUEST);
        assertNull(channel.await(0));
        assertSame(listener, request.listener());
        assertNull(request.id().owner());
        assertEquals("stub0", request.id().route().device());
        assertEquals(0x123456, request.parameters().qpNumber());
        assertEquals(255, request.parameters().responderResources());
        assertEquals(2, variable("stub_ids"));
        assertEquals(1, listener.destroy());
        assertEquals(0, request.id().destroy());
    }

    @Test
    void theEventOfAJoinHasItsContextAndTheGroup() throws InterruptedException {
        CmIdOps id = bound(PortSpace.UDP);
        Object join = new Object();
        id.join(GROUP, false, join);
        CmEventData joined = expect(CmEventType.MULTICAST_JOIN);
        assertSame(join, joined.context());
        assertEquals(0xFF_FFFF, joined.parameters().qpNumber());
        assertEquals(Gid.parse("::ffff:239.1.2.3"), joined.address().destination());
        assertSame(join, id.leave(GROUP));
        assertErrno(Errno.EADDRNOTAVAIL, () -> id.leave(GROUP));
        assertErrno(Errno.EINVAL, () -> id.join(OWN, false, join));
    }

    @Test
    void anIdMovesWithTheEventsThatWereNotRetrieved() throws InterruptedException {
        CmChannelOps second = context.createManagementChannel().operations();
        CmIdOps id = create(PortSpace.TCP);
        id.resolveAddress(null, OWN, SECOND);
        assertEquals(0, id.migrate(second));
        assertNull(channel.await(0));
        assertSame(id, second.await(DEADLINE_NANOS).id());
        assertEquals(1, id.migrate(channel));
        second.close();
        id.resolveRoute(SECOND);
        expect(CmEventType.ROUTE_RESOLVED);
    }

    /** K134: the kernel moves the events before librdmacm knows the new channel of their ID. */
    @Test
    void aRequestThatIsAwaitedWhileItsListenerMovesBelongsToTheNewChannel() throws Exception {
        CmChannelOps second = context.createManagementChannel().operations();
        CmIdOps listener = create(PortSpace.TCP);
        listener.bind(new InetSocketAddress("0.0.0.0", 4791));
        listener.listen(2);
        FutureTask<CmEventData> waiter = new FutureTask<>(() -> second.await(DEADLINE_NANOS));
        Thread.ofPlatform().start(waiter);
        symbol("stub_migration_millis").set(JAVA_LONG, 0, 100);
        try {
            assertEquals(0, listener.migrate(second));
        } finally {
            symbol("stub_migration_millis").set(JAVA_LONG, 0, 0);
        }
        CmEventData request = waiter.get();
        assertEquals(CmEventType.CONNECT_REQUEST.code(), request.type());
        channel.close();
        // it fails if librdmacm has the ID at the former channel
        request.id().accept(parameters(0));
        assertEquals(0, request.id().destroy());
        assertEquals(1, listener.destroy());
        second.close();
    }

    @Test
    void aRouteThatCannotBeResolvedFailsTheStepThatWaits() throws Exception {
        Duration limit = Duration.ofNanos(DEADLINE_NANOS);
        symbol("stub_route_status").set(JAVA_LONG, 0, -Errno.ETIMEDOUT.code());
        try (SynchronousCmId id = SynchronousCmId.create(context, PortSpace.TCP)) {
            id.resolveAddress(OWN, limit);
            CmException failure = assertThrows(CmException.class, () -> id.resolveRoute(limit));
            assertEquals(CmEventType.ROUTE_ERROR, failure.type());
            assertTrue(failure.getMessage().contains("resolve_route"), failure::getMessage);
            assertTrue(failure.getMessage().contains("ETIMEDOUT (110): the route was not resolved in time"),
                    failure::getMessage);
        } finally {
            symbol("stub_route_status").set(JAVA_LONG, 0, 0);
        }
    }

    @Test
    void anInterruptEndsTheWaitForAnEvent() throws Exception {
        FutureTask<Boolean> waiter = new FutureTask<>(() -> {
            assertThrows(InterruptedException.class, () -> channel.await(DEADLINE_NANOS));
            return true;
        });
        Thread thread = Thread.ofPlatform().start(waiter);
        thread.interrupt();
        assertTrue(waiter.get());
    }

    /** K136: librdmacm of before 2025 has no such events. */
    @Test
    void aUserEventWakesTheThreadThatWaits() throws Exception {
        CmIdOps id = create(PortSpace.TCP);
        FutureTask<CmEventData> waiter = new FutureTask<>(() -> channel.await(DEADLINE_NANOS));
        Thread.ofPlatform().start(waiter);
        id.postUserEvent(-5, 7);
        CmEventData event = waiter.get();
        assertEquals(CmEventType.USER.code(), event.type());
        assertSame(id, event.id());
        assertEquals(-5, event.status());
        assertEquals(7L, event.context());
        assertEquals(1, id.destroy());
    }

    /** K3, K134, K136. */
    @Test
    void userEventsMoveWithTheirIdAndAreDiscardedWithIt() throws InterruptedException {
        CmChannelOps second = context.createManagementChannel().operations();
        CmIdOps id = create(PortSpace.TCP);
        CmIdOps other = create(PortSpace.TCP);
        id.postUserEvent(0, 1);
        other.postUserEvent(0, 2);
        id.postUserEvent(0, 3);
        assertEquals(0, id.migrate(second));
        assertEquals(2L, expect(CmEventType.USER).context());
        assertNull(channel.await(0));
        assertEquals(1L, second.await(DEADLINE_NANOS).context());
        assertEquals(1, id.destroy());
        assertNull(second.await(0));
        assertErrno(Errno.EINVAL, () -> id.postUserEvent(0, 4));
        second.close();
    }

    private static String fields(RecordedEvent event) {
        return event.getString("device") + " " + event.getString("local") + " " + event.getString("remote") + " "
                + event.getString("type") + " " + event.getInt("status");
    }

    @Test
    void flightRecorderRecordsTheEventsThatWereRetrieved() throws Exception {
        Path file = Files.createTempFile("events", ".jfr");
        try (Recording recording = new Recording()) {
            recording.start();
            resolved().connect(parameters(0));
            expect(CmEventType.REJECTED);
            CmIdOps listener = create(PortSpace.TCP);
            listener.bind(new InetSocketAddress("0.0.0.0", 4791));
            listener.listen(2);
            listener.postUserEvent(-5, 7);
            expect(CmEventType.CONNECT_REQUEST);
            expect(CmEventType.USER);
            recording.dump(file);
            assertEquals(List.of("stub0 null 192.0.2.1:4791 ADDR_RESOLVED 0",
                    "stub0 null 192.0.2.1:4791 ROUTE_RESOLVED 0", "stub0 null 192.0.2.1:4791 REJECTED 28",
                    "stub0 null null CONNECT_REQUEST 0", "stub0 0.0.0.0:4791 null USER -5"),
                    RecordingFile.readAllEvents(file).stream()
                            .filter(event -> event.getEventType().getName().equals("io.jverbs.CmEvent"))
                            .map(OnStubConnectionManager::fields).toList());
        } finally {
            Files.delete(file);
        }
    }

    @Test
    void optionsHaveTheSizesThatTheKernelRequires() {
        CmIdOps id = create(PortSpace.TCP);
        for (int option = 0; option <= 3; option++) {
            id.option(option, 1);
        }
        assertErrno(Errno.ENOSYS, () -> id.option(4, 1));
    }

    @Test
    void aTypeThatThePortSpaceDoesNotHaveIsRefused() {
        assertErrno(Errno.EINVAL, () -> channel.createId(PortSpace.IB.code(), QpType.UC.code(), owner));
    }

    @Test
    void theCloseOfTheChannelDestroysItsIds() throws InterruptedException {
        CmIdOps id = bound(PortSpace.TCP);
        channel.close();
        channel.close();
        assertEquals(0, variable("stub_ids"));
        assertErrno(Errno.EINVAL, id::disconnect);
        assertNull(channel.await(DEADLINE_NANOS));
        assertThrows(IllegalStateException.class, () -> create(PortSpace.TCP));
    }
}
