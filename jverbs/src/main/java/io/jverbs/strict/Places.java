package io.jverbs.strict;

import io.jverbs.RdmaContext;
import java.util.Iterator;
import java.util.Set;
import java.util.stream.Stream;

/** Where in a program a call comes from. */
final class Places {
    private static final StackWalker WALKER = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);
    /** What is between a program and strict mode. */
    private static final Set<String> OURS = Set.of(RdmaContext.class.getPackageName(), Places.class.getPackageName());

    private Places() {}

    /**
     * The first frame outside jverbs, and outside the JDK if there is one: with a method reference, {@code all.forEach(QueuePair::close)},
     * the JDK is between. Null if there is none.
     */
    static StackTraceElement caller() {
        return WALKER.walk(Places::caller);
    }

    private static StackTraceElement caller(Stream<StackWalker.StackFrame> frames) {
        StackWalker.StackFrame first = null;
        Iterator<StackWalker.StackFrame> outside = frames.filter(frame -> !isOurs(frame)).iterator();
        while (outside.hasNext()) {
            StackWalker.StackFrame frame = outside.next();
            if (!isOfJdk(frame)) {
                return frame.toStackTraceElement();
            }
            first = first == null ? frame : first;
        }
        return first == null ? null : first.toStackTraceElement();
    }

    private static boolean isOfJdk(StackWalker.StackFrame frame) {
        String module = frame.getDeclaringClass().getModule().getName();
        return module != null && (module.startsWith("java.") || module.startsWith("jdk."));
    }

    private static boolean isOurs(StackWalker.StackFrame frame) {
        Class<?> type = frame.getDeclaringClass();
        return type.getModule() == RdmaContext.class.getModule() && OURS.contains(type.getPackageName());
    }

    /** Whether this happens because a context closes. */
    static boolean isContextClosing() {
        return WALKER.walk(frames -> frames.takeWhile(Places::isOurs).anyMatch(
                frame -> frame.getDeclaringClass() == RdmaContext.class && frame.getMethodName().equals("close")));
    }
}
