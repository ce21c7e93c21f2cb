package io.jverbs.soft.simulation;

import io.jverbs.contract.end.End;
import io.jverbs.contract.end.local.LocalEnd;
import io.jverbs.contract.fixture.CatalogueList;
import io.jverbs.contract.fixture.ContractFixture;
import io.jverbs.contract.fixture.Deviation;
import io.jverbs.contract.fixture.Fixtures;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A fixture with two devices of a simulated network, a new network for each test. Most networks run in real time,
 * because the suite has its own threads, polls memory, and measures durations.
 */
abstract class SimulatedFixture implements ContractFixture {
    private static final int FIRST_SPARE = 2;
    private static final int SHORT_TIMEOUT = 14;
    private static final long QUIET_MILLIS = 40;

    private final String name;
    private final String options;
    private final Pattern classes;
    private final List<Deviation> deviations;
    /** The seed; it depends on the test only, not on tests that ran before. */
    private long seed;
    private int networks;
    private int spares;

    SimulatedFixture(String name, String options, String classes, String deviations) {
        this.name = name;
        this.options = options;
        this.classes = Pattern.compile(classes);
        this.deviations = Fixtures.deviations(deviations);
    }

    /** A network without faults, in real time. */
    public static final class Perfect extends SimulatedFixture {
        /** Called by {@link java.util.ServiceLoader}. */
        public Perfect() {
            super("sim", "&time=real", ".*", "sim-deviations.txt");
        }
    }

    /**
     * A network that loses 2 percent of packets in both directions, for tests of reliable connections and of the
     * connection manager.
     */
    public static final class Lossy extends SimulatedFixture {
        /** Called by {@link java.util.ServiceLoader}. */
        public Lossy() {
            super("sim-loss", "&time=real&loss=0.02",
                    "(Atomic|Bind|Disconnect|ErrorMatrix|ErrorMatrixDetail|Establishment|Order|Payload|PrivateData|Read"
                            + "|Reject|Reliable|RemoteAccess|Rnr|SendQueueRoom|SendWithInvalidate|ServiceResolution"
                            + "|Signaling|WindowUse)Contract",
                    "sim-loss-deviations.txt");
        }

        /** With one retry, a test would fail occasionally, when a packet and its retransmission are both lost. */
        @Override
        public int retries() {
            return 7;
        }

        /**
         * Allows RETRY_EXC_ERR in place of a remote error. A lost NAK is not sent again, because its queue pair is in
         * the error state then and sends nothing more.
         */
        @Override
        public List<Deviation> deviations() {
            Pattern lostNak = Pattern
                    .compile("status should be \\[REM_\\w+.*but the completion is .*RETRY_EXC_ERR");
            List<Deviation> all = new ArrayList<>(super.deviations());
            for (String number : CatalogueList.titles().keySet()) {
                all.add(new Deviation(number, Pattern.compile("\\b(UC|UD)\\b"), Deviation.How.NOT_RUN,
                        Pattern.compile(""), "unreliable messages may be lost"));
                all.add(new Deviation(number, Pattern.compile(""), Deviation.How.SOMETIMES, lostNak,
                        "a lost NAK is not sent again"));
            }
            return all;
        }
    }

    /** A network with the default clock, for tests in which one thread posts and polls. */
    public static final class Auto extends SimulatedFixture {
        /** Called by {@link java.util.ServiceLoader}. */
        public Auto() {
            super("sim-auto", "&time=auto",
                    "(Atomic|ErrorMatrix|ErrorMatrixDetail|Order|Payload|Read|RemoteAccess|SendQueueRoom"
                            + "|SendWithInvalidate|Signaling|WindowUse)Contract",
                    "sim-deviations.txt");
        }
    }

    @Override
    public String name() {
        return name;
    }

    private String selector(int device) {
        return "soft:sim" + device + "?seed=" + seed + "&network=" + name + networks + options;
    }

    @Override
    public void begin(String test) {
        seed = test.hashCode() + Long.getLong("jverbs.contract.simSeed", 0);
    }

    @Override
    public End openLeft() {
        networks++;
        spares = 0;
        return LocalEnd.open(selector(0));
    }

    @Override
    public End openRight() {
        return LocalEnd.open(selector(1));
    }

    @Override
    public Optional<End> openSpare() {
        return Optional.of(LocalEnd.open(selector(FIRST_SPARE + spares++)));
    }

    @Override
    public boolean sameDevice() {
        return false;
    }

    @Override
    public long quietMillis() {
        return QUIET_MILLIS;
    }

    @Override
    public int shortTimeout() {
        return SHORT_TIMEOUT;
    }

    @Override
    public List<Deviation> deviations() {
        return deviations;
    }

    @Override
    public boolean runs(Class<?> contract) {
        return classes.matcher(contract.getSimpleName()).matches();
    }

    @Override
    public void close() {
        // each test has closed its network
    }
}
