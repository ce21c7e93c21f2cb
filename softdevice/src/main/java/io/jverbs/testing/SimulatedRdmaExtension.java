package io.jverbs.testing;

import io.jverbs.RdmaContext;
import io.jverbs.control.SimulatedNetwork;
import java.lang.reflect.Parameter;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
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
            TestExecutionExceptionHandler {
    private static final ExtensionContext.Namespace STORE = ExtensionContext.Namespace
            .create(SimulatedRdmaExtension.class);

    /** For JUnit. */
    public SimulatedRdmaExtension() {
        // what belongs to a test is in its store
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        TestNetwork network = TestNetwork.open(annotation(context));
        context.getStore(STORE).put(TestNetwork.class, network);
    }

    private static SimulatedRdma annotation(ExtensionContext context) {
        return AnnotationSupport.findAnnotation(context.getRequiredTestMethod(), SimulatedRdma.class)
                .or(() -> AnnotationSupport.findAnnotation(context.getRequiredTestClass(), SimulatedRdma.class))
                .orElseThrow(() -> new ExtensionConfigurationException(
                        "neither the test nor its class has @SimulatedRdma"));
    }

    @Override
    public void afterEach(ExtensionContext context) {
        TestNetwork network = context.getStore(STORE).remove(TestNetwork.class, TestNetwork.class);
        if (network != null) {
            network.close();
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return context.getTestMethod().isPresent()
                && (type == SimulatedNetwork.class || type == RdmaContext.class || type == RdmaContext[].class);
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        TestNetwork network = context.getStore(STORE).get(TestNetwork.class, TestNetwork.class);
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
    public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        TestNetwork network = context.getStore(STORE).get(TestNetwork.class, TestNetwork.class);
        if (network != null && !(failure instanceof TestAbortedException)) {
            String test = context.getRequiredTestClass().getName() + "#" + context.getRequiredTestMethod().getName();
            Replay replay = network.replay(test);
            failure.addSuppressed(replay);
            System.err.println(replay.getMessage());
        }
        throw failure;
    }
}
