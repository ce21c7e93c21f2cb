/*
 * The cost of verbs in C: loops of the inline functions of the header, which Java calls once. They are in a separate
 * file, so that the compiler cannot inline the driver, as in other C programs.
 */
#include <infiniband/verbs.h>

long baseline_post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, long times) {
    struct ibv_send_wr *bad;
    long failures = 0;
    for (long i = 0; i < times; i++) {
        failures += ibv_post_send(qp, wr, &bad) != 0;
    }
    return failures;
}

long baseline_poll_cq(struct ibv_cq *cq, int entries, struct ibv_wc *wc, long times) {
    long completions = 0;
    for (long i = 0; i < times; i++) {
        completions += ibv_poll_cq(cq, entries, wc);
    }
    return completions;
}

long baseline_post_and_poll(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_cq *cq, int entries,
                            struct ibv_wc *wc, long times) {
    struct ibv_send_wr *bad;
    long completions = 0;
    for (long i = 0; i < times; i++) {
        if (ibv_post_send(qp, wr, &bad) == 0) {
            completions += ibv_poll_cq(cq, entries, wc);
        }
    }
    return completions;
}
