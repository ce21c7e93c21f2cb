package io.jverbs.samples.perftest;

import io.jverbs.Access;
import io.jverbs.QpType;
import java.util.List;

/** What a test does again and again. */
enum Verb {
    SEND("send", "Send", List.of(QpType.RC, QpType.UC, QpType.UD), 0), WRITE("write", "RDMA_Write",
            List.of(QpType.RC, QpType.UC), Access.REMOTE_WRITE), READ("read", "RDMA_Read", List.of(QpType.RC),
                    Access.REMOTE_READ), ATOMIC("atomic", "Atomic", List.of(QpType.RC), Access.REMOTE_ATOMIC);

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

    /** {@return how names of programs begin} */
    String word() {
        return word;
    }

    /** {@return what perftest calls it} */
    String title() {
        return title;
    }

    /** {@return with which queue pairs it is possible} */
    List<QpType> connections() {
        return connections;
    }

    /** {@return what the peer's memory must allow} */
    int access() {
        return access;
    }

    /** {@return whether the peer's memory answers, so that the time of one is a round trip} */
    boolean fetches() {
        return this == READ || this == ATOMIC;
    }
}
