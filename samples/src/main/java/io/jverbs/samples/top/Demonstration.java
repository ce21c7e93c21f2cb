package io.jverbs.samples.top;

import io.jverbs.Access;
import io.jverbs.CompletionQueue;
import io.jverbs.MemoryRegion;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.Verbs;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.control.Devices;
import io.jverbs.control.DevicesMXBean;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** This process as the target: a thread sends RDMA WRITEs from one queue pair to another in bursts. */
final class Demonstration implements Target {
    private static final int BYTES = 4096;
    private static final int BURST = 1000;
    private static final long PAUSE_NANOS = 1_000_000;

    private final Devices bean = new Devices();
    private final RdmaContext context = Verbs.open();
    private final Thread thread;
    private volatile boolean stopped;

    Demonstration() {
        ProtectionDomain pd = context.allocatePd();
        CompletionQueue cq = context.createCompletionQueue(16);
        MemoryRegion memory = pd.allocate(BYTES, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
        QpInitAttributes attributes = QpInitAttributes.builder(QpType.RC).cq(cq).build();
        QueuePair left = pd.createQueuePair(attributes);
        QueuePair right = pd.createQueuePair(attributes);
        left.connect(right.localInfo());
        right.connect(left.localInfo());
        SendWorkRequest request = SendWorkRequest.create(1).opcode(WrOpcode.RDMA_WRITE).flags(SendFlags.SIGNALED)
                .sge(memory, 0, BYTES).remote(memory.address(), memory.rkey());
        thread = Thread.ofPlatform().daemon().name("demonstration").start(() -> write(left, cq, request));
    }

    private void write(QueuePair left, CompletionQueue cq, SendWorkRequest request) {
        WorkCompletions completions = WorkCompletions.create(1);
        for (long i = 1; !stopped; i++) {
            left.postSend(request);
            while (cq.poll(completions) == 0) {
                Thread.onSpinWait();
            }
            if (i % BURST == 0) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    @Override
    public String name() {
        return "demonstration";
    }

    @Override
    public List<DevicesMXBean.Device> devices() {
        return bean.getDevices();
    }

    @Override
    public void close() {
        stopped = true;
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        context.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
