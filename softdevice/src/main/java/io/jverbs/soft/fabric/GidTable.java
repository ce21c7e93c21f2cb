package io.jverbs.soft.fabric;

import io.jverbs.Errno;
import io.jverbs.Gid;
import io.jverbs.GidEntry;
import io.jverbs.GidType;
import io.jverbs.VerbsException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The GID table of a port. As in Linux, the index of a GID that is removed while address handles or queue pairs use it
 * is not given to another GID before the last of them is gone; the GID itself gets it back. Lookups take no lock,
 * changes are synchronized.
 */
final class GidTable {
    private final AtomicReferenceArray<Gid> entries;
    /** The GID that has each index: it is in the table, or was removed and is still used. Null for a free index. */
    private final Gid[] owners;
    /** The number of address handles and queue pairs that use the GID of each index. */
    private final int[] users;

    /** Creates an empty table of a length. */
    GidTable(int length) {
        entries = new AtomicReferenceArray<>(length);
        owners = new Gid[length];
        users = new int[length];
    }

    /** Returns the GID at an index, null if the entry is empty. */
    Gid get(int index) {
        return entries.get(index);
    }

    /**
     * Returns the index that a GID gets: the one that it had if that is still in use, or otherwise the first free one.
     * Throws EINVAL if the GID cannot be added, ENOSPC if no index is free.
     */
    synchronized int indexFor(Gid gid) {
        checkUnicast(gid);
        int free = -1;
        for (int i = owners.length - 1; i >= 0; i--) {
            if (gid.equals(owners[i])) {
                if (entries.get(i) != null) {
                    throw refused(Errno.EINVAL, "GID " + gid + " is in the GID table already, at index " + i);
                }
                return i;
            }
            free = owners[i] == null ? i : free;
        }
        if (free < 0) {
            throw refused(Errno.ENOSPC, "all " + owners.length + " entries of the GID table are in use, or were"
                    + " removed and are still used by address handles or queue pairs");
        }
        return free;
    }

    private static void checkUnicast(Gid gid) {
        boolean ipv4 = gid.isIpv4Mapped();
        if (gid.isZero() || ipv4 && (int) gid.low() == 0) {
            throw refused(Errno.EINVAL, "GID " + gid + " is the unspecified address");
        }
        if (gid.isMulticast()) {
            throw refused(Errno.EINVAL, "GID " + gid + " is a multicast group");
        }
        if (ipv4 && (int) gid.low() == -1) {
            throw refused(Errno.EINVAL, "GID " + gid + " is the broadcast address");
        }
    }

    private static VerbsException refused(Errno errno, String why) {
        return new VerbsException("add_gid", errno, why);
    }

    /** Sets the entry at an index that {@link #indexFor} returned. */
    synchronized void set(int index, Gid gid) {
        entries.set(index, gid);
        owners[index] = gid;
    }

    /** Empties an entry and returns its GID; throws ENODATA if the entry is empty. */
    synchronized Gid remove(int index) {
        Gid gid = entries.getAndSet(index, null);
        if (gid == null) {
            throw new VerbsException("remove_gid", Errno.ENODATA, "entry " + index + " of the GID table is empty");
        }
        freeIfUnused(index);
        return gid;
    }

    /** Returns the GID at an index and counts one user more; returns null if the entry is empty. */
    synchronized Gid use(int index) {
        Gid gid = entries.get(index);
        if (gid != null) {
            users[index]++;
        }
        return gid;
    }

    /** Counts one user less of a GID that {@link #use} returned. */
    synchronized void release(Gid gid) {
        for (int i = 0; i < owners.length; i++) {
            if (gid.equals(owners[i])) {
                users[i]--;
                freeIfUnused(i);
                return;
            }
        }
    }

    private void freeIfUnused(int index) {
        if (users[index] == 0 && entries.get(index) == null) {
            owners[index] = null;
        }
    }

    /** Returns the entries that are not empty, in the order of the indexes, as those of a port. */
    List<GidEntry> list(int port) {
        List<GidEntry> all = new ArrayList<>();
        for (int i = 0; i < entries.length(); i++) {
            Gid gid = entries.get(i);
            if (gid != null) {
                all.add(new GidEntry(gid, i, port, GidType.ROCE_V2, 0));
            }
        }
        return all;
    }
}
