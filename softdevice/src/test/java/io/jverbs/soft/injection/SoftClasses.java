package io.jverbs.soft.injection;

import io.jverbs.RdmaContext;
import io.jverbs.injection.InstrumentedClasses;
import io.jverbs.soft.transport.SoftQp;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The classes of the software device, and of the layers before it, that are instrumented. */
final class SoftClasses {
    static final List<String> PACKAGES = Stream
            .of("transport", "transport/rc", "transport/uc", "transport/ud", "transport/local",
                    "transport/connection", "protocol",
                    "congestion", "memory", "queue", "wire", "fabric", "fabric/udp", "fabric/udp/socket",
                    "simulation", "capture",
                    "journal", "linux")
            .map("io/jverbs/soft/"::concat).toList();
    private static final String SERVICE_LOOP = "io/jverbs/spi/ServiceLoop";
    private static final String FLIGHT_RECORDING = "io/jverbs/spi/journal/FlightRecording";
    private static final List<String> CLASSES = List.of("io/jverbs/soft/device/SoftDataPath",
            "io/jverbs/soft/device/EventQueue", "io/jverbs/QueuePair", "io/jverbs/CompletionQueue",
            "io/jverbs/SharedReceiveQueue", SERVICE_LOOP);
    private static final List<String> KNOWN = List.of("io/jverbs/WorkRequest", "io/jverbs/SendWorkRequest",
            "io/jverbs/ReceiveWorkRequest", "io/jverbs/WorkCompletions", "io/jverbs/SgeArray", "io/jverbs/Resource",
            "io/jverbs/PostFailure", "io/jverbs/spi/DataPath", FLIGHT_RECORDING);
    private static final List<String> CONTROL = List.of("io/jverbs/RdmaDevice", "io/jverbs/Layers",
            "io/jverbs/RdmaContext", "io/jverbs/ContextObjects",
            "io/jverbs/RemainingObjects", "io/jverbs/Resource",
            "io/jverbs/ProtectionDomain", "io/jverbs/CompletionChannel", "io/jverbs/CompletionQueue",
            "io/jverbs/MemoryRegion", "io/jverbs/MemoryWindow", "io/jverbs/SharedReceiveQueue",
            "io/jverbs/AddressHandle", "io/jverbs/QueuePair", "io/jverbs/spi/EventCounter", SERVICE_LOOP);

    private SoftClasses() {}

    /** Returns the classes of the data path. */
    static InstrumentedClasses dataPath() throws Exception {
        return of(PACKAGES, CLASSES, KNOWN);
    }

    /** Returns the classes of the control path: the packages of the device, and the API classes of its objects. */
    static InstrumentedClasses controlPath() throws Exception {
        List<String> packages = new ArrayList<>(PACKAGES);
        packages.add("io/jverbs/soft/device");
        return of(packages, CONTROL, List.of(FLIGHT_RECORDING));
    }

    /** Returns the classes of the connection manager: those of the device and those of the API. */
    static InstrumentedClasses connections() throws Exception {
        List<byte[]> files = new ArrayList<>(InstrumentedClasses.filesOf(RdmaContext.class, "io/jverbs/cm"));
        for (String folder : List.of("management", "management/communication", "management/message")) {
            files.addAll(InstrumentedClasses.filesOf(SoftQp.class, "io/jverbs/soft/" + folder));
        }
        // the release of its lock cannot fail
        return InstrumentedClasses.of(files, List.of(file("io/jverbs/soft/fabric/WaitQueue")));
    }

    /** Returns the classes of endpoints. */
    static InstrumentedClasses endpoints() throws Exception {
        List<byte[]> files = new ArrayList<>(InstrumentedClasses.filesOf(RdmaContext.class, "io/jverbs/endpoint"));
        files.addAll(InstrumentedClasses.filesOf(RdmaContext.class, "io/jverbs/endpoint/polling"));
        return InstrumentedClasses.of(files, List.of());
    }

    /** Returns the classes of streams. */
    static InstrumentedClasses streams() throws Exception {
        List<byte[]> files = new ArrayList<>();
        for (String folder : List.of("rsocket", "rsocket/closing", "rsocket/journal", "rsocket/memory",
                "rsocket/protocol", "rsocket/polling")) {
            files.addAll(InstrumentedClasses.filesOf(RdmaContext.class, "io/jverbs/" + folder));
        }
        return InstrumentedClasses.of(files, List.of());
    }

    /** Returns the classes of a layer that is before the device: those of some packages of the API's module. */
    static InstrumentedClasses layer(String... folders) throws Exception {
        List<byte[]> layer = new ArrayList<>();
        for (String folder : folders) {
            layer.addAll(InstrumentedClasses.filesOf(RdmaContext.class, folder));
        }
        List<byte[]> known = new ArrayList<>();
        for (String name : PACKAGES) {
            known.addAll(InstrumentedClasses.filesOf(SoftQp.class, name));
        }
        for (String name : KNOWN) {
            known.add(file(name));
        }
        return InstrumentedClasses.of(layer, known);
    }

    /** Returns the classes of the wait for an event, and of the threads that receive for those that wait. */
    static InstrumentedClasses waits() throws Exception {
        List<byte[]> waits = new ArrayList<>();
        for (String name : List.of("fabric/WaitQueue", "fabric/udp/ReceivingWait", "fabric/udp/ReceiverRole",
                "fabric/udp/SocketWait", "fabric/udp/ReceiveThread", "fabric/udp/VirtualReceiver",
                "device/EventQueue")) {
            waits.add(file("io/jverbs/soft/" + name));
        }
        List<byte[]> known = new ArrayList<>();
        for (String name : PACKAGES) {
            known.addAll(InstrumentedClasses.filesOf(SoftQp.class, name));
        }
        return InstrumentedClasses.of(waits, known);
    }

    /** Returns the classes of timers in real time. */
    static InstrumentedClasses timers() throws Exception {
        List<byte[]> timers = new ArrayList<>();
        for (String name : List.of("soft/fabric/RealTimers", "soft/fabric/AlarmList", "soft/fabric/AlarmList$Entry",
                "spi/ServiceLoop")) {
            timers.add(file("io/jverbs/" + name));
        }
        // the release of its lock cannot fail
        return InstrumentedClasses.of(timers, List.of(file("io/jverbs/soft/queue/SpinLock")));
    }

    /** Returns the classes of timed waits, and of the timer that they share. */
    static InstrumentedClasses timedWaits() throws Exception {
        List<byte[]> files = new ArrayList<>(InstrumentedClasses.filesOf(RdmaContext.class, "io/jverbs/spi/wait"));
        files.add(file(SERVICE_LOOP));
        return InstrumentedClasses.of(files, List.of());
    }

    private static InstrumentedClasses of(List<String> packages, List<String> classes, List<String> others)
            throws Exception {
        List<byte[]> files = new ArrayList<>();
        for (String folder : packages) {
            files.addAll(InstrumentedClasses.filesOf(SoftQp.class, folder));
        }
        for (String name : classes) {
            files.add(file(name));
        }
        List<byte[]> known = new ArrayList<>();
        for (String name : others) {
            known.add(file(name));
        }
        return InstrumentedClasses.of(files, known);
    }

    private static byte[] file(String name) throws IOException {
        return InstrumentedClasses.file(name.startsWith("io/jverbs/soft/") ? SoftQp.class : RdmaContext.class, name);
    }
}
