package io.jverbs.strict.tracking;

import io.jverbs.MwType;
import io.jverbs.spi.Handle;
import java.util.HashMap;
import java.util.Map;

/**
 * The memory windows of a context and their rkeys. A bind gives a window a new rkey; an invalidation makes its rkey
 * invalid. A change counts from the post of its request, so that a program can use the new rkey at once. If the request
 * fails, the change is reverted. Thread-safe.
 */
public final class Windows {
    private final MemoryKeys keys;
    private final Map<Handle.Mw, Window> windows = new HashMap<>();
    /** The windows with a valid rkey, by rkey. */
    private final Map<Integer, Window> byKey = new HashMap<>();

    private record KeyState(int key, boolean isOpen) {}

    private static final class Window {
        final MwType type;
        KeyState state;
        /** The state after the last change whose request is known to have succeeded. */
        KeyState settled;
        /** The latest posted change. */
        Change last;
        boolean isDeallocated;

        Window(MwType type, int key) {
            this.type = type;
            this.state = new KeyState(key, true);
            this.settled = state;
        }
    }

    /** The change that a request makes to a window. */
    public final class Change {
        private final Window window;
        private final KeyState to;
        private final String how;

        private Change(Window window, KeyState to, String how) {
            this.window = window;
            this.to = to;
            this.how = how;
        }

        /**
         * Records whether the request was executed.
         *
         * @param success whether it was
         */
        public void settle(boolean success) {
            synchronized (Windows.this) {
                if (window.isDeallocated) {
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

    /**
     * Starts without windows.
     *
     * @param keys the keys of the context, in which changes of rkeys are recorded
     */
    public Windows(MemoryKeys keys) {
        this.keys = keys;
    }

    /**
     * Records a new window.
     *
     * @param mw the window
     * @param type the code of its type
     */
    public synchronized void allocated(Handle.Mw mw, int type) {
        Window window = new Window(MwType.of(type), mw.rkey());
        windows.put(mw, window);
        byKey.put(mw.rkey(), window);
        keys.addRkey(mw.rkey());
    }

    /**
     * Records that a window was deallocated.
     *
     * @param mw the window
     * @param how why its rkey is no longer valid, for a report
     */
    public synchronized void deallocated(Handle.Mw mw, String how) {
        Window window = windows.remove(mw);
        set(window, new KeyState(window.state.key(), false), how);
        window.isDeallocated = true;
    }

    /**
     * {@return the change that a bind makes; null if the window does not belong to this context}
     *
     * @param mw the window
     * @param key its new rkey
     * @param how why its previous rkey is no longer valid, for a report
     */
    public synchronized Change bound(Handle.Mw mw, int key, String how) {
        Window window = windows.get(mw);
        return window == null ? null : change(window, new KeyState(key, true), how);
    }

    /**
     * {@return the change that a bind of length 0 makes: it invalidates the rkey of a type 1 window}
     *
     * @param mw the window
     * @param key its rkey
     * @param how why its rkey is no longer valid, for a report
     */
    public synchronized Change unbound(Handle.Mw mw, int key, String how) {
        return change(windows.get(mw), new KeyState(key, false), how);
    }

    /**
     * {@return the change that an invalidation makes; null if no type 2 window has the rkey}
     *
     * @param key the rkey
     * @param how why it is no longer valid, for a report
     */
    public synchronized Change invalidated(int key, String how) {
        Window window = byKey.get(key);
        return window == null || window.type != MwType.TYPE_2
                ? null
                : change(window, new KeyState(key, false), how);
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
        try {
            if (from.isOpen()) {
                byKey.remove(from.key());
                keys.removeRkey(from.key(), how);
            }
            if (to.isOpen()) {
                byKey.put(to.key(), window);
                keys.addRkey(to.key());
            }
            window.state = to;
        } catch (Error e) {
            // the caller disables only its own context, but SEND_WITH_INV changes a window of the peer's context
            keys.disable();
            throw e;
        }
    }
}
