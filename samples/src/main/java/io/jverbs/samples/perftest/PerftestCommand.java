package io.jverbs.samples.perftest;

import io.jverbs.Mtu;
import io.jverbs.QpType;
import io.jverbs.samples.HelpOption;
import io.jverbs.samples.SampleFailure;
import io.jverbs.samples.Screen;
import io.jverbs.samples.connect.Numbers;
import io.jverbs.samples.connect.OwnAddress;
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
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The options that all eight programs have, under the names and with the defaults of perftest. */
abstract class PerftestCommand implements Callable<Integer> {
    static final int LEAST_ITERATIONS = 5;

    private static final int MAX_TCP_PORT = 65_535;
    private static final int MAX_PORT = 255;
    private static final int MAX_GID_INDEX = 65_535;
    private static final int MAX_SERVICE_LEVEL = 15;
    private static final int MAX_TIMEOUT = 31;
    private static final int MAX_DEPTH = 15_000;
    private static final int MAX_RECEIVES = 16_384;
    private static final int MAX_UNRELIABLE_RECEIVES = 16_000;
    private static final int MAX_INLINE = 1024;
    private static final int MAX_SECONDS = 86_400;
    private static final int MAX_MILLIS = 3_600_000;
    private static final int DEFAULT_RECEIVES = 512;
    private static final int ATOMIC_BYTES = 8;

    @Parameters(arity = "0..1", paramLabel = "HOST", description = "The server to connect to; without it, be the server.")
    private String host;
    @Option(names = "--loopback", description = "Be both sides, as two threads of this program.")
    private boolean loopback;
    @Option(names = {"-p", "--port"}, paramLabel = "PORT", defaultValue = "18515", description = "The TCP port on which"
            + " the two find each other; ${DEFAULT-VALUE}.")
    private String tcpPort;
    @Option(names = {"-d", "--ib-dev"}, paramLabel = "DEVICE", description = "The device: its name, as rxe0, or a"
            + " selector, as soft:soft1; without it, the one that -Djverbs.device names.")
    private String device;
    @Option(names = {"-i", "--ib-port"}, paramLabel = "PORT", defaultValue = "1", description = "The device's port;"
            + " ${DEFAULT-VALUE}.")
    private String port;
    @Option(names = {"-c", "--connection"}, paramLabel = "TYPE", defaultValue = "RC", description = "RC, UC or UD;"
            + " ${DEFAULT-VALUE}. READ and ATOMIC have RC only, WRITE has RC and UC.")
    private String connection;
    @Option(names = {"-a", "--all"}, description = "All sizes from 2 bytes to 8 MiB, with UD to the MTU.")
    private boolean all;
    @Option(names = {"-s", "--size"}, paramLabel = "BYTES", description = "The length of a message; 2 for latency,"
            + " 65536 for bandwidth, with UD the MTU, always 8 for atomics. 64K is 65536, 1M is 1048576.")
    private String size;
    @Option(names = {"-n", "--iters"}, paramLabel = "N", description = "How many messages are sent, at least 5; 1000,"
            + " for write-bw 5000.")
    private String iterations;
    @Option(names = {"-D", "--duration"}, paramLabel = "SECONDS", description = "Send for about so long instead.")
    private String seconds;
    @Option(names = {"-t", "--tx-depth"}, paramLabel = "N", description = "How many sends may be under way; 128 for"
            + " bandwidth. For latency 1: each one is awaited before the next.")
    private String txDepth;
    @Option(names = {"-r", "--rx-depth"}, paramLabel = "N", description = "How many receives are posted; 512, with UC"
            + " and UD as many as there are messages, up to 16000.")
    private String rxDepth;
    @Option(names = {"-m", "--mtu"}, paramLabel = "BYTES", description = "The path MTU: 256, 512, 1024, 2048 or 4096;"
            + " that of the port. The smaller one of both sides is taken.")
    private String mtu;
    @Option(names = {"-x", "--gid-index"}, paramLabel = "INDEX", description = "The place of the own GID in the port's"
            + " table; on Ethernet, without it, a place is chosen.")
    private String gidIndex;
    @Option(names = {"-e", "--events"}, description = "Sleep until a completion event comes, instead of polling.")
    private boolean events;
    @Option(names = {"-F",
        "--CPU-freq"}, description = "Taken, as scripts have it: the frequency of the processor is of"
                + " no account here.")
    private boolean cpuFrequency;
    @Option(names = {"-I", "--inline_size"}, paramLabel = "BYTES", description = "Up to which length messages are sent"
            + " inline; for latency some 200, if the device has as much, for bandwidth 0.")
    private String inlineSize;
    @Option(names = {"-o", "--outs"}, paramLabel = "N", description = "How many READs and atomics may be under way; as"
            + " many as the device has.")
    private String outstanding;
    @Option(names = {"-S", "--sl"}, paramLabel = "SL", defaultValue = "0", description = "The service level;"
            + " ${DEFAULT-VALUE}.")
    private String serviceLevel;
    @Option(names = {"-u", "--qp-timeout"}, paramLabel = "CODE", defaultValue = "14", description = "After 4.096 us *"
            + " 2^CODE, a packet is sent again; ${DEFAULT-VALUE}.")
    private String timeout;
    @Option(names = {"-A", "--atomic_type"}, paramLabel = "TYPE", description = "For atomics: CMP_AND_SWAP or"
            + " FETCH_AND_ADD; FETCH_AND_ADD.")
    private String atomicType;
    @Option(names = "--plot", paramLabel = "FILE", description = "Draw the results by size, with what the machine does"
            + " without verbs beside them, into a .png or .svg. On the client's side.")
    private Path plot;
    @Option(names = "--warm-up", paramLabel = "MILLISECONDS", defaultValue = "500", description = "Before the first size"
            + " is timed, send for so long; a fifth of it before each further one; ${DEFAULT-VALUE}.")
    private String warmUp;
    @Option(names = "--patience", paramLabel = "SECONDS", defaultValue = "10", description = "End if nothing happens for"
            + " so long; ${DEFAULT-VALUE}.")
    private String patience;
    @Mixin
    private HelpOption help;
    @Spec
    private CommandSpec spec;

    private final Program program;

    PerftestCommand(Program program) {
        this.program = program;
    }

    /** Makes one of the eight commands. */
    static CommandLine of(Program program) {
        PerftestCommand command = program.latency() ? new LatencyCommand(program) : new BandwidthCommand(program);
        CommandLine line = new CommandLine(command);
        line.getCommandSpec().exitCodeOnInvalidInput(ExitCode.SOFTWARE).usageMessage()
                .description((program.latency() ? "Times " : "Measures how much goes through with ") + program.verb()
                        .title() + ", as " + program.original() + "; both sides must be samples/run.");
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
            refuseWhatDoesNotFit(duration);
            int bytes = bytes(type);
            return new Settings(program, host, loopback, Numbers.read("--port", tcpPort, 1, MAX_TCP_PORT), device,
                    Numbers.read("--ib-port", port, 1, MAX_PORT), type, all, bytes, count, duration, depth,
                    receives(type, unlimited ? Integer.MAX_VALUE : count), moderation(type, bytes, depth), postList(),
                    wanted,
                    gidIndex == null
                            ? OwnAddress.NO_GID_INDEX
                            : Numbers.read("--gid-index", gidIndex, 0, MAX_GID_INDEX),
                    events, bidirectional(), inline(),
                    outstanding == null ? 0 : Numbers.read("--outs", outstanding, 1, MAX_PORT),
                    Numbers.read("--sl", serviceLevel, 0, MAX_SERVICE_LEVEL),
                    Numbers.read("--qp-timeout", timeout, 0, MAX_TIMEOUT), comparesAndSwaps(), gigabits(), plot,
                    Duration.ofMillis(Numbers.read("--warm-up", warmUp, 0, MAX_MILLIS)),
                    Duration.ofSeconds(Numbers.read("--patience", patience, 1, MAX_SECONDS)))
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
                throw new SampleFailure("--connection " + connection + " is not possible with " + program.verb()
                        + ", which has " + program.verb().connections().stream().map(QpType::name)
                                .collect(Collectors.joining(" and "))
                        + " only.");
            }
        }
        throw new IllegalArgumentException("--connection " + connection + " is no type of connection; there are RC, UC,"
                + " UD");
    }

    private int bytes(QpType type) {
        if (program.verb() == Verb.ATOMIC) {
            if (all || size != null && Numbers.read("--size", size, 1, Integer.MAX_VALUE) != ATOMIC_BYTES) {
                throw new SampleFailure("the size of atomics is 8 bytes, always: leave out "
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
            throw new SampleFailure("--inline_size is of no use: READs and atomics send no data.");
        }
        return Numbers.read("--inline_size", inlineSize, 0, MAX_INLINE);
    }

    private boolean comparesAndSwaps() {
        return switch (atomicType) {
            case "CMP_AND_SWAP" -> true;
            case "FETCH_AND_ADD" -> false;
            case null -> false;
            default -> throw new IllegalArgumentException("--atomic_type " + atomicType + " is none; there are"
                    + " CMP_AND_SWAP, FETCH_AND_ADD");
        };
    }

    private void refuseWhatDoesNotFit(int duration) {
        if (loopback && host != null) {
            throw new SampleFailure("--loopback is both sides: leave out the host " + host + ".");
        }
        if (events && program.latency() && program.verb() == Verb.WRITE) {
            throw new SampleFailure("--events is not possible with write-lat: the reader of the memory has no events.");
        }
        if (duration > 0 && all) {
            throw new SampleFailure("--duration is for one size: leave out --all.");
        }
        if (duration > 0 && iterations != null) {
            throw new SampleFailure("--duration is instead of a number of messages: leave out --iters.");
        }
        refuseWhatIsForOthers();
        if (plot != null) {
            if (!Plot.knows(plot)) {
                throw new SampleFailure("--plot " + plot + ": the name must end with .png or .svg.");
            }
            if (duration > 0 && program.latency()) {
                throw new SampleFailure("--plot draws percentiles, which --duration does not look for: give --iters.");
            }
            Path folder = plot.toAbsolutePath().getParent();
            if (!Files.isDirectory(folder) || !Files.isWritable(folder)) {
                throw new SampleFailure("--plot " + plot + ": there is no folder " + folder + " to write into.");
            }
            if (Files.exists(plot) && !(Files.isRegularFile(plot) && Files.isWritable(plot))) {
                throw new SampleFailure("--plot " + plot + ": there is something else that cannot be written to.");
            }
            if (host == null && !loopback) {
                throw new SampleFailure("--plot is drawn by the client: give it there, or name a host here.");
            }
        }
    }

    /** Options that only some of the programs have. */
    private void refuseWhatIsForOthers() {
        Verb verb = program.verb();
        if (rxDepth != null && verb != Verb.SEND) {
            throw new SampleFailure("--rx-depth is of no use: " + verb + " takes no receives.");
        }
        if (outstanding != null && !verb.fetches()) {
            throw new SampleFailure("--outs is of no use: it is for READs and atomics.");
        }
        if (atomicType != null && verb != Verb.ATOMIC) {
            throw new SampleFailure("--atomic_type is of no use: it is for atomics.");
        }
    }

    /** {@return the most messages that can be asked for} */
    abstract int mostIterations();

    /** {@return how many messages are sent if nothing else is said} */
    abstract int defaultIterations();

    /** {@return how many may be under way if nothing else is said} */
    abstract int defaultDepth();

    /** {@return how long messages are if nothing else is said} */
    abstract int defaultSize(QpType type);

    /** {@return each how manieth send is signaled} */
    abstract int moderation(QpType type, int size, int depth);

    /** {@return whether all sizes are asked for} */
    boolean allSizes() {
        return all;
    }

    boolean withEvents() {
        return events;
    }

    Program program() {
        return program;
    }

    /** {@return how many requests are posted with one call} */
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
