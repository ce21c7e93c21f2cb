package io.jverbs;

/**
 * Rejects objects of another context: a device would take their handles for its own, or crash.
 */
final class ForeignObject {
    private static final String REMEDY = ": create both with the same context";

    private ForeignObject() {}

    /** Throws EINVAL if an argument of an operation belongs to another context; null belongs to every context. */
    static void refuse(String operation, RdmaContext context, String argument, Resource named) {
        String why = explain(context, argument, named);
        if (why != null) {
            throw new VerbsException(operation, Errno.EINVAL, why + REMEDY);
        }
    }

    /** Returns the reason if a chain of send requests names an object of another context; checks at most limit. */
    static String inChain(RdmaContext context, SendWorkRequest head, int limit) {
        SendWorkRequest request = head;
        String why = null;
        for (int i = 0; why == null && request != null && i < limit; i++, request = request.next()) {
            why = explainNamed(context, request);
            why = why == null ? null : inRequest(i, why);
        }
        return why;
    }

    /** Returns the reason if a chain of receive requests names an object of another context; checks at most limit. */
    static String inChain(RdmaContext context, ReceiveWorkRequest head, int limit) {
        ReceiveWorkRequest request = head;
        String why = null;
        for (int i = 0; why == null && request != null && i < limit; i++, request = request.next()) {
            why = explainElements(context, request);
            why = why == null ? null : inRequest(i, why);
        }
        return why;
    }

    private static String inRequest(int index, String why) {
        return "in request " + index + " of the chain, " + why + REMEDY + " (no request was posted)";
    }

    private static String explainNamed(RdmaContext context, SendWorkRequest request) {
        String why = explainElements(context, request);
        why = why == null ? explain(context, "the address handle", request.addressHandle()) : why;
        if (why == null && request.opcode() == WrOpcode.BIND_MW) {
            why = explain(context, "the window", request.memoryWindow());
            why = why == null ? explain(context, "the region to bind", request.bindRegion()) : why;
        }
        return why;
    }

    private static String explainElements(RdmaContext context, WorkRequest request) {
        String why = null;
        for (int i = 0; why == null && i < request.sgeCount(); i++) {
            why = request.elements.named(i) instanceof MemoryRegion region
                    ? explain(context, "the region of element " + i, region)
                    : null;
        }
        return why;
    }

    private static String explain(RdmaContext context, String argument, Resource named) {
        return named == null || named.context() == context
                ? null
                : argument + " belongs to another context, which is open on device " + named.context().device()
                        + "; this context is open on device " + context.device();
    }
}
