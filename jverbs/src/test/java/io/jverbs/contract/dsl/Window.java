package io.jverbs.contract.dsl;

import io.jverbs.MemoryWindow;
import io.jverbs.contract.end.BindSpec;
import io.jverbs.contract.end.Infos.MwInfo;
import io.jverbs.contract.end.SendSpec;

/** A memory window of an end. */
public final class Window {

    private final Side side;
    private final int id;

    Window(Side side, MwInfo info) {
        this.side = side;
        this.id = info.id();
    }

    public int id() {
        return id;
    }

    /** Returns the current key. */
    public int rkey() {
        return side.end().queryMw(id).rkey();
    }

    /** Returns the key with the next tag byte, for a type 2 bind. */
    public int nextRkey() {
        return MemoryWindow.incrementRkey(rkey());
    }

    /** Returns a type 2 bind as a work request. */
    public SendSpec bind(int newRkey, BindSpec to) {
        return SendSpec.bindWindow(id, newRkey, to);
    }

    public void destroy() {
        side.end().destroy(id);
    }

    @Override
    public String toString() {
        return "memory window " + id + " of " + side;
    }
}
