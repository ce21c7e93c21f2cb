package io.jverbs.ibverbs.rdmacm;

import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/**
 * The multicast groups that an ID has joined, the latest first, in which order librdmacm searches them. Thread-safe:
 * the monitor of this object guards all fields.
 */
final class Memberships {
    private final Deque<Membership> joined = new ArrayDeque<>();
    private long lastKey;

    /** A membership. The key is the context that librdmacm returns in events. */
    static final class Membership {
        private final long key;
        private final InetSocketAddress group;
        private final Object context;

        private Membership(long key, InetSocketAddress group, Object context) {
            this.key = key;
            this.group = group;
            this.context = context;
        }

        long key() {
            return key;
        }
    }

    /** Adds a membership, before librdmacm is called. */
    synchronized Membership add(InetSocketAddress group, Object context) {
        Membership made = new Membership(lastKey + 1, group, context);
        joined.addFirst(made);
        lastKey++;
        return made;
    }

    /** Removes a membership that librdmacm has refused. */
    synchronized void remove(Membership refused) {
        joined.remove(refused);
    }

    /** Removes the membership that librdmacm has left; returns its context, null if there is none. */
    synchronized Object left(InetSocketAddress group) {
        for (Iterator<Membership> all = joined.iterator(); all.hasNext();) {
            Membership each = all.next();
            if (each.group.equals(group)) {
                all.remove();
                return each.context;
            }
        }
        return null;
    }

    /** Returns the context of the program; null if the group was left. */
    synchronized Object context(long key) {
        for (Membership each : joined) {
            if (each.key == key) {
                return each.context;
            }
        }
        return null;
    }
}
