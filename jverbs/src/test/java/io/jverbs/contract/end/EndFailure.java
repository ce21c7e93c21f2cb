package io.jverbs.contract.end;

/** Any other exception of an end, by value: the name of its class and its message. */
public final class EndFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String exceptionClass;

    public EndFailure(String exceptionClass, String message) {
        super(exceptionClass + ": " + message);
        this.exceptionClass = exceptionClass;
    }

    /** Fully qualified name, for instance {@code java.lang.IllegalStateException}. */
    public String exceptionClass() {
        return exceptionClass;
    }

    public boolean is(Class<? extends Throwable> type) {
        return exceptionClass.equals(type.getName());
    }
}
