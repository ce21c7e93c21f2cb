package io.jverbs.fault;

import java.util.SplittableRandom;

/**
 * A rule with its counters and its random number generator. Thread-safe. It takes no lock except its own, so callers
 * may hold any lock.
 */
final class ActiveRule {
    private final FaultRule rule;
    private final FaultTarget target;
    private final SplittableRandom random;
    private long matched;
    private long fired;

    ActiveRule(FaultRule rule) {
        this.rule = rule;
        this.target = FaultTarget.of(rule.fault());
        this.random = new SplittableRandom(rule.seed());
    }

    FaultRule rule() {
        return rule;
    }

    FaultTarget target() {
        return target;
    }

    /**
     * Whether the rule fires at an operation. Counts the operation if it matches.
     *
     * @param qp the queue pair of the operation, null if it has none
     * @param opcode the opcode of the operation, compared only if the rule has one
     */
    synchronized boolean fires(TrackedQp qp, int opcode) {
        if (!concerns(qp) || rule.opcode() != FaultRule.ANY_OPCODE && rule.opcode() != opcode) {
            return false;
        }
        matched++;
        boolean due = (rule.nth() == 0 || matched == rule.nth()) && matched % rule.every() == 0
                && fired < rule.times() && (rule.probability() == 1 || random.nextDouble() < rule.probability());
        if (due) {
            fired++;
        }
        return due;
    }

    private boolean concerns(TrackedQp qp) {
        return switch (rule.queuePairs()) {
            case QueuePairFilter.Any any -> true;
            case QueuePairFilter.Number wanted -> qp != null && qp.number() == wanted.number();
            case QueuePairFilter.Created wanted -> qp != null && qp.created() == wanted.nth();
        };
    }

    synchronized FaultInjection.Hits hits() {
        return new FaultInjection.Hits(rule, matched, fired);
    }
}
