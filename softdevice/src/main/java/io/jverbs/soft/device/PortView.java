package io.jverbs.soft.device;

import io.jverbs.LinkLayer;
import io.jverbs.Mtu;
import io.jverbs.PortAttributes;
import io.jverbs.PortState;
import io.jverbs.soft.fabric.SoftPort;
import io.jverbs.soft.protocol.Counter;

/** Builds the port attributes that query_port returns; see ibv_query_port(3). */
final class PortView {
    private static final int PHYS_LINK_UP = 5;
    private static final int PHYS_DISABLED = 3;
    private static final int WIDTH_1X = 1;
    private static final int SPEED_SDR = 1;

    private PortView() {}

    static PortAttributes attributes(SoftPort port) {
        return limits(port).toBuilder().badPkeyCounter((int) port.counted(Counter.BAD_PKEY))
                .qkeyViolationCounter((int) port.counted(Counter.BAD_QKEY)).build();
    }

    /** Returns the attributes without the counters, for checks of ranges. */
    static PortAttributes limits(SoftPort port) {
        return PortAttributes.builder().state(port.isUp() ? PortState.ACTIVE : PortState.DOWN).maxMtu(Mtu.MTU_4096)
                .activeMtu(port.activeMtu()).gidTableLength(SoftPort.GIDS).maxMessageSize(Limits.MAX_MESSAGE)
                .pkeyTableLength(SoftPort.PKEYS).maxVlNum(1).activeWidth(WIDTH_1X).activeSpeed(SPEED_SDR)
                .physState(port.isUp() ? PHYS_LINK_UP : PHYS_DISABLED).linkLayer(LinkLayer.ETHERNET).build();
    }
}
