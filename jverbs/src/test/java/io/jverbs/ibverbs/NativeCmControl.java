package io.jverbs.ibverbs;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jverbs.cm.PortSpace;
import io.jverbs.ffm.NativeLibrary;
import io.jverbs.injection.CreatedObjects;
import io.jverbs.injection.ErrorInjector;
import io.jverbs.spi.CmChannelOps;
import io.jverbs.spi.CmEventData;
import io.jverbs.spi.CmIdOps;
import io.jverbs.spi.CmParameters;
import io.jverbs.spi.ContextOps;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * A scenario that uses IDs and channels of the native device on a stub of librdmacm, while an Error is thrown at one
 * injection point. It checks that the channels can be closed afterwards, and that the library then has as many IDs and
 * channels as before. {@link OnStubConnectionManagerWithErrors} loads this class with a class loader of its own,
 * together with the native device.
 */
public final class NativeCmControl implements IntFunction<String>, AutoCloseable {
    private static final InetSocketAddress OWN = new InetSocketAddress("192.0.2.1", 4791);
    private static final InetSocketAddress GROUP = new InetSocketAddress("239.1.2.3", 0);
    private static final CmParameters PARAMETERS = new CmParameters(new byte[] {1, 2}, 1, 1, false, 7, 7, false, 9, 0);

    private final NativeDevice device = NativeDevice.list().getFirst();
    private final List<String> errors = new ArrayList<>();

    /** An object of the device, and how it is closed. */
    private record Opened<T>(T object, Runnable closing) implements AutoCloseable {
        @Override
        public void close() {
            closing.run();
        }
    }

    @SuppressWarnings("restricted")
    private static long counter(String name) {
        return ((NativeLibrary.Usable) NativeLibrary.rdmacm()).symbols().find(name).orElseThrow()
                .reinterpret(Long.BYTES).get(JAVA_LONG, 0);
    }

    @Override
    public String apply(int point) {
        errors.clear();
        long ids = counter("stub_ids");
        long channels = counter("stub_channels");
        CreatedObjects created = new CreatedObjects(errors);
        ErrorInjector.begin(point);
        try {
            Opened<ContextOps> context = created.create(() -> {
                ContextOps opened = device.open();
                return new Opened<>(opened, opened::close);
            });
            if (context != null) {
                use(channel(context.object(), created), channel(context.object(), created));
            }
            created.close();
        } finally {
            ErrorInjector.end();
        }
        created.closeAgain(List.of());
        if (counter("stub_ids") != ids) {
            errors.add(counter("stub_ids") - ids + " IDs were not destroyed");
        }
        if (counter("stub_channels") != channels) {
            errors.add(counter("stub_channels") - channels + " channels were not destroyed");
        }
        return String.join("; ", errors);
    }

    private static CmChannelOps channel(ContextOps context, CreatedObjects created) {
        Opened<CmChannelOps> channel = created.create(() -> {
            CmChannelOps made = context.createCmChannel();
            return new Opened<>(made, made::close);
        });
        return channel == null ? null : channel.object();
    }

    private static void use(CmChannelOps channel, CmChannelOps second) {
        if (channel == null || second == null) {
            return;
        }
        CreatedObjects.attempt(() -> listen(channel));
        CreatedObjects.attempt(() -> connect(channel, second));
        CreatedObjects.attempt(() -> join(channel));
    }

    private static CmIdOps create(CmChannelOps channel, PortSpace portSpace) {
        return channel.createId(portSpace.code(), portSpace.qpType().code(), channel);
    }

    private static CmEventData await(CmChannelOps channel) {
        try {
            return channel.await(0);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void listen(CmChannelOps channel) {
        CmIdOps listener = create(channel, PortSpace.TCP);
        listener.bind(OWN);
        listener.listen(1);
        CmIdOps child = await(channel).id();
        child.owner(channel);
        child.accept(PARAMETERS);
        child.destroy();
    }

    private static void connect(CmChannelOps channel, CmChannelOps second) {
        CmIdOps id = create(channel, PortSpace.TCP);
        id.resolveAddress(null, OWN, 1);
        await(channel);
        id.migrate(second);
        id.resolveRoute(1);
        await(second);
        id.connect(PARAMETERS);
        await(second);
        id.option(0, 1);
        id.postUserEvent(0, 1);
        await(second);
        id.postUserEvent(0, 2);
        id.destroy();
    }

    private static void join(CmChannelOps channel) {
        CmIdOps id = create(channel, PortSpace.UDP);
        id.bind(OWN);
        id.join(GROUP, false, channel);
        await(channel);
        id.leave(GROUP);
    }

    @Override
    public void close() {
        // each round closes its context
    }
}
