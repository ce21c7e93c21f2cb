package io.jverbs.samples.perftest;

import io.jverbs.Mtu;
import io.jverbs.QpType;
import io.jverbs.samples.connect.ConnectionOptions;
import io.jverbs.samples.connect.Numbers;
import io.jverbs.samples.console.HelpOption;
import io.jverbs.samples.console.Screen;
import io.jverbs.samples.console.UsageFailure;
import io.jverbs.samples.perftest.run.Plot;
import io.jverbs.samples.perftest.run.Program;
import io.jverbs.samples.perftest.run.Settings;
import io.jverbs.samples.perftest.run.Verb;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The common options of the eight programs, with the names and defaults of perftest. */
abstract class PerftestCommand implements Callable<Integer> {
    static final int LEAST_ITERATIONS = 5;

    private static final int MAX_OUTSTANDING = 255;
    private static final int MAX_TIMEOUT = 31;
    private static final int MAX_DEPTH = 15_000;
    private static final int MAX_RECEIVES = 16_384;
    private static final int MAX_UNRELIABLE_RECEIVES = 16_000;
    private static final int MAX_INLINE = 1024;
    private static final int MAX_SECONDS = 86_400;
    private static final int MAX_MILLIS = 3_600_000;
    private static final int DEFAULT_RECEIVES = 512;
    private static final int ATOMIC_BYTES = 8;

    @Option(names = "--loopback", description = "Runs both sides as two threads of this program.")
    private boolean loopback;
    @Option(names = {"-c", "--connection"}, paramLabel = "TYPE", defaultValue = "RC", description = "RC, UC or UD;"
            + " default ${DEFAULT-VALUE}. READ and ATOMIC support RC only, WRITE supports RC and UC.")
    private String connection;
    @Option(names = {"-a", "--all"}, description = "Tests all sizes from 2 bytes to 8 MiB, with UD to the MTU.")
    private boolean all;
    @Option(names = {"-s", "--size"}, paramLabel = "BYTES", description = "The length of a message;"
            + " default 2 for latency, 65536 for bandwidth, the MTU for UD bandwidth; always 8 for atomics. 64K is"
            + " 65536, 1M is 1048576.")
    private String size;
    @Option(names = {"-n", "--iters"}, paramLabel = "N", description = "The number of messages, at least 5; default"
            + " 1000, 5000 for write-bw.")
    private String iterations;
    @Option(names = {"-D", "--duration"}, paramLabel = "SECONDS", description = "The approximate duration of the test,"
            + " instead of a number of messages.")
    private String seconds;
    @Option(names = {"-t", "--tx-depth"}, paramLabel = "N", description = "The largest number of sends in flight;"
            + " default 128 for bandwidth, 1 for latency, where each send is complete before the next.")
    private String txDepth;
    @Option(names = {"-r", "--rx-depth"}, paramLabel = "N", description = "The number of posted receives; default 512,"
            + " for UC and UD the number of messages, at most 16000.")
    private String rxDepth;
    @Option(names = {"-m", "--mtu"}, paramLabel = "BYTES", description = "The path MTU: 256, 512, 1024, 2048 or 4096;"
            + " by default the MTU of the port. The smaller one of both sides is used.")
    private String mtu;
    @Option(names = {"-x", "--gid-index"}, paramLabel = "INDEX", description = "The index of the local GID in the"
            + " port's GID table; on Ethernet, by default, the GID that the port prefers.")
    private String gidIndex;
    @Option(names = {"-F", "--CPU-freq"}, description = "Ignored; accepted for compatibility with scripts.")
    private boolean cpuFrequency;
    @Option(names = {"-I", "--inline_size"}, paramLabel = "BYTES", description = "The length up to which messages are"
            + " sent inline; default about 200 for latency, if the device supports it, 0 for bandwidth.")
    private String inlineSize;
    @Option(names = {"-R", "--rdma_cm"}, description = "Connects with rdma_cm: HOST is the address of the server's"
            + " device. On both sides; for RC and UD.")
    private boolean rdmaCm;
    @Option(names = {"-o", "--outs"}, paramLabel = "N", description = "The largest number of outstanding READs and"
            + " atomics; by default the limit of the device.")
    private String outstanding;
    @Option(names = {"-S", "--sl"}, paramLabel = "SL", defaultValue = "0", description = "The service level;"
            + " default ${DEFAULT-VALUE}.")
    private String serviceLevel;
    @Option(names = {"-u", "--qp-timeout"}, paramLabel = "CODE", defaultValue = "14", description = "The local ACK"
            + " timeout, 4.096 us * 2^CODE; default ${DEFAULT-VALUE}.")
    private String timeout;
    @Option(names = {"-A", "--atomic_type"}, paramLabel = "TYPE", description = "For atomics: CMP_AND_SWAP or"
            + " FETCH_AND_ADD; default FETCH_AND_ADD.")
    private String atomicType;
    @Option(names = "--plot", paramLabel = "FILE", description = "Plots the results by size, and a baseline without"
            + " verbs, to a .png or .svg file. For the client only.")
    private Path plot;
    @Option(names = "--warm-up", paramLabel = "MILLISECONDS", defaultValue = "500", description = "The warm-up time"
            + " before the first size; a fifth of it before each further size; default ${DEFAULT-VALUE}.")
    private String warmUp;
    @Option(names = "--patience", paramLabel = "SECONDS", defaultValue = "10", description = "Fails if there is no"
            + " progress for this time; default ${DEFAULT-VALUE}.")
    private String patience;
    @Mixin
    private ConnectionOptions sides;
    @Mixin
    private HelpOption help;
    @Spec
    private CommandSpec spec;

    private final Program program;

    PerftestCommand(Program program) {
        this.program = program;
    }

    /** Creates the command of a program. */
    static CommandLine of(Program program) {
        PerftestCommand command = program.latency() ? new LatencyCommand(program) : new BandwidthCommand(program);
        CommandLine line = new CommandLine(command);
        line.getCommandSpec().exitCodeOnInvalidInput(ExitCode.SOFTWARE).usageMessage()
                .description("Measures the " + (program.latency() ? "latency" : "bandwidth") + " of "
                        + program.verb().title() + " like " + program.original() + ", which may be the other side.");
        return line;
    }

    @Override
    public Integer call() {
        Settings settings = settings();
        Screen screen = new Screen(spec.commandLine().getOut(), spec.commandLine().getErr(), Screen.isTerminal());
        new Sides(settings, screen).run();
        return ExitCode.OK;
    }

    private Settings settings() {
        try {
            QpType type = type();
            int count = iterations == null
                    ? defaultIterations()
                    : Numbers.read("--iters", iterations, LEAST_ITERATIONS, mostIterations());
            int duration = seconds == null ? 0 : Numbers.read("--duration", seconds, 1, MAX_SECONDS);
            boolean unlimited = duration > 0;
            int depth = txDepth == null ? defaultDepth() : Numbers.read("--tx-depth", txDepth, 1, MAX_DEPTH);
            depth = unlimited ? depth : Math.min(depth, count);
            Mtu wanted = mtu == null ? null : Numbers.readMtu("--mtu", mtu);
            refuseConflicts(duration);
            int bytes = bytes(type);
            return new Settings(program, sides.host(), loopback, sides.tcpPort(), sides.device(), sides.port(), type,
                    all, bytes, count, duration, depth,
                    receives(type, unlimited ? Integer.MAX_VALUE : count), moderation(type, bytes, depth), postList(),
                    wanted, ConnectionOptions.gidIndex("--gid-index", gidIndex), sides.events(), bidirectional(),
                    inline(), outstanding == null ? 0 : Numbers.read("--outs", outstanding, 1, MAX_OUTSTANDING),
                    ConnectionOptions.serviceLevel(serviceLevel),
                    Numbers.read("--qp-timeout", timeout, 0, MAX_TIMEOUT), comparesAndSwaps(), gigabits(), plot,
                    Duration.ofMillis(Numbers.read("--warm-up", warmUp, 0, MAX_MILLIS)),
                    rdmaCm, Duration.ofSeconds(Numbers.read("--patience", patience, 1, MAX_SECONDS)))
                    .checked();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private QpType type() {
        for (QpType type : Verb.SEND.connections()) {
            if (type.name().equals(connection)) {
                if (program.verb().connections().contains(type)) {
                    return type;
                }
                throw new UsageFailure("--connection " + connection + " is not possible with " + program.verb()
                        + ", which supports " + program.verb().connections().stream().map(QpType::name)
                                .collect(Collectors.joining(" and "))
                        + " only.");
            }
        }
        throw new IllegalArgumentException("--connection " + connection + " is not a type; allowed are RC, UC, UD");
    }

    private int bytes(QpType type) {
        if (program.verb() == Verb.ATOMIC) {
            if (all || size != null && Numbers.read("--size", size, 1, Integer.MAX_VALUE) != ATOMIC_BYTES) {
                throw new UsageFailure("the size of atomics is always 8 bytes: omit "
                        + (all ? "--all" : "--size " + size) + ".");
            }
            return ATOMIC_BYTES;
        }
        return size == null ? defaultSize(type) : Numbers.readSize("--size", size, 1, Integer.MAX_VALUE);
    }

    private int receives(QpType type, int count) {
        if (program.verb() != Verb.SEND) {
            return 0;
        }
        int most = type == QpType.RC ? DEFAULT_RECEIVES : MAX_UNRELIABLE_RECEIVES;
        return rxDepth == null ? Math.min(most, count) : Numbers.read("--rx-depth", rxDepth, 1, MAX_RECEIVES);
    }

    private int inline() {
        if (inlineSize == null) {
            return Settings.DEFAULT_INLINE;
        }
        if (program.verb().fetches()) {
            throw new UsageFailure(
                    "--inline_size " + inlineSize + " is not applicable: READs and atomics send no data.");
        }
        return Numbers.read("--inline_size", inlineSize, 0, MAX_INLINE);
    }

    private boolean comparesAndSwaps() {
        return switch (atomicType) {
            case "CMP_AND_SWAP" -> true;
            case "FETCH_AND_ADD" -> false;
            case null -> false;
            default -> throw new IllegalArgumentException("--atomic_type " + atomicType + " is not a type; allowed are"
                    + " CMP_AND_SWAP, FETCH_AND_ADD");
        };
    }

    /** Throws if options exclude each other, or if the plot cannot be written. */
    private void refuseConflicts(int duration) {
        if (loopback && sides.host() != null) {
            throw new UsageFailure("--loopback runs both sides: omit the host " + sides.host() + ".");
        }
        if (sides.events() && program.latency() && program.verb() == Verb.WRITE) {
            throw new UsageFailure("--events is not possible with write-lat: the peer of a WRITE gets no events.");
        }
        if (duration > 0 && all) {
            throw new UsageFailure("--duration is for one size: omit --all.");
        }
        if (duration > 0 && iterations != null) {
            throw new UsageFailure("--duration and --iters exclude each other: omit one.");
        }
        refuseInapplicable();
        if (plot != null) {
            if (!Plot.isSupported(plot)) {
                throw new UsageFailure("--plot " + plot + ": the name must end with .png or .svg.");
            }
            if (duration > 0 && program.latency()) {
                throw new UsageFailure("--plot shows percentiles, which --duration does not measure: use --iters.");
            }
            Path folder = plot.toAbsolutePath().getParent();
            if (!Files.isDirectory(folder) || !Files.isWritable(folder)) {
                throw new UsageFailure("--plot " + plot + ": " + folder + " is not a writable folder.");
            }
            if (Files.exists(plot) && !(Files.isRegularFile(plot) && Files.isWritable(plot))) {
                throw new UsageFailure("--plot " + plot + ": it exists and is not a writable file.");
            }
            if (sides.host() == null && !loopback) {
                throw new UsageFailure("--plot is for the client: use it there, or give a host here.");
            }
        }
    }

    /** Throws if an option was given that does not apply to this program. */
    private void refuseInapplicable() {
        Verb verb = program.verb();
        if (rxDepth != null && verb != Verb.SEND) {
            throw new UsageFailure("--rx-depth " + rxDepth + " is not applicable: " + verb + " consumes no receives.");
        }
        if (rdmaCm && connection.equals(QpType.UC.name())) {
            throw new UsageFailure("--connection UC is not possible with --rdma_cm, which connects RC and UD.");
        }
        if (rdmaCm && gidIndex != null) {
            throw new UsageFailure(
                    "--gid-index " + gidIndex + " is not applicable with --rdma_cm, which chooses the GID"
                            + " by the address of the server: omit it.");
        }
        if (rdmaCm && loopback) {
            throw new UsageFailure("--loopback runs both sides without --rdma_cm: omit one of them.");
        }
        if (outstanding != null && !verb.fetches()) {
            throw new UsageFailure("--outs " + outstanding + " is not applicable: it is for READs and atomics.");
        }
        if (atomicType != null && verb != Verb.ATOMIC) {
            throw new UsageFailure("--atomic_type " + atomicType + " is not applicable: it is for atomics.");
        }
    }

    /** {@return the largest number of messages that is allowed} */
    abstract int mostIterations();

    /** {@return the default number of messages} */
    abstract int defaultIterations();

    /** {@return the default number of sends in flight} */
    abstract int defaultDepth();

    /** {@return the default length of a message in bytes} */
    abstract int defaultSize(QpType type);

    /** {@return N if every Nth send is signaled} */
    abstract int moderation(QpType type, int size, int depth);

    /** {@return whether all sizes are tested} */
    boolean allSizes() {
        return all;
    }

    boolean withEvents() {
        return sides.events();
    }

    Program program() {
        return program;
    }

    /** {@return the number of requests that are posted with one call} */
    int postList() {
        return 1;
    }

    boolean bidirectional() {
        return false;
    }

    boolean gigabits() {
        return false;
    }
}
