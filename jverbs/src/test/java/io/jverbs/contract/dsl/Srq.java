package io.jverbs.contract.dsl;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.SrqAttributes;
import io.jverbs.contract.end.Infos.PostResult;
import io.jverbs.contract.end.Infos.SrqInfo;
import io.jverbs.contract.end.RecvSpec;
import java.util.List;

/** A shared receive queue of an end. */
public final class Srq {

    private final Side side;
    private final SrqInfo info;

    Srq(Side side, SrqInfo info) {
        this.side = side;
        this.info = info;
    }

    public int id() {
        return info.id();
    }

    /** Returns the granted capacity at creation. */
    public int maxWr() {
        return info.maxWr();
    }

    public int maxSge() {
        return info.maxSge();
    }

    /** Posts one chain. Fails if the end refuses it. */
    public void post(RecvSpec... chain) {
        PostResult result = tryPost(chain);
        assertEquals(0, result.errno(), () -> "posting " + List.of(chain) + " to " + this + ": " + result);
    }

    public PostResult tryPost(RecvSpec... chain) {
        return side.end().tryPostSrqReceive(info.id(), List.of(chain));
    }

    public SrqAttributes query() {
        return side.end().querySrq(info.id());
    }

    public void limit(int limit) {
        side.end().modifySrq(info.id(), null, limit);
    }

    public void resize(int maxWr) {
        side.end().modifySrq(info.id(), maxWr, null);
    }

    public void destroy() {
        side.end().destroy(info.id());
    }

    @Override
    public String toString() {
        return "shared receive queue " + info.id() + " of " + side;
    }
}
