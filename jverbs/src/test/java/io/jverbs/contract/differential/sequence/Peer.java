package io.jverbs.contract.differential.sequence;

/** The two queue pairs of a sequence. */
public enum Peer {
    A, B;

    public Peer other() {
        return this == A ? B : A;
    }
}
