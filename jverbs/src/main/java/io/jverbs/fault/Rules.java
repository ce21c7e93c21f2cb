package io.jverbs.fault;

import io.jverbs.WcStatus;
import io.jverbs.control.CmMessage;
import io.jverbs.control.CmMessageFaults;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The rules of a {@link FaultInjection}. They are evaluated in order until one fires. Thread-safe; callers may hold any
 * lock.
 */
final class Rules {
    /** The opcode of operations that have none, and of completions in error. */
    static final int NO_OPCODE = -2;

    /** One object for all contexts, so that the rules see each message once. */
    private final CmMessageFaults.Filter messages = this::messageDelay;
    private final AtomicInteger created = new AtomicInteger();
    private volatile ActiveRule[] active;

    Rules(List<FaultRule> rules) {
        active = rules.stream().map(ActiveRule::new).toArray(ActiveRule[]::new);
    }

    synchronized void add(FaultRule rule) {
        ActiveRule[] more = Arrays.copyOf(active, active.length + 1);
        more[active.length] = new ActiveRule(rule);
        active = more;
    }

    synchronized void clear() {
        active = new ActiveRule[0];
    }

    List<FaultInjection.Hits> hits() {
        return Arrays.stream(active).map(ActiveRule::hits).toList();
    }

    CmMessageFaults.Filter messages() {
        return messages;
    }

    private long messageDelay(CmMessage message) {
        return switch (at(FaultTarget.MESSAGE, null, message.code())) {
            case Fault.LoseMessage lost -> CmMessageFaults.LOSE;
            case Fault.DelayMessage late -> late.time().toNanos();
            case null, default -> 0;
        };
    }

    boolean has(FaultTarget target) {
        for (ActiveRule each : active) {
            if (each.target() == target) {
                return true;
            }
        }
        return false;
    }

    /** The position of a new queue pair in the order of creation, from 1. */
    int nextCreated() {
        return created.incrementAndGet();
    }

    /** The fault of an operation; null if no rule fires. */
    Fault at(FaultTarget target, TrackedQp qp, int opcode) {
        for (ActiveRule each : active) {
            if (each.target() == target && isPossible(each.rule().fault(), qp) && each.fires(qp, opcode)) {
                return each.rule().fault();
            }
        }
        return null;
    }

    /** Whether a fault can happen at a queue pair: some events need a shared receive queue. */
    private static boolean isPossible(Fault fault, TrackedQp qp) {
        return !(fault instanceof Fault.RaiseEvent raised) || !AsyncEventFilter.needsSrq(raised.event())
                || qp.srq() != null;
    }

    /** The fault of a completion; null if no rule fires. */
    Fault atCompletion(TrackedQp qp, boolean success, int opcode, boolean receive) {
        for (ActiveRule each : active) {
            if (each.target() == FaultTarget.COMPLETION && isPossible(each.rule().fault(), success, receive)
                    && each.fires(qp, success ? opcode : NO_OPCODE)) {
                return each.rule().fault();
            }
        }
        return null;
    }

    private static boolean isPossible(Fault fault, boolean success, boolean receive) {
        return !(fault instanceof Fault.FailCompletion failing) || success && isPossible(failing.status(), receive);
    }

    /** Whether a send request, or a receive request, can complete with a status. */
    static boolean isPossible(WcStatus status, boolean receive) {
        return switch (status) {
            case MW_BIND_ERR, BAD_RESP_ERR, REM_INV_REQ_ERR, REM_ACCESS_ERR, REM_OP_ERR, RETRY_EXC_ERR,
                    RNR_RETRY_EXC_ERR, REM_INV_RD_REQ_ERR, REM_ABORT_ERR, INV_EECN_ERR, INV_EEC_STATE_ERR,
                    RESP_TIMEOUT_ERR ->
                !receive;
            case LOC_ACCESS_ERR, LOC_RDD_VIOL_ERR, TM_ERR, TM_RNDV_INCOMPLETE -> receive;
            case LOC_LEN_ERR, LOC_QP_OP_ERR, LOC_EEC_OP_ERR, LOC_PROT_ERR, WR_FLUSH_ERR, FATAL_ERR, GENERAL_ERR -> true;
            case SUCCESS, UNKNOWN -> false;
        };
    }
}
