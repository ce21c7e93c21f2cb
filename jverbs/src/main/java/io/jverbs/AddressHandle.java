package io.jverbs;

import io.jverbs.spi.Handle;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Where a datagram goes, as {@code struct ibv_ah}; see ibv_create_ah(3). It must stay open until the requests that use it
 * have completed. All methods may be called by any thread.
 */
public final class AddressHandle extends Resource {
    private static final int GRH_BYTES = 40;
    private static final int DEFAULT_HOP_LIMIT = 64;

    private final ProtectionDomain pd;
    private final AhAttributes attributes;
    private final Handle.Ah handle;

    AddressHandle(ProtectionDomain pd, AhAttributes attributes) {
        super("create_ah", pd.context(), pd);
        this.pd = pd;
        this.attributes = attributes;
        try {
            handle = context().ops().createAh(pd.handle(), attributes);
        } catch (RuntimeException e) {
            abandon();
            throw e;
        }
    }

    /**
     * Finds the way back to the sender of a datagram; see ibv_init_ah_from_wc(3).
     *
     * @param context the context that received it
     * @param port the port that received it
     * @param completions the completions
     * @param index the datagram's entry
     * @param grh the first 40 bytes of its receive buffer
     * @return attributes for {@link ProtectionDomain#createAddressHandle}
     * @throws VerbsException with EINVAL if the completion has no GRH, ENODATA if its destination is no GID of the port
     */
    public static AhAttributes replyTo(RdmaContext context, int port, WorkCompletions completions, int index,
            MemorySegment grh) {
        if ((completions.flags(index) & WcFlags.GRH) == 0) {
            throw new VerbsException("init_ah_from_wc", Errno.EINVAL, "completion " + index + " has no GRH");
        }
        byte[] header = grh.asSlice(0, GRH_BYTES).toArray(ValueLayout.JAVA_BYTE);
        boolean ipv4 = (header[20] & 0xF0) == 0x40 && header[0] == 0;
        Gid source = ipv4 ? mapped(header, 32) : gid(header, 8);
        Gid destination = ipv4 ? mapped(header, 36) : gid(header, 24);
        int sgidIndex = context.queryGidTable().stream()
                .filter(entry -> entry.port() == port && entry.gid().equals(destination))
                .mapToInt(GidEntry::index).findFirst()
                .orElseThrow(() -> new VerbsException("init_ah_from_wc", Errno.ENODATA,
                        "destination " + destination + " of the datagram is no GID of port " + port));
        int trafficClass = ipv4 ? header[21] & 0xFF : (header[0] & 0x0F) << 4 | (header[1] & 0xF0) >> 4;
        return AhAttributes.builder().destination(source).port(port).sgidIndex(sgidIndex).hopLimit(DEFAULT_HOP_LIMIT)
                .trafficClass(trafficClass).serviceLevel(completions.serviceLevel(index)).build();
    }

    private static Gid mapped(byte[] header, int at) {
        long address = 0;
        for (int i = 0; i < 4; i++) {
            address = address << 8 | header[at + i] & 0xFF;
        }
        return Gid.of(0, 0xFFFFL << 32 | address);
    }

    private static Gid gid(byte[] header, int at) {
        byte[] bytes = new byte[16];
        System.arraycopy(header, at, bytes, 0, bytes.length);
        return Gid.of(bytes);
    }

    /** {@return the protection domain} */
    public ProtectionDomain pd() {
        return pd;
    }

    /** {@return the destination} */
    public AhAttributes attributes() {
        return attributes;
    }

    /** {@return the device's handle, for providers} */
    public Handle.Ah handle() {
        return handle;
    }

    @Override
    Rank rank() {
        return Rank.ADDRESS_HANDLE;
    }

    @Override
    void destroy() {
        context().closingOps().destroyAh(handle);
    }

    @Override
    public String toString() {
        return "address handle to " + attributes.destination();
    }
}
