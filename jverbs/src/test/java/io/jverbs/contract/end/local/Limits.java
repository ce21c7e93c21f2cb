package io.jverbs.contract.end.local;

import io.jverbs.AhAttributes;
import io.jverbs.CompletionQueue;
import io.jverbs.GidEntry;
import io.jverbs.MwType;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.RdmaContext;
import io.jverbs.SrqInitAttributes;
import io.jverbs.VerbsException;
import io.jverbs.contract.end.End;
import io.jverbs.contract.end.Infos.LimitResult;
import io.jverbs.contract.end.JobCommands.ObjectKind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;

/** Creates objects in a separate context until the device refuses. */
final class Limits {

    private final Objects objects;

    Limits(Objects objects) {
        this.objects = objects;
    }

    LimitResult exhaust(ObjectKind kind, int atMost) {
        try (RdmaContext context = objects.context(End.MAIN).device().open()) {
            Supplier<AutoCloseable> factory = factory(kind, context);
            Deque<AutoCloseable> made = new ArrayDeque<>();
            int errno = fill(factory, made, atMost);
            int created = made.size();
            boolean again = false;
            if (errno != 0 && created > 0) {
                close(made.pop());
                again = fill(factory, made, created) == 0;
            }
            while (!made.isEmpty()) {
                close(made.pop());
            }
            return new LimitResult(created, errno, again);
        }
    }

    private static int fill(Supplier<AutoCloseable> factory, Deque<AutoCloseable> made, int atMost) {
        try {
            while (made.size() < atMost) {
                made.push(factory.get());
            }
            return 0;
        } catch (VerbsException e) {
            return e.errno();
        }
    }

    private static void close(AutoCloseable object) {
        try {
            object.close();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static Supplier<AutoCloseable> factory(ObjectKind kind, RdmaContext context) {
        if (kind == ObjectKind.PD) {
            return context::allocatePd;
        }
        if (kind == ObjectKind.CQ) {
            return () -> context.createCompletionQueue(1);
        }
        ProtectionDomain pd = context.allocatePd();
        CompletionQueue cq = context.createCompletionQueue(1);
        GidEntry gid = context.preferredGid(1);
        MemorySegment page = Arena.ofAuto().allocate(4096);
        return switch (kind) {
            case MR -> () -> pd.registerMemory(page, 0);
            case MW -> () -> pd.allocateMemoryWindow(MwType.TYPE_2);
            case SRQ -> () -> pd.createSharedReceiveQueue(SrqInitAttributes.of(1, 1));
            case AH -> () -> pd.createAddressHandle(AhAttributes.to(gid.gid(), 1, gid.index()));
            case QP -> () -> pd.createQueuePair(QpInitAttributes.builder(QpType.UD).cq(cq).maxSendWr(1).maxRecvWr(1)
                    .build());
            default -> throw new IllegalArgumentException(kind.toString());
        };
    }
}
