package io.jverbs.samples.connect;

import io.jverbs.AhAttributes;
import io.jverbs.Gid;
import io.jverbs.LinkLayer;
import io.jverbs.PortAttributes;
import io.jverbs.RdmaContext;
import io.jverbs.samples.SampleFailure;

/**
 * Under which address a port is reached.
 *
 * @param ethernet whether the port is one of Ethernet, where nothing is reached without GIDs
 * @param lid the port's LID, 0 on Ethernet
 * @param gidIndex the place of the GID in the port's table, {@link #NO_GID_INDEX} if none is used
 * @param gid the GID, {@link Gid#ZERO} if none is used
 */
public record OwnAddress(boolean ethernet, int lid, int gidIndex, Gid gid) {
    /** Stands for a GID that was not chosen. */
    public static final int NO_GID_INDEX = -1;

    /**
     * Finds the address of a port.
     *
     * @param context the open device
     * @param portNumber the number of the port
     * @param port what the port is like
     * @param option the name of the option with which people choose a GID, for messages
     * @param wanted the place of the GID in the port's table, {@link #NO_GID_INDEX} for one that the port prefers on Ethernet, and
     *        for none elsewhere
     * @return the address
     * @throws SampleFailure if there is no such GID, or neither GID nor LID
     */
    public static OwnAddress of(RdmaContext context, int portNumber, PortAttributes port, String option, int wanted) {
        boolean ethernet = port.linkLayer() == LinkLayer.ETHERNET;
        int index = wanted == NO_GID_INDEX && ethernet ? context.preferredGid(portNumber).index() : wanted;
        return new OwnAddress(ethernet, port.lid(), index, gid(context, portNumber, port, option, index));
    }

    private static Gid gid(RdmaContext context, int portNumber, PortAttributes port, String option, int index) {
        if (index == NO_GID_INDEX) {
            if (port.lid() == 0) {
                throw new SampleFailure("port " + portNumber + " of " + context.device()
                        + " has no LID: is a subnet manager running?");
            }
            return Gid.ZERO;
        }
        if (index >= port.gidTableLength()) {
            throw new SampleFailure(option + " " + index + " is outside 0.." + (port.gidTableLength() - 1)
                    + ", the GID table of port " + portNumber + " of " + context.device() + ".");
        }
        Gid gid = context.queryGid(portNumber, index);
        if (gid.isZero()) {
            throw new SampleFailure(option + " " + index + ": there is no GID at this place of port " + portNumber
                    + " of " + context.device() + "; samples/run devinfo -v lists them.");
        }
        return gid;
    }

    /**
     * Describes the path to a peer.
     *
     * @param portNumber the number of the own port
     * @param peerLid the LID of the peer's port
     * @param peerGid the GID of the peer's port, {@link Gid#ZERO} if it told none
     * @param serviceLevel the service level
     * @param hopLimit how many routers may lie between both sides
     * @param option the name of the option with which people choose a GID, for messages
     * @return the path
     * @throws SampleFailure if one side has a GID and the other one none, or nothing is reached without
     */
    public AhAttributes path(int portNumber, int peerLid, Gid peerGid, int serviceLevel, int hopLimit, String option) {
        // As the C programs, which look no further than the lower half.
        boolean global = peerGid.low() != 0;
        if (ethernet && !global) {
            throw new SampleFailure("the peer told no GID, but on Ethernet nothing is reached without:"
                    + " start it with " + option + ".");
        }
        if (global && gidIndex == NO_GID_INDEX) {
            throw new SampleFailure("the peer told a GID, and so must this side: start it with " + option + ".");
        }
        AhAttributes.Builder path = AhAttributes.builder().port(portNumber).dlid(peerLid).serviceLevel(serviceLevel)
                .global(global);
        return global ? path.destination(peerGid).sgidIndex(gidIndex).hopLimit(hopLimit).build() : path.build();
    }
}
