package io.jverbs.soft.management.communication;

import java.util.HashMap;
import java.util.Map;

/** The connections of a device, by their own ID and by what is known of their peers. Guarded by the agent's lock. */
final class CmConnections {
    private final Map<Integer, CmConnection> byLocalId = new HashMap<>();
    private final Map<RemoteId, CmConnection> byRemoteId = new HashMap<>();
    private final Map<CmPeer, CmConnection> byPeer = new HashMap<>();

    /** The communication ID of a peer, and the GUID of its device. */
    private record RemoteId(int commId, long caGuid) {
        static RemoteId of(CmConnection connection) {
            return new RemoteId(connection.remoteCommId(), connection.peer().caGuid());
        }
    }

    void add(CmConnection made) {
        byLocalId.put(made.localCommId(), made);
    }

    /** Returns the connection with an own ID, or null. */
    CmConnection byLocalId(int commId) {
        return byLocalId.get(commId);
    }

    /** Returns the connection with an ID of a peer, or null. */
    CmConnection byRemoteId(int commId, long caGuid) {
        return byRemoteId.get(new RemoteId(commId, caGuid));
    }

    /** Returns the connection with a queue pair of a peer, or null. */
    CmConnection byPeer(int qpn, long caGuid) {
        return byPeer.get(new CmPeer(qpn, caGuid));
    }

    /** Registers what a connection has learned of its peer, which no other connection has. */
    void register(CmConnection connection) {
        byPeer.put(connection.peer(), connection);
        byRemoteId.put(RemoteId.of(connection), connection);
    }

    void forget(CmConnection connection) {
        byLocalId.remove(connection.localCommId(), connection);
        if (connection.peer() != null) {
            byPeer.remove(connection.peer(), connection);
            byRemoteId.remove(RemoteId.of(connection), connection);
        }
    }

    /** Returns the number of entries, up to three for each connection. */
    int size() {
        return byLocalId.size() + byRemoteId.size() + byPeer.size();
    }
}
