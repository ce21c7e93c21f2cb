package io.jverbs.contract.end;

import java.io.Serializable;

/**
 * A memory region: its id, the values that peers need, and the id of its memory (offset 0 of the memory is the start of
 * the region).
 */
public record MrInfo(int id, long address, long length, int lkey, int rkey, int access, int memory)
        implements
            Serializable {}
