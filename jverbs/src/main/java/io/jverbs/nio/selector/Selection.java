package io.jverbs.nio.selector;

import io.jverbs.rsocket.polling.PollingWait;
import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * The selections of a selector, one at a time. The thread that selects has the monitors of the selector and of its
 * selected keys.
 *
 * <p>
 * A key on RDMA is in one of three places:
 * <pre>
 * place      how it gets there                                     how it leaves
 * queued     registered, interest changed, notification            the next selection polls it
 * polled     was queued                                            not ready for {@link #IDLE_SELECTIONS}, or a block
 * neither    was polled; a notification is requested if it has an  see queued
 *            interest
 * </pre>
 */
final class Selection {
    /** After how many selections in which a key is not ready it is polled no more. */
    private static final int IDLE_SELECTIONS = 16;
    /** How often keys are polled before the JDK's selector is checked. */
    private static final int POLLS = 16;
    private static final int INITIAL = 16;

    private final RdmaSelector selector;
    private final SelectedKeys selected;
    private final QueuedKeys queued;
    private final JdkSelection jdk;
    private final SelectorWait wait;
    private final long spinNanos;
    private final PollingWait polling = new PollingWait(this::pollAll);
    private final PolledKeys polled = new PolledKeys();
    private final Consumer<SelectionKey> takeJdkKey = this::takeJdkKey;
    /** The keys that the JDK's selector has found, and their operations. */
    private SelectionKey[] jdkKeys = new SelectionKey[INITIAL];
    private int[] jdkOps = new int[INITIAL];
    private int jdkCount;
    /** The keys of the taken list that are not polled yet, because an Error has ended an earlier selection. */
    private RdmaSelectionKey taken;
    /** Of the current selection: its number, what it does with a key, what it returns, whether a key is ready. */
    private long number;
    private Consumer<SelectionKey> action;
    private int count;
    private boolean found;
    /** Whether a key is ready that is cancelled: the selection returns, as that of the JDK, and removes it. */
    private boolean foundCancelled;
    /** How often the keys were polled before the selection blocks. */
    private int polls;
    /** What the JDK's selector has thrown meanwhile; null if nothing. */
    private IOException failure;

    Selection(RdmaSelector selector, SelectedKeys selected, QueuedKeys queued, JdkSelection jdk, SelectorWait wait,
            long spinNanos) {
        this.selector = selector;
        this.selected = selected;
        this.queued = queued;
        this.jdk = jdk;
        this.wait = wait;
        this.spinNanos = spinNanos;
    }

    /** Removes a key that is cancelled. */
    void remove(RdmaSelectionKey key) {
        polled.remove(key);
    }

    /**
     * Selects.
     *
     * @param nanos how long it blocks, 0 for not at all
     * @param what is called for each key; null to add it to the selected keys
     * @return the number of keys that were added or passed on, or have got further operations
     */
    int run(long nanos, Consumer<SelectionKey> what) throws IOException {
        number++;
        action = what;
        count = 0;
        found = false;
        foundCancelled = false;
        try {
            takeQueued();
            poll(true);
            if (nanos == 0 || mustReturn()) {
                selectJdk();
            } else {
                block(nanos);
            }
            return count;
        } finally {
            action = null;
            clearJdkKeys();
        }
    }

    private boolean mustReturn() {
        return found || foundCancelled || selector.mustReturn();
    }

    private void clearJdkKeys() {
        Arrays.fill(jdkKeys, 0, jdkCount, null);
        jdkCount = 0;
    }

    private void block(long nanos) throws IOException {
        long start = System.nanoTime();
        long left = nanos;
        while (left > 0) {
            spin(left);
            if (mustReturn()) {
                return;
            }
            if (requestNotifications()) {
                if (jdk.isUsed()) {
                    wait.select(takeJdkKey, left);
                } else {
                    wait.park(left);
                }
                reportJdkKeys();
            }
            takeQueued();
            poll(false);
            if (mustReturn()) {
                return;
            }
            left = nanos == SelectorWait.NO_LIMIT ? left : nanos - (System.nanoTime() - start);
        }
    }

    /** Polls for a time, or until a key is ready or the selection must return. */
    private void spin(long left) throws IOException {
        if (polled.size() == 0) {
            return;
        }
        polling.await(left, spinNanos);
        IOException thrown = failure;
        if (thrown != null) {
            failure = null;
            throw thrown;
        }
    }

    /** Polls all keys, those of the JDK's selector less often; returns whether polls end. */
    private boolean pollAll() {
        takeQueued();
        poll(false);
        polls++;
        if (!found && polls % POLLS == 0) {
            try {
                selectJdk();
            } catch (IOException e) {
                failure = e;
                return true;
            }
        }
        return mustReturn();
    }

    /** Polls the keys from now on that are queued. */
    private void takeQueued() {
        // before the list: a key that comes later signals again
        wait.clear();
        pollTaken();
        taken = queued.takeAll();
        pollTaken();
    }

    /** Takes each key out of the list after it is polled: an Error before that loses none. */
    private void pollTaken() {
        while (taken != null) {
            RdmaSelectionKey key = taken;
            if (key.isValid()) {
                polled.add(key);
            } else {
                foundCancelled |= selector.hasCancelled();
            }
            taken = key.next();
            key.next(null);
            key.unqueue();
        }
    }

    /** Reports the polled keys that are ready; the last ones first, so that a removal moves only visited ones. */
    private void poll(boolean isFirst) {
        for (int i = polled.size() - 1; i >= 0; i--) {
            RdmaSelectionKey key = polled.get(i);
            int interest = interest(key);
            int ready = interest == 0 ? 0 : key.rdma().readyOps(interest) & interest;
            if (ready != 0) {
                key.idleSelections(0);
                report(key, ready);
            } else if (interest == 0) {
                polled.remove(key);
            } else if (isFirst) {
                key.idleSelections(key.idleSelections() + 1);
                if (key.idleSelections() > IDLE_SELECTIONS) {
                    requestNotification(key, interest);
                }
            }
        }
    }

    private static int interest(RdmaSelectionKey key) {
        return key.isValid() ? key.interest() : 0;
    }

    /** Requests a notification of each key that is polled; returns false if one is ready already. */
    private boolean requestNotifications() {
        boolean isNoneReady = true;
        for (int i = polled.size() - 1; i >= 0; i--) {
            RdmaSelectionKey key = polled.get(i);
            int interest = interest(key);
            if (interest == 0) {
                polled.remove(key);
            } else {
                isNoneReady &= requestNotification(key, interest);
            }
        }
        return isNoneReady;
    }

    /** Requests a notification of a key, which is polled no more; returns false if it is ready already. */
    private boolean requestNotification(RdmaSelectionKey key, int interest) {
        RdmaChannel channel = key.rdma();
        int requested;
        do {
            requested = channel.keys().interest();
            channel.requestNotification(requested);
            // replaces the request of another selector, whose key may have got more interest since
        } while ((channel.keys().interest() & ~requested) != 0);
        if ((channel.readyOps(interest) & interest) != 0) {
            return false;
        }
        polled.remove(key);
        return true;
    }

    private void selectJdk() throws IOException {
        if (jdk.isUsed()) {
            jdk.selectNow(takeJdkKey);
            reportJdkKeys();
        }
    }

    /** Keeps a key that the JDK's selector has found: the program gets it after that selection. */
    private void takeJdkKey(SelectionKey found) {
        if (jdkCount == jdkKeys.length) {
            SelectionKey[] moreKeys = Arrays.copyOf(jdkKeys, 2 * jdkCount);
            // both or none
            jdkOps = Arrays.copyOf(jdkOps, 2 * jdkCount);
            jdkKeys = moreKeys;
        }
        try {
            jdkOps[jdkCount] = found.readyOps();
            jdkKeys[jdkCount] = found;
            jdkCount++;
        } catch (CancelledKeyException e) {
            // it was cancelled meanwhile
        }
    }

    private void reportJdkKeys() {
        for (int i = 0; i < jdkCount; i++) {
            RdmaSelectionKey key = (RdmaSelectionKey) jdkKeys[i].attachment();
            int ready = jdkOps[i] & interest(key);
            if (ready != 0) {
                report(key, ready);
            } else {
                ignore(jdkKeys[i], key);
            }
        }
        clearJdkKeys();
    }

    /** Keeps the JDK's selector from finding a key again at once that is cancelled, or has no such interest. */
    private void ignore(SelectionKey jdkKey, RdmaSelectionKey key) {
        if (key.isValid()) {
            key.applyInterest(jdkKey);
        } else {
            jdkKey.cancel();
            foundCancelled = true;
        }
    }

    private void report(RdmaSelectionKey key, int ops) {
        found = true;
        if (action != null) {
            if (key.count(number)) {
                key.ready(ops);
                count++;
                action.accept(key);
                selector.requireOpen();
            }
            return;
        }
        boolean isSelected = selected.contains(key);
        int before = isSelected ? key.ready() : 0;
        if ((before | ops) != before) {
            key.ready(before | ops);
            if (!isSelected) {
                selected.select(key);
            }
            if (key.count(number)) {
                count++;
            }
        }
    }
}
