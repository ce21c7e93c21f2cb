package io.jverbs.control;

import io.jverbs.Gid;
import io.jverbs.Mtu;

/**
 * Changes the ports of a device as an administrator or an accident would. Every change raises the asynchronous event
 * that belongs to it, on every open context of the device.
 *
 * <p>
 * All methods throw {@link io.jverbs.VerbsException} with EINVAL for a port that the device does not have, or an index
 * outside the table, and with EIO once the device is removed. They are safe for use by many threads.
 */
public interface PortControl {

    /**
     * Takes the link down: {@link io.jverbs.PortState#DOWN} and {@link io.jverbs.AsyncEventType#PORT_ERR}. Nothing is
     * sent or received; queue pairs keep their state and run into their timeouts. No effect on a port that is down.
     *
     * @param port the number of the port, from 1
     */
    void pullCable(int port);

    /**
     * Brings the link up again: {@link io.jverbs.PortState#ACTIVE} and {@link io.jverbs.AsyncEventType#PORT_ACTIVE}. No
     * effect on a port that is active.
     *
     * @param port the number of the port, from 1
     */
    void plugCable(int port);

    /**
     * Puts an address into the first empty entry of the GID table: {@link io.jverbs.AsyncEventType#GID_CHANGE}.
     *
     * @param port the number of the port, from 1
     * @param gid the address, not zero, not multicast and not yet in the table
     * @return the place of the entry, from 0
     * @throws io.jverbs.VerbsException with EINVAL for an address that cannot be added, with ENOSPC if the table is
     *         full
     */
    int addGid(int port, Gid gid);

    /**
     * Empties an entry of the GID table: {@link io.jverbs.AsyncEventType#GID_CHANGE}. Other entries keep their places.
     *
     * @param port the number of the port, from 1
     * @param index the place of the entry, from 0
     * @throws io.jverbs.VerbsException with ENODATA if the entry is empty
     */
    void removeGid(int port, int index);

    /**
     * Sets an entry of the P_Key table: {@link io.jverbs.AsyncEventType#PKEY_CHANGE}.
     *
     * @param port the number of the port, from 1
     * @param index the place of the entry, from 0
     * @param pkey the partition key, 16 bits, bit 15 of which marks a full member; 0 empties the entry
     * @throws io.jverbs.VerbsException with EINVAL for a key wider than 16 bits
     */
    void setPkey(int port, int index, int pkey);

    /**
     * Sets the MTU in use. Queue pairs that are connected keep theirs.
     *
     * @param port the number of the port, from 1
     * @param mtu the MTU
     * @throws io.jverbs.VerbsException with EINVAL if it is {@link Mtu#UNKNOWN} or above the maximum of the port
     */
    void setActiveMtu(int port, Mtu mtu);
}
