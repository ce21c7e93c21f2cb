package io.jverbs.contract.differential;

import io.jverbs.QpState;
import io.jverbs.WcStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a sequence did on a device, in words that are the same for every device. */
final class Outcome {

    /**
     * A completion.
     *
     * @param step    index of the step that posted the request
     * @param id      the request
     * @param details what is defined of a success: opcode, length, flags, immediate
     */
    record Completion(int step, long id, WcStatus status, String details) {
        @Override
        public String toString() {
            return "request " + (id & 0xFFFF) + " of step " + step + ": " + status
                    + (details.isEmpty() ? "" : " " + details);
        }
    }

    /** Answer of a call: of a post, a control call. */
    record Answer(int step, String call, String value) {}

    /** What was waited for at the end of an action. */
    record Checkpoint(int step, Map<String, Integer> counts, Map<Peer, QpState> states, byte[] memory) {}

    /** Completions in order by queue: {@code A send}, ... */
    final Map<String, List<Completion>> queues = new TreeMap<>();
    final List<Answer> answers = new ArrayList<>();
    final List<Checkpoint> checkpoints = new ArrayList<>();
    /** Requests accepted, by opcode, as {@link io.jverbs.WrOpcode} names it. */
    final Map<String, Integer> posted = new TreeMap<>();

    void add(String queue, Completion completion) {
        queues.computeIfAbsent(queue, name -> new ArrayList<>()).add(completion);
    }

    Map<String, Integer> counts() {
        Map<String, Integer> counts = new TreeMap<>();
        queues.forEach((queue, list) -> counts.put(queue, list.size()));
        return counts;
    }

    int completions() {
        return queues.values().stream().mapToInt(List::size).sum();
    }
}
