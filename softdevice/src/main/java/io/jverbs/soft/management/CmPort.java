package io.jverbs.soft.management;

import io.jverbs.Gid;
import io.jverbs.Mtu;

/** The port of a device, as the connection manager sees it. Thread-safe. */
interface CmPort {

    /** {@return the name of the device} */
    String device();

    /** {@return the GUID that identifies this device in this process} */
    long caGuid();

    /** {@return the number of the port} */
    int number();

    /** {@return the address that an ID without a source address is bound to} */
    Gid preferredGid();

    /**
     * {@return the index of a GID in the GID table, negative if it does not have it}
     *
     * @param gid the GID
     */
    int gidIndex(Gid gid);

    /**
     * {@return whether packets to a GID can be sent}
     *
     * @param source the own GID
     * @param destination the GID
     */
    boolean reaches(Gid source, Gid destination);

    /** {@return the path MTU} */
    Mtu pathMtu();
}
