package io.jverbs.ffm;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * Calls the functions of librdmacm that {@link StubLibrary} exports, and prints every argument or result that differs
 * from the expected one.
 */
final class StubConnectionProgram extends StubCalls {

    private final MemorySegment a = Arena.global().allocate(1024, 8);
    private final MemorySegment b = Arena.global().allocate(1024, 8);
    private final long inA = a.address();
    private final long inB = b.address();

    private StubConnectionProgram() {
        super(NativeLibrary.rdmacm(), Arrays.stream(RdmacmFunction.values()).map(RdmacmFunction::symbol).toList());
    }

    public static void main(String[] args) {
        var program = new StubConnectionProgram();
        if (args.length == 0) {
            program.channels();
            program.addresses();
            program.connections();
            program.failures();
            System.out.println("untested: " + program.untested());
        } else {
            equal("rdma_reject_ece", 95, ConnectionCalls.rejectEce(1, program.a, 2));
            equal("rdma_set_local_ece", 95, ConnectionCalls.setLocalEce(1, program.a));
            equal("rdma_get_remote_ece", 95, ConnectionCalls.getRemoteEce(1, program.a));
        }
        System.out.println("done");
    }

    private void channels() {
        setResult(7, 0);
        check("rdma_create_event_channel", 7L, ConnectionCalls::createEventChannel);
        check("rdma_destroy_event_channel", null, () -> nothing(() -> ConnectionCalls.destroyEventChannel(1)), 1);
        check("rdma_get_cm_event", 7, () -> ConnectionCalls.getCmEvent(1, a), 1, inA);
        check("rdma_ack_cm_event", 7, () -> ConnectionCalls.ackCmEvent(1), 1);
        check("rdma_destroy_id", 7, () -> ConnectionCalls.destroyId(1), 1);
        check("rdma_migrate_id", 7, () -> ConnectionCalls.migrateId(1, 2), 1, 2);
        check("rdma_set_option", 7, () -> ConnectionCalls.setOption(1, 2, 3, a), 1, 2, 3, inA, a.byteSize());
        setResult(0, 0);
        a.set(ValueLayout.JAVA_LONG, 0, 8);
        check("rdma_create_id", 8L, () -> ConnectionCalls.createId(1, a, 2, 0x106), 1, inA, 2, 0x106);
        a.setString(0, "a text");
        setResult(inA, 0);
        check("rdma_event_str", "a text", () -> ConnectionCalls.eventStr(1), 1);
    }

    private void addresses() {
        setResult(7, 0);
        check("rdma_bind_addr", 7, () -> ConnectionCalls.bindAddr(1, a), 1, inA);
        check("rdma_resolve_addr", 7, () -> ConnectionCalls.resolveAddr(1, a, b, 2), 1, inA, inB, 2);
        check("rdma_resolve_route", 7, () -> ConnectionCalls.resolveRoute(1, 2), 1, 2);
        check("rdma_join_multicast_ex", 7, () -> ConnectionCalls.joinMulticastEx(1, a, 2), 1, inA, 2);
        check("rdma_leave_multicast", 7, () -> ConnectionCalls.leaveMulticast(1, a), 1, inA);
    }

    private void connections() {
        setResult(7, 0);
        check("rdma_listen", 7, () -> ConnectionCalls.listen(1, -2), 1, -2);
        check("rdma_connect", 7, () -> ConnectionCalls.connect(1, a), 1, inA);
        check("rdma_accept", 7, () -> ConnectionCalls.accept(1, a), 1, inA);
        check("rdma_reject", 7, () -> ConnectionCalls.reject(1, a, 255), 1, inA, 255);
        check("rdma_reject_ece", 7, () -> ConnectionCalls.rejectEce(1, a, 255), 1, inA, 255);
        check("rdma_establish", 7, () -> ConnectionCalls.establish(1), 1);
        check("rdma_notify", 7, () -> ConnectionCalls.notify(1, 2), 1, 2);
        check("rdma_disconnect", 7, () -> ConnectionCalls.disconnect(1), 1);
        check("rdma_init_qp_attr", 7, () -> ConnectionCalls.initQpAttr(1, a, b), 1, inA, inB);
        check("rdma_set_local_ece", 7, () -> ConnectionCalls.setLocalEce(1, a), 1, inA);
        check("rdma_get_remote_ece", 7, () -> ConnectionCalls.getRemoteEce(1, a), 1, inA);
    }

    private void failures() {
        setResult(-1, 22);
        check("rdma_connect", 22, () -> ConnectionCalls.connect(1, a), 1, inA);
        check("rdma_create_id", -22L, () -> ConnectionCalls.createId(1, a, 2, 3), 1, inA, 2, 3);
        setResult(0, 19);
        check("rdma_create_event_channel", -19L, ConnectionCalls::createEventChannel);
    }
}
