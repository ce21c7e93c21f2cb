package io.jverbs.ibverbs;

import io.jverbs.ffm.ibverbs.ibv_mr;
import java.lang.foreign.Arena;

/** A {@code struct ibv_mr} of zeroes, for drivers that follow the region's pointer of an unbind too. */
final class EmptyRegion {
    /** Where it is, for as long as the program runs. */
    static final long ADDRESS = ibv_mr.allocate(Arena.global()).address();

    private EmptyRegion() {}
}
