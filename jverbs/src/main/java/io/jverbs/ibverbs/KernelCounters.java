package io.jverbs.ibverbs;

import io.jverbs.Errno;
import io.jverbs.VerbsException;
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
 * ports (Linux, Documentation/ABI/stable/sysfs-class-infiniband). Sysfs has no counters of single queue pairs, so
 * {@link #queuePairs} is empty; {@link #resources} is empty too. Each call reads the files again; any thread may call
 * any method.
 *
 * @param name the name of the device
 * @param folder the directory of the device in sysfs
 */
record KernelCounters(String name, Path folder) implements DeviceCounters {
    private static final String OPERATION = "counters";
    private static final List<String> FOLDERS = List.of("counters", "hw_counters");

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
        FOLDERS.stream().map(folder::resolve).filter(Files::isDirectory)
                .flatMap(counters -> Machine.names(counters).stream().map(counters::resolve)).forEach(file -> {
                    String value = Machine.read(file);
                    // lifespan is a setting; text that is no number says that the device lacks the counter
                    if (isNumber(value) && !file.endsWith("lifespan")) {
                        sum.merge(file.getFileName().toString(), Long.parseUnsignedLong(value), Long::sum);
                    }
                });
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
}
