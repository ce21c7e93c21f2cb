package io.jverbs.soft.planted;

import io.jverbs.contract.fixture.Contract;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.ReflectionSupport;
import org.junit.platform.engine.CancellationToken;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherExecutionRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs tests on the classes of one class loader, in a separate JUnit launcher run in this JVM: tests of the contract
 * suite, and those of the classes of the connection manager, the transports, congestion control, timers and simulated
 * networks.
 */
final class ContractRun implements TestExecutionListener {
    private static final String PACKAGE = "io.jverbs.contract";
    /** The packages of the connection manager, the transports, congestion control, timers and simulated networks. */
    private static final List<String> OTHERS = List.of("io.jverbs.soft.management", "io.jverbs.soft.transport",
            "io.jverbs.soft.congestion", "io.jverbs.soft.protocol", "io.jverbs.soft.simulation");
    /** The names of the test classes by their simple names, which are unique. */
    private static final Map<String, String> CLASSES = classes();
    /** The limit for one execution of a test without defects; only a busy machine takes long. */
    private static final long TEST_SECONDS = 60;
    private static final long TEST_SECONDS_WITH_DEFECT = 8;
    /**
     * The limit for a run of one test. It also ends runs that hang outside the code that JUnit's timeout covers. A run
     * that it ends has no result, so it is long enough for a busy machine.
     */
    private static final long RUN_SECONDS = 120;

    private final IsolatedLoader loader;
    private final boolean stopAtFailure;
    private final CancellationToken cancellation = CancellationToken.create();
    private final Map<String, List<Result>> results = new TreeMap<>();

    /**
     * The result of one execution of a test.
     *
     * @param name the display name of the execution
     * @param status the status that JUnit reports
     * @param failure the cause of the failure, null if the test passed
     */
    record Result(String name, TestExecutionResult.Status status, Throwable failure) {

        boolean passed() {
            return status == TestExecutionResult.Status.SUCCESSFUL;
        }

        @Override
        public String toString() {
            return name + ": " + status + (failure == null ? "" : ": " + failure);
        }
    }

    private static Map<String, String> classes() {
        List<Class<?>> contracts = ReflectionSupport.findAllClassesInPackage(PACKAGE,
                type -> AnnotationSupport.isAnnotated(type, Contract.class), name -> name.endsWith("Contract"));
        Stream<Class<?>> others = OTHERS.stream().flatMap(each -> ReflectionSupport
                .findAllClassesInPackage(each, type -> true, name -> name.endsWith("Test")).stream());
        return Stream.concat(contracts.stream(), others)
                .collect(Collectors.toMap(Class::getSimpleName, Class::getName));
    }

    private ContractRun(IsolatedLoader loader, boolean stopAtFailure) {
        this.loader = loader;
        this.stopAtFailure = stopAtFailure;
    }

    /**
     * Runs tests, all executions of each, on classes without defects.
     *
     * @param loader defines the classes under test
     * @param tests the tests, as {@code Class.method}
     * @return the results of each test, by {@code Class.method}
     */
    static Map<String, List<Result>> all(IsolatedLoader loader, Collection<String> tests) throws InterruptedException {
        return new ContractRun(loader, false).execute(tests, RUN_SECONDS * tests.size());
    }

    /**
     * Runs a test until its first failure, on classes with a defect.
     *
     * @param loader defines the classes under test
     * @param test the test, as {@code Class.method}
     * @return its results
     */
    static List<Result> untilFailure(IsolatedLoader loader, String test) throws InterruptedException {
        return new ContractRun(loader, true).execute(List.of(test), RUN_SECONDS).getOrDefault(test, List.of());
    }

    private Map<String, List<Result>> execute(Collection<String> tests, long seconds) throws InterruptedException {
        AtomicReference<Throwable> launchFailure = new AtomicReference<>();
        Thread thread = Thread.ofPlatform().daemon().name("planted")
                .uncaughtExceptionHandler((dead, e) -> launchFailure.set(e))
                .unstarted(() -> launch(tests));
        thread.setContextClassLoader(loader);
        thread.start();
        thread.join(TimeUnit.SECONDS.toMillis(seconds));
        if (launchFailure.get() != null) {
            throw new IllegalStateException("the JUnit launcher failed to run " + tests, launchFailure.get());
        }
        synchronized (results) {
            return new TreeMap<>(results);
        }
    }

    private void launch(Collection<String> tests) {
        List<DiscoverySelector> selectors = tests.stream().map(this::select).flatMap(Optional::stream).toList();
        Launcher launcher = LauncherFactory.create(LauncherConfig.builder()
                .enableLauncherSessionListenerAutoRegistration(false)
                .enableLauncherDiscoveryListenerAutoRegistration(false)
                .enablePostDiscoveryFilterAutoRegistration(false).enableTestExecutionListenerAutoRegistration(false)
                .build());
        launcher.execute(LauncherExecutionRequestBuilder.request(LauncherDiscoveryRequestBuilder.request()
                .selectors(selectors).filters(EngineFilter.includeEngines("junit-jupiter"))
                .configurationParameter("junit.jupiter.execution.timeout.testable.method.default",
                        (stopAtFailure ? TEST_SECONDS_WITH_DEFECT : TEST_SECONDS) + " s")
                .configurationParameter("junit.jupiter.execution.timeout.thread.mode.default", "separate_thread")
                .build())
                .listeners(this).cancellationToken(cancellation).build());
    }

    /** Returns a selector of the test; empty if there is no such test, which then has no results. */
    private Optional<DiscoverySelector> select(String test) {
        int dot = test.indexOf('.');
        String name = CLASSES.get(test.substring(0, dot));
        if (name == null) {
            return Optional.empty();
        }
        try {
            Class<?> contract = loader.loadClass(name);
            return Arrays.stream(contract.getDeclaredMethods())
                    .filter(method -> method.getName().equals(test.substring(dot + 1))).findFirst()
                    .map(method -> DiscoverySelectors.selectMethod(contract, method));
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        test.getSource().filter(MethodSource.class::isInstance).map(MethodSource.class::cast).ifPresent(source -> {
            boolean passed = result.getStatus() == TestExecutionResult.Status.SUCCESSFUL;
            // a container counts only if it failed before it ran tests
            if (test.isTest() || !passed) {
                add(source, new Result(test.getDisplayName(), result.getStatus(), result.getThrowable().orElse(null)));
            }
            if (!passed && stopAtFailure) {
                cancellation.cancel();
            }
        });
    }

    private void add(MethodSource source, Result result) {
        String contract = source.getClassName().substring(source.getClassName().lastIndexOf('.') + 1);
        synchronized (results) {
            results.computeIfAbsent(contract + "." + source.getMethodName(), key -> new ArrayList<>()).add(result);
        }
    }
}
