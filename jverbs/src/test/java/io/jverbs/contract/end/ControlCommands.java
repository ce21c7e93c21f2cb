package io.jverbs.contract.end;

import io.jverbs.Gid;
import io.jverbs.Mtu;
import java.util.Map;
import java.util.Set;

/**
 * Test control of a device, beyond verbs. Not every device supports it; check {@link #abilities} first. Closing the end
 * restores ports and tables.
 */
public interface ControlCommands {

    /** Kinds of test control. */
    enum Ability {
        /** Control of the link, the GID table, the P_Key table and the active MTU. */
        PORT_CONTROL,
        /** Removal of the device. */
        REMOVAL,
        /** Counters of the device. */
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
