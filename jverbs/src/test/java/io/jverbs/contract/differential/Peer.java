package io.jverbs.contract.differential;

/** The two queue pairs of a sequence. */
enum Peer {
    A, B;

    Peer other() {
        return this == A ? B : A;
    }
}
