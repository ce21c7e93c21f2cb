package io.jverbs.soft.truncated;

import io.jverbs.Errno;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.VerbsException;
import io.jverbs.WcStatus;
import io.jverbs.WrOpcode;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Posts INLINE requests whose data is in a truncated file. They are refused: they have no completion, and the requests
 * before and after them are carried out.
 */
final class InlineRounds implements AutoCloseable {
    private static final int FILE_BYTES = 12_288;
    private static final int PIECE = 16;
    private static final int QUEUED = 8;

    /** How the truncated element is given. */
    private enum Element {
        REGION, SEGMENT
    }

    private final RoundLog log;
    private final NetworkPath path;
    private final Stage stage;

    InlineRounds(RoundLog log, NetworkPath path, Path folder) throws IOException {
        this.log = log;
        this.path = path;
        stage = new Stage(path, QpType.RC, false, folder, FILE_BYTES);
    }

    void run(int each) throws IOException {
        for (WrOpcode opcode : new WrOpcode[] {WrOpcode.SEND, WrOpcode.RDMA_WRITE}) {
            for (Element element : Element.values()) {
                for (int pieces = 1; pieces <= 2; pieces++) {
                    for (int i = 0; i < each; i++) {
                        int count = pieces;
                        boolean partly = i % 2 != 0;
                        log.run(path.name() + " INLINE " + opcode + " of " + pieces + ", the last one a " + element,
                                () -> round(opcode, element, count, partly), () -> {
                                    stage.file(End.REQUESTER).extend();
                                    stage.reconnect();
                                });
                    }
                }
            }
        }
    }

    private void round(WrOpcode opcode, Element element, int pieces, boolean partly) throws IOException {
        stage.file(End.REQUESTER).truncate(partly ? MappedFile.PAGE : 0);
        SendWorkRequest refused = refused(opcode, element, pieces, partly ? MappedFile.PAGE - PIECE / 2 : 0);
        SendWorkRequest before = SendWorkRequest.create(1).wrId(QUEUED).opcode(WrOpcode.RDMA_WRITE)
                .flags(SendFlags.SIGNALED).sge(stage.pair.left.memory, 0, PIECE)
                .remote(stage.pair.right.memory.address(), stage.pair.right.memory.rkey()).next(refused);
        expectRefusal(before, refused, pieces - 1);
        Stage.expect(WcStatus.SUCCESS, stage.next(End.REQUESTER, QUEUED));
        expectRefusal(refused, refused, pieces - 1);
        stage.expectNothing(End.REQUESTER);
        stage.awaitRequester(QpState.RTS);
        stage.postReceive();
        stage.sendValid();
        stage.awaitResponder(QpState.RTS);
    }

    private SendWorkRequest refused(WrOpcode opcode, Element element, int pieces, int offset) {
        SendWorkRequest request = SendWorkRequest.create(pieces).wrId(Stage.SENT).opcode(opcode)
                .flags(SendFlags.SIGNALED | SendFlags.INLINE)
                .remote(stage.pair.right.memory.address(), stage.pair.right.memory.rkey());
        if (pieces > 1) {
            // the file of the other end is not truncated
            request.sge(0, stage.file(End.RESPONDER).segment.asSlice(0, PIECE));
        }
        return element == Element.REGION
                ? request.sge(pieces - 1, stage.mapped(End.REQUESTER), offset, PIECE)
                : request.sge(pieces - 1, stage.file(End.REQUESTER).segment.asSlice(offset, PIECE));
    }

    private void expectRefusal(SendWorkRequest head, SendWorkRequest refused, int element) {
        try {
            stage.pair.left.qp.postSend(head);
        } catch (VerbsException e) {
            String cause = "element " + element + " is in a mapped file, which has been truncated";
            if (e.error() == Errno.EFAULT && e.getMessage().contains(cause) && head.failed() == refused) {
                return;
            }
            throw e;
        }
        throw new IllegalStateException("an INLINE request on truncated memory was taken");
    }

    @Override
    public void close() throws IOException {
        stage.close();
    }
}
