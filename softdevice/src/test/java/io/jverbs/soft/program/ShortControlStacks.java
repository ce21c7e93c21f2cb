package io.jverbs.soft.program;

import io.jverbs.Access;
import io.jverbs.AhAttributes;
import io.jverbs.CompletionChannel;
import io.jverbs.CompletionQueue;
import io.jverbs.Gid;
import io.jverbs.MemoryRegion;
import io.jverbs.MemoryWindow;
import io.jverbs.MwBind;
import io.jverbs.MwType;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpAttributes;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.RdmaDevice;
import io.jverbs.Reregistration;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.SharedReceiveQueue;
import io.jverbs.SrqInitAttributes;
import io.jverbs.SrqModification;
import io.jverbs.Verbs;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.control.DeviceCounters;
import io.jverbs.control.PacketCapture;
import io.jverbs.control.SimulatedNetwork;
import io.jverbs.fault.FaultInjection;
import io.jverbs.spi.DeviceLayer;
import io.jverbs.strict.StrictMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Calls verbs other than post and poll, and operations beyond verbs, near the end of a thread's stack, at each depth
 * from the stack overflow back to where they succeed. Checks that no lock is held afterwards, and that the device has
 * as many objects as before. Arguments: the number of rounds, the stride of {@link StackDescent}, a folder for
 * captures, and the paths: jvm, layers, simulated, udp. Prints the first deviation, or a line with the number of
 * operations, and exits with status 1 or 0.
 */
public final class ShortControlStacks {
    private static final Gid GROUP = Gid.parse("::ffff:239.1.2.4");
    private static final String CAPTURE = "capture";
    private static final int LAST = 99;
    private static final Duration DEADLINE = Duration.ofSeconds(20);
    private static final int ALL = Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ | Access.MW_BIND;

    private final RdmaDevice device;
    private final DeviceLayer[] layers;
    private final Path folder;
    /** Keeps the device open. */
    private final RdmaContext keepAlive;
    private final StackDescent descent;

    private ShortControlStacks(String selector, int stride, Path folder, DeviceLayer... layers) {
        descent = new StackDescent(stride);
        this.device = Verbs.select(selector);
        this.layers = layers;
        this.folder = folder;
        keepAlive = device.open();
    }

    /** An operation that may wait. */
    private interface Operation {
        void run() throws InterruptedException;
    }

    /** An open context and the objects that the operations use. The RC queue pair is connected to itself. */
    private final class Fixture {
        final RdmaContext context = device.open(layers);
        final ProtectionDomain pd = context.allocatePd();
        final CompletionChannel channel = context.createCompletionChannel();
        final CompletionQueue cq = context.createCompletionQueue(64, channel);
        final SharedReceiveQueue srq = pd.createSharedReceiveQueue(SrqInitAttributes.of(16, 1));
        final QueuePair rc = pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).maxSendWr(16).build());
        final QueuePair idle = pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).srq(srq).build());
        final QueuePair ud = pd.createQueuePair(QpInitAttributes.builder(QpType.UD).cq(cq).build());
        final MemoryRegion memory = pd.allocate(4096, ALL);
        final MemoryRegion changing = pd.registerMemory(memory.segment(), ALL);
        final MemoryWindow window = pd.allocateMemoryWindow(MwType.TYPE_1);
        final PacketCapture.Running capture;
        final DeviceCounters counters = device.capability(DeviceCounters.class).orElseThrow();
        final AhAttributes path = AhAttributes.to(context.preferredGid(1).gid(), 1, context.preferredGid(1).index());
        final SendWorkRequest write = SendWorkRequest.create(1).opcode(WrOpcode.RDMA_WRITE)
                .flags(SendFlags.SIGNALED).sge(memory, 0, 8).remote(memory.address(), memory.rkey());
        final WorkCompletions completions = WorkCompletions.create(16);
        final Map<String, Operation> operations = new LinkedHashMap<>();
        private int count;
        private int rkey = window.rkey();
        /** A binding that failed and has changed the key of the window nevertheless. */
        private String wrong = "";

        Fixture(boolean captured) {
            rc.connect(rc.localInfo());
            capture = !captured
                    ? null
                    : device.capability(PacketCapture.class).orElseThrow()
                            .start(folder.resolve("packets.pcapng") + "?buffer=1");
            operations.put("req_notify_cq", () -> cq.requestNotification(count++ % 2 == 0));
            operations.put("resize_cq", () -> cq.resize(count++ % 2 == 0 ? 64 : 128));
            operations.put("query_qp", rc::query);
            operations.put("modify_qp", () -> {
                rc.modify(QpAttributes.builder().state(QpState.RTS).minRnrTimer(1 + count++ % 8).build());
                idle.modify(QpAttributes.builder().state(QpState.INIT).pkeyIndex(0).port(1).accessFlags(0).build());
                idle.modify(QpAttributes.builder().state(QpState.RESET).build());
            });
            operations.put("query_srq", srq::query);
            operations.put("modify_srq", () -> {
                srq.modify(SrqModification.ofLimit(count % 2));
                srq.modify(SrqModification.ofMaxWr(count++ % 2 == 0 ? 16 : 32));
            });
            operations.put("reg_mr", () -> pd.registerMemory(memory.segment(), ALL).close());
            operations.put("rereg_mr", () -> {
                changing.reregister(Reregistration.builder().access(count++ % 2 == 0 ? ALL : 0).build());
                changing.reregister(Reregistration.builder().translation(memory.segment()).build());
            });
            operations.put("alloc_mw", () -> pd.allocateMemoryWindow(MwType.TYPE_2).close());
            operations.put("bind_mw", this::bind);
            operations.put("attach_mcast", () -> {
                ud.attachMulticast(GROUP, 0);
                ud.detachMulticast(GROUP, 0);
            });
            create("alloc_pd", context::allocatePd);
            create("create_comp_channel", context::createCompletionChannel);
            create("create_cq", () -> context.createCompletionQueue(16));
            create("create_srq", () -> pd.createSharedReceiveQueue(SrqInitAttributes.of(16, 1)));
            create("create_qp", () -> pd.createQueuePair(
                    QpInitAttributes.builder(QpType.RC).cq(cq).srq(srq).maxSendWr(4).build()));
            create("create_ah", () -> pd.createAddressHandle(path));
            create("open_device", () -> device.open(layers));
            operations.put("get_cq_event", this::awaitEvent);
            operations.put("get_async_event", () -> context.awaitAsyncEvent(Duration.ZERO));
            operations.put("counters", () -> {
                counters.snapshot();
                counters.queuePairs();
                counters.resources();
            });
            if (captured) {
                operations.put(CAPTURE, () -> {
                    capture.packets();
                    capture.dropped();
                });
            }
            context.capability(SimulatedNetwork.class).ifPresent(network -> operations.put("simulation", () -> {
                network.link(0, 1).loss(0);
                network.packetCount();
                network.step();
            }));
            context.capability(FaultInjection.class).ifPresent(faults -> operations.put("fault injection", () -> {
                faults.held();
                faults.release();
            }));
        }

        private void create(String name, Supplier<AutoCloseable> constructor) {
            operations.put(name, () -> {
                try {
                    constructor.get().close();
                } catch (RuntimeException | Error e) {
                    throw e;
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
        }

        /** Unbinds the window, which gives it another key. */
        private void bind() {
            cq.poll(completions);
            try {
                rc.bindMemoryWindow(window, 1, SendFlags.SIGNALED, new MwBind(null, 0, 0, 0));
                rkey = window.rkey();
            } catch (StackOverflowError e) {
                if (window.rkey() != rkey) {
                    wrong = "the window has another key, but no bind was posted";
                }
                throw e;
            }
        }

        private void awaitEvent() throws InterruptedException {
            cq.requestNotification(false);
            cq.poll(completions);
            rc.tryPostSend(write);
            CompletionQueue fired = channel.awaitEvent(Duration.ZERO);
            if (fired != null) {
                fired.acknowledgeEvents(1);
            }
        }

        /** Calls all operations and completes a WRITE, with enough stack. Returns what is wrong. */
        String check() {
            for (Operation operation : operations.values()) {
                runUnchecked(operation);
            }
            SendWorkRequest last = SendWorkRequest.create(1).wrId(LAST).opcode(WrOpcode.RDMA_WRITE)
                    .flags(SendFlags.SIGNALED).sge(memory, 0, 8).remote(memory.address(), memory.rkey());
            while (rc.tryPostSend(last) != 0 && rc.state() == QpState.RTS) {
                cq.poll(completions);
            }
            boolean found = false;
            while (!found && rc.state() == QpState.RTS) {
                int count = cq.poll(completions);
                found = count > 0 && completions.wrId(count - 1) == LAST;
            }
            return wrong + (found && completions.isSuccess(completions.count() - 1) ? "" : " a WRITE failed");
        }

        void close() {
            if (capture != null) {
                capture.close();
            }
            context.close();
            for (RdmaContext stray : Verbs.openContexts()) {
                if (stray != keepAlive) {
                    stray.close();
                }
            }
        }
    }

    private static void runUnchecked(Operation operation) {
        try {
            operation.run();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        int operations = 0;
        int refused = 0;
        int stride = Integer.parseInt(arguments[1]);
        Path folder = Path.of(arguments[2]);
        for (String path : List.of(arguments).subList(3, arguments.length)) {
            ShortControlStacks stacks = switch (path) {
                case "jvm" -> new ShortControlStacks("soft:soft3", stride, folder);
                case "layers" ->
                    new ShortControlStacks("soft:soft3", stride, folder, StrictMode.reporting(),
                            FaultInjection.of());
                case "simulated" -> new ShortControlStacks("soft:sim3?seed=5", stride, folder);
                case "udp" -> new ShortControlStacks("soft:127.0.7.3?fabric=wire", stride, folder);
                default -> throw new IllegalArgumentException(path);
            };
            for (int round = 0; round < Integer.parseInt(arguments[0]); round++) {
                operations += stacks.round(path);
            }
            refused += stacks.descent.refused();
            stacks.keepAlive.close();
        }
        System.out.println(operations + " operations, refused at " + refused + " depths");
        System.exit(refused > 0 ? 0 : 1);
    }

    /** Runs each operation near the end of a stack, in a context of its own; returns the number of operations. */
    private int round(String path) throws InterruptedException {
        Map<String, Long> before = resources();
        Fixture first = new Fixture(true);
        // initializes the classes that the operations use
        first.check();
        first.close();
        for (String name : first.operations.keySet()) {
            Fixture fixture = new Fixture(name.equals(CAPTURE));
            Operation operation = fixture.operations.get(name);
            if (!descent.run(() -> runUnchecked(operation))) {
                fail(path, name, "the thread does not end");
            }
            if (descent.failure() != null) {
                fail(path, name, descent.failure().toString());
            }
            String[] wrong = {"a lock is held: a thread with enough stack does not end"};
            Thread other = Thread.ofPlatform().daemon().start(() -> {
                String found = fixture.check();
                fixture.close();
                wrong[0] = found + (resources().equals(before)
                        ? ""
                        : " the device had " + before + ", now has "
                                + resources());
            });
            other.join(DEADLINE);
            if (!wrong[0].isEmpty()) {
                fail(path, name, wrong[0]);
            }
        }
        return first.operations.size();
    }

    private Map<String, Long> resources() {
        return device.capability(DeviceCounters.class).orElseThrow().resources();
    }

    private static void fail(String path, String name, String wrong) {
        System.out.println(path + ", " + name + ": " + wrong);
        Thread.getAllStackTraces().forEach((thread, frames) -> {
            if (List.of(frames).toString().contains("io.jverbs")) {
                System.out.println(thread);
                List.of(frames).forEach(frame -> System.out.println("    " + frame));
            }
        });
        System.exit(1);
    }
}
