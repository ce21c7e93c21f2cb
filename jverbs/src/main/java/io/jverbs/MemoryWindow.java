package io.jverbs;

import io.jverbs.spi.Handle;

/**
 * A memory window, as {@code struct ibv_mw}: a part of a region with a remote key and rights of its own, opened and revoked
 * without registering memory; see ibv_alloc_mw(3), ibv_bind_mw(3). All methods may be called by any thread.
 */
public final class MemoryWindow extends Resource {
    private final ProtectionDomain pd;
    private final int type;
    private final Handle.Mw handle;

    MemoryWindow(ProtectionDomain pd, int type) {
        super("alloc_mw", pd.context(), pd);
        this.pd = pd;
        this.type = type;
        try {
            handle = context().ops().allocateMw(pd.handle(), type);
        } catch (RuntimeException e) {
            abandon();
            throw e;
        }
    }

    /**
     * {@return the key with its low 8 bits counted up, as {@code ibv_inc_rkey} does}
     *
     * @param rkey a remote key
     */
    public static int incrementRkey(int rkey) {
        return rkey & 0xFFFFFF00 | rkey + 1 & 0xFF;
    }

    /** {@return the protection domain} */
    public ProtectionDomain pd() {
        return pd;
    }

    /** {@return the type} */
    public MwType type() {
        return MwType.of(type);
    }

    /**
     * {@return the remote key: of a type 1 window that of the last bind, of a type 2 window the one it was allocated with or
     * last bound under}
     */
    public int rkey() {
        return handle.rkey();
    }

    /** {@return the device's handle, for providers} */
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
