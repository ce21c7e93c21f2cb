package io.jverbs.soft;

import io.jverbs.AsyncEventType;
import io.jverbs.Errno;
import io.jverbs.Gid;
import io.jverbs.Mtu;
import io.jverbs.VerbsException;
import io.jverbs.control.DeviceCounters;
import io.jverbs.control.DeviceRemoval;
import io.jverbs.control.PortControl;
import io.jverbs.soft.fabric.SoftPort;
import java.util.Map;

/** What tests and tools may do to a software device beyond verbs. */
final class SoftControl implements PortControl, DeviceRemoval, DeviceCounters {
    private static final int MAX_PKEY = 0xFFFF;

    private final SoftDevice device;

    SoftControl(SoftDevice device) {
        this.device = device;
    }

    private SoftPort port(String operation, int port) {
        device.checkPresent(operation);
        Limits.check(operation, "port", port, SoftPort.NUMBER, SoftPort.NUMBER);
        return device.port();
    }

    @Override
    public void pullCable(int port) {
        if (port("pull_cable", port).up(false)) {
            device.raisePortEvent(AsyncEventType.PORT_ERR);
        }
    }

    @Override
    public void plugCable(int port) {
        if (port("plug_cable", port).up(true)) {
            device.raisePortEvent(AsyncEventType.PORT_ACTIVE);
        }
    }

    @Override
    public int addGid(int port, Gid gid) {
        int index = port("add_gid", port).addGid(gid);
        device.raisePortEvent(AsyncEventType.GID_CHANGE);
        return index;
    }

    @Override
    public void removeGid(int port, int index) {
        SoftPort target = port("remove_gid", port);
        target.removeGid(Limits.check("remove_gid", "index", index, 0, SoftPort.GIDS - 1));
        device.raisePortEvent(AsyncEventType.GID_CHANGE);
    }

    @Override
    public void setPkey(int port, int index, int pkey) {
        SoftPort target = port("set_pkey", port);
        Limits.check("set_pkey", "index", index, 0, SoftPort.PKEYS - 1);
        target.pkey(index, Limits.check("set_pkey", "pkey", pkey, 0, MAX_PKEY));
        device.raisePortEvent(AsyncEventType.PKEY_CHANGE);
    }

    @Override
    public void setActiveMtu(int port, Mtu mtu) {
        SoftPort target = port("set_mtu", port);
        if (mtu == Mtu.UNKNOWN) {
            throw new VerbsException("set_mtu", Errno.EINVAL, "mtu is UNKNOWN; choose one of 256 to 4096 bytes");
        }
        target.activeMtu(mtu);
    }

    @Override
    public void remove() {
        device.remove();
    }

    @Override
    public boolean removed() {
        return device.isRemoved();
    }

    @Override
    public Map<String, Long> snapshot() {
        return device.port().counters();
    }
}
