package io.jverbs.testing;

import io.jverbs.RdmaContext;
import io.jverbs.control.SimulatedNetwork;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.DynamicTestInvocationContext;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.platform.commons.support.AnnotationSupport;
import org.opentest4j.TestAbortedException;

/**
 * The JUnit Jupiter extension of {@link SimulatedRdma}. It creates the network of a test, provides it to the methods of
 * the test, closes it after the test, and describes it if the test fails.
 */
public final class SimulatedRdmaExtension
        implements
            BeforeEachCallback,
            AfterEachCallback,
            ParameterResolver,
            InvocationInterceptor,
            LifecycleMethodExecutionExceptionHandler,
            TestExecutionExceptionHandler {
    private static final ExtensionContext.Namespace STORE = ExtensionContext.Namespace
            .create(SimulatedRdmaExtension.class);

    /** Creates the extension; called by JUnit. */
    public SimulatedRdmaExtension() {
        // the state of each test is in its extension context's store
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        String test = context.getRequiredTestClass().getName() + "#" + context.getRequiredTestMethod().getName();
        context.getStore(STORE).put(TestNetwork.class, TestNetwork.open(annotation(context), test));
    }

    /** Returns the annotation of the method, of its class, or of the nearest enclosing class. */
    private static SimulatedRdma annotation(ExtensionContext context) {
        return AnnotationSupport.findAnnotation(context.getElement(), SimulatedRdma.class)
                .or(() -> context.getParent().map(SimulatedRdmaExtension::annotation))
                .orElseThrow(() -> new ExtensionConfigurationException(
                        "neither the test method, nor its class, nor an enclosing class has @SimulatedRdma"));
    }

    @Override
    public void afterEach(ExtensionContext context) {
        TestNetwork network = network(context);
        if (network == null) {
            return;
        }
        // covers failures in other extensions, which no handler below sees
        context.getExecutionException().ifPresent(failure -> report(context, failure));
        try {
            network.close();
        } catch (RuntimeException e) {
            report(context, e);
            throw e;
        }
    }

    private static TestNetwork network(ExtensionContext context) {
        return context.getStore(STORE).get(TestNetwork.class, TestNetwork.class);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return context.getTestMethod().isPresent()
                && (type == SimulatedNetwork.class || type == RdmaContext.class || type == RdmaContext[].class);
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        TestNetwork network = network(context);
        if (network == null) {
            throw new ParameterResolutionException("the simulated network exists only for test methods, @BeforeEach and"
                    + " @AfterEach methods");
        }
        Class<?> type = parameter.getParameter().getType();
        if (type == SimulatedNetwork.class) {
            return network.network();
        }
        if (type == RdmaContext[].class) {
            return network.contexts();
        }
        int before = 0;
        for (Parameter each : parameter.getDeclaringExecutable().getParameters()) {
            if (each.equals(parameter.getParameter())) {
                break;
            }
            before += each.getType() == RdmaContext.class ? 1 : 0;
        }
        if (before >= network.contexts().length) {
            throw new ParameterResolutionException(
                    "this parameter is RdmaContext " + (before + 1) + ", but @SimulatedRdma has devices = "
                            + network.contexts().length + ": set devices to " + (before + 1) + " or more");
        }
        return network.contexts()[before];
    }

    @Override
    public void handleBeforeEachMethodExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        report(context, failure);
        throw failure;
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        report(context, failure);
        throw failure;
    }

    @Override
    public void handleAfterEachMethodExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        report(context, failure);
        throw failure;
    }

    /** Reports the failure of each dynamic test. The dynamic tests of a factory share its network. */
    @Override
    public void interceptDynamicTest(Invocation<Void> invocation, DynamicTestInvocationContext dynamicTest,
            ExtensionContext context) throws Throwable {
        try {
            invocation.proceed();
        } catch (Throwable failure) {
            report(context, failure);
            throw failure;
        }
    }

    /** Adds the description of the network to a failure, at most once for each test. */
    private static void report(ExtensionContext context, Throwable failure) {
        TestNetwork network = network(context);
        boolean reported = context.getExecutionException().filter(SimulatedRdmaExtension::isReported).isPresent();
        if (network != null && !reported && !(failure instanceof TestAbortedException)) {
            Replay replay = network.replay();
            failure.addSuppressed(replay);
            System.err.println(replay.getMessage());
        }
    }

    private static boolean isReported(Throwable failure) {
        return Arrays.stream(failure.getSuppressed()).anyMatch(Replay.class::isInstance);
    }
}
