package io.jverbs;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds service providers with the context class loader of the calling thread and with the class loader of this
 * library. Providers that cannot be loaded are logged and ignored.
 */
final class Services {
    private static final Logger LOG = LoggerFactory.getLogger(Verbs.class);
    /** A limit for loaders that fail on each call and would never end the iteration. */
    private static final int MAX_FAILURES = 100;

    private Services() {}

    /**
     * Passes each provider of a service to a consumer, those of the context class loader first. A provider that both
     * class loaders find is passed twice.
     *
     * @param found the consumer; it may throw {@link ServiceConfigurationError} when it creates the provider
     */
    static <S> void find(Class<S> type, Consumer<ServiceLoader.Provider<S>> found) {
        Set<ClassLoader> loaders = new LinkedHashSet<>();
        loaders.add(Thread.currentThread().getContextClassLoader());
        loaders.add(Verbs.class.getClassLoader());
        for (ClassLoader loader : loaders) {
            Iterator<ServiceLoader.Provider<S>> services = ServiceLoader.load(type, loader).stream().iterator();
            int failures = 0;
            boolean more = true;
            while (more && failures < MAX_FAILURES) {
                try {
                    more = services.hasNext();
                    if (more) {
                        found.accept(services.next());
                    }
                } catch (ServiceConfigurationError | LinkageError e) {
                    failures++;
                    LOG.warn("Ignoring a {} that cannot be loaded: {}", type.getSimpleName(), e.toString());
                }
            }
        }
    }

    /** Creates a provider and adds it, unless one of its class is in the list already. */
    static <S> void add(ServiceLoader.Provider<S> candidate, List<S> all) {
        if (all.stream().noneMatch(known -> known.getClass() == candidate.type())) {
            all.add(candidate.get());
        }
    }
}
