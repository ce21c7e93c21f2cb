package io.jverbs.contract.differential;

import io.jverbs.QpState;
import io.jverbs.WcStatus;
import io.jverbs.contract.differential.sequence.Peer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The results of a sequence on a device, in words that are the same for every device. */
final class Outcome {

    /**
     * A completion.
     *
     * @param step index of the step that posted the request
     * @param id id of the request
     * @param details the defined fields of a success: opcode, length, flags, immediate data
     */
    record Completion(int step, long id, WcStatus status, String details) {
        @Override
        public String toString() {
            return "request " + (id & 0xFFFF) + " of step " + step + ": " + status
                    + (details.isEmpty() ? "" : " " + details);
        }
    }

    /** The result of a post or a control path call. */
    record CallResult(int step, String call, String value) {}

    /**
     * The state observed at the end of a wait.
     *
     * @param events asynchronous events so far; sorted, because events of different objects have no order
     */
    record Checkpoint(int step, Map<String, Integer> counts, Map<Peer, QpState> states, byte[] memory,
            List<String> events) {}

    /** Completions in order, by queue: {@code A send}, ... */
    final Map<String, List<Completion>> queues = new TreeMap<>();
    final List<CallResult> results = new ArrayList<>();
    final List<Checkpoint> checkpoints = new ArrayList<>();
    final List<String> events = new ArrayList<>();
    /** Number of accepted requests by opcode, as named by {@link io.jverbs.WrOpcode}. */
    final Map<String, Integer> posted = new TreeMap<>();

    void add(String queue, Completion completion) {
        queues.computeIfAbsent(queue, name -> new ArrayList<>()).add(completion);
    }

    Map<String, Integer> counts() {
        Map<String, Integer> counts = new TreeMap<>();
        queues.forEach((queue, list) -> counts.put(queue, list.size()));
        return counts;
    }

    List<String> sortedEvents() {
        return events.stream().sorted().toList();
    }

    int completions() {
        return queues.values().stream().mapToInt(List::size).sum();
    }
}
