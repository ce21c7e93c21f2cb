package io.jverbs.contract.end.local;

import io.jverbs.Gid;
import io.jverbs.Mtu;
import io.jverbs.RdmaDevice;
import io.jverbs.contract.end.ControlCommands;
import io.jverbs.contract.end.End;
import io.jverbs.control.DeviceCounters;
import io.jverbs.control.DeviceRemoval;
import io.jverbs.control.PortControl;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Test control of a local device: link, tables, removal, counters. Closing the end restores ports and tables. */
final class LocalControl implements ControlCommands {

    private final Objects objects;
    private final RdmaDevice device;

    LocalControl(Objects objects) {
        this.objects = objects;
        this.device = objects.context(End.MAIN).device();
    }

    private <T> T capability(Class<T> type) {
        return device.capability(type).orElseThrow(
                () -> new UnsupportedOperationException(device.name() + " does not support " + type.getSimpleName()));
    }

    private PortControl port() {
        return capability(PortControl.class);
    }

    @Override
    public Set<Ability> abilities() {
        EnumSet<Ability> all = EnumSet.noneOf(Ability.class);
        if (device.capability(PortControl.class).isPresent()) {
            all.add(Ability.PORT_CONTROL);
        }
        if (device.capability(DeviceRemoval.class).isPresent()) {
            all.add(Ability.REMOVAL);
        }
        if (device.capability(DeviceCounters.class).isPresent()) {
            all.add(Ability.COUNTERS);
        }
        return all;
    }

    @Override
    public void pullCable(int port) {
        undo(() -> port().plugCable(port));
        port().pullCable(port);
    }

    @Override
    public void plugCable(int port) {
        port().plugCable(port);
    }

    @Override
    public int addGid(int port, Gid gid) {
        int index = port().addGid(port, gid);
        undo(() -> {
            if (objects.context(End.MAIN).queryGid(port, index).equals(gid)) {
                port().removeGid(port, index);
            }
        });
        return index;
    }

    @Override
    public void removeGid(int port, int index) {
        Gid gid = objects.context(End.MAIN).queryGid(port, index);
        port().removeGid(port, index);
        undo(() -> {
            if (objects.context(End.MAIN).queryGidTable().stream().noneMatch(entry -> entry.gid().equals(gid))) {
                port().addGid(port, gid);
            }
        });
    }

    @Override
    public void setPkey(int port, int index, int pkey) {
        int before = objects.context(End.MAIN).queryPkey(port, index);
        undo(() -> port().setPkey(port, index, before));
        port().setPkey(port, index, pkey);
    }

    @Override
    public void setActiveMtu(int port, Mtu mtu) {
        Mtu before = objects.context(End.MAIN).queryPort(port).activeMtu();
        undo(() -> port().setActiveMtu(port, before));
        port().setActiveMtu(port, mtu);
    }

    private void undo(Runnable action) {
        objects.undoLater(() -> {
            if (!deviceGone()) {
                action.run();
            }
        });
    }

    private boolean deviceGone() {
        return device.capability(DeviceRemoval.class).map(DeviceRemoval::removed).orElse(false);
    }

    @Override
    public void removeDevice() {
        capability(DeviceRemoval.class).remove();
    }

    @Override
    public boolean deviceRemoved() {
        return capability(DeviceRemoval.class).removed();
    }

    @Override
    public Map<String, Long> counters() {
        return new HashMap<>(capability(DeviceCounters.class).snapshot());
    }
}
