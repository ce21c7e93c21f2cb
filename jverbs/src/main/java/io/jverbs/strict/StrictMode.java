package io.jverbs.strict;

import io.jverbs.control.SimulatedNetwork;
import io.jverbs.spi.ContextOps;
import io.jverbs.spi.DeviceLayer;
import io.jverbs.spi.ProviderDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports what hardware punishes, in the call that is wrong. It is given to {@link io.jverbs.RdmaDevice#open(DeviceLayer...)}, to
 * one context or several; or the system property {@value #PROPERTY} is {@code true} or {@code throw}, and each context that is
 * opened has a strict mode of its own, which {@link io.jverbs.RdmaContext#capability} finds.
 *
 * <p>
 * A violation is reported once for each kind and place in the program: to the log as a warning, to the listener, and in
 * {@link #violations()}. A strict mode that throws throws besides, each time, before the call has done anything; what shows only
 * after the fact (changed payloads, leaked objects, a device that took more than it has places for) is reported all the same. What concerns the peer is checked when the peer
 * belongs to a context with strict mode in the same JVM. Requests are noted and payloads summed at each post, so figures measured
 * with strict mode mean nothing. All methods may be called by any thread.
 */
public final class StrictMode implements DeviceLayer {
    /** The system property that switches strict mode on. */
    public static final String PROPERTY = "jverbs.strict";
    /** The values of {@link #PROPERTY}, for messages. */
    public static final String GRAMMAR = "true (reports), throw (reports and throws where it can) or false";
    /** What all devices are in that are not simulated: their GIDs tell them apart. */
    private static final Object SHARED_NETWORK = "shared";
    private static final Logger LOG = LoggerFactory.getLogger(StrictMode.class);

    private final boolean isThrowing;
    private final Consumer<Violation> listener;
    private final Set<Found> known = ConcurrentHashMap.newKeySet();
    private final List<Violation> violations = new ArrayList<>();

    private record Found(Violation.Kind kind, StackTraceElement place) {}

    private StrictMode(boolean isThrowing, Consumer<Violation> listener) {
        this.isThrowing = isThrowing;
        this.listener = listener;
    }

    /** {@return a strict mode that reports} */
    public static StrictMode reporting() {
        return new StrictMode(false, violation -> {});
    }

    /**
     * {@return a strict mode that reports}
     *
     * @param listener told of each violation, once for each kind and place, in the thread that finds it; it must not call verbs. What
     *            it throws, as {@code fail} of a test does, the call that is wrong throws if it has done nothing yet: it then does
     *            nothing, as if this strict mode threw. Where the call has to go on, for nothing to be lost (a poll, a modify, the
     *            close of a context), the next poll of that context throws it before it takes completions, or else the context's
     *            close, with everything closed
     */
    public static StrictMode reporting(Consumer<Violation> listener) {
        return new StrictMode(false, Objects.requireNonNull(listener, "listener"));
    }

    /** {@return a strict mode that reports, and throws {@link StrictViolationException} where the call has done nothing yet} */
    public static StrictMode throwing() {
        return new StrictMode(true, violation -> {});
    }

    /** {@return what was found so far, once for each kind and place, in the order in which it was} */
    public List<Violation> violations() {
        synchronized (violations) {
            return List.copyOf(violations);
        }
    }

    /**
     * Something that was made and is not closed.
     *
     * @param what it is, for instance {@code completion queue of 64 entries}
     * @param place where it was made: the first frame outside jverbs and the JDK, or else outside jverbs; null if there is none
     */
    public record OpenObject(String what, StackTraceElement place) {

        /** {@return all of it on one line} */
        @Override
        public String toString() {
            return what + " made at " + place;
        }
    }

    /**
     * {@return the contexts with this strict mode that are not closed, each followed by its objects that are not, in the order in which
     * they were made} When a program thinks that it is done, this should be empty. A context that is open when the JVM ends is reported.
     */
    public List<OpenObject> open() {
        return OpenContexts.of(this).stream().flatMap(StrictContext::open).toList();
    }

    /** Whether calls that are wrong must not be carried out. */
    boolean isThrowing() {
        return isThrowing;
    }

    /** As {@link #refuse(Violation)}, of the call that is under way. */
    void refuse(Violation.Kind kind, String explanation, String remedy) {
        refuse(new Violation(kind, explanation, Places.caller(), remedy));
    }

    /** Reports a violation that the call that is under way has not committed yet; a listener may stop it as well. */
    void refuse(Violation violation) {
        report(violation);
        if (isThrowing) {
            throw new StrictViolationException(violation);
        }
    }

    /** Reports a violation and throws what the listener throws; where the call must go on, {@link Owed} reports it. */
    void report(Violation violation) {
        if (known.add(new Found(violation.kind(), violation.place()))) {
            synchronized (violations) {
                violations.add(violation);
            }
            LOG.warn("{}", violation);
            listener.accept(violation);
        }
    }

    @Override
    public int position() {
        return PROGRAM;
    }

    @Override
    public ContextOps wrap(ProviderDevice device, ContextOps inner) {
        Object network = device.capability(SimulatedNetwork.class).<Object>map(Function.identity())
                .orElse(SHARED_NETWORK);
        StrictContext context = new StrictContext(device.name(), network, inner, this);
        OpenContexts.add(context);
        return context;
    }

    @Override
    public String toString() {
        return "strict mode" + (isThrowing ? ", throwing" : "") + ": " + violations().size() + " violations";
    }
}
