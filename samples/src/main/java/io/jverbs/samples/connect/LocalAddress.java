package io.jverbs.samples.connect;

import io.jverbs.AhAttributes;
import io.jverbs.Gid;
import io.jverbs.LinkLayer;
import io.jverbs.PortAttributes;
import io.jverbs.RdmaContext;
import io.jverbs.samples.console.SampleFailure;
import io.jverbs.samples.console.UsageFailure;

/**
 * The address of a port of this program: a LID, a GID or both.
 *
 * @param ethernet whether the link layer of the port is Ethernet, which requires GIDs
 * @param lid the port's LID, 0 on Ethernet
 * @param gidIndex the index of the GID in the port's GID table, {@link #NO_GID_INDEX} if no GID is used
 * @param gid the GID, {@link Gid#ZERO} if no GID is used
 */
public record LocalAddress(boolean ethernet, int lid, int gidIndex, Gid gid) {
    /** The GID index of an address without a GID, and of a GID that was not chosen. */
    public static final int NO_GID_INDEX = -1;

    /**
     * Determines the address of a port.
     *
     * @param context the open device
     * @param portNumber the number of the port
     * @param port the attributes of the port
     * @param option the name of the option that selects the GID, for messages
     * @param wanted the index of the GID in the port's GID table; {@link #NO_GID_INDEX} for the preferred GID of the
     *         port on Ethernet, and for no GID on other link layers
     * @return the address
     * @throws SampleFailure if the GID does not exist, or if the port has neither a GID nor a LID
     */
    public static LocalAddress of(RdmaContext context, int portNumber, PortAttributes port, String option, int wanted) {
        boolean ethernet = port.linkLayer() == LinkLayer.ETHERNET;
        int index = wanted == NO_GID_INDEX && ethernet ? context.preferredGid(portNumber).index() : wanted;
        return new LocalAddress(ethernet, port.lid(), index, gid(context, portNumber, port, option, index));
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
            throw new UsageFailure(option + " " + index + " is outside 0.." + (port.gidTableLength() - 1)
                    + ", the GID table of port " + portNumber + " of " + context.device() + ".");
        }
        Gid gid = context.queryGid(portNumber, index);
        if (gid.isZero()) {
            throw new UsageFailure(option + " " + index + ": this entry of the GID table of port " + portNumber
                    + " of " + context.device() + " is empty; samples/run devinfo -v lists the GIDs.");
        }
        return gid;
    }

    /**
     * Creates the address vector of the path to a peer.
     *
     * @param portNumber the number of the local port
     * @param peerLid the LID of the peer's port
     * @param peerGid the GID of the peer's port, {@link Gid#ZERO} if the peer sent none
     * @param serviceLevel the service level
     * @param hopLimit the hop limit of the GRH
     * @param option the name of the option that selects the GID, for messages
     * @return the path
     * @throws SampleFailure if the peer uses a GID and this side does not, or if the peer uses none on Ethernet
     */
    public AhAttributes path(int portNumber, int peerLid, Gid peerGid, int serviceLevel, int hopLimit, String option) {
        // The C programs check only the lower half of the GID too.
        boolean global = peerGid.low() != 0;
        if (ethernet && !global) {
            throw new SampleFailure("the peer sent no GID, but Ethernet requires one: start the peer with " + option
                    + ".");
        }
        if (global && gidIndex == NO_GID_INDEX) {
            throw new SampleFailure("the peer uses a GID, so this side must use one too: start it with " + option
                    + ".");
        }
        AhAttributes.Builder path = AhAttributes.builder().port(portNumber).dlid(peerLid).serviceLevel(serviceLevel)
                .global(global);
        return global ? path.destination(peerGid).sgidIndex(gidIndex).hopLimit(hopLimit).build() : path.build();
    }
}
