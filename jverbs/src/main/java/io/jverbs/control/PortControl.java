package io.jverbs.control;

import io.jverbs.Gid;
import io.jverbs.Mtu;

/**
 * Changes the state and the tables of the ports of a device. A change raises the corresponding asynchronous event on
 * every open context of the device.
 *
 * <p>
 * All methods throw {@link io.jverbs.VerbsException} with EINVAL for a port that the device does not have or an index
 * outside the table, and with EIO after the device was removed. Thread-safe.
 *
 * {@snippet :
 * PortControl ports = device.capability(PortControl.class).orElseThrow();
 * ports.pullCable(1);
 * assertEquals(PortState.DOWN, context.queryPort(1).state());
 * ports.plugCable(1);
 * assertEquals(PortState.ACTIVE, context.queryPort(1).state());
 * }
 */
public interface PortControl {

    /**
     * Sets the link down. The port goes to {@link io.jverbs.PortState#DOWN}, and {@link
     * io.jverbs.AsyncEventType#PORT_ERR} is raised. The port sends and receives nothing. Queue pairs keep their state,
     * and their requests run into timeouts. No effect on a port that is down.
     *
     * @param port the number of the port, from 1
     */
    void pullCable(int port);

    /**
     * Sets the link up. The port goes to {@link io.jverbs.PortState#ACTIVE}, and {@link
     * io.jverbs.AsyncEventType#PORT_ACTIVE} is raised. No effect on a port that is active.
     *
     * @param port the number of the port, from 1
     */
    void plugCable(int port);

    /**
     * Adds a GID to the first free entry of the GID table, and raises {@link io.jverbs.AsyncEventType#GID_CHANGE}.
     *
     * @param port the number of the port, from 1
     * @param gid the GID: not the unspecified address, not the broadcast address, not multicast and not in the table
     * @return the index of the entry, from 0
     * @throws io.jverbs.VerbsException with EINVAL for a GID that cannot be added, with ENOSPC if the table is full
     */
    int addGid(int port, Gid gid);

    /**
     * Removes an entry of the GID table, and raises {@link io.jverbs.AsyncEventType#GID_CHANGE}. Other entries keep
     * their index.
     *
     * <p>
     * Objects that use the entry are not changed. Queue pairs keep their state, and queue pairs and address handles
     * keep the address. No other GID gets the index while they use it, as in Linux. The port sends nothing from the
     * address and receives nothing for it, as if the cable was pulled for this address only: requests at both ends of a
     * reliable connection run into timeouts, and datagrams and messages of unreliable connections are lost. Traffic
     * resumes when the address is added again, which gets its index back if it is still used.
     *
     * @param port the number of the port, from 1
     * @param index the index of the entry, from 0
     * @throws io.jverbs.VerbsException with ENODATA if the entry is empty
     */
    void removeGid(int port, int index);

    /**
     * Sets an entry of the P_Key table, and raises {@link io.jverbs.AsyncEventType#PKEY_CHANGE}.
     *
     * @param port the number of the port, from 1
     * @param index the index of the entry, from 0
     * @param pkey the P_Key, 16 bits; bit 15 marks a full member; 0 empties the entry
     * @throws io.jverbs.VerbsException with EINVAL for a P_Key wider than 16 bits
     */
    void setPkey(int port, int index, int pkey);

    /**
     * Sets the active MTU. Connected queue pairs keep their path MTU.
     *
     * @param port the number of the port, from 1
     * @param mtu the MTU
     * @throws io.jverbs.VerbsException with EINVAL if it is {@link Mtu#UNKNOWN} or above the maximum of the port
     */
    void setActiveMtu(int port, Mtu mtu);
}
