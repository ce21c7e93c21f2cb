package io.jverbs;

import java.util.Objects;

/**
 * An entry of a port's GID table, {@code struct ibv_gid_entry}; see ibv_query_gid_ex(3). Address handles and
 * connections name their source by the entry's index.
 *
 * @param gid the address
 * @param index the entry's place in the table of its port, from 0
 * @param port the number of the port, from 1
 * @param type how packets with this source travel
 * @param interfaceIndex the number of the network interface behind it, 0 if there is none
 */
public record GidEntry(Gid gid, int index, int port, GidType type, int interfaceIndex) {

    /** Checks that GID and type are not null. */
    public GidEntry {
        Objects.requireNonNull(gid, "gid");
        Objects.requireNonNull(type, "type");
    }
}
