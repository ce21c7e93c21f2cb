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
 * Two devices of a simulated network, another one for each test. The clock of most is the real one: the suite has threads of its own,
 * waits by looking at memory, and measures how long things take.
 */
abstract class SimulatedFixture implements ContractFixture {
    private static final int FIRST_SPARE = 2;
    private static final int SHORT_TIMEOUT = 14;
    private static final long QUIET_MILLIS = 40;

    private final String name;
    private final String options;
    private final Pattern classes;
    private final List<Deviation> deviations;
    /** Of its own for each test, whatever ran before it. */
    private long seed;
    private int networks;
    private int spares;

    SimulatedFixture(String name, String options, String classes, String deviations) {
        this.name = name;
        this.options = options;
        this.classes = Pattern.compile(classes);
        this.deviations = Fixtures.deviations(deviations);
    }

    /** Without faults. */
    public static final class Perfect extends SimulatedFixture {
        /** For {@link java.util.ServiceLoader}. */
        public Perfect() {
            super("sim", "&time=real", ".*", "sim-deviations.txt");
        }
    }

    /** With a loss of 2 percent, in both directions, for what concerns reliable connections. */
    public static final class Lossy extends SimulatedFixture {
        /** For {@link java.util.ServiceLoader}. */
        public Lossy() {
            super("sim-loss", "&time=real&loss=0.02",
                    "(Atomic|ErrorMatrix|ErrorMatrixDetail|Order|Payload|Read|Reliable|RemoteAccess|Rnr|SendWithInvalidate"
                            + "|Signaling|WindowUse)Contract",
                    "sim-loss-deviations.txt");
        }

        /** With one, a test would fail now and then, when both it and what it repeats are lost. */
        @Override
        public int retries() {
            return 7;
        }

        /** A refusal that is lost is not sent again, as its queue pair is in the error state: its peer hears nothing more. */
        @Override
        public List<Deviation> deviations() {
            Pattern lostRefusal = Pattern
                    .compile("status should be \\[REM_\\w+.*but the completion is .*RETRY_EXC_ERR");
            List<Deviation> all = new ArrayList<>(super.deviations());
            for (String number : CatalogueList.titles().keySet()) {
                all.add(new Deviation(number, Pattern.compile("\\b(UC|UD)\\b"), Deviation.How.NOT_RUN,
                        Pattern.compile(""), "what is unreliable may be lost"));
                all.add(new Deviation(number, Pattern.compile(""), Deviation.How.SOMETIMES, lostRefusal,
                        "a refusal that is lost is not sent again"));
            }
            return all;
        }
    }

    /** With the clock that programs have unless told: for what one thread does that polls. */
    public static final class Auto extends SimulatedFixture {
        /** For {@link java.util.ServiceLoader}. */
        public Auto() {
            super("sim-auto", "&time=auto",
                    "(Atomic|ErrorMatrix|ErrorMatrixDetail|Order|Payload|Read|RemoteAccess|SendWithInvalidate|Signaling|WindowUse)"
                            + "Contract",
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
