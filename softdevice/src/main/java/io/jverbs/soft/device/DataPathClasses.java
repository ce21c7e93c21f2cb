package io.jverbs.soft.device;

import io.jverbs.spi.EagerClasses;
import io.jverbs.spi.journal.FlightRecording;
import java.util.List;

/**
 * Initialises the classes of the data path that have static initialisers, once, when the first context opens. A class
 * whose initialisation fails on the data path, for instance for lack of stack, would stay unusable for the rest of the
 * JVM's life; see {@link EagerClasses}.
 */
final class DataPathClasses {
    private static final String PACKAGE = "io.jverbs.soft.";
    /** The names, relative to the package, of the data path classes that have static initialisers. */
    static final List<String> NAMES = List.of(
            "congestion.CnpInterval", "congestion.CongestionControlType", "congestion.DcqcnControl",
            "congestion.DcqcnControl$Phase", "congestion.PathCapacity", "congestion.PathPacer", "congestion.PathWindow",
            "congestion.PathWindow$Share$Turn", "congestion.RoundTripTime$State", "congestion.WindowControl",
            "device.EventQueue$1", "fabric.udp.IpIdPolicy$SenderKind", "fabric.udp.ReceiveEngine$Burst",
            "fabric.udp.ReceiveThread$1", "fabric.udp.ReceiveThread$Mode", "fabric.udp.RegistrationState",
            "journal.Explanation$1", "journal.FailureReport", "memory.Copier", "memory.DirectTable",
            "memory.KeyCache", "memory.KeyEntry", "memory.KeyTable", "memory.KeyUsers", "memory.MappedMemory",
            "protocol.Counter", "protocol.Grh", "protocol.Timers$Codes", "protocol.Traffic", "protocol.WrOpcodeCode",
            "queue.CompletionQueueCore", "queue.CompletionQueueCore$Arming", "queue.CompletionRing",
            "queue.DeferredWork", "queue.DeferredWork$DeferredQueue", "queue.ErrnoCode",
            "queue.ReceiveRing", "queue.SendLock", "queue.SpinLock", "queue.Words", "transport.FastPath",
            "transport.LocalOperations",
            "transport.LocalPeers", "transport.LocalPeers$1", "transport.Packetizer", "transport.ReceiveSide",
            "transport.ReceiveSide$OwnQueue", "transport.ReceiveSide$SharedQueue", "transport.Requester",
            "transport.Responder", "transport.SendCompleter", "transport.SendQueueFullLog",
            "transport.SoftQp", "transport.PacketNetwork", "transport.connection.IncomingWrite",
            "transport.connection.RcResponderState",
            "transport.connection.UcResponderState", "transport.local.LocalDirectRequester",
            "transport.local.LocalRcRequester", "transport.local.LocalRcRequester$Progress",
            "transport.local.LocalRcResponder", "transport.local.LocalRequester", "transport.local.LocalUcRequester",
            "transport.local.LocalUcResponder", "transport.local.RequestLoader", "transport.rc.AckCoalescer$AckState",
            "transport.rc.CreditProbe$ProbeState", "transport.rc.RcReplier",
            "transport.rc.RcRequester", "transport.rc.RcRequester$SendState",
            "transport.rc.RcResponder", "transport.rc.RcResponseHandler", "transport.rc.RetransmitTimer",
            "transport.rc.RetransmitTimer$Measured",
            "transport.uc.UcRequester", "transport.uc.UcResponder",
            "transport.ud.MulticastQpnCheck", "transport.ud.UdRequester", "transport.ud.UdResponder", "wire.BigEndian",
            "wire.DropReason", "wire.Icrc", "wire.WireOpcode");
    /** The classes of the module io.jverbs with static initialisers that the data path uses to record events. */
    static final List<Class<?>> OF_RECORDING = List.of(FlightRecording.class);

    private static volatile boolean initialized;

    private DataPathClasses() {}

    /** Initialises the classes on the first call; later calls have no effect. */
    static void initialize() {
        if (!initialized) {
            EagerClasses.initialize(DataPathClasses.class, NAMES.stream().map(PACKAGE::concat).toList());
            OF_RECORDING.forEach(used -> EagerClasses.initialize(used, List.of(used.getName())));
            initialized = true;
        }
    }
}
