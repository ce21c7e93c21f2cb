package io.jverbs;

/**
 * What a memory window opens, {@code struct ibv_mw_bind_info}; see ibv_bind_mw(3). The device checks it when the bind
 * is posted or carried out.
 *
 * @param region the memory region whose memory is opened; it needs {@link Access#MW_BIND}. Null only when a type 1
 *        window is unbound
 * @param address where the window starts, in addresses of the region
 * @param length the window's length in bytes; 0 unbinds a type 1 window
 * @param access bits of {@link Access}: remote rights, and {@link Access#ZERO_BASED} for type 2
 */
public record MwBind(MemoryRegion region, long address, long length, int access) {

    @Override
    public String toString() {
        return "MwBind[region=" + region + ", address=0x" + Long.toHexString(address) + ", length=" + length
                + ", access=" + Access.toString(access) + "]";
    }
}
