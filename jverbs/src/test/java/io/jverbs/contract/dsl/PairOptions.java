package io.jverbs.contract.dsl;

import io.jverbs.Mtu;
import io.jverbs.QpState;
import java.util.function.Consumer;

/**
 * Options for both queue pairs of a connection. {@code left} and {@code right} change one of them; the other methods
 * change both.
 */
public final class PairOptions {

    private final QpOptions left = new QpOptions();
    private final QpOptions right = new QpOptions();

    QpOptions left() {
        return left;
    }

    QpOptions right() {
        return right;
    }

    public PairOptions left(Consumer<QpOptions> change) {
        change.accept(left);
        return this;
    }

    public PairOptions right(Consumer<QpOptions> change) {
        change.accept(right);
        return this;
    }

    public PairOptions both(Consumer<QpOptions> change) {
        return left(change).right(change);
    }

    public PairOptions access(int flags) {
        return both(o -> o.access(flags));
    }

    public PairOptions mtu(Mtu mtu) {
        return both(o -> o.mtu(mtu));
    }

    public PairOptions timeout(int code) {
        return both(o -> o.timeout(code));
    }

    public PairOptions retry(int count) {
        return both(o -> o.retry(count));
    }

    public PairOptions rnrRetry(int count) {
        return both(o -> o.rnrRetry(count));
    }

    public PairOptions minRnrTimer(int code) {
        return both(o -> o.minRnrTimer(code));
    }

    public PairOptions rdAtomic(int count) {
        return both(o -> o.maxRdAtomic(count).maxDestRdAtomic(count));
    }

    public PairOptions psn(int first) {
        return both(o -> o.psn(first));
    }

    public PairOptions qkey(int qkey) {
        return both(o -> o.qkey(qkey));
    }

    public PairOptions signalAll() {
        return both(QpOptions::signalAll);
    }

    public PairOptions wrs(int send, int recv) {
        return both(o -> o.wrs(send, recv));
    }

    public PairOptions sges(int send, int recv) {
        return both(o -> o.sges(send, recv));
    }

    public PairOptions inline(int bytes) {
        return both(o -> o.inline(bytes));
    }

    public PairOptions upTo(QpState state) {
        return both(o -> o.upTo(state));
    }
}
