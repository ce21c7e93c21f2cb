package io.jverbs.contract.differential.sequence;

import io.jverbs.QpType;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Generates a sequence from a seed. The same seed gives the same sequence, independent of the devices. */
public final class Generator {

    private final Set<Enum<?>> avoided;

    /** Creates a generator that leaves some {@link Fault}s and {@link UnsupportedAction}s out. */
    public Generator(Set<Enum<?>> avoided) {
        this.avoided = Set.copyOf(avoided);
    }

    public CallSequence sequence(long seed) {
        Random random = new Random(seed * 0x9E3779B97F4A7C15L);
        random.nextInt();
        Setup setup = setup(random);
        Requests requests = new Requests(random, setup);
        List<Step> steps = new ArrayList<>();
        int count = 3 + random.nextInt(6);
        for (int i = 0; i < count; i++) {
            steps.add(step(i, random, setup, requests));
        }
        return new CallSequence(seed, setup, List.copyOf(steps));
    }

    private static Setup setup(Random random) {
        int kind = random.nextInt(100);
        QpType type = kind < 72 ? QpType.RC : kind < 86 ? QpType.UC : QpType.UD;
        int shared = random.nextInt(4);
        // unreliable connections need not support a shared receive queue (D5)
        int sharedBy = type == QpType.UC || shared > 2 ? 0 : shared;
        int psn = random.nextInt(8);
        return new Setup(type, 1 + random.nextInt(3), 1 << random.nextInt(3), 100 + random.nextInt(100), sharedBy,
                random.nextInt(4) == 0, random.nextInt(8) == 0, random.nextInt(3), 1 << random.nextInt(5),
                psn == 0 ? 0xFFFFFF : psn == 1 ? 0xFFFFFE : random.nextInt(1 << 24), random.nextInt(1 << 24),
                random.nextBoolean() ? null : 0x10_0000_0000L + random.nextInt(16) * 8192L);
    }

    private Step step(int index, Random random, Setup setup, Requests requests) {
        int kind = random.nextInt(100);
        if (kind < 38) {
            List<Fault> possible = faults(setup);
            if (!possible.isEmpty()) {
                Fault fault = possible.get(random.nextInt(possible.size()));
                return new Step(index, fault.name(), new FaultySteps(random, setup, requests, avoided).make(fault));
            }
        }
        NormalSteps normal = new NormalSteps(random, setup, requests);
        if (kind < 50) {
            Command command = normal.command();
            return new Step(index, command.name(), normal.control(command));
        }
        if (kind < 60 && setup.type() == QpType.RC) {
            return new Step(index, "WINDOW", normal.window(!avoided.contains(UnsupportedAction.UNFENCED_INVALIDATE)));
        }
        if (kind < 64 && setup.type() == QpType.RC) {
            return new Step(index, "DRAIN", normal.drain(!avoided.contains(UnsupportedAction.RESUME)));
        }
        if (kind < 68) {
            return new Step(index, "RECONNECT", List.of(requests.connect(random.nextBoolean())));
        }
        return new Step(index, "TRAFFIC", normal.traffic());
    }

    private List<Fault> faults(Setup setup) {
        List<Fault> possible = new ArrayList<>();
        for (Fault fault : Fault.values()) {
            if (fault.type == setup.type() && !avoided.contains(fault) && fault.waits() == setup.impatient()) {
                possible.add(fault);
            }
        }
        return possible;
    }
}
