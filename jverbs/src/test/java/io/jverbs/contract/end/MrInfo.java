package io.jverbs.contract.end;

import java.io.Serializable;

/** A region: its id, what peers need to know, and the id of its memory (offset 0 of it is the region's start). */
public record MrInfo(int id, long address, long length, int lkey, int rkey, int access, int memory)
        implements
            Serializable {}
