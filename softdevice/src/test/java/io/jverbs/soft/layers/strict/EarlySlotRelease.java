package io.jverbs.soft.layers.strict;

import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendWorkRequest;
import io.jverbs.WorkCompletions;
import io.jverbs.spi.ContextOps;
import io.jverbs.spi.DataPath;
import io.jverbs.spi.DeviceLayer;
import io.jverbs.spi.ForwardingContext;
import io.jverbs.spi.Handle;
import io.jverbs.spi.ProviderDevice;
import io.jverbs.spi.WcLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;

/**
 * A layer that makes the software device free the send queue entry of a signaled request when the request is executed,
 * as Linux's rxe does, instead of when its completion is polled. It polls before each post and keeps the completions
 * for the program. Not thread-safe.
 */
final class EarlySlotRelease implements DeviceLayer {
    /** The maximum number of completions of one poll. */
    private static final int BATCH = 64;

    @Override
    public int position() {
        return DEVICE;
    }

    @Override
    public ContextOps wrap(ProviderDevice device, ContextOps inner) {
        Path path = new Path(inner.dataPath());
        return new ForwardingContext(inner) {
            @Override
            public DataPath dataPath() {
                return path;
            }
        };
    }

    private static final class Path implements DataPath {
        private final DataPath inner;
        private final WorkCompletions polled = WorkCompletions.create(BATCH);
        private final Map<Handle.Cq, Queue<MemorySegment>> kept = new HashMap<>();

        Path(DataPath inner) {
            this.inner = inner;
        }

        private Queue<MemorySegment> drain(Handle.Cq cq) {
            Queue<MemorySegment> queue = kept.computeIfAbsent(cq, key -> new ArrayDeque<>());
            for (int count = inner.poll(cq, polled, BATCH); count > 0; count = inner.poll(cq, polled, BATCH)) {
                for (int i = 0; i < count; i++) {
                    MemorySegment copy = Arena.ofAuto().allocate(WcLayout.SIZE, Long.BYTES);
                    queue.add(copy.copyFrom(polled.memory().asSlice((long) i * WcLayout.SIZE, WcLayout.SIZE)));
                }
            }
            return queue;
        }

        @Override
        public long postSend(Handle.Qp qp, SendWorkRequest head) {
            kept.keySet().forEach(this::drain);
            return inner.postSend(qp, head);
        }

        @Override
        public long postReceive(Handle.Qp qp, ReceiveWorkRequest head) {
            return inner.postReceive(qp, head);
        }

        @Override
        public long postSharedReceive(Handle.Srq srq, ReceiveWorkRequest head) {
            return inner.postSharedReceive(srq, head);
        }

        @Override
        public int poll(Handle.Cq cq, WorkCompletions completions, int max) {
            Queue<MemorySegment> queue = drain(cq);
            int count = 0;
            for (; count < max && !queue.isEmpty(); count++) {
                MemorySegment.copy(queue.remove(), 0, completions.memory(), (long) count * WcLayout.SIZE,
                        WcLayout.SIZE);
            }
            return count;
        }

        @Override
        public int requestNotification(Handle.Cq cq, boolean solicitedOnly) {
            return inner.requestNotification(cq, solicitedOnly);
        }
    }
}
