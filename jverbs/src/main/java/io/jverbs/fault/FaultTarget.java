package io.jverbs.fault;

import io.jverbs.WcOpcode;
import io.jverbs.WrOpcode;
import io.jverbs.control.CmMessage;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** The operations to which faults apply, and the opcodes that a rule can be limited to. Immutable. */
enum FaultTarget {
    SEND(Arrays.stream(WrOpcode.values()).filter(opcode -> opcode != WrOpcode.UNKNOWN)
            .collect(Collectors.toMap(Enum::name, WrOpcode::code, Integer::sum, LinkedHashMap::new))),
    RECEIVE(Map.of()),
    REGISTRATION(Map.of(), "that fails registrations"),
    /** The opcodes are those of successful completions. */
    COMPLETION(Arrays.stream(WcOpcode.values()).filter(opcode -> opcode != WcOpcode.UNKNOWN)
            .collect(Collectors.toMap(Enum::name, WcOpcode::code, Integer::sum, LinkedHashMap::new))),
    PACKET(Map.of()),
    /** A message of the connection manager that arrives at the device. */
    MESSAGE(Arrays.stream(CmMessage.values())
            .collect(Collectors.toMap(Enum::name, CmMessage::code, Integer::sum, LinkedHashMap::new)),
            "for messages of the connection manager"),
    /** The resolution of an address by a CM ID. */
    RESOLUTION(Map.of(), "that fails resolutions"),
    /** The connect of a CM ID. */
    CONNECTION(Map.of());

    private final Map<String, Integer> codes;
    private final String withoutQueuePair;

    FaultTarget(Map<String, Integer> codes) {
        this(codes, null);
    }

    FaultTarget(Map<String, Integer> codes, String withoutQueuePair) {
        this.codes = codes;
        this.withoutQueuePair = withoutQueuePair;
    }

    static FaultTarget of(Fault fault) {
        return switch (fault) {
            case Fault.FailSend f -> SEND;
            case Fault.Flush f -> SEND;
            case Fault.RaiseEvent f -> SEND;
            case Fault.FailReceive f -> RECEIVE;
            case Fault.FailRegistration f -> REGISTRATION;
            case Fault.FailCompletion f -> COMPLETION;
            case Fault.Delay f -> COMPLETION;
            case Fault.Hold f -> COMPLETION;
            case Fault.LosePacket f -> PACKET;
            case Fault.LoseMessage f -> MESSAGE;
            case Fault.DelayMessage f -> MESSAGE;
            case Fault.FailResolution f -> RESOLUTION;
            case Fault.FailConnection f -> CONNECTION;
        };
    }

    /** What a rule does that cannot be limited to a queue pair; null if it can. */
    String withoutQueuePair() {
        return withoutQueuePair;
    }

    /** Whether a rule can be limited to an opcode. */
    boolean hasOpcodes() {
        return !codes.isEmpty();
    }

    boolean known(int code) {
        return codes.containsValue(code);
    }

    /** The number of an opcode; null if no opcode has the name. */
    Integer code(String name) {
        return codes.get(name);
    }

    String name(int code) {
        return codes.entrySet().stream().filter(entry -> entry.getValue() == code).map(Map.Entry::getKey).findFirst()
                .orElseThrow();
    }

    String names() {
        return String.join(", ", codes.keySet());
    }
}
