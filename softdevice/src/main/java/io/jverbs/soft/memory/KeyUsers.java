package io.jverbs.soft.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The users of a key that has more than one. The first few are in an array, which is faster to search than a set; the
 * others are in a set. Users whose half is gone are removed when room is needed, so at most twice as many users as live
 * ones, plus a few, are kept. All methods may be called by any thread; none takes a lock that a thread parks for.
 */
final class KeyUsers {
    private static final int FEW = 8;
    private static final VarHandle LISTED;

    static {
        try {
            LISTED = MethodHandles.lookup().findVarHandle(KeyUsers.class, "listed", KeyUser[].class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Copied on write; at most {@link #FEW} users. */
    private volatile KeyUser[] listed;
    /** The users that found no room in the array; null if there are none. */
    private volatile Set<KeyUser> more;
    /** The size at which users that are gone are removed from the set. */
    private volatile int pruneAt = 2 * FEW;

    KeyUsers(KeyUser first, KeyUser second) {
        listed = new KeyUser[] {first, second};
    }

    boolean contains(KeyUser user) {
        for (KeyUser known : listed) {
            if (known == user) {
                return true;
            }
        }
        Set<KeyUser> others = more;
        return others != null && others.contains(user);
    }

    /** Adds a user. A user is added under its own lock, so two threads never add the same user at the same time. */
    void add(KeyUser user) {
        while (true) {
            KeyUser[] present = listed;
            KeyUser[] living = present.length < FEW
                    ? present
                    : Arrays.stream(present).filter(known -> !known.isGone()).toArray(KeyUser[]::new);
            if (living.length == FEW) {
                addToSet(user);
                return;
            }
            KeyUser[] longer = Arrays.copyOf(living, living.length + 1);
            longer[living.length] = user;
            if (LISTED.compareAndSet(this, present, longer)) {
                return;
            }
        }
    }

    private void addToSet(KeyUser user) {
        Set<KeyUser> others = more;
        if (others == null) {
            synchronized (this) {
                others = more == null ? ConcurrentHashMap.newKeySet() : more;
                more = others;
            }
        }
        others.add(user);
        if (others.size() >= pruneAt) {
            others.removeIf(KeyUser::isGone);
            pruneAt = Math.max(2 * FEW, 2 * others.size());
        }
    }

    void forEach(Consumer<KeyUser> action) {
        for (KeyUser user : listed) {
            action.accept(user);
        }
        Set<KeyUser> others = more;
        if (others != null) {
            others.forEach(action);
        }
    }
}
