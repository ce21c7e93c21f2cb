package io.jverbs.contract.end;

import java.io.Serializable;
import java.util.List;

/** A receive work request by value. */
public record RecvSpec(long wrId, List<Sge> sges) implements Serializable {

    public RecvSpec {
        sges = List.copyOf(sges);
    }

    public static RecvSpec recv(Sge... sges) {
        return new RecvSpec(0, List.of(sges));
    }

    public RecvSpec id(long id) {
        return new RecvSpec(id, sges);
    }
}
