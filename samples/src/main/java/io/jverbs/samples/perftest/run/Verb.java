package io.jverbs.samples.perftest.run;

import io.jverbs.Access;
import io.jverbs.QpType;
import java.util.List;

/** The operation that a test measures. */
public enum Verb {
    SEND("send", "Send", List.of(QpType.RC, QpType.UC, QpType.UD), 0),
    WRITE("write", "RDMA_Write", List.of(QpType.RC, QpType.UC), Access.REMOTE_WRITE),
    READ("read", "RDMA_Read", List.of(QpType.RC), Access.REMOTE_READ),
    ATOMIC("atomic", "Atomic", List.of(QpType.RC), Access.REMOTE_ATOMIC);

    private final String word;
    private final String title;
    private final List<QpType> connections;
    private final int access;

    Verb(String word, String title, List<QpType> connections, int access) {
        this.word = word;
        this.title = title;
        this.connections = connections;
        this.access = access;
    }

    /** {@return the first word of the program names} */
    String word() {
        return word;
    }

    /** {@return the name in perftest's titles} */
    public String title() {
        return title;
    }

    /** {@return the types of the queue pairs that support it} */
    public List<QpType> connections() {
        return connections;
    }

    /** {@return the access flags of the peer's memory region that it requires} */
    int access() {
        return access;
    }

    /** {@return whether it returns data from the peer's memory, so that it takes a round trip} */
    public boolean fetches() {
        return this == READ || this == ATOMIC;
    }
}
