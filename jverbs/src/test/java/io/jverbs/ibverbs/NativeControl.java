package io.jverbs.ibverbs;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jverbs.Access;
import io.jverbs.AhAttributes;
import io.jverbs.CompletionChannel;
import io.jverbs.CompletionQueue;
import io.jverbs.Gid;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpAttributes;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.RdmaDevice;
import io.jverbs.SharedReceiveQueue;
import io.jverbs.SrqInitAttributes;
import io.jverbs.Verbs;
import io.jverbs.ffm.NativeLibrary;
import io.jverbs.injection.CreatedObjects;
import io.jverbs.injection.ErrorInjector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * A scenario that opens the native device on a stub of libibverbs, and creates, uses and closes one object of each
 * type, while an Error is thrown at one injection point. It checks that all objects that exist afterwards can be
 * closed, that the library then has as many objects as before, and that none was destroyed twice.
 * {@link OnStubLibraryWithErrors} loads this class with a class loader of its own, together with the native device.
 */
public final class NativeControl implements IntFunction<String>, AutoCloseable {
    private final RdmaDevice device = Verbs.select("stub");
    private final List<String> errors = new ArrayList<>();

    @SuppressWarnings("restricted")
    private static long counter(String name) {
        return ((NativeLibrary.Usable) NativeLibrary.ibverbs()).symbols().find(name).orElseThrow()
                .reinterpret(Long.BYTES).get(JAVA_LONG, 0);
    }

    @Override
    public String apply(int point) {
        errors.clear();
        long before = counter("stub_objects");
        long wrongBefore = counter("stub_wrong_destructions");
        CreatedObjects created = new CreatedObjects(errors);
        ErrorInjector.begin(point);
        try {
            RdmaContext context = created.create(device::open);
            if (context != null) {
                createAll(context, created);
            }
            created.close();
        } finally {
            ErrorInjector.end();
        }
        created.closeAgain(List.of());
        if (counter("stub_objects") != before) {
            errors.add(counter("stub_objects") - before + " objects of the library were not destroyed");
        }
        if (counter("stub_wrong_destructions") != wrongBefore) {
            errors.add("an object of the library was destroyed twice");
        }
        return String.join("; ", errors);
    }

    private static void createAll(RdmaContext context, CreatedObjects created) {
        CreatedObjects.attempt(() -> context.queryPort(1));
        ProtectionDomain pd = created.create(context::allocatePd);
        CompletionChannel channel = created.create(context::createCompletionChannel);
        if (pd == null || channel == null) {
            return;
        }
        CompletionQueue cq = created.create(() -> context.createCompletionQueue(16, channel));
        created.create(() -> pd.allocate(4096, Access.LOCAL_WRITE));
        SharedReceiveQueue srq = created.create(() -> pd.createSharedReceiveQueue(SrqInitAttributes.of(16, 1)));
        created.create(() -> pd.createAddressHandle(AhAttributes.to(Gid.parse("::ffff:192.0.2.1"), 1, 0)));
        if (cq == null || srq == null) {
            return;
        }
        created.create(() -> pd.createQueuePair(QpInitAttributes.builder(QpType.UD).cq(cq).srq(srq).build()));
        QueuePair qp = created.create(() -> pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).build()));
        if (qp != null) {
            CreatedObjects.attempt(() -> qp.modify(QpAttributes.builder().state(QpState.RESET).build()));
            CreatedObjects.attempt(qp::query);
        }
        CreatedObjects.attempt(() -> {
            try {
                channel.awaitEvent(Duration.ZERO);
                context.awaitAsyncEvent(Duration.ZERO);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Override
    public void close() {
        // each round closes its context
    }
}
