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

/** Makes the network of a test, hands it to the test's methods, closes it, and tells of it when the test fails; see {@link SimulatedRdma}. */
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

    /** For JUnit. */
    public SimulatedRdmaExtension() {
        // what belongs to a test is in its store
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        String test = context.getRequiredTestClass().getName() + "#" + context.getRequiredTestMethod().getName();
        context.getStore(STORE).put(TestNetwork.class, TestNetwork.open(annotation(context), test));
    }

    /** That of the method, its class, or the nearest class that this is nested in. */
    private static SimulatedRdma annotation(ExtensionContext context) {
        return AnnotationSupport.findAnnotation(context.getElement(), SimulatedRdma.class)
                .or(() -> context.getParent().map(SimulatedRdmaExtension::annotation))
                .orElseThrow(() -> new ExtensionConfigurationException(
                        "neither the test nor its class, nor one around it, has @SimulatedRdma"));
    }

    @Override
    public void afterEach(ExtensionContext context) {
        TestNetwork network = network(context);
        if (network == null) {
            return;
        }
        // what failed in other extensions comes by no other way
        context.getExecutionException().ifPresent(failure -> tell(context, failure));
        try {
            network.close();
        } catch (RuntimeException e) {
            tell(context, e);
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
            throw new ParameterResolutionException("the network is there for methods around each test only");
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
                    "this is RdmaContext " + (before + 1) + ", but @SimulatedRdma has devices = "
                            + network.contexts().length);
        }
        return network.contexts()[before];
    }

    @Override
    public void handleBeforeEachMethodExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        tell(context, failure);
        throw failure;
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        tell(context, failure);
        throw failure;
    }

    @Override
    public void handleAfterEachMethodExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        tell(context, failure);
        throw failure;
    }

    /** The tests that a factory makes share its network, and fail one by one. */
    @Override
    public void interceptDynamicTest(Invocation<Void> invocation, DynamicTestInvocationContext made,
            ExtensionContext context) throws Throwable {
        try {
            invocation.proceed();
        } catch (Throwable failure) {
            tell(context, failure);
            throw failure;
        }
    }

    /** Tells of the network beside a failure, once for each test. */
    private static void tell(ExtensionContext context, Throwable failure) {
        TestNetwork network = network(context);
        boolean told = context.getExecutionException().filter(SimulatedRdmaExtension::isTold).isPresent();
        if (network != null && !told && !(failure instanceof TestAbortedException)) {
            Replay replay = network.replay();
            failure.addSuppressed(replay);
            System.err.println(replay.getMessage());
        }
    }

    private static boolean isTold(Throwable failure) {
        return Arrays.stream(failure.getSuppressed()).anyMatch(Replay.class::isInstance);
    }
}
