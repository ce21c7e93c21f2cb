package io.jverbs.contract.end;

import java.io.Serializable;

/**
 * The range to which a memory window is bound.
 *
 * @param region id of the region; {@link End#NONE} for a null region
 * @param address start of the window, an address of the region
 * @param length bytes; 0 unbinds a type 1 window
 * @param access {@link io.jverbs.Access} bits
 */
public record BindSpec(int region, long address, long length, int access) implements Serializable {}
