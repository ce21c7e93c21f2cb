package io.jverbs.soft.closing;

import io.jverbs.Access;
import io.jverbs.AhAttributes;
import io.jverbs.CompletionChannel;
import io.jverbs.CompletionQueue;
import io.jverbs.MemoryRegion;
import io.jverbs.MemoryWindow;
import io.jverbs.MwBind;
import io.jverbs.MwType;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.Reregistration;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.SrqInitAttributes;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** Measures the median time to create an object of each kind, and to close it after use. */
final class Costs {
    private static final int ACCESS = Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.MW_BIND;
    private static final int BYTES = 64;

    private final RdmaContext context;
    private final ProtectionDomain pd;
    private final CompletionQueue cq;
    private final CompletionChannel channel;
    private final QpInitAttributes init;
    private final MemoryRegion memory;
    private final QueuePair qp;
    private final WorkCompletions completion = WorkCompletions.create(1);
    private final SendWorkRequest request = SendWorkRequest.create(1);
    private final SendWorkRequest bind = SendWorkRequest.create(0);
    private final int rounds;
    private final Map<String, long[]> samples = new LinkedHashMap<>();
    private int round;

    Costs(RdmaContext context, ProtectionDomain pd, CompletionQueue cq, int rounds) {
        this.context = context;
        this.pd = pd;
        this.cq = cq;
        this.rounds = rounds;
        this.channel = context.createCompletionChannel();
        this.init = QpInitAttributes.builder(QpType.RC).cq(cq).maxSendWr(4).maxRecvWr(4).build();
        this.memory = pd.allocate(BYTES, ACCESS);
        this.qp = loop();
    }

    /** Creates a queue pair that is connected to itself. */
    private QueuePair loop() {
        QueuePair made = timed("create_qp", () -> pd.createQueuePair(init));
        made.connect(made.localInfo());
        return made;
    }

    /** Measures all verbs and returns the median time of each, in nanoseconds. */
    Map<String, Long> medians() {
        samples.clear();
        for (round = 0; round < rounds; round++) {
            region();
            windowOfTypeOne();
            queuePairWithWindow();
            simpleObjects();
        }
        Map<String, Long> medians = new LinkedHashMap<>();
        samples.forEach((verb, all) -> {
            Arrays.sort(all);
            medians.put(verb, all[all.length / 2]);
        });
        return medians;
    }

    private <T> T timed(String verb, Supplier<T> call) {
        long start = System.nanoTime();
        T result = call.get();
        note(verb, System.nanoTime() - start);
        return result;
    }

    private void timed(String verb, Runnable call) {
        long start = System.nanoTime();
        call.run();
        note(verb, System.nanoTime() - start);
    }

    private void note(String verb, long nanos) {
        samples.computeIfAbsent(verb, first -> new long[rounds])[round] = nanos;
    }

    private void region() {
        MemoryRegion region = timed("reg_mr", () -> pd.registerMemory(memory.segment(), ACCESS));
        write(region);
        timed("rereg_mr", () -> region.reregister(Reregistration.builder().translation(memory.segment()).build()));
        write(region);
        timed("dereg_mr", region::close);
    }

    /** Uses a region as the source and the target of WRITEs, often enough for its keys to be cached. */
    private void write(MemoryRegion region) {
        request.opcode(WrOpcode.RDMA_WRITE).flags(SendFlags.SIGNALED).sge(region, 0, Long.BYTES)
                .remote(region.address(), region.rkey());
        for (int i = 0; i < 3; i++) {
            qp.postSend(request);
            awaitSuccess();
        }
    }

    private void awaitSuccess() {
        while (cq.poll(completion) == 0) {
            Thread.onSpinWait();
        }
        if (completion.status(0) != WcStatus.SUCCESS) {
            throw new AssertionError(completion.status(0));
        }
    }

    private void windowOfTypeOne() {
        MemoryWindow window = timed("alloc_mw", () -> pd.allocateMemoryWindow(MwType.TYPE_1));
        qp.bindMemoryWindow(window, 1, SendFlags.SIGNALED,
                new MwBind(memory, memory.address(), BYTES, Access.REMOTE_WRITE));
        awaitSuccess();
        timed("dealloc_mw", window::close);
    }

    private void queuePairWithWindow() {
        QueuePair binder = loop();
        MemoryWindow window = pd.allocateMemoryWindow(MwType.TYPE_2);
        binder.postSend(bind.opcode(WrOpcode.BIND_MW).flags(SendFlags.SIGNALED).bind(window,
                MemoryWindow.incrementRkey(window.rkey()),
                new MwBind(memory, memory.address(), BYTES, Access.REMOTE_WRITE)));
        awaitSuccess();
        timed("destroy_qp", binder::close);
        window.close();
    }

    private void simpleObjects() {
        CompletionQueue queue = timed("create_cq", () -> context.createCompletionQueue(4, channel));
        timed("destroy_cq", queue::close);
        CompletionChannel made = timed("create_comp_channel", context::createCompletionChannel);
        timed("destroy_comp_channel", made::close);
        ProtectionDomain domain = timed("alloc_pd", context::allocatePd);
        timed("dealloc_pd", domain::close);
        AutoCloseable srq = timed("create_srq", () -> pd.createSharedReceiveQueue(SrqInitAttributes.of(4, 1)));
        timed("destroy_srq", () -> close(srq));
        AhAttributes destination = AhAttributes.builder().destination(context.queryGid(1, 0)).port(1).build();
        AutoCloseable ah = timed("create_ah", () -> pd.createAddressHandle(destination));
        timed("destroy_ah", () -> close(ah));
    }

    void close() {
        qp.close();
        memory.close();
        channel.close();
    }

    private static void close(AutoCloseable object) {
        try {
            object.close();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
