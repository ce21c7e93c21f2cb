package io.jverbs.samples.applications;

import static org.junit.platform.engine.discovery.ClassNameFilter.excludeClassNamePatterns;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectPackage;

import java.util.concurrent.TimeUnit;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs the tests of stream sockets of Netty's transport test suite, and prints for each its result, how many
 * connections it has established by RDMA, and its time.
 */
final class NettySuiteProgram {
    private static final String PACKAGE = "io.netty.testsuite.transport.socket";
    private static final String TEST_TIMEOUT = "40 s";

    private NettySuiteProgram() {}

    public static void main(String[] args) throws Exception {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request().selectors(selectPackage(PACKAGE))
                .filters(excludeClassNamePatterns(".*\\.Datagram.*"))
                .configurationParameter("junit.jupiter.execution.timeout.testable.method.default", TEST_TIMEOUT)
                .build();
        RdmaTraffic traffic = RdmaTraffic.ofSelectedDevice();
        try (SilentAddress address = SilentAddress.open(args[0])) {
            System.setProperty("io.netty.testsuite.badHost", address.host());
            System.setProperty("io.netty.testsuite.badPort", Integer.toString(address.port()));
            LauncherFactory.create().execute(request, new Printing(traffic));
        }
        traffic.print();
        System.out.flush();
        // threads of Netty's tests are left
        System.exit(0);
    }

    private static final class Printing implements TestExecutionListener {
        private final RdmaTraffic traffic;
        private long connections;
        private long start;

        Printing(RdmaTraffic traffic) {
            this.traffic = traffic;
        }

        private static void print(TestIdentifier test, String words) {
            test.getSource().filter(MethodSource.class::isInstance).map(MethodSource.class::cast)
                    .ifPresent(method -> System.out.println(method.getClassName().substring(PACKAGE.length() + 1) + "."
                            + method.getMethodName() + " " + words.lines().findFirst().orElse("")));
        }

        @Override
        public void executionStarted(TestIdentifier test) {
            if (test.isTest()) {
                connections = traffic.connections();
                start = System.nanoTime();
            }
        }

        @Override
        public void executionSkipped(TestIdentifier test, String reason) {
            print(test, "skipped " + reason);
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (test.isTest()) {
                String millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start) + " ms ";
                print(test, switch (result.getStatus()) {
                    case SUCCESSFUL -> "passed ";
                    case ABORTED -> "skipped ";
                    case FAILED -> "failed ";
                } + (traffic.connections() - connections) + " connections " + millis
                        + result.getThrowable().map(Throwable::toString).orElse(""));
            }
        }
    }
}
