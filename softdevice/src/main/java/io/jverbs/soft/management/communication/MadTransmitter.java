package io.jverbs.soft.management.communication;

import io.jverbs.soft.management.message.ManagementDatagram;

/** Sends management datagrams to QP1 of a peer. */
public interface MadTransmitter {

    /** Sends a datagram, or drops it if the network does not accept it. The caller holds no lock. */
    void send(ManagementDatagram mad, CmPath path);
}
