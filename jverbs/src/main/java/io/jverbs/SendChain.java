package io.jverbs;

/** Checks that the objects which a chain of send requests names are open and belong to the context that posts. */
final class SendChain {
    private static final int BIND_MW = WrOpcode.BIND_MW.code();

    private SendChain() {}

    /**
     * Returns whether the objects that the requests of the chain name belong to a context. Throws IllegalStateException
     * if one of them is closed. Checks at most limit requests. See {@link SendWorkRequest#check}, which checks plain
     * requests itself.
     */
    static boolean check(SendWorkRequest head, RdmaContext context, int limit) {
        SendWorkRequest request = head;
        for (int i = 0; request != null && i < limit; i++, request = request.next()) {
            if (!request.elements.check(context) || !check(request.addressHandle(), context)
                    || request.rawOpcode() == BIND_MW && !checkBind(request, context)) {
                return false;
            }
        }
        return true;
    }

    private static boolean checkBind(SendWorkRequest request, RdmaContext context) {
        return check(request.memoryWindow(), context) && check(request.bindRegion(), context);
    }

    private static boolean check(Resource named, RdmaContext context) {
        if (named == null) {
            return true;
        }
        if (named.context() != context) {
            return false;
        }
        named.checkOpen();
        return true;
    }
}
