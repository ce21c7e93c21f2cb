package io.jverbs.strict;

import io.jverbs.MwType;
import io.jverbs.spi.Handle;
import java.util.HashMap;
import java.util.Map;

/**
 * The memory windows of a context, and the key that each has: binds change it, invalidations end it. A request changes it as soon as it is
 * posted, so that a program may use the new key at once; if the request turns out to have failed, what was before holds again.
 */
final class Windows {
    private final Keys keys;
    private final Map<Handle.Mw, Window> windows = new HashMap<>();
    /** Windows that are open, by key. */
    private final Map<Integer, Window> byKey = new HashMap<>();

    private record KeyState(int key, boolean isOpen) {}

    private static final class Window {
        final MwType type;
        KeyState state;
        /** As of the last change that was carried out as far as the program knows. */
        KeyState settled;
        Change last;
        boolean isGone;

        Window(MwType type, int key) {
            this.type = type;
            this.state = new KeyState(key, true);
            this.settled = state;
        }
    }

    /** What a request makes of a window. */
    final class Change {
        private final Window window;
        private final KeyState to;
        private final String how;

        private Change(Window window, KeyState to, String how) {
            this.window = window;
            this.to = to;
            this.how = how;
        }

        /** Notes whether the request was carried out. */
        void settle(boolean success) {
            synchronized (Windows.this) {
                if (window.isGone) {
                    return;
                }
                if (success) {
                    window.settled = to;
                }
                if (window.last == this || !success) {
                    set(window, window.settled, how);
                }
            }
        }
    }

    Windows(Keys keys) {
        this.keys = keys;
    }

    synchronized void allocated(Handle.Mw mw, int type) {
        Window window = new Window(MwType.of(type), mw.rkey());
        windows.put(mw, window);
        byKey.put(mw.rkey(), window);
        keys.opened(mw.rkey());
    }

    synchronized void deallocated(Handle.Mw mw, String how) {
        Window window = windows.remove(mw);
        set(window, new KeyState(window.state.key(), false), how);
        window.isGone = true;
    }

    /** A bind gives a window a key; null if it is no window of this context. */
    synchronized Change bound(Handle.Mw mw, int key, String how) {
        Window window = windows.get(mw);
        return window == null ? null : change(window, new KeyState(key, true), how);
    }

    /** The bind of no memory ends the key of a type 1 window. */
    synchronized Change unbound(Handle.Mw mw, int key, String how) {
        return change(windows.get(mw), new KeyState(key, false), how);
    }

    /** A request invalidates a key; null if it is not that of a window that can be invalidated. */
    synchronized Change invalidated(int key, String how) {
        Window window = byKey.get(key);
        return window == null || window.type != MwType.TYPE_2
                ? null
                : change(window, new KeyState(key, false), how);
    }

    static String howBound() {
        return "in a window that was bound anew at " + Places.caller();
    }

    static String howInvalidated() {
        return "in a window that was invalidated at " + Places.caller();
    }

    private Change change(Window window, KeyState to, String how) {
        Change change = new Change(window, to, how);
        window.last = change;
        set(window, to, how);
        return change;
    }

    private void set(Window window, KeyState to, String how) {
        KeyState from = window.state;
        if (from.equals(to)) {
            return;
        }
        if (from.isOpen()) {
            byKey.remove(from.key());
            keys.closed(from.key(), how);
        }
        if (to.isOpen()) {
            byKey.put(to.key(), window);
            keys.opened(to.key());
        }
        window.state = to;
    }
}
