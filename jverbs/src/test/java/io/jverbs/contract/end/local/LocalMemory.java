package io.jverbs.contract.end.local;

import io.jverbs.MemoryRegion;
import io.jverbs.MemoryWindow;
import io.jverbs.MwBind;
import io.jverbs.Reregistration;
import io.jverbs.contract.end.BindSpec;
import io.jverbs.contract.end.End;
import io.jverbs.contract.end.Infos.MwInfo;
import io.jverbs.contract.end.MemoryCommands;
import io.jverbs.contract.end.MrInfo;
import io.jverbs.contract.end.MrSpec;
import io.jverbs.contract.end.Pattern;
import io.jverbs.contract.end.ReregSpec;
import io.jverbs.contract.end.Wait;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Memory, memory regions and memory windows. */
final class LocalMemory implements MemoryCommands {

    private static final long PAGE = 4096;
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle();

    private final Objects objects;
    /** Ids of the memory of regions, by the ids of the regions. */
    private final Map<Integer, Integer> memoryOf = new ConcurrentHashMap<>();

    LocalMemory(Objects objects) {
        this.objects = objects;
    }

    @Override
    public int allocateMemory(Kind kind, long bytes) {
        return objects.add(switch (kind) {
            case SHARED -> shared(bytes);
            case AUTO -> new Memory(Arena.ofAuto().allocate(bytes, PAGE), null);
            case MAPPED -> mapped(bytes);
            case HEAP -> new Memory(MemorySegment.ofArray(new byte[Math.toIntExact(bytes)]), null);
            case CONFINED -> confined(bytes);
            case READ_ONLY -> {
                Memory memory = shared(bytes);
                yield new Memory(memory.segment().asReadOnly(), memory.arena());
            }
        });
    }

    private static Memory shared(long bytes) {
        Arena arena = Arena.ofShared();
        return new Memory(arena.allocate(bytes, PAGE), arena);
    }

    /** The owner thread has ended before the memory is used, so every user is another thread. */
    private static Memory confined(long bytes) {
        MemorySegment[] made = new MemorySegment[1];
        Threads.run(1, index -> made[0] = Arena.ofConfined().allocate(bytes, PAGE));
        return new Memory(made[0], null);
    }

    private static Memory mapped(long bytes) {
        try {
            Path file = Files.createTempFile("contract", ".mem");
            Arena arena = Arena.ofShared();
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                return new Memory(channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena), arena);
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public long memoryAddress(int memory) {
        return objects.memory(memory).segment().address();
    }

    @Override
    public void freeMemory(int memory) {
        objects.memory(memory).close();
    }

    @Override
    public MrInfo registerMemory(MrSpec spec) {
        int memory = spec.memory() == End.NONE ? objects.add(shared(spec.length())) : spec.memory();
        MemorySegment whole = objects.memory(memory).segment();
        MemorySegment part = spec.offset() == 0 && spec.length() == whole.byteSize()
                ? whole
                : whole.asSlice(spec.offset(), spec.length());
        MemoryRegion region = spec.iova() == null
                ? objects.pd(spec.pd()).registerMemory(part, spec.access())
                : objects.pd(spec.pd()).registerMemory(part, spec.access(), spec.iova());
        return added(region, part == whole ? memory : objects.add(new Memory(part, null)));
    }

    @Override
    public MrInfo allocateRegion(int pd, long bytes, int access) {
        MemoryRegion region = objects.pd(pd).allocate(bytes, access);
        return added(region, objects.add(new Memory(region.segment(), null)));
    }

    private MrInfo added(MemoryRegion region, int memory) {
        int id = objects.add(region);
        memoryOf.put(id, memory);
        return queryMr(id);
    }

    @Override
    public MrInfo queryMr(int mr) {
        MemoryRegion region = objects.mr(mr);
        return new MrInfo(mr, region.address(), region.length(), region.lkey(), region.rkey(), region.access(),
                memoryOf.get(mr));
    }

    @Override
    public MrInfo reregister(int mr, ReregSpec spec) {
        Reregistration.Builder change = Reregistration.builder();
        if (spec.memory() != End.NONE) {
            MemorySegment segment = objects.memory(spec.memory()).segment();
            if (spec.iova() == null) {
                change.translation(segment);
            } else {
                change.translation(segment, spec.iova());
            }
        }
        if (spec.pd() != End.NONE) {
            change.pd(objects.pd(spec.pd()));
        }
        if (spec.access() != null) {
            change.access(spec.access());
        }
        objects.mr(mr).reregister(change.build());
        if (spec.memory() != End.NONE) {
            memoryOf.put(mr, spec.memory());
        }
        return queryMr(mr);
    }

    @Override
    public List<MrInfo> registerMany(int pd, int threads, int perThread, long bytes, int access) {
        List<MrInfo> all = Collections.synchronizedList(new ArrayList<>());
        Threads.run(threads, thread -> {
            for (int i = 0; i < perThread; i++) {
                all.add(registerMemory(new MrSpec(pd, allocateMemory(Kind.AUTO, bytes), 0, bytes, access, null)));
            }
        });
        return new ArrayList<>(all);
    }

    private MemorySegment slice(int memory, long offset, long length) {
        return objects.memory(memory).segment().asSlice(offset, length);
    }

    @Override
    public byte[] read(int memory, long offset, int length) {
        return slice(memory, offset, length).toArray(ValueLayout.JAVA_BYTE);
    }

    @Override
    public void write(int memory, long offset, byte[] bytes) {
        MemorySegment.copy(bytes, 0, objects.memory(memory).segment(), ValueLayout.JAVA_BYTE, offset, bytes.length);
    }

    @Override
    public void fill(int memory, long offset, long length, int seed) {
        MemorySegment target = slice(memory, offset, length);
        for (long i = 0; i < length; i++) {
            target.set(ValueLayout.JAVA_BYTE, i, Pattern.at(seed, i));
        }
    }

    @Override
    public long firstMismatch(int memory, long offset, long length, int seed) {
        MemorySegment target = slice(memory, offset, length);
        for (long i = 0; i < length; i++) {
            if (target.get(ValueLayout.JAVA_BYTE, i) != Pattern.at(seed, i)) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public long firstOther(int memory, long offset, long length, byte value) {
        MemorySegment target = slice(memory, offset, length);
        for (long i = 0; i < length; i++) {
            if (target.get(ValueLayout.JAVA_BYTE, i) != value) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public long loadLong(int memory, long offset) {
        return (long) LONG.getVolatile(objects.memory(memory).segment(), offset);
    }

    @Override
    public void storeLong(int memory, long offset, long value) {
        LONG.setVolatile(objects.memory(memory).segment(), offset, value);
    }

    @Override
    public void addLong(int memory, long offset, long delta, int times) {
        MemorySegment target = objects.memory(memory).segment();
        for (int i = 0; i < times; i++) {
            LONG.getAndAdd(target, offset, delta);
        }
    }

    @Override
    public boolean awaitLong(int memory, long offset, long value, long millis) {
        MemorySegment target = objects.memory(memory).segment();
        Wait wait = new Wait(millis);
        while ((long) LONG.getAcquire(target, offset) != value) {
            if (!wait.goesOn()) {
                return false;
            }
            Thread.onSpinWait();
        }
        return true;
    }

    @Override
    public boolean awaitByte(int memory, long offset, byte value, long millis) {
        MemorySegment target = objects.memory(memory).segment();
        Wait wait = new Wait(millis);
        while ((byte) BYTE.getAcquire(target, offset) != value) {
            if (!wait.goesOn()) {
                return false;
            }
            Thread.onSpinWait();
        }
        return true;
    }

    @Override
    public MwInfo allocateMw(int pd, int rawType) {
        return queryMw(objects.add(objects.pd(pd).allocateMemoryWindow(rawType)));
    }

    @Override
    public MwInfo queryMw(int mw) {
        MemoryWindow window = objects.get(mw, MemoryWindow.class);
        return new MwInfo(mw, window.type().code(), window.rkey());
    }

    @Override
    public void bindMw(int qp, int mw, long wrId, int sendFlags, BindSpec bind) {
        objects.qp(qp).bindMemoryWindow(objects.get(mw, MemoryWindow.class), wrId, sendFlags, bind(objects, bind));
    }

    static MwBind bind(Objects objects, BindSpec bind) {
        return new MwBind(objects.orNull(bind.region(), MemoryRegion.class), bind.address(), bind.length(),
                bind.access());
    }
}
