import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Builds a module if its jar is missing or older than its sources, and runs its program in another JVM. samples/run,
 * samples/run.cmd and bench/run start this file with {@code java Launch.java}.
 *
 * <p>
 * The source is compatible with Java 11, so that an older JDK prints what it needs instead of a compiler error. It is a
 * single class, which launch.bash keeps in compiled form.
 */
public final class Launch {
    private static final int MIN_JDK = 22;
    /** The first release that warns about sun.misc.Unsafe. */
    private static final int UNSAFE_WARNING_JDK = 23;
    private static final boolean WINDOWS = System.getProperty("os.name").startsWith("Windows");
    private static final List<String> LIBRARIES = Arrays.asList("ffm-bindings", "jverbs", "softdevice");
    /** The line of Maven that starts a module: its name, its number and the number of modules. */
    private static final Pattern MODULE_START = Pattern.compile("\\[INFO\\] Building (\\S+) .*\\[(\\d+)/(\\d+)\\]");

    private final Path root;
    private final String module;
    private final Path folder;
    private final Path target;
    private final Path jar;
    /** Its modification time is the start of the last build here. */
    private final Path stamp;
    /** The process that runs now, null if there is none. */
    private volatile Process child;

    private Launch(Path root, String module) {
        this.root = root;
        this.module = module;
        this.folder = root.resolve(module);
        this.target = folder.resolve("target");
        this.jar = target.resolve(module + ".jar");
        this.stamp = target.resolve("run.stamp");
    }

    /**
     * Runs the program and exits with its status.
     *
     * @param args the checkout, the module, the main class, and then the arguments of the program, of which
     *         {@code -Dproperty=value} before any {@code --} are given to the JVM
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        Launch launch = new Launch(Paths.get(args[0]).toRealPath(), args[1]);
        int release = Runtime.version().feature();
        if (release < MIN_JDK) {
            throw launch.fail("this is Java " + release + ", " + System.getProperty("java.home") + ": install JDK "
                    + MIN_JDK + " or later, and set JAVA_HOME to it");
        }
        Runtime.getRuntime().addShutdownHook(new Thread(launch::endChild));
        try {
            launch.buildIfNeeded();
            System.exit(launch.run(args[2], Arrays.asList(args).subList(3, args.length)));
        } catch (IOException e) {
            throw launch.fail(e.toString());
        }
    }

    private static void print(String text) {
        System.err.print(text);
        System.err.flush();
    }

    /** Prints a sentence and exits with status 1. Callers throw the result, so that the compiler sees the end. */
    private IllegalStateException fail(String sentence) {
        print(module + "/run: " + sentence + ".\n");
        System.exit(1);
        return new IllegalStateException(sentence);
    }

    /** Ends the child before this JVM exits. If a terminal interrupts both, the child has a second to exit itself. */
    private void endChild() {
        Process process = child;
        try {
            if (process != null && !process.waitFor(1, TimeUnit.SECONDS)) {
                process.destroy();
                process.waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
        }
    }

    private int run(String mainClass, List<String> arguments) throws IOException, InterruptedException {
        int end = arguments.contains("--") ? arguments.indexOf("--") : arguments.size();
        List<String> command = new ArrayList<>();
        command.add(Paths.get(System.getProperty("java.home"), "bin", "java").toString());
        // for the native device; the software device does not need it
        command.add("--enable-native-access=ALL-UNNAMED");
        if (module.equals("bench") && Runtime.version().feature() >= UNSAFE_WARNING_JDK) {
            // JMH and Agrona use sun.misc.Unsafe, and each of the many JVMs would warn
            command.add("--sun-misc-unsafe-memory-access=allow");
        }
        arguments.stream().limit(end).filter(Launch::isProperty).forEach(command::add);
        command.addAll(Arrays.asList("-cp", jar.toString(), mainClass));
        arguments.stream().limit(end).filter(argument -> !isProperty(argument)).forEach(command::add);
        command.addAll(arguments.subList(end, arguments.size()));
        child = new ProcessBuilder(command).inheritIO().start();
        return child.waitFor();
    }

    private static boolean isProperty(String argument) {
        // -D5 is the option -D of perftest
        return argument.startsWith("-D") && argument.length() > 2 && !Character.isDigit(argument.charAt(2));
    }

    /** A checkout that is not writable is used as it is, if it is built. */
    private void buildIfNeeded() throws IOException, InterruptedException {
        if (Files.exists(jar) && (!Files.isWritable(target) || !isStale())) {
            return;
        }
        if (!Files.isWritable(folder)) {
            throw fail(module + " is not built, and " + folder + " is not writable: build it, or copy the checkout");
        }
        Files.createDirectories(target);
        // one build at a time
        try (FileChannel channel = FileChannel.open(target.resolve("run.lock"), StandardOpenOption.CREATE,
                StandardOpenOption.WRITE)) {
            FileLock lock = channel.tryLock();
            if (lock == null) {
                print(module + "/run: waiting for another build of " + module + "\n");
                channel.lock();
            }
            if (!Files.exists(jar) || isStale()) {
                build();
            }
        }
    }

    /** {@return whether a source is younger than both the jar and the start of the last build here} */
    private boolean isStale() throws IOException {
        FileTime built = Files.getLastModifiedTime(jar);
        if (Files.exists(stamp) && Files.getLastModifiedTime(stamp).compareTo(built) > 0) {
            built = Files.getLastModifiedTime(stamp);
        }
        List<Path> sources = new ArrayList<>();
        sources.add(root.resolve("pom.xml"));
        for (String each : modules()) {
            sources.add(root.resolve(each).resolve("pom.xml"));
            sources.add(root.resolve(each).resolve("src/main"));
        }
        if (module.equals("bench")) {
            sources.add(root.resolve("jverbs/src/test/c"));
        }
        for (Path source : sources) {
            if (Files.exists(source) && isYounger(source, built)) {
                return true;
            }
        }
        return false;
    }

    private List<String> modules() {
        return Stream.concat(LIBRARIES.stream(), Stream.of(module)).collect(Collectors.toList());
    }

    private static boolean isYounger(Path tree, FileTime time) throws IOException {
        try (Stream<Path> files = Files.walk(tree)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                if (Files.getLastModifiedTime(file).compareTo(time) > 0) {
                    return true;
                }
            }
        }
        return false;
    }

    private void build() throws IOException, InterruptedException {
        String maven = findInPath(WINDOWS ? "mvn.cmd" : "mvn");
        if (maven == null) {
            throw fail(module + " is not built, and there is no Maven in PATH: install Maven 3.8 or later");
        }
        // as old as the start of the build: a source that is edited during the build is younger
        Path started = target.resolve("run.started");
        Files.deleteIfExists(started);
        Files.createFile(started);
        // Maven writes the jar last: if it exists, target/lib is complete
        Files.deleteIfExists(jar);
        deleteTree(target.resolve("lib"));
        ProcessBuilder builder = new ProcessBuilder(maven, "-B", "-DskipTests", "-Dformatter.skip=true", "-pl", module,
                "-am", "package").directory(root.toFile()).redirectErrorStream(true);
        // Maven looks for the JDK that compiles in the variables JAVA*_HOME
        builder.environment().put("JAVA_OF_LAUNCHER_HOME", System.getProperty("java.home"));
        if (findInPath(WINDOWS ? "java.exe" : "java") == null) {
            builder.environment().putIfAbsent("JAVA_HOME", System.getProperty("java.home"));
        }
        List<String> log = Collections.synchronizedList(new ArrayList<>());
        long start = System.nanoTime();
        print(module + "/run: building " + module + ":");
        int status = runMaven(builder.start(), log);
        if (status != 0 || !Files.exists(jar)) {
            Files.deleteIfExists(jar);
            print("\n");
            log.stream().filter(line -> !line.startsWith("[INFO]")).forEach(line -> print(line + "\n"));
            throw fail("the build failed, see above");
        }
        print(String.format(Locale.ROOT, " done in %d s%n", TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start)));
        Files.move(started, stamp, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Prints the name of each module when its build starts, and a dot for each second. */
    private int runMaven(Process maven, List<String> log) throws IOException, InterruptedException {
        child = maven;
        maven.getOutputStream().close();
        Thread reader = new Thread(() -> read(maven, log));
        reader.start();
        while (!maven.waitFor(1, TimeUnit.SECONDS)) {
            print(".");
        }
        reader.join();
        child = null;
        return maven.exitValue();
    }

    private void read(Process maven, List<String> log) {
        new BufferedReader(new InputStreamReader(maven.getInputStream())).lines().forEach(line -> {
            log.add(line);
            Matcher start = MODULE_START.matcher(line);
            if (start.matches()) {
                print(" " + start.group(1) + " (" + start.group(2) + "/" + start.group(3) + ")");
            }
        });
    }

    private static String findInPath(String name) {
        for (String path : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)) {
            File file = new File(path, name);
            if (file.canExecute()) {
                return file.getPath();
            }
        }
        return null;
    }

    private static void deleteTree(Path tree) throws IOException {
        if (Files.exists(tree)) {
            try (Stream<Path> files = Files.walk(tree)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).collect(Collectors.toList())) {
                    Files.delete(file);
                }
            }
        }
    }
}
