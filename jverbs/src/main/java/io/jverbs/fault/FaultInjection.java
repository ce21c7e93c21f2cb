package io.jverbs.fault;

import io.jverbs.AsyncEventType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.VerbsException;
import io.jverbs.fault.ActiveRule.Place;
import io.jverbs.spi.ContextOps;
import io.jverbs.spi.DeviceLayer;
import io.jverbs.spi.ProviderDevice;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Faults between a program and its device, hardware or software, by rules and at the program's word. It is given to
 * {@link io.jverbs.RdmaDevice#open(DeviceLayer...)}, to one context or several, which then count together; or the system
 * property {@value #PROPERTY} holds rules in the form of {@link #GRAMMAR}, and each context that is opened has faults of its own,
 * which {@link RdmaContext#capability} finds.
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
 * What a program sees stays what verbs allow: after an error the queue pair is in ERR and everything outstanding on it flushes, once
 * each and in order; completions keep their order in each queue, late ones too; a queue that is armed raises one event, when
 * what was held or late becomes visible. Armed for solicited completions only, it takes a receive for solicited that was held or late
 * already, as its completion does not tell. Until a program has its completion a request keeps its place in its queue (not
 * in a shared receive queue): posts fail with ENOMEM when there is none left. Delays are of the device's time, which in a simulated
 * network is not the real one. The operations of a context are carried out one after the other, so figures measured with faults mean
 * nothing. All methods may be called by any thread.
 */
public final class FaultInjection implements DeviceLayer {
    /** The system property that holds rules. */
    public static final String PROPERTY = "jverbs.fault";
    /** In place of rules: none at first. */
    public static final String NO_RULES = "none";
    /** The form of rules, for messages. */
    public static final String GRAMMAR = "none, or fault{,condition}{;fault{,condition}}; fault: post=ERRNO, recv=ERRNO, "
            + "register=ERRNO, complete=STATUS, delay=TIME, hold, flush, event=TYPE, lose; condition: qp=NUMBER or qp=#NTH, "
            + "opcode=NAME, nth=N, every=N, times=N, p=PART, seed=N; for instance "
            + "complete=RETRY_EXC_ERR,qp=#1,nth=3;delay=5ms,opcode=RECV,p=0.1,seed=7";
    private static final Logger LOG = LoggerFactory.getLogger(FaultInjection.class);

    private final Rules rules;
    private final List<FaultContext> contexts = new CopyOnWriteArrayList<>();

    /**
     * How often a rule found something to do. A rule that matched nothing tests nothing: a context that closes says so in its log.
     *
     * @param rule the rule
     * @param matched how many operations it concerned
     * @param fired at how many of them it fired
     */
    public record Hits(FaultRule rule, long matched, long fired) {}

    private FaultInjection(List<FaultRule> rules) {
        this.rules = new Rules(rules);
    }

    /**
     * Makes faults.
     *
     * @param rules the rules, asked in this order; none at first if none are given
     * @return the layer
     */
    public static FaultInjection of(FaultRule... rules) {
        return new FaultInjection(List.of(rules));
    }

    /**
     * Makes faults from text.
     *
     * @param text rules in the form of {@link #GRAMMAR}
     * @return the layer
     * @throws IllegalArgumentException if the text is malformed; the message names the offending part and the form
     */
    public static FaultInjection parse(String text) {
        return new FaultInjection(RuleText.parse(text));
    }

    /**
     * Adds a rule behind those that there are; operations from now on are asked.
     *
     * @param rule the rule
     * @throws IllegalArgumentException if a device that this stands before cannot do it; then nothing is added
     */
    public void add(FaultRule rule) {
        if (Place.of(rule.fault()) == Place.PACKET) {
            contexts.forEach(FaultContext::losePackets);
        }
        rules.add(rule);
    }

    /** Takes all rules away, with their counts. What is held stays so until {@link #release}. */
    public void clear() {
        rules.clear();
    }

    /** {@return how often each rule matched and fired, in their order} */
    public List<Hits> hits() {
        return rules.hits();
    }

    /** Lets go all completions that are held, and those that are late. Queues that are armed raise their events. */
    public void release() {
        contexts.forEach(FaultContext::release);
    }

    /**
     * {@return how many completions are held or late, or wait behind such a one} As a poll does, it has the device asked for those that
     * there are by now.
     */
    public int held() {
        return contexts.stream().mapToInt(FaultContext::held).sum();
    }

    /**
     * Moves a queue pair to ERR, as a failure of the device would: all that is outstanding flushes.
     *
     * @param qp the queue pair
     * @throws VerbsException with EINVAL in RESET, where nothing can be outstanding
     * @throws IllegalArgumentException if this does not stand before its context
     */
    public void flush(QueuePair qp) {
        of(qp).flush(qp.handle());
    }

    /**
     * Raises an asynchronous event, with what {@link Fault.RaiseEvent} says about it.
     *
     * @param event the event
     * @param qp the queue pair that it is of, or by which the queue or port is found that it is of
     * @throws IllegalArgumentException if the event cannot be raised, needs a shared receive queue where there is none, or this
     *             does not stand before the context of the queue pair
     */
    public void raise(AsyncEventType event, QueuePair qp) {
        Fault.RaiseEvent fault = new Fault.RaiseEvent(event);
        if (AsyncDesk.needsSrq(event) && qp.srq() == null) {
            throw new IllegalArgumentException(event + " is of shared receive queues, and " + qp + " has none");
        }
        of(qp).raise(fault, qp.handle());
    }

    private FaultContext of(QueuePair qp) {
        Objects.requireNonNull(qp, "qp");
        return contexts.stream().filter(context -> context.knows(qp.handle())).findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException(qp + " is closed, or of a context without these faults"));
    }

    @Override
    public int position() {
        return DEVICE;
    }

    @Override
    public ContextOps wrap(ProviderDevice device, ContextOps inner) {
        FaultContext context = new FaultContext(device, inner, rules, this::closed);
        if (rules.has(Place.PACKET)) {
            context.losePackets();
        }
        contexts.add(context);
        LOG.warn("Faults are injected into what {} does: {}", device.name(), this);
        return context;
    }

    private void closed(FaultContext context) {
        contexts.remove(context);
        if (contexts.isEmpty()) {
            for (Hits each : hits()) {
                if (each.fired() == 0) {
                    LOG.warn("Fault rule {} never fired; it concerned {} operations", each.rule(), each.matched());
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
}
