package io.jverbs.fault;

import io.jverbs.AsyncEventType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.VerbsException;
import io.jverbs.spi.ContextOps;
import io.jverbs.spi.DeviceLayer;
import io.jverbs.spi.LayerSource;
import io.jverbs.spi.ProviderDevice;
import io.jverbs.spi.StackReserve;
import io.jverbs.spi.SystemProperties;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A layer that injects faults between a program and its device, hardware or software, by rules and by calls of the
 * program. Pass it to {@link io.jverbs.RdmaDevice#open(DeviceLayer...)}, for one context or several, whose operations
 * are then counted together. Alternatively set the system property {@value #PROPERTY} to rules in the form of {@link
 * #GRAMMAR}: each context that is opened then has its own fault injection, which {@link RdmaContext#capability}
 * returns.
 *
 * {@snippet :
 * FaultInjection faults = FaultInjection.of(
 *         FaultRule.failCompletion(WcStatus.RETRY_EXC_ERR).queuePairCreated(1).nth(3),
 *         FaultRule.delay(Duration.ofMillis(5)).opcode(WcOpcode.RECV).probability(0.1, 7));
 * try (RdmaContext context = device.open(faults)) {
 *     // ...
 * }
 * }
 *
 * <p>
 * A program sees only behavior that verbs allow. After an injected error the queue pair is in ERR, and each outstanding
 * request is flushed once, in order. Completions keep their order in each completion queue, even if they are delayed.
 * An armed completion queue raises one event, when held or delayed completions become visible. If it is armed for
 * solicited completions only, a receive completion that was already held or delayed counts as solicited, because a
 * completion does not tell whether it is. A request keeps its entry in its queue until its completion is polled, so
 * posts fail with ENOMEM when the queue is full; this does not apply to shared receive queues. Delays use the clock of
 * the device, which is virtual in a simulated network. The operations of a context are executed one after the other, so
 * do not measure performance with fault injection. Thread-safe.
 */
public final class FaultInjection implements DeviceLayer {
    /** The system property that holds rules. */
    public static final String PROPERTY = SystemProperties.FAULT;
    /** The text for no rules. */
    public static final String NO_RULES = "none";
    /** The form of rules, for error messages. */
    public static final String GRAMMAR = "none, or fault{,condition}{;fault{,condition}}; fault: post=ERRNO, "
            + "recv=ERRNO, register=ERRNO, complete=STATUS, delay=TIME, hold, flush, event=TYPE, lose, "
            + "lose-message, delay-message=TIME, resolve=ERRNO, connect=EVENT; condition: "
            + "qp=NUMBER or qp=#NTH, opcode=NAME, nth=N, every=N, times=N, p=PART, seed=N; for instance "
            + "complete=RETRY_EXC_ERR,qp=#1,nth=3;delay=5ms,opcode=RECV,p=0.1,seed=7";
    private static final Logger LOG = LoggerFactory.getLogger(FaultInjection.class);

    private final Rules rules;
    private final List<FaultContext> contexts = new CopyOnWriteArrayList<>();

    /**
     * How often a rule matched and fired. When the last context is closed, a rule that never fired is logged as a
     * warning, because it has tested nothing.
     *
     * @param rule the rule
     * @param matched how many operations it matched
     * @param fired at how many of them it fired
     */
    public record Hits(FaultRule rule, long matched, long fired) {
        /** Rejects null. */
        public Hits {
            Objects.requireNonNull(rule, "rule");
        }
    }

    private FaultInjection(List<FaultRule> rules) {
        this.rules = new Rules(rules);
    }

    /**
     * Creates a fault injection with rules.
     *
     * @param rules the rules, which are evaluated in this order; may be empty
     * @return the layer
     */
    public static FaultInjection of(FaultRule... rules) {
        for (FaultRule rule : Objects.requireNonNull(rules, "rules")) {
            Objects.requireNonNull(rule, "rules holds null");
        }
        return new FaultInjection(List.of(rules));
    }

    /**
     * Creates a fault injection with rules from text.
     *
     * @param text rules in the form of {@link #GRAMMAR}
     * @return the layer
     * @throws IllegalArgumentException if the text is malformed; the message names the offending part and the form
     */
    public static FaultInjection parse(String text) {
        return new FaultInjection(RuleText.parse(Objects.requireNonNull(text, "text")));
    }

    /**
     * Adds a rule after the existing ones. It applies to operations from now on.
     *
     * @param rule the rule
     * @throws IllegalArgumentException if the device of a context does not support the fault; then no rule is added
     */
    public void add(FaultRule rule) {
        StackReserve.check();
        FaultTarget target = FaultTarget.of(Objects.requireNonNull(rule, "rule").fault());
        contexts.forEach(context -> context.arrivals().start(target));
        rules.add(rule);
    }

    /** Removes all rules and their counts. Held completions stay held until {@link #release}. */
    public void clear() {
        rules.clear();
    }

    /** {@return how often each rule matched and fired, in their order} */
    public List<Hits> hits() {
        return rules.hits();
    }

    /** Releases all held and delayed completions. Armed completion queues raise their events. */
    public void release() {
        StackReserve.check();
        contexts.forEach(FaultContext::release);
    }

    /**
     * {@return how many completions are held or delayed, or wait behind one that is} Like a poll, it first takes the
     * completions that the device has.
     */
    public int held() {
        StackReserve.check();
        return contexts.stream().mapToInt(FaultContext::held).sum();
    }

    /**
     * Moves a queue pair to ERR, as a failure of the device does. All outstanding requests are flushed.
     *
     * @param qp the queue pair
     * @throws VerbsException with EINVAL in RESET, where nothing can be outstanding
     * @throws IllegalArgumentException if the queue pair is closed, or its context was opened without this fault
     *         injection
     */
    public void flush(QueuePair qp) {
        StackReserve.check();
        of(qp).flush(qp.handle());
    }

    /**
     * Raises an asynchronous event, with the effects that {@link Fault.RaiseEvent} describes.
     *
     * @param event the event
     * @param qp the queue pair that the event belongs to, or whose queue, port or device it belongs to
     * @throws IllegalArgumentException if the event cannot be raised, if it needs a shared receive queue and the queue
     *         pair has none, or if the context of the queue pair was opened without this fault injection
     */
    public void raise(AsyncEventType event, QueuePair qp) {
        StackReserve.check();
        Fault.RaiseEvent fault = new Fault.RaiseEvent(event);
        if (AsyncEventFilter.needsSrq(event) && qp.srq() == null) {
            throw new IllegalArgumentException(event + " needs a shared receive queue, and " + qp + " has none");
        }
        of(qp).raise(fault, qp.handle());
    }

    private FaultContext of(QueuePair qp) {
        Objects.requireNonNull(qp, "qp");
        return contexts.stream().filter(context -> context.knows(qp.handle())).findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException(
                                qp + " is closed, or its context was opened without this fault injection"));
    }

    @Override
    public int position() {
        return DEVICE;
    }

    @Override
    public ContextOps wrap(ProviderDevice device, ContextOps inner) {
        FaultContext context = new FaultContext(device, inner, rules, this::closed);
        try {
            Stream.of(FaultTarget.PACKET, FaultTarget.MESSAGE).filter(rules::has).forEach(context.arrivals()::start);
            contexts.add(context);
            LOG.warn("Fault injection is active on device {}: {}", device.name(), this);
            return context;
        } catch (RuntimeException | Error e) {
            // the caller closes the inner context only
            context.arrivals().stop();
            contexts.remove(context);
            throw e;
        }
    }

    private void closed(FaultContext context) {
        if (contexts.remove(context) && contexts.isEmpty()) {
            for (Hits each : hits()) {
                if (each.fired() == 0) {
                    LOG.warn("Fault rule {} never fired; it matched {} operations", each.rule(), each.matched());
                }
            }
        }
    }

    /** {@return the rules in the form of {@link #GRAMMAR}} */
    @Override
    public String toString() {
        List<Hits> all = hits();
        return all.isEmpty() ? NO_RULES : String.join(";", all.stream().map(each -> each.rule().toString()).toList());
    }

    /**
     * Creates the fault injection that the system property {@value FaultInjection#PROPERTY} requests, one for each
     * context. Its rules count operations from the opening of the context.
     */
    public static final class Source implements LayerSource {

        /** Called by {@link java.util.ServiceLoader}. */
        public Source() {
            // no state
        }

        @Override
        public Optional<DeviceLayer> configured() {
            String text = System.getProperty(PROPERTY);
            if (text == null) {
                return Optional.empty();
            }
            try {
                return Optional.of(parse(text));
            } catch (IllegalArgumentException e) {
                throw SystemProperties.named(PROPERTY, e);
            }
        }
    }
}
