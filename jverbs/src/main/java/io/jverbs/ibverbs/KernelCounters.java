package io.jverbs.ibverbs;

import io.jverbs.Errno;
import io.jverbs.VerbsException;
import io.jverbs.control.CmIdSnapshot;
import io.jverbs.control.DeviceCounters;
import io.jverbs.control.QueuePairCounters;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The counters of a kernel device in sysfs: the files in {@code hw_counters} and {@code counters} of the device and its
 * ports, and those of the connection manager in directories of the ports (Linux,
 * Documentation/ABI/stable/sysfs-class-infiniband). Sysfs has no counters of single queue pairs, so {@link #queuePairs}
 * is empty; {@link #resources} is empty too. Each call reads the files again; any thread may call any method.
 *
 * @param name the name of the device
 * @param folder the directory of the device in sysfs
 */
record KernelCounters(String name, Path folder) implements DeviceCounters {
    private static final String OPERATION = "counters";
    private static final List<String> FOLDERS = List.of("counters", "hw_counters");
    /** Each has a file for each kind of message, as req; see drivers/infiniband/core/cm.c. */
    private static final List<String> CM_FOLDERS = List.of("cm_tx_msgs", "cm_tx_retries", "cm_rx_msgs",
            "cm_rx_duplicates");

    @Override
    public Map<String, Long> snapshot() {
        Map<String, Long> sum = new TreeMap<>();
        add(folder, sum);
        ports().forEach(port -> add(port, sum));
        return Collections.unmodifiableMap(sum);
    }

    @Override
    public Map<String, Long> snapshot(int port) {
        List<Path> ports = ports();
        Path portFolder = folder.resolve("ports").resolve(Integer.toString(port));
        if (!ports.contains(portFolder)) {
            throw new VerbsException(OPERATION, Errno.EINVAL, "port " + port + " does not exist on " + name
                    + "; its ports are " + ports.stream().map(each -> each.getFileName().toString()).toList());
        }
        Map<String, Long> counters = new TreeMap<>();
        add(portFolder, counters);
        return Collections.unmodifiableMap(counters);
    }

    private List<Path> ports() {
        List<String> names = Machine.names(folder.resolve("ports"));
        if (names.isEmpty()) {
            throw new VerbsException(OPERATION, Errno.ENODEV, "device " + name + " no longer exists");
        }
        return names.stream().map(folder.resolve("ports")::resolve).toList();
    }

    /** Adds the counters of a device or a port, without those of directories below it. */
    private static void add(Path folder, Map<String, Long> sum) {
        for (String each : FOLDERS) {
            values(folder.resolve(each)).forEach((name, value) -> sum.merge(name, value, Long::sum));
        }
        for (String each : CM_FOLDERS) {
            values(folder.resolve(each)).forEach((message, value) -> {
                sum.merge(each + "/" + message, value, Long::sum);
                sum.merge(each, value, Long::sum);
            });
        }
    }

    /** Returns the counters in a directory by the names of their files. */
    private static Map<String, Long> values(Path directory) {
        Map<String, Long> values = new TreeMap<>();
        if (Files.isDirectory(directory)) {
            for (String name : Machine.names(directory)) {
                String value = Machine.read(directory.resolve(name));
                // lifespan is a setting; text that is no number says that the device lacks the counter
                if (isNumber(value) && !name.equals("lifespan")) {
                    values.put(name, Long.parseUnsignedLong(value));
                }
            }
        }
        return values;
    }

    private static boolean isNumber(String value) {
        return !value.isEmpty() && value.length() < 20 && value.chars().allMatch(Character::isDigit);
    }

    @Override
    public Map<String, Long> resources() {
        return Map.of();
    }

    @Override
    public List<QueuePairCounters> queuePairs() {
        return List.of();
    }

    @Override
    public List<CmIdSnapshot> cmIds() {
        return List.of();
    }
}
