package io.jverbs.ffm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.ffm.DataPathCalls.Critical;
import io.jverbs.ffm.RecordingStruct.Called;
import io.jverbs.ffm.ibverbs.ibv_context;
import io.jverbs.ffm.ibverbs.ibv_context_ops;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that the data path calls invoke the functions of {@code ibv_context.ops}, with and without
 * {@code Linker.Option.critical}.
 */
class DataPathCallsTest {

    /**
     * A driver in C, because a critical function must not call back into Java. Its functions return a value computed
     * from their arguments.
     */
    private static final String DRIVER = """
            int poll_cq(void *cq, int entries, void *wc) {
                return (int) (long) cq * 31 + entries * 7 + (int) (long) wc;
            }
            int post_send(void *qp, void *wr, void **bad) { *bad = wr; return (int) (long) qp; }
            int post_recv(void *qp, void *wr, void **bad) { *bad = wr; return (int) (long) qp + 1; }
            int post_srq_recv(void *srq, void *wr, void **bad) { *bad = wr; return (int) (long) srq + 2; }
            int req_notify_cq(void *cq, int solicited) { return (int) (long) cq + solicited; }
            """;

    private final Arena arena = Arena.ofConfined();

    @TempDir
    private Path folder;

    @AfterEach
    void free() {
        arena.close();
    }

    @Test
    void everyVerbCallsItsFunction() {
        var fake = new FakeContext(arena);
        fake.ops().withAllMembers();
        var calls = new DataPathCalls(fake.address(), Critical.NONE);
        fake.ops().returns("poll_cq", 3);
        fake.ops().returns("post_recv", 12);
        assertEquals(3, calls.pollCq(1, 16, 2));
        assertEquals(0, calls.postSend(3, 4, 5));
        assertEquals(12, calls.postRecv(6, 7, 8));
        assertEquals(0, calls.postSrqRecv(9, 10, 11));
        assertEquals(0, calls.reqNotifyCq(12, 1));
        assertEquals(List.of(Called.with("poll_cq", 1, 16, 2), Called.with("post_send", 3, 4, 5),
                Called.with("post_recv", 6, 7, 8), Called.with("post_srq_recv", 9, 10, 11),
                Called.with("req_notify_cq", 12, 1)), fake.ops().calls());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aDriverInCIsCalledWithAndWithoutTheCriticalOption(boolean critical) throws Exception {
        var calls = new DataPathCalls(driver(), critical ? Critical.ALL : Critical.NONE);
        var bad = arena.allocate(ValueLayout.JAVA_LONG);
        assertEquals(2 * 31 + 16 * 7 + 5, calls.pollCq(2, 16, 5));
        assertEquals(-1, calls.pollCq(0, 0, -1));
        assertEquals(100, calls.postSend(100, 0x7fff_0000_0001L, bad.address()));
        assertEquals(0x7fff_0000_0001L, bad.get(ValueLayout.JAVA_LONG, 0));
        assertEquals(101, calls.postRecv(100, 0x7fff_0000_0002L, bad.address()));
        assertEquals(0x7fff_0000_0002L, bad.get(ValueLayout.JAVA_LONG, 0));
        assertEquals(102, calls.postSrqRecv(100, 0x7fff_0000_0003L, bad.address()));
        assertEquals(0x7fff_0000_0003L, bad.get(ValueLayout.JAVA_LONG, 0));
        assertEquals(8, calls.reqNotifyCq(7, 1));
    }

    private long driver() throws Exception {
        var library = Gcc.sharedLibrary(folder, DRIVER);
        var symbols = SymbolLookup.libraryLookup(library, arena);
        var context = arena.allocate(ibv_context.layout());
        var ops = ibv_context.ops(context);
        ibv_context_ops.poll_cq(ops, symbol(symbols, "poll_cq"));
        ibv_context_ops.post_send(ops, symbol(symbols, "post_send"));
        ibv_context_ops.post_recv(ops, symbol(symbols, "post_recv"));
        ibv_context_ops.post_srq_recv(ops, symbol(symbols, "post_srq_recv"));
        ibv_context_ops.req_notify_cq(ops, symbol(symbols, "req_notify_cq"));
        return context.address();
    }

    private static MemorySegment symbol(SymbolLookup symbols, String name) {
        return symbols.find(name).orElseThrow();
    }
}
