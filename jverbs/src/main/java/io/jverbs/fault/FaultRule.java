package io.jverbs.fault;

import io.jverbs.AsyncEventType;
import io.jverbs.Errno;
import io.jverbs.WcOpcode;
import io.jverbs.WcStatus;
import io.jverbs.WrOpcode;
import java.time.Duration;
import java.util.Objects;

/**
 * A fault, and when it happens: to which queue pairs and operations, and to which of those that match. The first rule that
 * fires at an operation decides about it; rules behind it do not see it. Immutable.
 *
 * @param fault what happens
 * @param queuePairs which queue pairs it concerns; Any with {@link Fault.FailRegistration}
 * @param opcode the number of the operation, {@link #ANY_OPCODE} for all: a {@link WrOpcode} where posts of sends are concerned,
 *        a {@link WcOpcode} where successful completions are
 * @param nth fires at that one alone of the operations that match, from 1; 0 for no such condition; a multiple of {@code every}
 * @param every fires at every n-th of them; 1 for all
 * @param times fires no more often than that; {@link Long#MAX_VALUE} for no limit
 * @param probability of the operations that match and meet the conditions above, the part at which it fires, greater than 0, 1 for
 *        all
 * @param seed what the drawing starts from, 0 or more: the same seed draws the same
 */
public record FaultRule(Fault fault, QueuePairFilter queuePairs, int opcode, long nth, long every, long times,
        double probability, long seed) {
    /** Every operation. */
    public static final int ANY_OPCODE = -1;

    /** Refuses values out of range, conditions that the fault cannot have, and such as are never met. */
    public FaultRule {
        Objects.requireNonNull(fault, "fault");
        Objects.requireNonNull(queuePairs, "queuePairs");
        require(nth >= 0, "nth", nth, "0 or more");
        require(every >= 1, "every", every, "1 or more");
        require(times >= 1, "times", times, "1 or more");
        require(seed >= 0, "seed", seed, "0 or more");
        if (!(probability > 0 && probability <= 1)) {
            throw new IllegalArgumentException("probability " + probability + " is not greater than 0 and at most 1");
        }
        Operations operations = Operations.of(fault);
        if (opcode != ANY_OPCODE && !operations.known(opcode)) {
            throw new IllegalArgumentException(operations == Operations.NONE
                    ? "this fault has no opcode"
                    : "opcode " + opcode + " is none of " + operations.names());
        }
        if (nth % every != 0) {
            throw new IllegalArgumentException(
                    "nth " + nth + " is no multiple of every " + every + ", so it would never fire");
        }
        if (fault instanceof Fault.FailCompletion failing && opcode != ANY_OPCODE
                && !Rules.isPossible(failing.status(), (opcode & WcOpcode.RECV.code()) != 0)) {
            throw new IllegalArgumentException(
                    "no " + operations.name(opcode) + " completes with " + failing.status()
                            + ", so it would never fire");
        }
        if (fault instanceof Fault.FailRegistration && !(queuePairs instanceof QueuePairFilter.Any)) {
            throw new IllegalArgumentException("a registration has no queue pair");
        }
    }

    private static void require(boolean good, String name, long value, String range) {
        if (!good) {
            throw new IllegalArgumentException(name + " " + value + " is not " + range);
        }
    }

    /**
     * A rule that fires whenever its fault can happen.
     *
     * @param fault what happens
     * @return the rule
     */
    public static FaultRule of(Fault fault) {
        return new FaultRule(fault, new QueuePairFilter.Any(), ANY_OPCODE, 0, 1, Long.MAX_VALUE, 1, 0);
    }

    /**
     * {@return a rule by which every post of a send request fails}
     *
     * @param errno what the post returns
     */
    public static FaultRule failSend(Errno errno) {
        return of(new Fault.FailSend(errno));
    }

    /**
     * {@return a rule by which every post of a receive request fails}
     *
     * @param errno what the post returns
     */
    public static FaultRule failReceive(Errno errno) {
        return of(new Fault.FailReceive(errno));
    }

    /**
     * {@return a rule by which every registration fails}
     *
     * @param errno the error of the exception
     */
    public static FaultRule failRegistration(Errno errno) {
        return of(new Fault.FailRegistration(errno));
    }

    /**
     * {@return a rule by which every completion that can has a status}
     *
     * @param status the status
     */
    public static FaultRule failCompletion(WcStatus status) {
        return of(new Fault.FailCompletion(status));
    }

    /**
     * {@return a rule by which every completion is late}
     *
     * @param time how late
     */
    public static FaultRule delay(Duration time) {
        return of(new Fault.Delay(time));
    }

    /** {@return a rule by which every completion is held} */
    public static FaultRule hold() {
        return of(new Fault.Hold());
    }

    /** {@return a rule by which queue pairs go to ERR at every post of a send request} */
    public static FaultRule flush() {
        return of(new Fault.Flush());
    }

    /**
     * {@return a rule by which every post of a send request raises an event}
     *
     * @param event the event
     */
    public static FaultRule raiseEvent(AsyncEventType event) {
        return of(new Fault.RaiseEvent(event));
    }

    /** {@return a rule by which every packet is lost that arrives} */
    public static FaultRule losePacket() {
        return of(new Fault.LosePacket());
    }

    /**
     * {@return this rule for one queue pair}
     *
     * @param number its number
     */
    public FaultRule queuePair(int number) {
        return queuePairs(new QueuePairFilter.Number(number));
    }

    /**
     * {@return this rule for the nth queue pair that is created}
     *
     * @param nth from 1
     */
    public FaultRule queuePairCreated(int nth) {
        return queuePairs(new QueuePairFilter.Created(nth));
    }

    private FaultRule queuePairs(QueuePairFilter filter) {
        return new FaultRule(fault, filter, opcode, nth, every, times, probability, seed);
    }

    /**
     * {@return this rule for posts of one operation}
     *
     * @param only the operation
     */
    public FaultRule opcode(WrOpcode only) {
        return opcode(only.code(), Operations.POSTED);
    }

    /**
     * {@return this rule for completions of one operation}
     *
     * @param only the operation
     */
    public FaultRule opcode(WcOpcode only) {
        return opcode(only.code(), Operations.COMPLETED);
    }

    private FaultRule opcode(int only, Operations of) {
        if (Operations.of(fault) != of || !of.known(only)) {
            throw new IllegalArgumentException(this + " has " + (Operations.of(fault) == Operations.NONE
                    ? "no opcode"
                    : "one of the opcodes " + Operations.of(fault).names()));
        }
        return new FaultRule(fault, queuePairs, only, nth, every, times, probability, seed);
    }

    /**
     * {@return this rule for the nth operation alone that matches}
     *
     * @param only from 1
     */
    public FaultRule nth(long only) {
        require(only >= 1, "nth", only, "1 or more");
        return new FaultRule(fault, queuePairs, opcode, only, every, times, probability, seed);
    }

    /**
     * {@return this rule for every n-th operation that matches}
     *
     * @param step the n, 1 or more
     */
    public FaultRule every(long step) {
        return new FaultRule(fault, queuePairs, opcode, nth, step, times, probability, seed);
    }

    /**
     * {@return this rule, firing a limited number of times}
     *
     * @param most 1 or more
     */
    public FaultRule times(long most) {
        return new FaultRule(fault, queuePairs, opcode, nth, every, most, probability, seed);
    }

    /**
     * {@return this rule for a part of the operations that match}
     *
     * @param part greater than 0, at most 1
     * @param from the seed, 0 or more
     */
    public FaultRule probability(double part, long from) {
        return new FaultRule(fault, queuePairs, opcode, nth, every, times, part, from);
    }

    /** {@return the rule in the form that {@link FaultInjection#parse} reads} */
    @Override
    public String toString() {
        return RuleText.write(this);
    }
}
