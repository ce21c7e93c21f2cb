package io.jverbs.nio;

import java.nio.channels.spi.SelectorProvider;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.util.List;
import java.util.ServiceConfigurationError;

/**
 * Finds the provider of the JDK, also if the system property {@code java.nio.channels.spi.SelectorProvider} names
 * another one: no method of the JDK returns it then. Stateless.
 */
final class JdkProvider {
    private static final String PACKAGE = "sun.nio.ch.";
    /** The providers of Linux, macOS, Windows and other systems: public classes with public constructors. */
    private static final List<String> NAMES = List.of("EPollSelectorProvider", "KQueueSelectorProvider",
            "WEPollSelectorProvider", "PollSelectorProvider", "WindowsSelectorProvider");

    private JdkProvider() {}

    /**
     * Returns the provider. Not for the constructor of a provider, which the JDK calls while it looks for one.
     *
     * @throws ServiceConfigurationError if it is not found
     */
    static SelectorProvider find() {
        SelectorProvider installed = SelectorProvider.provider();
        return installed instanceof RdmaSelectorProvider ? create() : installed;
    }

    private static SelectorProvider create() {
        for (String name : NAMES) {
            if (exists(PACKAGE + name)) {
                return create(PACKAGE + name);
            }
        }
        throw new ServiceConfigurationError("the JDK has none of the selector providers " + NAMES + " in " + PACKAGE
                + ": set the system property java.nio.channels.spi.SelectorProvider only for a JDK based on OpenJDK");
    }

    private static boolean exists(String name) {
        try {
            Class.forName(name, false, null);
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /**
     * Creates an object of a class that only java.base sees. {@link Provider.Service} does that for the class of any
     * algorithm, and needs no option of the command line.
     */
    private static SelectorProvider create(String name) {
        try {
            return (SelectorProvider) new Classes().service(name).newInstance(null);
        } catch (NoSuchAlgorithmException | ClassCastException e) {
            throw new ServiceConfigurationError("the JDK's selector provider " + name + " cannot be created", e);
        }
    }

    /** A security provider that is never registered. */
    private static final class Classes extends Provider {
        private static final long serialVersionUID = 1L;
        private static final String TYPE = "SelectorProvider";

        Classes() {
            super("jverbs", "1", "creates the selector provider of the JDK");
        }

        Service service(String className) {
            putService(new Service(this, TYPE, className, className, List.of(), null));
            return getService(TYPE, className);
        }
    }
}
