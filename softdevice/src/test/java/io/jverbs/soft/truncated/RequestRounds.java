package io.jverbs.soft.truncated;

import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.WcStatus;
import io.jverbs.WrOpcode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Truncates a file, posts a request that names its memory, and checks how the request completes. */
final class RequestRounds implements AutoCloseable {
    private static final int FILE_BYTES = 12_288;

    private final RoundLog log;
    private final NetworkPath path;
    private final Stage stage;
    private final Bystander bystander;
    private final List<Case> cases;
    private final boolean shared;

    /**
     * Creates the queue pairs.
     *
     * @param shared whether receive requests come from a shared receive queue
     */
    RequestRounds(RoundLog log, NetworkPath path, QpType type, boolean shared, Path folder) throws IOException {
        this.log = log;
        this.path = path;
        this.shared = shared;
        stage = new Stage(path, type, shared, folder, FILE_BYTES);
        bystander = new Bystander(path);
        cases = shared ? Cases.withSharedReceives(type) : Cases.of(type);
    }

    /** Posts requests that succeed, so that the code of the device is compiled. */
    void warmUp(WarmUp mode, int posts) {
        for (int i = 0; i < posts && mode != WarmUp.NONE; i++) {
            Case one = cases.get(i % cases.size());
            if (mode == WarmUp.MAPPED) {
                stage.post(one, 0);
            } else {
                stage.postOrdinary(one);
            }
            Stage.expect(WcStatus.SUCCESS, stage.next(End.REQUESTER, Stage.SENT));
            if (one.receives()) {
                Stage.expect(WcStatus.SUCCESS, stage.next(End.RESPONDER, Stage.RECEIVED));
            }
        }
    }

    /** Runs each case a number of times. */
    void run(int each) throws IOException {
        for (Case one : cases) {
            for (int i = 0; i < each; i++) {
                int number = i;
                log.run(path.name() + (shared ? " with a shared receive queue " : " ") + one, () -> round(one, number),
                        () -> {
                            stage.file(one.gone()).extend();
                            stage.reconnect();
                        });
            }
        }
    }

    private void round(Case one, int number) throws IOException {
        MappedFile file = stage.file(one.gone());
        // truncate the whole file, or only the last part of what the request names
        int partly = number % 2 == 0 ? 0 : one.partlyTruncatedAt();
        file.truncate(partly == 0 ? 0 : MappedFile.PAGE);
        log.expectWarning(stage, one.gone());
        stage.post(one, partly);
        Stage.expect(one.status(), stage.next(End.REQUESTER, Stage.SENT));
        boolean received = one.inReceive();
        if (received) {
            Stage.expect(WcStatus.LOC_PROT_ERR, stage.next(End.RESPONDER, Stage.RECEIVED));
        }
        if (one.status() == WcStatus.SUCCESS && !one.inReceive()) {
            // nothing indicates that a dropped WRITE has arrived, but a SEND posted after it arrives later
            if (!one.receives()) {
                stage.postReceive();
            }
            stage.sendValid();
            received = one.receives();
        }
        file.extend();
        stage.awaitRequester(one.requester());
        if (shared) {
            endShared(one, received);
        } else {
            end(one);
        }
        stage.expectNothing(End.REQUESTER);
        stage.expectNothing(End.RESPONDER);
        bystander.check();
    }

    private void end(Case one) {
        if (!one.receives() || one.responder() == QpState.RTS) {
            stage.awaitResponder(one.responder());
        } else if (!one.inReceive()) {
            // the receive request is flushed
            Stage.expect(WcStatus.WR_FLUSH_ERR, stage.next(End.RESPONDER, Stage.RECEIVED));
        }
        if (one.opcode() == WrOpcode.SEND_WITH_INV && one.responder() == QpState.RTS) {
            stage.invalidate();
        }
    }

    /**
     * Checks that the receive request is not lost: the queue pair has taken it, and flushes it, or it is still in the
     * shared receive queue, and takes the next message.
     */
    private void endShared(Case one, boolean received) {
        int flushed = stage.flushShared(one.responder());
        if (flushed > (received ? 0 : 1)) {
            throw new IllegalStateException(flushed + " receive requests were flushed");
        }
        stage.reconnect();
        if (!received && flushed == 0) {
            stage.sendValid();
        }
    }

    @Override
    public void close() throws IOException {
        bystander.close();
        stage.close();
    }
}
