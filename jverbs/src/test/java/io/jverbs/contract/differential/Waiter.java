package io.jverbs.contract.differential;

import io.jverbs.AsyncEventType;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.WcFlags;
import io.jverbs.WcOpcode;
import io.jverbs.contract.differential.Outcome.Checkpoint;
import io.jverbs.contract.differential.Outcome.Completion;
import io.jverbs.contract.differential.sequence.Command;
import io.jverbs.contract.differential.sequence.Part;
import io.jverbs.contract.differential.sequence.Peer;
import io.jverbs.contract.differential.sequence.Requests;
import io.jverbs.contract.differential.sequence.Step;
import io.jverbs.contract.end.End;
import io.jverbs.contract.end.Infos.AsyncInfo;
import io.jverbs.contract.end.Wc;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Waits until posted requests have completed, and records the results. On the first device it waits for what verbs
 * guarantee: the last request of a chain completes, because it is signaled, and a queue pair in ERR flushes all
 * requests. On the second device it waits for the results of the first: the same number of completions, the same
 * states, the same memory.
 */
final class Waiter {

    private static final long AFTER_TIMEOUT = TimeUnit.MILLISECONDS.toNanos(30);

    private static final String SEND = " send";
    private static final String RECEIVE = " receive";

    private final Device device;
    private final World world;
    private final Outcome outcome;
    private final Outcome guide;
    private final Deviations deviations;
    private final Map<Peer, Long> lastSend = new EnumMap<>(Peer.class);
    private final Map<Peer, Set<Long>> receives = new EnumMap<>(Peer.class);
    private final Map<Long, List<Part>> receiveParts = new HashMap<>();
    private final Set<Peer> drained = new HashSet<>();
    /** Queue pairs that have raised QP_LAST_WQE_REACHED since they were in RESET. */
    private final Set<Peer> lastWqeReached = EnumSet.noneOf(Peer.class);
    private final Set<Long> done = new HashSet<>();
    /** Steps in which a post had different results on the devices. */
    private final Set<Integer> diverged = new HashSet<>();
    private Step step;
    private boolean timedOut;

    Waiter(Device device, World world, Outcome outcome, Outcome guide, Deviations deviations) {
        this.device = device;
        this.world = world;
        this.outcome = outcome;
        this.guide = guide;
        this.deviations = deviations;
        connected();
    }

    void enter(Step next) {
        step = next;
    }

    void noteReceive(long id, List<Part> parts) {
        receiveParts.put(id, parts);
    }

    void receives(Peer peer, List<Long> ids) {
        receives.get(peer).addAll(ids);
        checkResult();
    }

    void sends(Peer peer, long last) {
        lastSend.put(peer, last);
        checkResult();
    }

    void refused() {
        checkResult();
    }

    private void checkResult() {
        int last = outcome.results.size() - 1;
        if (guide != null && last < guide.results.size()
                && !guide.results.get(last).equals(outcome.results.get(last))) {
            diverged.add(step.index());
        }
    }

    /** Records that both queue pairs were connected anew. */
    void connected() {
        for (Peer peer : Peer.values()) {
            changed(peer, Command.TO_RESET);
        }
    }

    void changed(Peer peer, Command command) {
        switch (command) {
            case TO_RESET -> {
                receives.put(peer, new HashSet<>());
                lastSend.remove(peer);
                drained.remove(peer);
                lastWqeReached.remove(peer);
            }
            case TO_SQD -> drained.add(peer);
            case TO_ERR, SQD_TO_RTS -> drained.remove(peer);
            default -> {
                // no queue changes
            }
        }
    }

    void await() {
        boolean alone = guide == null || diverged.contains(step.index())
                || guide.checkpoints.size() <= outcome.checkpoints.size();
        outcome.checkpoints.add(alone ? awaitPromised() : awaitLike(guide.checkpoints.get(outcome.checkpoints.size())));
    }

    private long deadline() {
        return System.nanoTime() + (timedOut ? AFTER_TIMEOUT : TimeUnit.MILLISECONDS.toNanos(device.patienceMillis()));
    }

    private boolean isBefore(long deadline) {
        boolean early = System.nanoTime() - deadline < 0;
        timedOut |= !early;
        return early;
    }

    private Checkpoint awaitPromised() {
        long deadline = deadline();
        lastSend.forEach((peer, id) -> {
            while (!drained.contains(peer) && !done.contains(id) && isBefore(deadline)) {
                poll();
            }
        });
        if (world.setup.type() != QpType.RC || guide != null) {
            settle();
        }
        Map<Peer, QpState> states = states();
        states.forEach((peer, state) -> {
            while (state == QpState.ERR && !done.containsAll(receives.get(peer)) && isBefore(deadline)) {
                poll();
            }
        });
        poll();
        noteEvents();
        states.forEach((peer, state) -> {
            // the event is raised last when a queue pair moves to ERR (I11)
            while (state == QpState.ERR && awaitsLastWqeReached(peer) && isBefore(deadline)) {
                noteEvents();
            }
        });
        return new Checkpoint(step.index(), outcome.counts(), states, device.bytes(), outcome.sortedEvents());
    }

    private Checkpoint awaitLike(Checkpoint wanted) {
        long deadline = deadline();
        awaitCounts(wanted, deadline);
        Map<Peer, QpState> states = states();
        while (!isAccepted(wanted.states(), states) && isBefore(deadline)) {
            poll();
            states = states();
        }
        if (world.setup.type() != QpType.RC) {
            // a message that is going to be dropped may still be in flight
            settle();
        }
        noteEvents();
        while (outcome.events.size() < wanted.events().size() && isBefore(deadline)) {
            poll();
            noteEvents();
        }
        byte[] memory = device.bytes();
        while (!Arrays.equals(wanted.memory(), memory) && isBefore(deadline)) {
            poll();
            memory = device.bytes();
        }
        return new Checkpoint(step.index(), outcome.counts(), states, memory, outcome.sortedEvents());
    }

    /** Waits for one queue after the other, which is cheaper than polling all of them in turn. */
    private void awaitCounts(Checkpoint wanted, long deadline) {
        while (isShort(wanted) && isBefore(deadline)) {
            for (Place place : world.places()) {
                for (int cq : place.cqs) {
                    long missing = diverged.isEmpty() ? missing(wanted, place, cq) : 0;
                    if (missing > 0) {
                        long millis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime()));
                        place.end.pollUntil(cq, (int) missing, millis).forEach(wc -> note(place, wc));
                    }
                }
            }
            if (!diverged.isEmpty()) {
                poll();
            }
        }
    }

    private long missing(Checkpoint wanted, Place place, int cq) {
        long missing = 0;
        for (Peer peer : Peer.values()) {
            boolean here = world.place(peer) == place;
            missing += here && world.sendCq(peer) == cq ? missing(wanted, peer + SEND) : 0;
            missing += here && world.recvCq(peer) == cq ? missing(wanted, peer + RECEIVE) : 0;
        }
        return missing;
    }

    private int missing(Checkpoint wanted, String queue) {
        return Math.max(0, wanted.counts().getOrDefault(queue, 0)
                - outcome.queues.getOrDefault(queue, List.of()).size());
    }

    private boolean isShort(Checkpoint wanted) {
        for (Map.Entry<String, Integer> entry : wanted.counts().entrySet()) {
            List<Completion> theirs = guide.queues.get(entry.getKey()).subList(0, entry.getValue());
            List<Completion> ours = outcome.queues.getOrDefault(entry.getKey(), List.of());
            if (countComparable(ours) < countComparable(theirs)) {
                return true;
            }
        }
        return false;
    }

    private long countComparable(List<Completion> completions) {
        return diverged.isEmpty()
                ? completions.size()
                : completions.stream().filter(completion -> !diverged.contains(completion.step())).count();
    }

    private boolean isAccepted(Map<Peer, QpState> wanted, Map<Peer, QpState> states) {
        for (Peer peer : Peer.values()) {
            QpState theirs = wanted.get(peer);
            QpState ours = states.get(peer);
            if (theirs != ours && !deviations.covers(step.label(), peer + " state", theirs.name(), ours.name())) {
                return false;
            }
        }
        return true;
    }

    private Map<Peer, QpState> states() {
        Map<Peer, QpState> states = new TreeMap<>();
        world.qps.forEach((peer, qp) -> states.put(peer, world.place(peer).end.qpState(qp.id())));
        return states;
    }

    /** Polls for the settle time of the device, for effects that cannot be awaited. */
    void settle() {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(device.settleMillis());
        do {
            poll();
        } while (System.nanoTime() - deadline < 0);
    }

    private boolean awaitsLastWqeReached(Peer peer) {
        return device.compareAll() && world.setup.shares(peer) && !lastWqeReached.contains(peer);
    }

    private void noteEvents() {
        for (Place place : device.compareAll() ? world.places() : Set.<Place>of()) {
            AsyncInfo event = place.end.awaitAsyncEvent(End.MAIN, 0);
            while (event != null) {
                place.end.ackAsyncEvent(event.id());
                // port events may be caused by other tests
                if (event.qp() != End.NONE || event.cq() != End.NONE || event.srq() != End.NONE) {
                    outcome.events.add(event.type() + " " + owner(place, event));
                    if (event.type() == AsyncEventType.QP_LAST_WQE_REACHED) {
                        owners(place, event).forEach(lastWqeReached::add);
                    }
                }
                event = place.end.awaitAsyncEvent(End.MAIN, 0);
            }
        }
    }

    private String owner(Place place, AsyncInfo event) {
        return owners(place, event).map(Peer::name).findAny().orElse(
                event.qp() != End.NONE ? "former" : event.cq() != End.NONE ? "completion queue" : "shared queue");
    }

    private Stream<Peer> owners(Place place, AsyncInfo event) {
        return Stream.of(Peer.values())
                .filter(peer -> world.place(peer) == place && world.qps.get(peer).id() == event.qp());
    }

    private void poll() {
        boolean empty = true;
        for (Place place : world.places()) {
            for (int cq : place.cqs) {
                List<Wc> some = place.end.poll(cq, 16);
                empty &= some.isEmpty();
                some.forEach(wc -> note(place, wc));
            }
        }
        if (empty) {
            Thread.yield();
        }
    }

    private void note(Place place, Wc wc) {
        long id = wc.wrId();
        boolean receive = (id & 1) != 0;
        Peer peer = place.numbers.get(wc.qpNumber());
        outcome.add((peer == null ? "unknown" : peer) + (receive ? RECEIVE : SEND),
                new Completion((int) (id >> 16), id, wc.status(),
                        wc.success() ? details(place, peer, wc, receive) : failure(place, wc)));
        done.add(id);
        if (receive && wc.success() && world.setup.type() == QpType.UD) {
            wipeHeader(place, receiveParts.getOrDefault(id, List.of()));
        }
    }

    private String details(Place place, Peer peer, Wc wc, boolean receive) {
        List<String> words = new ArrayList<>();
        words.add(wc.opcode().name());
        if (receive || wc.opcode() == WcOpcode.RDMA_READ || wc.opcode() == WcOpcode.COMP_SWAP
                || wc.opcode() == WcOpcode.FETCH_ADD) {
            words.add(wc.byteLength() + " bytes");
        }
        if (receive && wc.has(WcFlags.WITH_IMM)) {
            words.add("immediate " + Integer.toHexString(wc.immediate()));
        }
        if (receive && wc.has(WcFlags.WITH_INV)) {
            words.add(wc.invalidatedRkey() == place.windowKey ? "invalidates the window" : "invalidates another key");
        }
        if (receive && world.setup.type() == QpType.UD) {
            int source = wc.sourceQp();
            words.add("from " + (peer != null && source == world.qps.get(peer.other()).number()
                    ? peer.other()
                    : place.numbers.get(source)));
        }
        if (device.compareAll()) {
            words.add("flags " + wc.flags() + ", vendor " + wc.vendorError() + ", P_Key " + wc.pkeyIndex() + ", LID "
                    + wc.slid() + ", level " + wc.serviceLevel() + ", path bits " + wc.dlidPathBits());
        }
        return String.join(", ", words);
    }

    private String failure(Place place, Wc wc) {
        return device.compareAll()
                ? "vendor " + wc.vendorError() + ", bytes " + wc.byteLength() + ", " + wc.opcode() + ", flags "
                        + wc.flags() + ", from " + place.numbers.getOrDefault(wc.sourceQp(), null)
                : "";
    }

    /** The header before a datagram contains addresses of the device. */
    private void wipeHeader(Place place, List<Part> parts) {
        int left = Requests.GRH;
        for (Part part : parts) {
            int some = Math.min(left, part.length());
            place.end.write(place.memory, part.offset(), new byte[some]);
            left -= some;
        }
    }
}
