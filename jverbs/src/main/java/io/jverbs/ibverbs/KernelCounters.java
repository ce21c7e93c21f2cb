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
 * What the driver of a device counts, as sysfs has it (Linux, Documentation/ABI/stable/sysfs-class-infiniband): the files of
 * {@code hw_counters} and {@code counters}. The kernel tells nothing there of single queue pairs.
 *
 * @param name the device's name
 * @param folder the device's folder
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
        Path asked = folder.resolve("ports").resolve(Integer.toString(port));
        if (!ports.contains(asked)) {
            throw new VerbsException(OPERATION, Errno.EINVAL, "port " + port + " of " + name
                    + " is not there; it has " + ports.stream().map(each -> each.getFileName().toString()).toList());
        }
        Map<String, Long> counters = new TreeMap<>();
        add(asked, counters);
        return Collections.unmodifiableMap(counters);
    }

    private List<Path> ports() {
        List<String> names = Machine.names(folder.resolve("ports"));
        if (names.isEmpty()) {
            throw new VerbsException(OPERATION, Errno.ENODEV, name + " is gone");
        }
        return names.stream().map(folder.resolve("ports")::resolve).toList();
    }

    /** Adds the counters that a folder has itself. */
    private static void add(Path folder, Map<String, Long> sum) {
        FOLDERS.stream().map(folder::resolve).filter(Files::isDirectory)
                .flatMap(counters -> Machine.names(counters).stream().map(counters::resolve)).forEach(file -> {
                    String value = Machine.read(file);
                    // others are settings, as lifespan is, or say that the device does not count this
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
