package io.jverbs.strict;

import io.jverbs.RdmaContext;
import io.jverbs.cm.CmId;
import io.jverbs.endpoint.Endpoint;
import io.jverbs.spi.ForwardingCmChannel;
import java.util.Iterator;
import java.util.Set;
import java.util.stream.Stream;

/** Finds the frame of the program that makes a call. Stateless. */
final class CallSites {
    private static final StackWalker WALKER = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);
    /** The packages whose frames lie between a program and strict mode. */
    private static final Set<String> OURS = Set.of(RdmaContext.class.getPackageName(),
            CmId.class.getPackageName(), Endpoint.class.getPackageName(), ForwardingCmChannel.class.getPackageName(),
            CallSites.class.getPackageName());

    private CallSites() {}

    /**
     * The first frame outside jverbs and the JDK; or else the first one outside jverbs; null if there is none. JDK
     * frames are skipped because of calls such as {@code all.forEach(QueuePair::close)}.
     */
    static StackTraceElement caller() {
        return WALKER.walk(CallSites::caller);
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

    /** Whether the current call is made by {@link RdmaContext#close}. */
    static boolean isContextClosing() {
        return WALKER.walk(frames -> frames.takeWhile(CallSites::isOurs).anyMatch(
                frame -> frame.getDeclaringClass() == RdmaContext.class && frame.getMethodName().equals("close")));
    }
}
