package io.jverbs.fault;

import io.jverbs.WcOpcode;
import io.jverbs.WrOpcode;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** The opcodes that a fault can be limited to. Immutable. */
enum FaultOpcodes {
    /** None: for faults of receives, registrations and packets. */
    NONE(Map.of()),
    /** The opcodes of send requests. */
    POSTED(Arrays.stream(WrOpcode.values()).filter(opcode -> opcode != WrOpcode.UNKNOWN)
            .collect(Collectors.toMap(Enum::name, WrOpcode::code, Integer::sum, LinkedHashMap::new))),
    /** The opcodes of successful completions. */
    COMPLETED(Arrays.stream(WcOpcode.values()).filter(opcode -> opcode != WcOpcode.UNKNOWN)
            .collect(Collectors.toMap(Enum::name, WcOpcode::code, Integer::sum, LinkedHashMap::new)));

    private final Map<String, Integer> codes;

    FaultOpcodes(Map<String, Integer> codes) {
        this.codes = codes;
    }

    static FaultOpcodes of(Fault fault) {
        return switch (ActiveRule.Place.of(fault)) {
            case SEND -> POSTED;
            case COMPLETION -> COMPLETED;
            case RECEIVE, REGISTRATION, PACKET -> NONE;
        };
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
