package io.jverbs.ibverbs.rdmacm;

import io.jverbs.Gid;
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

    /** A membership. The key is the context that librdmacm returns in events; the GID is known after the first one. */
    static final class Membership {
        private final long key;
        private final InetSocketAddress group;
        private final Object context;
        private Gid gid;

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

    /** Returns the GID of the group that is left next; that of its address if no event has brought it. */
    synchronized Gid gidToLeave(InetSocketAddress group) {
        for (Membership each : joined) {
            if (each.group.equals(group) && each.gid != null) {
                return each.gid;
            }
        }
        return Gid.ofAddress(group.getAddress());
    }

    /** Removes the membership that librdmacm has left. */
    synchronized void left(InetSocketAddress group) {
        for (Iterator<Membership> all = joined.iterator(); all.hasNext();) {
            if (all.next().group.equals(group)) {
                all.remove();
                return;
            }
        }
    }

    /** Returns the context of the program; null if the group was left. */
    synchronized Object context(long key) {
        Membership found = find(key);
        return found == null ? null : found.context;
    }

    /** Notes the GID of a group. */
    synchronized void joined(long key, Gid gid) {
        Membership found = find(key);
        if (found != null) {
            found.gid = gid;
        }
    }

    private Membership find(long key) {
        for (Membership each : joined) {
            if (each.key == key) {
                return each;
            }
        }
        return null;
    }
}
