package io.jverbs.bench.process;

import java.io.IOException;

/**
 * A type of workloads, a constant of an enum. The measuring process passes the name of the enum and that of the
 * constant to the other process.
 */
public interface WorkloadType {
    /**
     * Opens the workload on one side, while the other side opens it too.
     *
     * @param sides the addresses of both processes
     * @param control the control connection to the other process
     * @param size the length of a message in bytes, unless the type states another size
     * @return the workload
     * @throws IOException if the connection between the processes fails
     */
    Workload open(Sides sides, ControlConnection control, int size) throws IOException;

    /**
     * {@return whether threads of both processes block until a message arrives, instead of polling} The processor time
     * is measured then, and operations may allocate, as the JDK does when a thread blocks.
     */
    default boolean blocks() {
        return false;
    }

    /** {@return the name of the constant, as {@link Enum#name}} */
    String name();

    /** {@return the enum, as {@link Enum#getDeclaringClass}} */
    Class<?> getDeclaringClass();

    /**
     * {@return a type}
     *
     * @param enumName the name of the enum
     * @param constantName the name of the constant
     */
    static WorkloadType of(String enumName, String constantName) {
        try {
            return of(Class.forName(enumName).asSubclass(WorkloadType.class), constantName);
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException("there is no enum " + enumName, e);
        }
    }

    /**
     * {@return a type}
     *
     * @param ofEnum the enum
     * @param constantName the name of the constant
     */
    static WorkloadType of(Class<? extends WorkloadType> ofEnum, String constantName) {
        for (WorkloadType type : ofEnum.getEnumConstants()) {
            if (type.name().equals(constantName)) {
                return type;
            }
        }
        throw new IllegalArgumentException(ofEnum.getName() + " has no constant " + constantName);
    }
}
