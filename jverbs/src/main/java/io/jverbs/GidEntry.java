package io.jverbs;

import java.util.Objects;

/**
 * An entry of the GID table of a port, {@code struct ibv_gid_entry}; see ibv_query_gid_ex(3). Address handles and
 * connections select their source GID by the index of its entry. Immutable.
 *
 * @param gid the GID
 * @param index the index of the entry in the GID table of the port, from 0
 * @param port the number of the port, from 1
 * @param type the protocol of packets that use this GID as their source
 * @param interfaceIndex the index of the network interface of this GID; 0 if there is none
 */
public record GidEntry(Gid gid, int index, int port, GidType type, int interfaceIndex) {

    /** Creates an entry. Throws {@link NullPointerException} if {@code gid} or {@code type} is null. */
    public GidEntry {
        Objects.requireNonNull(gid, "gid");
        Objects.requireNonNull(type, "type");
    }
}
