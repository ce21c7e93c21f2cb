package io.jverbs.soft.layers;

import io.jverbs.contract.end.End;
import io.jverbs.contract.end.local.LocalEnd;
import io.jverbs.contract.fixture.ContractFixture;
import io.jverbs.contract.fixture.Deviation;
import io.jverbs.contract.fixture.Fixtures;
import io.jverbs.fault.FaultInjection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The software device behind fault injection that delays every completion by 100 microseconds. The contract must hold
 * nevertheless.
 */
public final class LateFixture implements ContractFixture {
    private static final String RULES = "delay=100us";
    private static final Pattern CLASSES = Pattern
            .compile("(CompletionQueue|Flush|Notification|Order|SharedReceive\\w*)Contract");
    private static final int SHORT_TIMEOUT = 8;
    private static final long QUIET_MILLIS = 20;
    private static final int FIRST_SPARE = 220;

    private int spares;

    /** For {@link java.util.ServiceLoader}. */
    public LateFixture() {
        // opens nothing
    }

    @Override
    public String name() {
        return "late";
    }

    private static End open(String selector) {
        return LocalEnd.open(selector, FaultInjection.parse(RULES));
    }

    @Override
    public End openLeft() {
        return open("soft");
    }

    @Override
    public End openRight() {
        return open("soft");
    }

    @Override
    public Optional<End> openSpare() {
        return Optional.of(open("soft:soft" + (FIRST_SPARE + spares++)));
    }

    @Override
    public boolean sameDevice() {
        return true;
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
        return Fixtures.deviations("late-deviations.txt");
    }

    @Override
    public boolean runs(Class<?> contract) {
        return CLASSES.matcher(contract.getSimpleName()).matches();
    }

    @Override
    public void close() {
        // each test closes its ends
    }
}
