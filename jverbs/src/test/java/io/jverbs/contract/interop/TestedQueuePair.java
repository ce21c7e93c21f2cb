package io.jverbs.contract.interop;

import io.jverbs.Access;
import io.jverbs.AddressHandle;
import io.jverbs.AhAttributes;
import io.jverbs.CompletionQueue;
import io.jverbs.MemoryRegion;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpAttributes;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcOpcode;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.contract.interop.Message.Kind;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/**
 * One queue pair of one side in one round, with its memory. It posts the messages of its plan and checks the received
 * ones. All messages of an RC queue pair must arrive, once and in order. Each message of a UC or UD queue pair that
 * arrives must be one that was sent.
 */
final class TestedQueuePair {

    /** The values that the peer needs to reach a queue pair. */
    record Address(int qpn, int psn, long shared, int sharedKey, long places, int placesKey, long source,
            int sourceKey) {

        String text() {
            return qpn + " " + psn + " " + shared + " " + sharedKey + " " + places + " " + placesKey + " " + source
                    + " " + sourceKey;
        }

        static Address parse(String text) {
            String[] parts = text.split(" ");
            return new Address(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), Long.parseLong(parts[2]),
                    Integer.parseInt(parts[3]), Long.parseLong(parts[4]), Integer.parseInt(parts[5]),
                    Long.parseLong(parts[6]), Integer.parseInt(parts[7]));
        }
    }

    static final int PORT = 1;
    private static final int WINDOW = 8;
    private static final int RECEIVES = 16;
    private static final int SLOT = 20_480;
    private static final int GRH = 40;
    private static final int QKEY = 0x1111_1111;
    private static final byte POISON = (byte) 0xA5;
    private static final int RECEIVE = 1 << 8;

    private final QpType type;
    private final int tag;
    private final Plan ours;
    private final Plan theirs;
    private final List<Message> sends;
    private final List<Message> expected;
    private final List<Message> expectedReceives;
    private final QueuePair qp;
    private final int psn;
    private final MemoryRegion out;
    private final MemoryRegion inbox;
    /** Target of the peer's WRITEs, which overlap. */
    private final MemoryRegion shared;
    /**
     * Target of the peer's WRITEs with immediate data, each at its own offset. Behind it is the counter for the peer's
     * atomics.
     */
    private final MemoryRegion places;
    /** Source of the peer's READs. */
    private final MemoryRegion source;
    private final SendWorkRequest send = SendWorkRequest.create(1);
    private final ReceiveWorkRequest receive = ReceiveWorkRequest.create(1);
    private Address peer;
    private AddressHandle handle;
    private List<Integer> windows = List.of();
    private int posted;
    private int completed;
    private int received;
    private boolean lastReceived;

    TestedQueuePair(ProtectionDomain pd, CompletionQueue cq, QpType type, int psn, Plan ours, Plan theirs) {
        this.type = type;
        this.tag = type.code();
        this.psn = psn;
        this.ours = ours;
        this.theirs = theirs;
        sends = messages(ours);
        expected = messages(theirs);
        expectedReceives = Plan.received(expected);
        qp = pd.createQueuePair(QpInitAttributes.builder(type).cq(cq).maxSendWr(2 * WINDOW)
                .maxRecvWr(RECEIVES).build());
        out = poisoned(pd, sends.size() * SLOT);
        inbox = poisoned(pd, RECEIVES * SLOT);
        shared = poisoned(pd, Plan.SHARED);
        places = poisoned(pd, expected.size() * SLOT + Long.BYTES);
        counter().set(ValueLayout.JAVA_LONG, 0, 0);
        source = poisoned(pd, Plan.SHARED);
        source.segment().copyFrom(Message.pattern(ours.source(), Plan.SHARED));
        QpAttributes.Builder initial = QpAttributes.builder().state(QpState.INIT).pkeyIndex(0).port(PORT);
        qp.modify((type == QpType.UD ? initial.qkey(QKEY) : initial.accessFlags(rights())).build());
    }

    private int rights() {
        return Access.REMOTE_WRITE | (type == QpType.RC ? Access.REMOTE_READ | Access.REMOTE_ATOMIC : 0);
    }

    private MemoryRegion poisoned(ProtectionDomain pd, int bytes) {
        MemoryRegion region = pd.allocate(bytes, Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ
                | Access.REMOTE_ATOMIC | Access.MW_BIND);
        region.segment().fill(POISON);
        return region;
    }

    private List<Message> messages(Plan plan) {
        return switch (type) {
            case RC -> plan.reliable();
            case UC -> plan.unreliable();
            default -> plan.datagrams();
        };
    }

    Address address() {
        return new Address(qp.number(), psn, shared.address(), shared.rkey(), places.address(), places.rkey(),
                source.address(), source.rkey());
    }

    QueuePair queuePair() {
        return qp;
    }

    MemoryRegion sharedMemory() {
        return shared;
    }

    /** Brings the queue pair to RTS, and posts receive requests. */
    void connect(Address to, AhAttributes path) {
        peer = to;
        QpAttributes.Builder ready = QpAttributes.builder().state(QpState.RTR);
        QpAttributes.Builder rts = QpAttributes.builder().state(QpState.RTS).sqPsn(psn);
        if (type == QpType.UD) {
            handle = qp.pd().createAddressHandle(path);
        } else {
            ready.addressVector(path).pathMtu(ours.mtu()).destinationQpn(to.qpn()).rqPsn(to.psn());
        }
        if (type == QpType.RC) {
            ready.maxDestRdAtomic(4).minRnrTimer(1);
            rts.timeout(ours.timeout()).retryCount(ours.retries()).rnrRetry(7).maxRdAtomic(4);
        }
        qp.modify(ready.build());
        qp.modify(rts.build());
        for (int i = 0; i < RECEIVES; i++) {
            postReceive(i);
        }
    }

    /** Sets the keys of the windows that the peer opened for SEND with invalidate. */
    void windows(List<Integer> rkeys) {
        windows = rkeys;
    }

    private void postReceive(int slot) {
        slot(inbox, slot).fill(POISON);
        qp.postReceive(receive.wrId(id(RECEIVE, slot)).sge(inbox, (long) slot * SLOT, SLOT));
    }

    private long id(int kind, int number) {
        return (long) (kind | tag) << Integer.SIZE | number;
    }

    private static MemorySegment slot(MemoryRegion region, int slot) {
        return region.segment().asSlice((long) slot * SLOT, SLOT);
    }

    private MemorySegment counter() {
        return places.segment().asSlice((long) expected.size() * SLOT, Long.BYTES);
    }

    boolean reliable() {
        return type == QpType.RC;
    }

    /**
     * For UC and UD, returns whether all messages are posted except those that are sent after the network is restored.
     */
    boolean sentAllButTail() {
        return posted >= sends.size() - Plan.TAIL;
    }

    void postTail() {
        while (posted < sends.size()) {
            postNext();
        }
    }

    /** Returns whether all posted requests have completed. */
    boolean idle() {
        return completed == posted;
    }

    /** For RC, returns whether everything was sent and received. */
    boolean ended() {
        return completed == sends.size() && received == expectedReceives.size();
    }

    /** For UC and UD, returns whether the last message was received. */
    boolean lastReceived() {
        return lastReceived;
    }

    boolean roomToSend() {
        return posted < sends.size() && posted - completed < WINDOW;
    }

    int received() {
        return received;
    }

    int expectedReceives() {
        return expectedReceives.size();
    }

    /** Posts the next message. */
    void postNext() {
        Message message = sends.get(posted++);
        MemorySegment memory = slot(out, message.index());
        Kind kind = message.kind();
        if (kind != Kind.READ && !kind.atomic()) {
            memory.copyFrom(message.bytes());
        }
        send.wrId(id(0, message.index())).flags(SendFlags.SIGNALED).sge(out, (long) message.index() * SLOT,
                message.length());
        if (message.length() == 0) {
            send.sgeCount(0);
        }
        long place = peer.places() + (long) message.index() * SLOT;
        long counter = peer.places() + (long) sends.size() * SLOT;
        switch (kind) {
            case SEND -> send.opcode(WrOpcode.SEND);
            case SEND_WITH_IMM -> send.opcode(WrOpcode.SEND_WITH_IMM).immediate(message.index());
            case SEND_WITH_INV -> send.opcode(WrOpcode.SEND_WITH_INV).invalidateRkey(window(message));
            case WRITE -> send.opcode(WrOpcode.RDMA_WRITE).remote(peer.shared() + message.offset(), peer.sharedKey());
            case WRITE_WITH_IMM -> send.opcode(WrOpcode.RDMA_WRITE_WITH_IMM).immediate(message.index()).remote(place,
                    peer.placesKey());
            case READ -> send.opcode(WrOpcode.RDMA_READ).remote(peer.source() + message.offset(), peer.sourceKey());
            case FETCH_AND_ADD -> send.fetchAndAdd(counter, peer.placesKey(), message.key());
            case COMPARE_AND_SWAP -> send.compareAndSwap(counter, peer.placesKey(), message.before(), message.key());
        }
        if (type == QpType.UD) {
            send.destination(handle, peer.qpn(), QKEY);
        }
        qp.postSend(send);
    }

    private int window(Message message) {
        int before = (int) sends.stream().limit(message.index()).filter(each -> each.kind() == Kind.SEND_WITH_INV)
                .count();
        return windows.get(before);
    }

    /** Returns whether the completion belongs to this queue pair. */
    boolean owns(WorkCompletions completions, int at) {
        return (completions.wrId(at) >>> Integer.SIZE & RECEIVE - 1) == tag;
    }

    /** Checks a completion of this queue pair. Returns true if it is of a send. */
    boolean completed(WorkCompletions completions, int at) {
        Faulty.check(completions.isSuccess(at), "%s: %s", this, completions);
        long wrId = completions.wrId(at);
        int number = (int) wrId;
        if ((wrId >>> Integer.SIZE & RECEIVE) == 0) {
            sent(completions, at, number);
            return true;
        }
        received(completions, at, number);
        return false;
    }

    private void sent(WorkCompletions completions, int at, int number) {
        Faulty.check(number == completed && completed < posted, "%s: completion of request %d of %d, not of %d", this,
                number, posted, completed);
        Message message = sends.get(number);
        MemorySegment memory = slot(out, number);
        completed++;
        if (message.kind() == Kind.READ) {
            MemorySegment wanted = Message.pattern(theirs.source(), Plan.SHARED).asSlice(message.offset(),
                    message.length());
            long wrong = wanted.mismatch(memory.asSlice(0, message.length()));
            Faulty.check(wrong < 0, "%s: byte %d of %s is wrong", this, wrong, message);
            checkRest(message, memory);
        } else if (message.kind().atomic()) {
            long before = memory.get(ValueLayout.JAVA_LONG, 0);
            Faulty.check(before == message.before(), "%s: %s returned %d", this, message, before);
            checkRest(message, memory);
        }
        Faulty.check(completions.opcode(at) == switch (message.kind()) {
            case SEND, SEND_WITH_IMM, SEND_WITH_INV -> WcOpcode.SEND;
            case WRITE, WRITE_WITH_IMM -> WcOpcode.RDMA_WRITE;
            case READ -> WcOpcode.RDMA_READ;
            case FETCH_AND_ADD -> WcOpcode.FETCH_ADD;
            case COMPARE_AND_SWAP -> WcOpcode.COMP_SWAP;
        }, "%s: opcode of %s for %s", this, completions, message);
    }

    /** Checks that no bytes behind the message were written. */
    private void checkRest(Message message, MemorySegment memory) {
        Faulty.check(Message.holdsOnly(memory.asSlice(message.length()), POISON), "%s: bytes behind %s were written",
                this, message);
    }

    private void received(WorkCompletions completions, int at, int slot) {
        if (reliable()) {
            Faulty.check(received < expectedReceives.size(), "%s: more messages than were sent: %s", this, completions);
            Faulty.check(slot == received % RECEIVES, "%s: receive request %d instead of %d", this, slot,
                    received % RECEIVES);
            check(expectedReceives.get(received), completions, at, slot(inbox, slot));
        } else {
            checkUnreliable(completions, at, slot);
        }
        received++;
        postReceive(slot);
    }

    /** Checks a message of an RC queue pair. */
    private void check(Message message, WorkCompletions completions, int at, MemorySegment memory) {
        boolean write = message.kind() == Kind.WRITE_WITH_IMM;
        MemorySegment place = write ? slot(places, message.index()) : memory;
        Faulty.check(completions.opcode(at) == (write ? WcOpcode.RECV_RDMA_WITH_IMM : WcOpcode.RECV)
                && completions.byteLength(at) == message.length(), "%s: %s for %s", this, completions, message);
        if (write || message.kind() == Kind.SEND_WITH_IMM) {
            Faulty.check(completions.immediate(at) == message.index(), "%s: %s for %s", this, completions, message);
        }
        long wrong = message.mismatch(place);
        Faulty.check(wrong < 0, "%s: byte %d of %s is wrong", this, wrong, message);
        checkRest(message, place);
        if (write) {
            Faulty.check(Message.holdsOnly(memory, POISON), "%s: %s wrote to its receive request", this, message);
        }
    }

    /** Checks that a message of a UC or UD queue pair is one that was sent. */
    private void checkUnreliable(WorkCompletions completions, int at, int slot) {
        boolean write = completions.opcode(at) == WcOpcode.RECV_RDMA_WITH_IMM;
        int grh = type == QpType.UD ? GRH : 0;
        long length = completions.byteLength(at) - grh;
        for (Message message : expectedReceives) {
            if (message.length() != length || write != (message.kind() == Kind.WRITE_WITH_IMM)) {
                continue;
            }
            if (message.kind() != Kind.SEND && completions.immediate(at) != message.index()) {
                continue;
            }
            MemorySegment place = write ? slot(places, message.index()) : slot(inbox, slot).asSlice(grh);
            if (message.mismatch(place) < 0) {
                lastReceived |= message.index() == expected.size() - 1;
                return;
            }
        }
        Faulty.check(false, "%s: no message like this was sent: %s", this, completions);
    }

    /** Checks the contents that can only be checked at the end: the target of overlapping WRITEs, and the counter. */
    void checkMemory() {
        MemorySegment image = MemorySegment.ofArray(new byte[Plan.SHARED]);
        image.fill(POISON);
        for (Message message : expected) {
            if (message.kind() == Kind.WRITE) {
                image.asSlice(message.offset(), message.length()).copyFrom(message.bytes());
            }
        }
        long wrong = image.mismatch(shared.segment());
        Faulty.check(wrong < 0, "%s: byte %d of the shared memory is wrong", this, wrong);
        if (reliable()) {
            for (Message message : expected) {
                MemorySegment place = slot(places, message.index());
                boolean written = message.kind() == Kind.WRITE_WITH_IMM;
                Faulty.check(!written || message.mismatch(place) < 0, "%s: the target of %s was written again", this,
                        message);
                Faulty.check(Message.holdsOnly(place.asSlice(written ? message.length() : 0), POISON),
                        "%s: bytes outside of %s were written", this, message);
            }
            long value = counter().get(ValueLayout.JAVA_LONG, 0);
            Faulty.check(value == theirs.counter(), "%s: the counter is %d, not %d", this, value, theirs.counter());
        }
    }

    void close() {
        qp.close();
        if (handle != null) {
            handle.close();
        }
        List.of(out, inbox, shared, places, source).forEach(MemoryRegion::close);
    }

    @Override
    public String toString() {
        return type + " queue pair " + qp.number() + ", posted " + posted + ", completed " + completed + " of "
                + sends.size() + ", received " + received + " of " + expectedReceives.size();
    }
}
