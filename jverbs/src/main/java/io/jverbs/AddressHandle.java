package io.jverbs;

import io.jverbs.spi.Handle;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/**
 * An address handle, {@code struct ibv_ah}: the path to the destination of datagrams. See ibv_create_ah(3).
 *
 * <p>
 * An address handle is created with {@link ProtectionDomain#createAddressHandle} and named in send requests of UD queue
 * pairs. Keep it open until all requests that use it have completed. This class is thread-safe.
 *
 * <p>
 * A reply to the sender of a datagram, which was received at offset 0 of {@code buffer}:
 *
 * {@snippet :
 * AhAttributes path = AddressHandle.replyTo(context, 1, completions, 0, buffer.segment());
 * AddressHandle sender = pd.createAddressHandle(path);
 * SendWorkRequest reply = SendWorkRequest.create(1)
 *         .opcode(WrOpcode.SEND).flags(SendFlags.SIGNALED)
 *         .sge(payload, 0, 64).destination(sender, completions.sourceQp(0), qkey);
 * qp.postSend(reply);
 * }
 */
public final class AddressHandle extends Resource {
    private static final int GRH_BYTES = 40;
    private static final int DEFAULT_HOP_LIMIT = 64;

    private final ProtectionDomain pd;
    private final AhAttributes attributes;
    private final Handle.Ah handle;

    AddressHandle(ProtectionDomain pd, AhAttributes attributes) {
        super(pd.context(), pd);
        this.pd = pd;
        this.attributes = attributes;
        try {
            adopt();
            handle = context().ops().createAh(pd.handle(), attributes);
            created();
        } catch (RuntimeException | Error e) {
            abandon(e);
            throw e;
        }
    }

    /**
     * Returns the path to the sender of a received datagram; see ibv_init_ah_from_wc(3). The path has the source of the
     * datagram as destination, its destination as source GID, its traffic class and service level, hop limit 64, and
     * flow label 0.
     *
     * @param context the context that received the datagram
     * @param port the number of the port that received the datagram, from 1
     * @param completions the completions
     * @param index the index of the completion of the datagram
     * @param grh the receive buffer of the datagram; its first 40 bytes hold the GRH
     * @return attributes for {@link ProtectionDomain#createAddressHandle}
     * @throws VerbsException with EINVAL if the completion has no GRH, ENODATA if the destination of the datagram is
     *         not a GID of the port
     */
    public static AhAttributes replyTo(RdmaContext context, int port, WorkCompletions completions, int index,
            MemorySegment grh) {
        Objects.requireNonNull(context, "context");
        Objects.requireNonNull(completions, "completions");
        Objects.requireNonNull(grh, "grh");
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
                        "destination " + destination + " of the datagram is not a GID of port " + port));
        int trafficClass = ipv4 ? header[21] & 0xFF : (header[0] & 0x0F) << 4 | (header[1] & 0xF0) >> 4;
        return AhAttributes.builder().destination(source).port(port).sgidIndex(sgidIndex).hopLimit(DEFAULT_HOP_LIMIT)
                .trafficClass(trafficClass).serviceLevel(completions.serviceLevel(index)).build();
    }

    /** Returns the IPv4-mapped GID of the IPv4 address at an offset of the header. */
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

    /** {@return the protection domain of this address handle} */
    public ProtectionDomain pd() {
        return pd;
    }

    /** {@return the path to the destination} */
    public AhAttributes attributes() {
        return attributes;
    }

    /** {@return the device's handle of this object, for service providers} */
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
