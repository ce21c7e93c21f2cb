package io.jverbs.fault;

import io.jverbs.AsyncEventType;
import io.jverbs.Errno;
import io.jverbs.WcOpcode;
import io.jverbs.WcStatus;
import io.jverbs.WrOpcode;
import io.jverbs.cm.CmEventType;
import io.jverbs.control.CmMessage;
import java.time.Duration;
import java.util.Objects;

/**
 * A fault and the conditions under which it happens. An operation matches if the fault applies to it and it has the
 * queue pair and the opcode of the rule; the other conditions select among the operations that match. Rules are
 * evaluated in order: the first one that fires at an operation applies, and later ones neither see nor count it.
 * Immutable.
 *
 * {@snippet :
 * // the third send of the first queue pair completes with an error
 * FaultRule third = FaultRule.failCompletion(WcStatus.RETRY_EXC_ERR).queuePairCreated(1).nth(3);
 * // the first completion of a receive is held until FaultInjection.release
 * FaultRule held = FaultRule.hold().opcode(WcOpcode.RECV).nth(1);
 * try (RdmaContext context = device.open(FaultInjection.of(third, held))) {
 *     program(context);
 * }
 * }
 *
 * @param fault the fault
 * @param queuePairs the queue pairs that the rule applies to; Any with {@link Fault.FailRegistration}, {@link
 *        Fault.FailResolution}, {@link Fault.LoseMessage} and {@link Fault.DelayMessage}
 * @param opcode the number of the opcode, {@link #ANY_OPCODE} for all: a {@link WrOpcode} for faults of send requests,
 *         a {@link WcOpcode} for faults of completions, which then match only if they are successful, a {@link
 *         CmMessage} for faults of messages of the connection manager
 * @param nth the rule fires only at this operation among those that match, from 1; 0 for no such condition; a multiple
 *         of {@code every}
 * @param every the rule fires at every n-th operation that matches; 1 for all
 * @param times the maximum number of times that the rule fires; {@link Long#MAX_VALUE} for no limit
 * @param probability the probability that the rule fires at an operation that meets all other conditions, greater than
 *         0; 1 for always
 * @param seed the seed of the random decisions, 0 or more; the same seed gives the same decisions
 */
public record FaultRule(Fault fault, QueuePairFilter queuePairs, int opcode, long nth, long every, long times,
        double probability, long seed) {
    /** The value of {@code opcode} that stands for every operation. */
    public static final int ANY_OPCODE = -1;
    static final String NO_OPCODES = "this fault cannot be limited to an opcode";

    /** Rejects values out of range, conditions that do not apply to the fault, and conditions that are never met. */
    public FaultRule {
        Objects.requireNonNull(fault, "fault");
        Objects.requireNonNull(queuePairs, "queuePairs");
        require(nth >= 0, "nth", nth, "0 or more");
        require(every >= 1, "every", every, "1 or more");
        require(times >= 1, "times", times, "1 or more");
        require(seed >= 0, "seed", seed, "0 or more");
        if (!(probability > 0 && probability <= 1)) {
            throw new IllegalArgumentException(
                    "probability must be greater than 0 and at most 1, but is " + probability);
        }
        FaultTarget target = FaultTarget.of(fault);
        if (opcode != ANY_OPCODE && !target.known(opcode)) {
            throw new IllegalArgumentException(!target.hasOpcodes()
                    ? NO_OPCODES
                    : "opcode " + opcode + " is not one of " + target.names());
        }
        if (nth % every != 0) {
            throw new IllegalArgumentException(
                    "nth " + nth + " is not a multiple of every " + every + ", so the rule would never fire");
        }
        if (fault instanceof Fault.FailCompletion failing && opcode != ANY_OPCODE
                && !Rules.isPossible(failing.status(), (opcode & WcOpcode.RECV.code()) != 0)) {
            throw new IllegalArgumentException(
                    target.name(opcode) + " cannot complete with " + failing.status()
                            + ", so the rule would never fire");
        }
        if (target.withoutQueuePair() != null && !(queuePairs instanceof QueuePairFilter.Any)) {
            throw new IllegalArgumentException(
                    "a rule " + target.withoutQueuePair() + " cannot be limited to a queue pair");
        }
    }

    private static void require(boolean good, String name, long value, String range) {
        if (!good) {
            throw new IllegalArgumentException(name + " must be " + range + ", but is " + value);
        }
    }

    /**
     * Creates a rule that fires whenever its fault can happen.
     *
     * @param fault the fault
     * @return the rule
     */
    public static FaultRule of(Fault fault) {
        return new FaultRule(fault, new QueuePairFilter.Any(), ANY_OPCODE, 0, 1, Long.MAX_VALUE, 1, 0);
    }

    /**
     * {@return a rule that fails every post of a send request}
     *
     * @param errno the error of the post
     */
    public static FaultRule failSend(Errno errno) {
        return of(new Fault.FailSend(errno));
    }

    /**
     * {@return a rule that fails every post of a receive request}
     *
     * @param errno the error of the post
     */
    public static FaultRule failReceive(Errno errno) {
        return of(new Fault.FailReceive(errno));
    }

    /**
     * {@return a rule that fails every registration of memory}
     *
     * @param errno the error of the exception
     */
    public static FaultRule failRegistration(Errno errno) {
        return of(new Fault.FailRegistration(errno));
    }

    /**
     * {@return a rule that gives an error status to every successful completion that can have it}
     *
     * @param status the status
     */
    public static FaultRule failCompletion(WcStatus status) {
        return of(new Fault.FailCompletion(status));
    }

    /**
     * {@return a rule that delays every completion}
     *
     * @param time the delay
     */
    public static FaultRule delay(Duration time) {
        return of(new Fault.Delay(time));
    }

    /** {@return a rule that holds every completion} */
    public static FaultRule hold() {
        return of(new Fault.Hold());
    }

    /** {@return a rule that moves the queue pair to ERR at every post of a send request} */
    public static FaultRule flush() {
        return of(new Fault.Flush());
    }

    /**
     * {@return a rule that raises an asynchronous event at every post of a send request}
     *
     * @param event the event
     */
    public static FaultRule raiseEvent(AsyncEventType event) {
        return of(new Fault.RaiseEvent(event));
    }

    /** {@return a rule that drops every packet that arrives} */
    public static FaultRule losePacket() {
        return of(new Fault.LosePacket());
    }

    /** {@return a rule that drops every message of the connection manager that arrives} */
    public static FaultRule loseMessage() {
        return of(new Fault.LoseMessage());
    }

    /**
     * {@return a rule that delays every message of the connection manager that arrives}
     *
     * @param time the delay
     */
    public static FaultRule delayMessage(Duration time) {
        return of(new Fault.DelayMessage(time));
    }

    /**
     * {@return a rule that fails every resolution of an address by a CM ID}
     *
     * @param errno the error of the event
     */
    public static FaultRule failResolution(Errno errno) {
        return of(new Fault.FailResolution(errno));
    }

    /**
     * {@return a rule that fails every connect of a CM ID}
     *
     * @param event REJECTED or UNREACHABLE
     */
    public static FaultRule failConnection(CmEventType event) {
        return of(new Fault.FailConnection(event));
    }

    /**
     * {@return this rule, limited to one queue pair}
     *
     * @param number its number
     */
    public FaultRule queuePair(int number) {
        return queuePairs(new QueuePairFilter.Number(number));
    }

    /**
     * {@return this rule, limited to the nth queue pair that is created}
     *
     * @param nth the position in the order of creation, from 1
     */
    public FaultRule queuePairCreated(int nth) {
        return queuePairs(new QueuePairFilter.Created(nth));
    }

    private FaultRule queuePairs(QueuePairFilter filter) {
        return new FaultRule(fault, filter, opcode, nth, every, times, probability, seed);
    }

    /**
     * {@return this rule, limited to posts with one opcode}
     *
     * @param only the opcode
     */
    public FaultRule opcode(WrOpcode only) {
        return opcode(Objects.requireNonNull(only, "only").code(), FaultTarget.SEND);
    }

    /**
     * {@return this rule, limited to successful completions with one opcode}
     *
     * @param only the opcode
     */
    public FaultRule opcode(WcOpcode only) {
        return opcode(Objects.requireNonNull(only, "only").code(), FaultTarget.COMPLETION);
    }

    /**
     * {@return this rule, limited to messages of the connection manager of one kind}
     *
     * @param only the kind
     */
    public FaultRule opcode(CmMessage only) {
        return opcode(Objects.requireNonNull(only, "only").code(), FaultTarget.MESSAGE);
    }

    private FaultRule opcode(int only, FaultTarget of) {
        if (FaultTarget.of(fault) != of || !of.known(only)) {
            throw new IllegalArgumentException(this + ": " + (!FaultTarget.of(fault).hasOpcodes()
                    ? NO_OPCODES
                    : "the opcode must be one of " + FaultTarget.of(fault).names()));
        }
        return new FaultRule(fault, queuePairs, only, nth, every, times, probability, seed);
    }

    /**
     * {@return this rule, limited to the nth operation that matches}
     *
     * @param only the number of the operation, from 1
     */
    public FaultRule nth(long only) {
        require(only >= 1, "nth", only, "1 or more");
        return new FaultRule(fault, queuePairs, opcode, only, every, times, probability, seed);
    }

    /**
     * {@return this rule, limited to every n-th operation that matches}
     *
     * @param step n, 1 or more
     */
    public FaultRule every(long step) {
        return new FaultRule(fault, queuePairs, opcode, nth, step, times, probability, seed);
    }

    /**
     * {@return this rule, limited to a number of times}
     *
     * @param most how often it fires at most, 1 or more
     */
    public FaultRule times(long most) {
        return new FaultRule(fault, queuePairs, opcode, nth, every, most, probability, seed);
    }

    /**
     * {@return this rule, limited to a random part of the operations that match}
     *
     * @param part the probability that it fires, greater than 0, at most 1
     * @param from the seed of the random decisions, 0 or more
     */
    public FaultRule probability(double part, long from) {
        return new FaultRule(fault, queuePairs, opcode, nth, every, times, part, from);
    }

    /** {@return the rule as text, which {@link FaultInjection#parse} reads} */
    @Override
    public String toString() {
        return RuleText.write(this);
    }
}
