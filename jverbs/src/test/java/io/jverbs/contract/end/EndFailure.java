package io.jverbs.contract.end;

/** Any exception of an end other than {@code VerbsException}, by value: the name of its class, and its message. */
public final class EndFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String exceptionClass;

    public EndFailure(String exceptionClass, String message) {
        super(exceptionClass + ": " + message);
        this.exceptionClass = exceptionClass;
    }

    /** Returns the fully qualified class name, for example {@code java.lang.IllegalStateException}. */
    public String exceptionClass() {
        return exceptionClass;
    }

    public boolean is(Class<? extends Throwable> type) {
        return exceptionClass.equals(type.getName());
    }
}
