package io.jverbs.contract.end;

import io.jverbs.Gid;
import io.jverbs.Mtu;
import java.util.Map;
import java.util.Set;

/**
 * What a test bench can do to a device. Only ends whose device has the ability; ask {@link #abilities} first. An end
 * puts tables and cables back when it is closed.
 */
public interface ControlCommands {

    /** Abilities beyond verbs. */
    enum Ability {
        /** Cable, GID table, P_Key table, active MTU. */
        PORT_CONTROL,
        /** The device can be removed. */
        REMOVAL,
        /** The device has counters. */
        COUNTERS
    }

    Set<Ability> abilities();

    void pullCable(int port);

    void plugCable(int port);

    int addGid(int port, Gid gid);

    void removeGid(int port, int index);

    void setPkey(int port, int index, int pkey);

    void setActiveMtu(int port, Mtu mtu);

    void removeDevice();

    boolean deviceRemoved();

    Map<String, Long> counters();
}
