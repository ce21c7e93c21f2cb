package io.jverbs.injection;

import java.util.Map;

/** Defines the classes of the project, some of them instrumented, but not {@link ErrorInjector}. */
final class InstrumentedLoader extends ProjectLoader {

    static {
        registerAsParallelCapable();
    }

    /** @param instrumented the instrumented class files by class name */
    InstrumentedLoader(Map<String, byte[]> instrumented) {
        super(instrumented);
    }

    @Override
    protected boolean defines(String name) {
        return super.defines(name) && !name.startsWith(ErrorInjector.class.getName());
    }
}
