package io.jverbs.contract.differential;

import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.WcFlags;
import io.jverbs.WcOpcode;
import io.jverbs.contract.differential.Outcome.Checkpoint;
import io.jverbs.contract.differential.Outcome.Completion;
import io.jverbs.contract.end.Wc;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Waits until what was posted has its outcome, and notes that. The first device waits by what verbs promise: the last
 * request of a chain completes, being signaled, and a queue pair in ERR flushes everything. The second one waits for
 * what the first one did: as many completions, the same states, the same memory.
 */
final class Waiter {

    private static final long HASTY = TimeUnit.MILLISECONDS.toNanos(30);

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
    private final Set<Long> done = new HashSet<>();
    /** Steps in which the devices went different ways at a post. */
    private final Set<Integer> parted = new HashSet<>();
    private Step step;
    private boolean hasty;

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
        checkAnswer();
    }

    void sends(Peer peer, long last) {
        lastSend.put(peer, last);
        checkAnswer();
    }

    void refused() {
        checkAnswer();
    }

    private void checkAnswer() {
        int last = outcome.answers.size() - 1;
        if (guide != null && last < guide.answers.size()
                && !guide.answers.get(last).equals(outcome.answers.get(last))) {
            parted.add(step.index());
        }
    }

    /** Both queue pairs are as new. */
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
            }
            case TO_SQD -> drained.add(peer);
            case TO_ERR, SQD_TO_RTS -> drained.remove(peer);
            default -> {
                // no queue changes
            }
        }
    }

    void await() {
        boolean alone = guide == null || parted.contains(step.index())
                || guide.checkpoints.size() <= outcome.checkpoints.size();
        outcome.checkpoints.add(alone ? awaitPromised() : awaitLike(guide.checkpoints.get(outcome.checkpoints.size())));
    }

    private long deadline() {
        return System.nanoTime() + (hasty ? HASTY : TimeUnit.MILLISECONDS.toNanos(device.patienceMillis()));
    }

    private boolean isEarly(long deadline) {
        boolean early = System.nanoTime() - deadline < 0;
        hasty |= !early;
        return early;
    }

    private Checkpoint awaitPromised() {
        long deadline = deadline();
        lastSend.forEach((peer, id) -> {
            while (!drained.contains(peer) && !done.contains(id) && isEarly(deadline)) {
                poll();
            }
        });
        if (world.setup.type() != QpType.RC || guide != null) {
            settle();
        }
        Map<Peer, QpState> states = states();
        states.forEach((peer, state) -> {
            while (state == QpState.ERR && !done.containsAll(receives.get(peer)) && isEarly(deadline)) {
                poll();
            }
        });
        poll();
        return new Checkpoint(step.index(), outcome.counts(), states, device.bytes());
    }

    private Checkpoint awaitLike(Checkpoint wanted) {
        long deadline = deadline();
        awaitCounts(wanted, deadline);
        Map<Peer, QpState> states = states();
        while (!isAccepted(wanted.states(), states) && isEarly(deadline)) {
            poll();
            states = states();
        }
        byte[] memory = device.bytes();
        while (!Arrays.equals(wanted.memory(), memory) && isEarly(deadline)) {
            poll();
            memory = device.bytes();
        }
        return new Checkpoint(step.index(), outcome.counts(), states, memory);
    }

    /** Waits queue by queue in the end, which is cheaper than to poll all of them in turn. */
    private void awaitCounts(Checkpoint wanted, long deadline) {
        while (isShort(wanted) && isEarly(deadline)) {
            for (int cq : world.cqs) {
                long missing = parted.isEmpty() ? missing(wanted, cq) : 0;
                if (missing > 0) {
                    long millis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime()));
                    world.end.pollUntil(cq, (int) missing, millis).forEach(this::note);
                }
            }
            if (!parted.isEmpty()) {
                poll();
            }
        }
    }

    private long missing(Checkpoint wanted, int cq) {
        long missing = 0;
        for (Peer peer : Peer.values()) {
            missing += world.sendCq(peer) == cq ? missing(wanted, peer + SEND) : 0;
            missing += world.recvCq(peer) == cq ? missing(wanted, peer + RECEIVE) : 0;
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
            if (together(ours) < together(theirs)) {
                return true;
            }
        }
        return false;
    }

    private long together(List<Completion> completions) {
        return parted.isEmpty()
                ? completions.size()
                : completions.stream().filter(completion -> !parted.contains(completion.step())).count();
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
        world.qps.forEach((peer, qp) -> states.put(peer, world.end.qpState(qp.id())));
        return states;
    }

    /** Gives what nobody can wait for its time. */
    void settle() {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(device.settleMillis());
        do {
            poll();
        } while (System.nanoTime() - deadline < 0);
    }

    private void poll() {
        boolean empty = true;
        for (int cq : world.cqs) {
            List<Wc> some = world.end.poll(cq, 16);
            empty &= some.isEmpty();
            some.forEach(this::note);
        }
        if (empty) {
            Thread.yield();
        }
    }

    private void note(Wc wc) {
        long id = wc.wrId();
        boolean receive = (id & 1) != 0;
        Peer peer = world.numbers.get(wc.qpNumber());
        outcome.add((peer == null ? "stranger" : peer) + (receive ? RECEIVE : SEND),
                new Completion((int) (id >> 16), id, wc.status(), wc.success() ? details(wc, receive) : ""));
        done.add(id);
        if (receive && wc.success() && world.setup.type() == QpType.UD) {
            wipeHeader(receiveParts.getOrDefault(id, List.of()));
        }
    }

    private String details(Wc wc, boolean receive) {
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
            words.add(wc.invalidatedRkey() == world.windowKey ? "invalidates the window" : "invalidates a stranger");
        }
        if (receive && world.setup.type() == QpType.UD) {
            words.add("from " + world.numbers.get(wc.sourceQp()));
        }
        return String.join(", ", words);
    }

    /** The header before a datagram holds addresses of the device. */
    private void wipeHeader(List<Part> parts) {
        int left = Requests.GRH;
        for (Part part : parts) {
            int some = Math.min(left, part.length());
            world.end.write(world.memory, part.offset(), new byte[some]);
            left -= some;
        }
    }
}
