package io.jverbs.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Errno;
import io.jverbs.QpType;
import io.jverbs.contract.dsl.Cq;
import io.jverbs.contract.dsl.Expect;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.dsl.PairOptions;
import io.jverbs.contract.dsl.Qp;
import io.jverbs.contract.dsl.Region;
import io.jverbs.contract.dsl.Side;
import io.jverbs.contract.end.ControlCommands.Ability;
import io.jverbs.contract.end.End;
import io.jverbs.contract.end.EndFailure;
import io.jverbs.contract.end.RecvSpec;
import io.jverbs.contract.end.SendSpec;
import io.jverbs.contract.end.Sge;
import io.jverbs.contract.end.VerbsFailure;
import io.jverbs.contract.end.Wc;
import io.jverbs.contract.fixture.Contract;
import io.jverbs.contract.fixture.ContractFixture;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.function.Executable;

/**
 * Base of the contract classes: two new ends for each test, and methods to write tests with. A subclass is a concrete
 * class whose name ends in Contract; it runs once for each fixture.
 */
@Contract
public abstract class VerbsContract {

    /** Resource lock: tests that use gibibytes of memory do not run in parallel. */
    protected static final String GIBIBYTES = "gibibytes of memory";
    private static final int DEFAULT_TIMEOUT = 14;

    /** Usually the requester. */
    protected Side left;

    /** Usually the responder. */
    protected Side right;

    private ContractFixture fixture;
    private Side spare;

    /** Called by the extension that opens the ends. */
    public final void opened(ContractFixture used, End leftEnd, End rightEnd) {
        fixture = used;
        spare = null;
        left = new Side("left", leftEnd, used.quietMillis());
        right = new Side("right", rightEnd, used.quietMillis());
    }

    /** Called by the extension that closes the ends. */
    public final void closeSpare() {
        if (spare != null) {
            spare.end().close();
        }
    }

    protected final ContractFixture fixture() {
        return fixture;
    }

    /** Returns whether both ends are the same device, so that port changes affect both. */
    protected final boolean sameDevice() {
        return fixture.sameDevice();
    }

    /**
     * Returns the ACK timeout code for tests that wait for a timeout: the shortest at which the device does not time
     * out too early.
     */
    protected final int shortTimeout() {
        return fixture.shortTimeout();
    }

    /**
     * Returns the ACK timeout code for tests whose peer never responds: 67 ms, or less if the device permits. No
     * response can come too late, and eight transmissions may take 27 times this long (F30).
     */
    protected final int silentPeerTimeout() {
        return Math.min(shortTimeout(), DEFAULT_TIMEOUT);
    }

    /**
     * Returns the retry count for tests that use up the retries but expect a response before: the least count that the
     * path allows.
     */
    protected final int fewRetries() {
        return fixture.retries();
    }

    /** Returns the least time in nanoseconds that a number of transmissions without a response takes. */
    protected final long leastSilenceNanos(int timeout, int transmissions) {
        return transmissions * ((4096L << timeout) - 2_000_000 * fixture.tickMillis());
    }

    /** Returns a device that a test may remove. Aborts the test if there is none. */
    protected final Side spare() {
        if (spare == null) {
            Optional<End> end = fixture.openSpare();
            Assumptions.assumeTrue(end.isPresent(), "the fixture has no spare device");
            spare = new Side("spare", end.get(), fixture.quietMillis());
        }
        return spare;
    }

    /** Aborts the test if the device of an end does not have the ability. */
    protected static void requires(Side side, Ability ability) {
        Assumptions.assumeTrue(side.end().abilities().contains(ability),
                () -> "the device of " + side + " has no " + ability);
    }

    // Connections

    protected final Pair rcPair() {
        return rcPair(options -> {});
    }

    protected final Pair rcPair(Consumer<PairOptions> options) {
        return pair(QpType.RC, options);
    }

    /** Returns a connection for which the next request is not the first one if {@code later}: a message goes before. */
    protected final Pair rcPair(boolean later, Consumer<PairOptions> options) {
        Pair pair = rcPair(options);
        if (later) {
            assertDelivers(pair);
        }
        return pair;
    }

    protected final Pair rcPair(boolean later) {
        return rcPair(later, options -> {});
    }

    protected final Pair ucPair() {
        return ucPair(options -> {});
    }

    protected final Pair ucPair(Consumer<PairOptions> options) {
        return pair(QpType.UC, options);
    }

    protected final Pair udPair() {
        return udPair(options -> {});
    }

    protected final Pair udPair(Consumer<PairOptions> options) {
        return pair(QpType.UD, options);
    }

    /**
     * Creates both queue pairs and brings them to the state of the options. UD queue pairs get address handles to each
     * other. The default timeout is one at which the devices do not time out too early.
     */
    protected final Pair pair(QpType type, Consumer<PairOptions> change) {
        return pair(type, left, right, change);
    }

    /** Creates a connection between two sides, or within one. */
    protected final Pair pair(QpType type, Side leftSide, Side rightSide, Consumer<PairOptions> change) {
        PairOptions options = new PairOptions();
        options.timeout(Math.max(shortTimeout(), DEFAULT_TIMEOUT));
        change.accept(options);
        Qp[] qps = new Qp[2];
        options.left(o -> qps[0] = leftSide.qp(type, o)).right(o -> qps[1] = rightSide.qp(type, o));
        qps[0].connect(qps[1]);
        qps[1].connect(qps[0]);
        if (type != QpType.UD) {
            return new Pair(qps[0], qps[1], End.NONE, End.NONE);
        }
        return new Pair(qps[0], qps[1], leftSide.ah(leftSide.pathTo(rightSide)),
                rightSide.ah(rightSide.pathTo(leftSide)));
    }

    // Requests; unsignaled unless the name says otherwise

    protected static SendSpec send(Sge... sges) {
        return SendSpec.send(sges);
    }

    protected static SendSpec sendImm(int immediate, Sge... sges) {
        return SendSpec.sendImm(immediate, sges);
    }

    /** Returns a WRITE to the start of a region of the peer. */
    protected static SendSpec write(Region to, Sge... sges) {
        return SendSpec.write(to.address(), to.rkey(), sges);
    }

    protected static SendSpec writeImm(int immediate, Region to, Sge... sges) {
        return SendSpec.writeImm(immediate, to.address(), to.rkey(), sges);
    }

    /** Returns a READ from the start of a region of the peer. */
    protected static SendSpec read(Region from, Sge... sges) {
        return SendSpec.read(from.address(), from.rkey(), sges);
    }

    /** Returns a compare-and-swap of the first word of a region of the peer. */
    protected static SendSpec compareAndSwap(Region at, long compare, long swap, Sge result) {
        return SendSpec.compareAndSwap(at.address(), at.rkey(), compare, swap, result);
    }

    /** Returns a fetch-and-add on the first word of a region of the peer. */
    protected static SendSpec fetchAndAdd(Region at, long add, Sge result) {
        return SendSpec.fetchAndAdd(at.address(), at.rkey(), add, result);
    }

    protected static RecvSpec recv(Sge... sges) {
        return RecvSpec.recv(sges);
    }

    // Assertions

    protected static Expect expect(Wc wc) {
        return Expect.expect(wc);
    }

    protected static List<Wc> awaitCompletions(Cq cq, int count) {
        return cq.await(count);
    }

    protected static void assertNoCompletion(Cq cq) {
        cq.assertQuiet();
    }

    /** Asserts that the next completions of the queue are flushes with these ids, in this order. */
    protected static void assertFlushed(Cq cq, long... ids) {
        for (Wc wc : assertIds(cq.await(ids.length), ids)) {
            expect(wc).flushed();
        }
    }

    /** Asserts that the completions have these ids, in this order. */
    protected static List<Wc> assertIds(List<Wc> completions, long... ids) {
        assertEquals(Arrays.stream(ids).boxed().toList(), completions.stream().map(Wc::wrId).toList(),
                () -> "ids of " + completions);
        return completions;
    }

    /** Asserts that a message from left to right was dropped: a later message has arrived, and the queue is empty. */
    protected final void assertLost(Cq nowhere) {
        assertDelivers(rcPair());
        nowhere.assertQuiet();
    }

    /** Asserts that the connection works: left sends a byte pattern, and right receives it. */
    protected final void assertDelivers(Pair pair) {
        Region source = pair.left().side().region(64).fill(77);
        Region sink = pair.right().side().region(64 + 40);
        boolean datagram = pair.left().type() == QpType.UD;
        int grh = datagram ? 40 : 0;
        pair.right().postRecv(recv(sink.sge(0, 64 + grh)).id(0x7e57));
        SendSpec request = send(source.sge()).id(0x7e57);
        pair.left().succeed(datagram ? pair.toRight(request) : request);
        expect(pair.right().awaitRecv()).success().id(0x7e57).bytes(64 + grh);
        sink.assertHolds(grh, 64, 77);
    }

    /**
     * Asserts that the command is refused with one of these errors. The software device returns the first one; the
     * others are allowed as well.
     */
    protected static VerbsFailure assertErrno(Errno expected, Executable command, Errno... alsoAllowed) {
        RuntimeException thrown = assertThrows(RuntimeException.class, command,
                () -> "should be refused with " + expected);
        VerbsFailure failure = assertInstanceOf(VerbsFailure.class, thrown,
                () -> "should be a VerbsException with " + expected + ", but is " + thrown);
        assertTrue(failure.error() == expected || Arrays.asList(alsoAllowed).contains(failure.error()),
                () -> "should be refused with " + expected + " " + Arrays.toString(alsoAllowed) + ", but: " + failure);
        return failure;
    }

    /** Asserts that the command is refused with any {@code VerbsException}. */
    protected static VerbsFailure assertVerbsFailure(Executable command) {
        return assertInstanceOf(VerbsFailure.class, assertThrows(RuntimeException.class, command));
    }

    /** Asserts that the command throws an exception of exactly this class, which is not a {@code VerbsException}. */
    protected static EndFailure assertRefused(Class<? extends Throwable> type, Executable command) {
        RuntimeException thrown = assertThrows(RuntimeException.class, command,
                () -> "should be refused with " + type.getName());
        EndFailure failure = assertInstanceOf(EndFailure.class, thrown, thrown::toString);
        assertEquals(type.getName(), failure.exceptionClass(), failure::getMessage);
        return failure;
    }
}
