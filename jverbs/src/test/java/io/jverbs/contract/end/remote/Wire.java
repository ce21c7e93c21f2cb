package io.jverbs.contract.end.remote;

import io.jverbs.Gid;
import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidObjectException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;

/**
 * The encoding of commands and results: Java serialization. Value types of the API that are not serializable are
 * replaced by serializable forms.
 */
final class Wire {

    /** Accepts only classes of the suite, of the API and of the basic packages of the JDK. */
    private static final ObjectInputFilter FILTER = ObjectInputFilter.Config
            .createFilter("io.jverbs.**;java.lang.*;java.net.*;java.util.*;!*");

    private Wire() {}

    /** A command; {@code id} identifies its reply. */
    record Request(long id, String command, Object[] arguments) implements Serializable {}

    /** A result or a failure. */
    record Reply(long id, Object value, RuntimeException failure) implements Serializable {}

    private record GidForm(long high, long low) implements Serializable {
        private Object readResolve() {
            return Gid.of(high, low);
        }
    }

    private record RecordForm(Class<?> type, Object[] values) implements Serializable {

        static RecordForm of(Record value) {
            return new RecordForm(value.getClass(), Arrays.stream(value.getClass().getRecordComponents())
                    .map(component -> get(component, value)).toArray());
        }

        private static Object get(RecordComponent component, Record value) {
            try {
                return component.getAccessor().invoke(value);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }

        private Object readResolve() throws InvalidObjectException {
            Class<?>[] types = Arrays.stream(type.getRecordComponents()).map(RecordComponent::getType)
                    .toArray(Class<?>[]::new);
            try {
                return type.getConstructor(types).newInstance(values);
            } catch (ReflectiveOperationException e) {
                InvalidObjectException failure = new InvalidObjectException("cannot make a " + type.getName());
                failure.initCause(e);
                throw failure;
            }
        }
    }

    static final class Output extends ObjectOutputStream {

        Output(OutputStream out) throws IOException {
            super(out);
            enableReplaceObject(true);
        }

        @Override
        protected Object replaceObject(Object object) {
            return switch (object) {
                case Gid gid -> new GidForm(gid.high(), gid.low());
                case Record value when !(value instanceof Serializable) -> RecordForm.of(value);
                case null, default -> object;
            };
        }

        /** Sends one message without references to earlier ones. */
        synchronized void send(Object message) throws IOException {
            reset();
            writeObject(message);
            flush();
        }
    }

    static final class Input extends ObjectInputStream {

        Input(InputStream in) throws IOException {
            super(in);
            setObjectInputFilter(FILTER);
        }
    }
}
