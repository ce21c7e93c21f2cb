package io.jverbs.soft.nulls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.rsocket.RdmaStreamException;
import io.jverbs.rsocket.RdmaStreamException.Reason;
import io.jverbs.spi.ContextOps;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Calls each public method and constructor of the public packages with null for each of its arguments in turn, and
 * expects a NullPointerException that names the argument, and no change of the object.
 */
final class NullArgumentsTest {
    private static final Path API = Path.of("../jverbs/src/main/java/io/jverbs");
    private static final List<Path> PACKAGES = List.of(API, API.resolve("cm"), API.resolve("control"),
            API.resolve("endpoint"), API.resolve("fault"), API.resolve("nio"), API.resolve("rsocket"),
            API.resolve("rsocket").resolve("datagram"),
            API.resolve("strict"), API.resolve("spi"), Path.of("src/main/java/io/jverbs/testing"));
    /** The minimum number of calls; fewer mean that the sources were not found. */
    private static final int MIN_CALLS = 150;

    /** Types whose methods are not called, because their caller checks the arguments. */
    private static final Map<String, String> NOT_CALLED = Map.ofEntries(
            Map.entry("io.jverbs.control.CmMessageFaults$Filter", "a device calls it"),
            Map.entry("io.jverbs.endpoint.MessageHandler", "an endpoint calls it"),
            Map.entry("io.jverbs.spi.CmChannelOps", "the API calls it"),
            Map.entry("io.jverbs.spi.CmEventData", "a device creates it"),
            Map.entry("io.jverbs.spi.CmIdOps", "the API calls it"),
            Map.entry("io.jverbs.spi.CmParameters", "the API creates it"),
            Map.entry("io.jverbs.spi.ContextOps", "the API calls it"),
            Map.entry("io.jverbs.spi.DataPath", "the API calls it"),
            Map.entry("io.jverbs.spi.EventCounter", "the API calls it"),
            Map.entry("io.jverbs.spi.ForwardingCmChannel", "the API calls it"),
            Map.entry("io.jverbs.spi.ForwardingContext", "the API calls it"),
            Map.entry("io.jverbs.spi.Handle", "the API calls it"),
            Map.entry("io.jverbs.spi.DeviceLayer", "the API calls it"),
            Map.entry("io.jverbs.spi.ProviderDevice", "the API calls it"),
            Map.entry("io.jverbs.spi.VerbsProvider", "the API calls it"),
            Map.entry("io.jverbs.testing.SimulatedRdmaExtension", "JUnit calls it"));

    /** The parameters for which null is permitted, and its meaning. */
    private static final Map<String, String> ALLOWED = Map.ofEntries(
            Map.entry("AddressInfo.new(passive, portSpace, qpType, source, destination) source", "any local address"),
            Map.entry("AddressInfo.passive(node, port, portSpace) node", "the wildcard address"),
            Map.entry("AddressInfo.passive(node, port, portSpace, family) node", "the wildcard address"),
            Map.entry("AddressInfo.passive(node, service, portSpace) node", "the wildcard address"),
            Map.entry("CmId.joinMulticast(group, sendOnly, context) context", "no context"),
            Map.entry("CmId.resolveAddress(source, destination, timeout) source", "any local address"),
            Map.entry("CmId.userContext(context) context", "no user context"),
            Map.entry("RdmaStream.beginConnect(context, source, address, options) source", "any local address"),
            Map.entry("RdmaStream.connect(context, source, address, options) source", "any local address"),
            Map.entry("SynchronousCmId.resolveAddress(source, destination, timeout) source", "any local address"),
            Map.entry("CqInitAttributes.withChannel(events) events", "a queue that is only polled"),
            Map.entry("CqInitAttributes.withUserContext(context) context", "no user context"),
            Map.entry("CqInitAttributes.new(cqe, channel, completionVector, userContext) channel",
                    "a queue that is only polled"),
            Map.entry("CqInitAttributes.new(cqe, channel, completionVector, userContext) userContext",
                    "no user context"),
            Map.entry("SrqInitAttributes.withUserContext(context) context", "no user context"),
            Map.entry("SrqInitAttributes.new(maxWr, maxSge, limit, userContext) userContext", "no user context"),
            Map.entry("QpInitAttributes.Builder.srq(queue) queue", "a receive queue of its own"),
            Map.entry("QpInitAttributes.Builder.userContext(context) context", "no user context"),
            Map.entry("MwBind.new(region, address, length, access) region", "an unbind"),
            Map.entry("SendWorkRequest.next(next) next", "the end of the chain"),
            Map.entry("SendWorkRequest.destination(handle, remoteQpn, remoteQkey) handle", "no path"),
            Map.entry("ReceiveWorkRequest.next(next) next", "the end of the chain"),
            Map.entry("StrictMode.OpenObject.new(what, place) place", "no frame of the program"),
            Map.entry("Violation.new(kind, explanation, place, remedy) place", "no frame of the program"));

    /** No text is the name of a service on each host. */
    private static final String A_SERVICE = "7471";
    private static final String ACCEPTED = "is accepted";

    private final List<String> errors = new ArrayList<>();
    private final Set<String> allowed = new HashSet<>();
    private int calls;

    @Test
    void everyNullArgumentIsRejectedByNameUnlessNullIsPermitted() throws IOException, ReflectiveOperationException {
        ParameterNames names = ParameterNames.of(PACKAGES);
        try (ValidArguments valid = new ValidArguments("soft:sim0?seed=1&network=nulls")) {
            for (String name : names.types()) {
                Class<?> type = Class.forName(name);
                if (isPublic(type) && !isLeftOut(type.getName())) {
                    for (Executable each : executables(type)) {
                        callWithNulls(valid, each, names.of(each));
                    }
                }
            }
        }

        assertEquals("", String.join("\n", errors), () -> errors.size() + " of " + calls + " calls");
        assertEquals(ALLOWED.keySet(), allowed, "parameters that accept null and are listed in ALLOWED");
        assertTrue(calls >= MIN_CALLS, () -> "only " + calls + " calls, expected at least " + MIN_CALLS);
    }

    /** Returns whether a type, or the one that contains it, is not called. */
    private static boolean isLeftOut(String type) {
        return NOT_CALLED.containsKey(type) || NOT_CALLED.containsKey(type.replaceAll("\\$.*", ""));
    }

    private static boolean isPublic(Class<?> type) {
        return Modifier.isPublic(type.getModifiers())
                && (type.getDeclaringClass() == null || isPublic(type.getDeclaringClass()));
    }

    /**
     * Returns the constructors and methods with reference parameters, except those that the compiler generates, those
     * that {@code Object} and enums declare, and those that only the API calls.
     */
    private static List<Executable> executables(Class<?> type) {
        Stream<? extends Executable> constructors = Arrays.stream(type.getDeclaredConstructors());
        Stream<? extends Executable> methods = Arrays.stream(type.getDeclaredMethods())
                .filter(each -> !each.isSynthetic() && !each.getName().equals("equals")
                        && !(type.isEnum() && each.getName().equals("valueOf")));
        return Stream.<Executable>concat(constructors, methods)
                .filter(each -> Modifier.isPublic(each.getModifiers())
                        && !Arrays.asList(each.getParameterTypes()).contains(ContextOps.class)
                        && !Arrays.stream(each.getParameterTypes()).allMatch(Class::isPrimitive))
                .sorted((one, other) -> one.toString().compareTo(other.toString())).toList();
    }

    private void callWithNulls(ValidArguments valid, Executable executable, List<String> names)
            throws ReflectiveOperationException {
        Class<?>[] types = executable.getParameterTypes();
        Class<?> owner = executable.getDeclaringClass();
        Object on = executable instanceof Constructor<?> || Modifier.isStatic(executable.getModifiers())
                ? null
                : valid.of(owner);
        for (int i = 0; i < types.length; i++) {
            if (!types[i].isPrimitive()) {
                Object[] arguments = new Object[types.length];
                for (int other = 0; other < types.length; other++) {
                    arguments[other] = other == i
                            ? null
                            : names.get(other).equals("service") ? A_SERVICE : valid.of(types[other]);
                }
                String call = owner.getName().replaceAll(".*\\.", "").replace('$', '.') + "."
                        + (executable instanceof Constructor<?> ? "new" : executable.getName()) + names;
                call(executable, on, arguments, names.get(i), call.replace("[", "(").replace("]", ")"));
            }
        }
    }

    /** Whether a method is the setter of an attribute of a builder: its exception names the attribute. */
    private static boolean isSetter(Executable executable, String attribute) {
        return executable.getDeclaringClass().getSimpleName().equals("Builder")
                && executable.getName().equals(attribute);
    }

    private void call(Executable executable, Object on, Object[] arguments, String name, String call)
            throws ReflectiveOperationException {
        calls++;
        String before = String.valueOf(on);
        String outcome;
        try {
            if (executable instanceof Constructor<?> constructor) {
                constructor.newInstance(arguments);
            } else {
                ((Method) executable).invoke(on, arguments);
            }
            outcome = ACCEPTED;
        } catch (InvocationTargetException e) {
            outcome = switch (e.getCause()) {
                case NullPointerException refusal when name.equals(refusal.getMessage())
                        || isSetter(executable, refusal.getMessage()) ->
                    "";
                // no host has the address of the valid arguments, which only an attempt to connect finds out
                case RdmaStreamException unreachable when unreachable.reason() == Reason.UNREACHABLE -> ACCEPTED;
                case Throwable other -> "gives " + other;
            };
        }
        String place = call + " " + name;
        if (ALLOWED.containsKey(place) && outcome.equals(ACCEPTED)) {
            allowed.add(place);
        } else if (!outcome.isEmpty()) {
            errors.add(place + " = null " + outcome);
        } else if (!before.equals(String.valueOf(on))) {
            errors.add(place + " = null was refused, but changed " + before + " to " + on);
        }
    }
}
