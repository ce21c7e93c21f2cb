package io.jverbs.strict;

import io.jverbs.RdmaContext;
import java.util.Set;

/** Where in a program a call comes from. */
final class Places {
    private static final StackWalker WALKER = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);
    /** What is between a program and strict mode. */
    private static final Set<String> OURS = Set.of(RdmaContext.class.getPackageName(), Places.class.getPackageName());

    private Places() {}

    /** The first frame outside jverbs, null if there is none. */
    static StackTraceElement caller() {
        return WALKER.walk(frames -> frames.filter(frame -> !isOurs(frame)).findFirst()
                .map(StackWalker.StackFrame::toStackTraceElement).orElse(null));
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
