package io.jverbs.soft.program;

import io.jverbs.Access;
import io.jverbs.AddressHandle;
import io.jverbs.AhAttributes;
import io.jverbs.MemoryRegion;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.VerbsException;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.soft.PairOfQueuePairs;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Repeatedly truncates mapped files under registered memory and checks how requests that name this memory complete.
 * Prints the deviations, then a line with the number of rounds. Arguments: the number of rounds of each case, a folder
 * for the files, the memory that the requests use before the first file is truncated (mapped, ordinary, or none if
 * there are no such requests), and the paths: jvm, udp, simulated.
 */
public final class TruncatedFiles {
    private static final int FILE_BYTES = 12_288;
    private static final int PAGE = 4096;
    private static final int RECEIVED = 77;
    private static final int WARM_UP = 3_000;
    private static final int ACCESS = Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ
            | Access.REMOTE_ATOMIC;
    private static final long DEADLINE_NANOS = Duration.ofSeconds(20).toNanos();

    /** The end whose memory is truncated. */
    private enum End {
        REQUESTER, RESPONDER
    }

    /**
     * A request on truncated memory and its expected result.
     *
     * @param type the queue pair type
     * @param opcode the opcode of the request
     * @param gone the end whose memory is truncated
     * @param bytes the length of the message
     * @param status the expected status of the request's completion
     * @param requester the expected state of the requester's queue pair
     * @param responder the expected state of the responder's queue pair
     * @param receives whether the request consumes a receive request
     * @param inReceive whether the truncated memory is that of the receive request, not the memory of an rkey
     */
    private record Case(QpType type, WrOpcode opcode, End gone, int bytes, WcStatus status, QpState requester,
            QpState responder, boolean receives, boolean inReceive) {
        boolean isAtomic() {
            return opcode == WrOpcode.ATOMIC_FETCH_AND_ADD || opcode == WrOpcode.ATOMIC_CMP_AND_SWP;
        }
    }

    private static final class MappedFile implements AutoCloseable {
        private final FileChannel channel;
        private final Arena arena = Arena.ofShared();
        final MemorySegment segment;

        MappedFile(Path path) throws IOException {
            channel = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ,
                    StandardOpenOption.WRITE);
            extend();
            segment = channel.map(FileChannel.MapMode.READ_WRITE, 0, FILE_BYTES, arena);
        }

        void extend() throws IOException {
            channel.write(ByteBuffer.allocate(1), FILE_BYTES - 1);
        }

        void truncate(long size) throws IOException {
            channel.truncate(size);
        }

        @Override
        public void close() throws IOException {
            arena.close();
            channel.close();
        }
    }

    /** Two connected queue pairs, with a mapped file registered at each end. */
    private static final class Stage implements AutoCloseable {
        final PairOfQueuePairs pair;
        final MappedFile[] files = new MappedFile[End.values().length];
        final MemoryRegion[] mapped = new MemoryRegion[files.length];
        private final WorkCompletions completions = WorkCompletions.create(4);
        private AddressHandle path;

        Stage(String[] selectors, QpType type, Path folder) throws IOException {
            pair = new PairOfQueuePairs(selectors[0], selectors[1], type);
            for (End end : End.values()) {
                MappedFile file = new MappedFile(Files.createTempFile(folder, "mapped", null));
                files[end.ordinal()] = file;
                mapped[end.ordinal()] = side(end).pd.registerMemory(file.segment, ACCESS);
            }
        }

        PairOfQueuePairs.Side side(End end) {
            return end == End.REQUESTER ? pair.left : pair.right;
        }

        MemoryRegion mapped(End end) {
            return mapped[end.ordinal()];
        }

        /** Posts the request of the case, at an offset in mapped memory of the end whose memory is truncated. */
        void post(Case each, long offset) {
            post(each, each.gone == End.REQUESTER ? mapped(End.REQUESTER) : pair.left.memory,
                    each.gone == End.RESPONDER ? mapped(End.RESPONDER) : pair.right.memory, offset);
        }

        /** Posts the request of the case without mapped memory. */
        void postOrdinary(Case each) {
            post(each, pair.left.memory, pair.right.memory, 0);
        }

        private void post(Case each, MemoryRegion local, MemoryRegion remote, long offset) {
            long localOffset = each.gone == End.REQUESTER ? offset : 0;
            long remoteOffset = each.gone == End.RESPONDER ? offset : 0;
            if (each.receives) {
                MemoryRegion target = each.inReceive ? remote : pair.right.memory;
                int header = each.type == QpType.UD ? 40 : 0;
                pair.right.qp.postReceive(ReceiveWorkRequest.create(1).wrId(RECEIVED).sge(target,
                        each.inReceive ? remoteOffset : 0, each.bytes + header));
            }
            SendWorkRequest request = SendWorkRequest.create(1).wrId(7).opcode(each.opcode).flags(SendFlags.SIGNALED);
            request.sge(local, localOffset, each.bytes);
            if (each.opcode == WrOpcode.ATOMIC_FETCH_AND_ADD) {
                request.fetchAndAdd(remote.address() + remoteOffset, remote.rkey(), 1);
            } else if (each.opcode == WrOpcode.ATOMIC_CMP_AND_SWP) {
                request.compareAndSwap(remote.address() + remoteOffset, remote.rkey(), 0, 1);
            } else if (each.type == QpType.UD) {
                request.destination(path(), pair.right.qp.number(), 0x11);
            } else {
                request.remote(remote.address() + remoteOffset, remote.rkey());
            }
            pair.left.qp.postSend(request);
        }

        private AddressHandle path() {
            if (path == null) {
                path = pair.left.pd.createAddressHandle(AhAttributes.to(pair.right.context.preferredGid(1).gid(), 1,
                        pair.left.context.preferredGid(1).index()));
            }
            return path;
        }

        /**
         * Sends a message from valid memory. It consumes the receive request that the case has not consumed, or
         * another one.
         */
        void sendAfter(Case each) {
            if (!each.receives) {
                pair.right.qp.postReceive(
                        ReceiveWorkRequest.create(1).wrId(RECEIVED).sge(pair.right.memory, 0, Long.BYTES));
            }
            pair.left.qp.postSend(SendWorkRequest.create(1).wrId(7).opcode(WrOpcode.SEND).flags(SendFlags.SIGNALED)
                    .sge(pair.left.memory, 0, Long.BYTES));
            expect(WcStatus.SUCCESS, next(End.REQUESTER, 7));
            expect(WcStatus.SUCCESS, next(End.RESPONDER, RECEIVED));
        }

        /** Polls the next completion of an end, which must be that of the given request, and returns its status. */
        WcStatus next(End end, long wrId) {
            long deadline = System.nanoTime() + DEADLINE_NANOS;
            while (side(end).cq.poll(completions) == 0) {
                if (System.nanoTime() > deadline) {
                    throw new IllegalStateException("no completion of request " + wrId + " at the " + end);
                }
                Thread.onSpinWait();
            }
            if (completions.count() != 1 || completions.wrId(0) != wrId) {
                throw new IllegalStateException("expected one completion of request " + wrId + ": " + completions);
            }
            return completions.status(0);
        }

        void expectNothing(End end) {
            if (side(end).cq.poll(completions) != 0) {
                throw new IllegalStateException("unexpected completion at the " + end + ": " + completions);
            }
        }

        void awaitState(End end, QpState state) {
            long deadline = System.nanoTime() + DEADLINE_NANOS;
            while (side(end).qp.state() != state) {
                side(end).cq.poll(completions);
                if (System.nanoTime() > deadline) {
                    throw new IllegalStateException(end + " is in " + side(end).qp.state() + ", expected " + state);
                }
            }
        }

        @Override
        public void close() throws IOException {
            pair.close();
            for (MappedFile file : files) {
                file.close();
            }
        }
    }

    private final String warmUp;
    private int wrong;
    private int rounds;

    private TruncatedFiles(String warmUp) {
        this.warmUp = warmUp;
    }

    public static void main(String[] arguments) throws IOException {
        TruncatedFiles run = new TruncatedFiles(arguments[2]);
        int each = Integer.parseInt(arguments[0]);
        for (int i = 3; i < arguments.length; i++) {
            String[] selectors = switch (arguments[i]) {
                case "jvm" -> new String[] {"soft:soft0", "soft:soft1"};
                case "udp" -> new String[] {"soft:127.0.9.1?fabric=wire", "soft:127.0.9.2?fabric=wire"};
                case "simulated" -> new String[] {"soft:sim0?seed=5", "soft:sim1?seed=5"};
                default -> throw new IllegalArgumentException(arguments[i]);
            };
            for (QpType type : List.of(QpType.RC, QpType.UC, QpType.UD)) {
                run.all(arguments[i], selectors, type, each, Path.of(arguments[1]));
            }
        }
        System.out.println(run.rounds + " rounds, " + run.wrong + " wrong");
        System.exit(run.wrong == 0 ? 0 : 1);
    }

    private static List<Case> cases(QpType type) {
        List<Case> all = new ArrayList<>();
        for (int bytes : type == QpType.UD ? new int[] {8, 200} : new int[] {8, 64, 3000}) {
            boolean reliable = type == QpType.RC;
            QpState requesterFailed = reliable ? QpState.ERR : QpState.SQE;
            for (WrOpcode send : List.of(WrOpcode.SEND, WrOpcode.SEND_WITH_IMM)) {
                all.add(new Case(type, send, End.REQUESTER, bytes, WcStatus.LOC_PROT_ERR, requesterFailed, QpState.RTS,
                        true, false));
                all.add(new Case(type, send, End.RESPONDER, bytes, reliable ? WcStatus.REM_OP_ERR : WcStatus.SUCCESS,
                        reliable ? QpState.ERR : QpState.RTS, QpState.ERR, true, true));
            }
            if (type == QpType.UD) {
                continue;
            }
            for (WrOpcode write : List.of(WrOpcode.RDMA_WRITE, WrOpcode.RDMA_WRITE_WITH_IMM)) {
                boolean receives = write == WrOpcode.RDMA_WRITE_WITH_IMM;
                all.add(new Case(type, write, End.REQUESTER, bytes, WcStatus.LOC_PROT_ERR, requesterFailed,
                        QpState.RTS, receives, false));
                all.add(new Case(type, write, End.RESPONDER, bytes,
                        reliable ? WcStatus.REM_ACCESS_ERR : WcStatus.SUCCESS,
                        reliable ? QpState.ERR : QpState.RTS, reliable ? QpState.ERR : QpState.RTS, receives, false));
            }
            if (reliable) {
                all.add(new Case(type, WrOpcode.RDMA_READ, End.REQUESTER, bytes, WcStatus.LOC_PROT_ERR, QpState.ERR,
                        QpState.RTS, false, false));
                all.add(new Case(type, WrOpcode.RDMA_READ, End.RESPONDER, bytes, WcStatus.REM_ACCESS_ERR, QpState.ERR,
                        QpState.ERR, false, false));
            }
            for (WrOpcode atomic : List.of(WrOpcode.ATOMIC_FETCH_AND_ADD, WrOpcode.ATOMIC_CMP_AND_SWP)) {
                if (reliable && bytes == Long.BYTES) {
                    all.add(new Case(type, atomic, End.REQUESTER, bytes, WcStatus.LOC_PROT_ERR, QpState.ERR,
                            QpState.RTS, false, false));
                    all.add(new Case(type, atomic, End.RESPONDER, bytes, WcStatus.REM_ACCESS_ERR, QpState.ERR,
                            QpState.ERR, false, false));
                }
            }
        }
        return all;
    }

    private void all(String path, String[] selectors, QpType type, int each, Path folder) throws IOException {
        try (Stage stage = new Stage(selectors, type, folder);
                PairOfQueuePairs bystander = new PairOfQueuePairs(selectors[0], selectors[1], QpType.RC)) {
            List<Case> cases = cases(type);
            for (int i = 0; i < WARM_UP && !warmUp.equals("none"); i++) {
                Case one = cases.get(i % cases.size());
                if (warmUp.equals("mapped")) {
                    stage.post(one, 0);
                } else {
                    stage.postOrdinary(one);
                }
                expect(WcStatus.SUCCESS, stage.next(End.REQUESTER, 7));
                if (one.receives) {
                    expect(WcStatus.SUCCESS, stage.next(End.RESPONDER, RECEIVED));
                }
            }
            for (Case one : cases) {
                for (int i = 0; i < each; i++) {
                    round(path, stage, bystander, one, i);
                }
            }
        }
    }

    private void round(String path, Stage stage, PairOfQueuePairs bystander, Case one, int number) throws IOException {
        rounds++;
        MappedFile file = stage.files[one.gone.ordinal()];
        try {
            // truncate the whole file, or only the last part of what the request names
            boolean partly = one.bytes > PAGE / 2 && number % 2 != 0;
            file.truncate(partly ? PAGE : 0);
            stage.post(one, partly ? PAGE / 2 : 0);
            expect(one.status, stage.next(End.REQUESTER, 7));
            if (one.inReceive) {
                expect(WcStatus.LOC_PROT_ERR, stage.next(End.RESPONDER, RECEIVED));
            }
            if (one.status == WcStatus.SUCCESS && !one.inReceive) {
                // nothing indicates that a dropped WRITE has arrived, but a SEND posted after it arrives later
                stage.sendAfter(one);
            }
            file.extend();
            stage.awaitState(End.REQUESTER, one.requester);
            if (!one.receives || one.responder == QpState.RTS) {
                expectState(one.responder, stage);
            } else if (!one.inReceive) {
                // the receive request is flushed
                expect(WcStatus.WR_FLUSH_ERR, stage.next(End.RESPONDER, RECEIVED));
            }
            stage.expectNothing(End.REQUESTER);
            stage.expectNothing(End.RESPONDER);
            bystander.left.memory.segment().set(ValueLayout.JAVA_LONG, 0, rounds);
            expect(WcStatus.SUCCESS, bystander.left.run(bystander.request(Long.BYTES).opcode(WrOpcode.RDMA_WRITE)));
            if (bystander.right.memory.segment().get(ValueLayout.JAVA_LONG, 0) != rounds) {
                throw new IllegalStateException("the WRITE of another queue pair was not carried out");
            }
        } catch (IllegalStateException | VerbsException | Error e) {
            wrong++;
            if (wrong < 30) {
                System.out.println(path + " round " + number + ": " + one + ": " + e);
                StackTraceElement[] trace = e.getStackTrace();
                for (int i = 0; i < Math.min(trace.length, 12) && wrong < 5; i++) {
                    System.out.println("    " + trace[i]);
                }
            }
        } finally {
            file.extend();
            stage.pair.reconnect();
            while (stage.pair.left.cq.poll(stage.completions) + stage.pair.right.cq.poll(stage.completions) != 0) {
                Thread.onSpinWait();
            }
        }
    }

    private static void expectState(QpState state, Stage stage) {
        if (state == QpState.ERR) {
            stage.awaitState(End.RESPONDER, state);
        } else if (stage.pair.right.qp.state() != state) {
            throw new IllegalStateException(
                    "the responder is in " + stage.pair.right.qp.state() + ", expected " + state);
        }
    }

    private static void expect(WcStatus wanted, WcStatus found) {
        if (wanted != found) {
            throw new IllegalStateException(found + " instead of " + wanted);
        }
    }
}
