package io.jverbs.soft.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Gid;
import io.jverbs.soft.congestion.CongestionControlType;
import io.jverbs.soft.congestion.PathCapacity;
import io.jverbs.soft.congestion.PathWindow;
import io.jverbs.soft.wire.DropReason;
import io.jverbs.soft.wire.PacketBuffer;
import io.jverbs.soft.wire.PacketView;
import io.jverbs.soft.wire.SendBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** A wire that keeps the packets sent over it. Each is finished as on a real one, so that it lacks no header. */
public final class RecordingNetwork implements PacketNetwork {
    private final List<PacketView> sent = new ArrayList<>();
    private final Set<SendBuffer> acquired = new HashSet<>();
    private PathWindow path = new PathWindow(PathCapacity.UNCOALESCED, CongestionControlType.WINDOW);
    private final PathWindow readWindow = new PathWindow(PathCapacity.UNCOALESCED, CongestionControlType.WINDOW);
    private BooleanSupplier onReceivePending = () -> false;
    private boolean hasRoomInBatch;
    private Error scheduleError;
    private Error sendError;
    /** The number of packets that are sent before one fails with {@link #sendError}. */
    private int sentBeforeError;
    private int calls;

    private final class Buffer extends SendBuffer {
        @Override
        public boolean hasRoomInBatch(int length) {
            return hasRoomInBatch;
        }
    }

    /** Sets whether one more packet leaves with the same call as the packets before it. */
    public void hasRoomInBatch(boolean now) {
        hasRoomInBatch = now;
    }

    /** Sets what {@link #receivePending} does and returns. */
    public void onReceivePending(BooleanSupplier action) {
        onReceivePending = action;
    }

    /** Lets the next call of {@link #scheduleResponses} throw an Error. */
    public void failNextSchedule(Error error) {
        scheduleError = error;
    }

    /** Lets a call of {@link #send} throw an Error, after a number of packets that are sent. */
    public void failSendAfter(int packets, Error error) {
        sentBeforeError = packets;
        sendError = error;
    }

    /** Sets the window of the path to every peer, for queue pairs that are connected after that. */
    public void pathWindow(PathWindow window) {
        path = window;
    }

    /** {@return the window of the path to every peer} */
    public PathWindow pathWindow() {
        return path;
    }

    /** {@return the packets sent since the previous call} */
    public List<PacketView> takeSent() {
        assertEquals(Set.of(), acquired, "buffers that were not released");
        List<PacketView> all = List.copyOf(sent);
        sent.clear();
        return all;
    }

    /** {@return how often {@link #scheduleResponses} and {@link #scheduleResponsesNow} were called} */
    public int scheduleCalls() {
        return calls;
    }

    @Override
    public Route route(Gid source, Gid destination) {
        return new Route(source, destination, null, path);
    }

    @Override
    public int maxBatch(int bytes) {
        return 1;
    }

    @Override
    public SendBuffer acquire() {
        SendBuffer buffer = new Buffer();
        acquired.add(buffer);
        return buffer;
    }

    @Override
    public void send(SendBuffer packet, Route route) {
        assertTrue(acquired.contains(packet), "the buffer is not acquired");
        if (sendError != null && sentBeforeError-- == 0) {
            Error error = sendError;
            sendError = null;
            throw error;
        }
        route.setAddresses(packet.icrc());
        int length = packet.encoder().finish(packet.icrc());
        PacketBuffer copy = new PacketBuffer(Arena.ofAuto().allocate(PacketBuffer.MAX_BYTES, Long.BYTES));
        MemorySegment.copy(packet.buffer().segment(), 0, copy.segment(), 0, length);
        PacketView view = new PacketView();
        assertEquals(DropReason.NONE, view.decode(copy, length));
        sent.add(view);
    }

    @Override
    public void release(SendBuffer packet) {
        assertTrue(acquired.remove(packet), "the buffer is not acquired");
    }

    @Override
    public boolean receivePending(boolean waits) {
        return onReceivePending.getAsBoolean();
    }

    @Override
    public void awaitTurn() {
        // the test has one thread
    }

    @Override
    public void scheduleResponses(SoftQp qp) {
        Error error = scheduleError;
        scheduleError = null;
        if (error != null) {
            throw error;
        }
        calls++;
    }

    @Override
    public void scheduleResponsesNow(SoftQp qp) {
        calls++;
    }

    @Override
    public PathWindow readWindow() {
        return readWindow;
    }
}
