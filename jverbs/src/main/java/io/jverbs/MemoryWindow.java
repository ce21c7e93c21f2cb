package io.jverbs;

import io.jverbs.spi.Handle;

/**
 * A memory window, {@code struct ibv_mw}: gives peers access to a part of a memory region, with its own remote key and
 * access flags. Access can be granted and revoked without registering memory. See ibv_alloc_mw(3) and ibv_bind_mw(3).
 *
 * <p>
 * {@link ProtectionDomain#allocateMemoryWindow(MwType)} allocates an unbound window. A type 1 window is bound with
 * {@link QueuePair#bindMemoryWindow}, a type 2 window with a work request. This class is thread-safe.
 *
 * <p>
 * Binding a type 2 window to the first 4096 bytes of {@code region}, and revoking the access later:
 *
 * {@snippet :
 * MemoryWindow window = pd.allocateMemoryWindow(MwType.TYPE_2);
 * int rkey = MemoryWindow.incrementRkey(window.rkey());
 * qp.postSend(SendWorkRequest.create(0)
 *         .bind(window, rkey, new MwBind(region, region.address(), 4096, Access.REMOTE_READ))
 *         .flags(SendFlags.SIGNALED));
 * // poll the completion, then pass region.address() and rkey to the peer
 *
 * qp.postSend(SendWorkRequest.create(0)
 *         .opcode(WrOpcode.LOCAL_INV).invalidateRkey(rkey).flags(SendFlags.SIGNALED));
 * }
 */
public final class MemoryWindow extends Resource {
    private final ProtectionDomain pd;
    private final int type;
    private final Handle.Mw handle;

    MemoryWindow(ProtectionDomain pd, int type) {
        super(pd.context(), pd);
        this.pd = pd;
        this.type = type;
        try {
            adopt();
            handle = context().ops().allocateMw(pd.handle(), type);
            created();
        } catch (RuntimeException | Error e) {
            abandon(e);
            throw e;
        }
    }

    /**
     * {@return the remote key with its low 8 bits incremented, like {@code ibv_inc_rkey}}
     *
     * @param rkey a remote key
     */
    public static int incrementRkey(int rkey) {
        return rkey & 0xFFFFFF00 | rkey + 1 & 0xFF;
    }

    /** {@return the protection domain of this window} */
    public ProtectionDomain pd() {
        return pd;
    }

    /** {@return the type of this window} */
    public MwType type() {
        return MwType.of(type);
    }

    /**
     * {@return the remote key: of a type 1 window the key of the last bind; of a type 2 window the key of the last
     * bind, or the key assigned at allocation if it was never bound}
     */
    public int rkey() {
        return handle.rkey();
    }

    /** {@return the device's handle of this object, for service providers} */
    public Handle.Mw handle() {
        return handle;
    }

    @Override
    Rank rank() {
        return Rank.MEMORY_WINDOW;
    }

    @Override
    void destroy() {
        context().closingOps().deallocateMw(handle);
    }

    @Override
    public String toString() {
        return "memory window" + (handle == null ? "" : " rkey " + Hex.key(rkey())) + " " + type();
    }
}
