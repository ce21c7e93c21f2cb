package io.jverbs.strict;

import io.jverbs.control.SimulatedNetwork;
import io.jverbs.spi.ContextOps;
import io.jverbs.spi.DeviceLayer;
import io.jverbs.spi.ProviderDevice;
import io.jverbs.spi.SystemProperties;
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
 * A layer that reports mistakes in the use of verbs that fail on hardware, in the call that makes them. Pass it to
 * {@link io.jverbs.RdmaDevice#open(DeviceLayer...)}, for one context or several. Alternatively set the system property
 * {@value #PROPERTY} to {@code true} or {@code throw}: each context that is opened then has its own strict mode, which
 * {@link io.jverbs.RdmaContext#capability} returns.
 *
 * <p>
 * A violation is reported once for each kind and place in the program: as a warning in the log, to the listener, and in
 * {@link #violations()}. A strict mode that throws also throws each time, before the call has had any effect. Mistakes
 * that show only afterwards (changed payloads, leaked objects, a device that accepted more requests than its queue
 * holds) are reported and not thrown. Checks that concern the peer apply if the peer belongs to a context with strict
 * mode in the same JVM. Strict mode records each request and computes a checksum of its payload at the post, so do not
 * measure performance with it. Thread-safe.
 *
 * {@snippet :
 * StrictMode strict = StrictMode.reporting();
 * try (RdmaContext context = device.open(strict)) {
 *     program(context);
 * }
 * assertEquals(List.of(), strict.violations());
 * }
 */
public final class StrictMode implements DeviceLayer {
    /** The system property that switches strict mode on. */
    public static final String PROPERTY = SystemProperties.STRICT;
    /** The values of {@link #PROPERTY}, for error messages. */
    public static final String GRAMMAR = "true (report), throw (report, and throw where possible) or false";
    /** The network of all devices that are not simulated. Their GIDs are unique within it. */
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

    /** {@return a strict mode that reports violations} */
    public static StrictMode reporting() {
        return new StrictMode(false, violation -> {});
    }

    /**
     * {@return a strict mode that reports violations to a listener too}
     *
     * @param listener called with each violation, once for each kind and place, in the thread that finds it; it must
     *         not call verbs. It may throw, as {@code fail} of a test does. If the wrong call has had no effect yet, it
     *         throws the listener's exception and has no effect, as with {@link #throwing}. If the call must complete
     *         so that nothing is lost (a poll, a modify, the close of a context), the exception is thrown by the next
     *         poll of that context, before it takes completions, or else by the close of the context, after everything
     *         is closed
     */
    public static StrictMode reporting(Consumer<Violation> listener) {
        return new StrictMode(false, Objects.requireNonNull(listener, "listener"));
    }

    /**
     * {@return a strict mode that reports violations, and throws {@link StrictViolationException} where the call has
     * had no effect yet}
     */
    public static StrictMode throwing() {
        return new StrictMode(true, violation -> {});
    }

    /** {@return the violations found so far, one for each kind and place, in the order in which they were found} */
    public List<Violation> violations() {
        synchronized (violations) {
            return List.copyOf(violations);
        }
    }

    /**
     * An object that is not closed.
     *
     * @param what a description, for instance {@code completion queue of 64 entries}
     * @param place where it was created: the first frame outside jverbs and the JDK, or else outside jverbs; null if
     * there is none
     */
    public record OpenObject(String what, StackTraceElement place) {
        /** Rejects null, except for the place. */
        public OpenObject {
            Objects.requireNonNull(what, "what");
        }

        /** {@return the description and the place in one line} */
        @Override
        public String toString() {
            return what + " created at " + place;
        }
    }

    /**
     * {@return the open contexts with this strict mode, each followed by its open objects, in the order of creation} A
     * program that has closed everything gets an empty list. A context that is open when the JVM exits is reported.
     */
    public List<OpenObject> open() {
        return OpenContexts.of(this).stream().flatMap(StrictContext::open).toList();
    }

    /** Whether wrong calls throw. */
    boolean isThrowing() {
        return isThrowing;
    }

    /** As {@link #refuse(Violation)}, with the place of the current call. */
    void refuse(Violation.Kind kind, String explanation, String remedy) {
        refuse(new Violation(kind, explanation, CallSites.caller(), remedy));
    }

    /**
     * Reports a violation before the current call has any effect, and throws if the listener or this mode throws.
     *
     * @return whether this logged it
     */
    boolean refuse(Violation violation) {
        boolean isLogged = report(violation);
        if (isThrowing) {
            throw new StrictViolationException(violation);
        }
        return isLogged;
    }

    /**
     * Reports a violation, and throws what the listener throws. Calls that must complete use {@link DeferredReports}.
     *
     * @return whether this logged it, because its kind and place are new
     */
    boolean report(Violation violation) {
        boolean isNew = isNew(violation);
        if (isNew) {
            LOG.warn("{}", violation);
            listener.accept(violation);
        }
        return isNew;
    }

    private boolean isNew(Violation violation) {
        Found found = new Found(violation.kind(), violation.place());
        if (!known.add(found)) {
            return false;
        }
        try {
            synchronized (violations) {
                violations.add(violation);
            }
            return true;
        } catch (Error e) {
            known.remove(found);
            throw e;
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
