package io.jverbs;

/**
 * The range and access flags of a memory window bind, {@code struct ibv_mw_bind_info}; see ibv_bind_mw(3). The device
 * checks the values when the bind is posted or executed. Immutable.
 *
 * @param region the memory region to bind to, with {@link Access#MW_BIND}; null only to unbind a type 1 window
 * @param address the start of the window, as an address of the region
 * @param length the length of the window in bytes; 0 unbinds a type 1 window
 * @param access bits of {@link Access}: the remote access flags, and {@link Access#ZERO_BASED} for type 2
 */
public record MwBind(MemoryRegion region, long address, long length, int access) {

    @Override
    public String toString() {
        return "MwBind[region=" + region + ", address=0x" + Long.toHexString(address) + ", length=" + length
                + ", access=" + Access.toString(access) + "]";
    }
}
