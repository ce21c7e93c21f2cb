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

/** Finds services of the class loader of the calling thread and of this library's own; one that is broken is passed over. */
final class Services {
    private static final Logger LOG = LoggerFactory.getLogger(Verbs.class);
    /** A class loader may fail whenever it is asked. */
    private static final int MOST_FAILURES = 100;

    private Services() {}

    /**
     * Has each service looked at, those of the calling thread's class loader first; one that both loaders know is found twice.
     *
     * @param found may throw {@link ServiceConfigurationError} when it makes the service
     */
    static <S> void find(Class<S> type, Consumer<ServiceLoader.Provider<S>> found) {
        Set<ClassLoader> loaders = new LinkedHashSet<>();
        loaders.add(Thread.currentThread().getContextClassLoader());
        loaders.add(Verbs.class.getClassLoader());
        for (ClassLoader loader : loaders) {
            Iterator<ServiceLoader.Provider<S>> services = ServiceLoader.load(type, loader).stream().iterator();
            int failures = 0;
            boolean more = true;
            while (more && failures < MOST_FAILURES) {
                try {
                    more = services.hasNext();
                    if (more) {
                        found.accept(services.next());
                    }
                } catch (ServiceConfigurationError | LinkageError e) {
                    failures++;
                    LOG.warn("Ignoring a {}: {}", type.getSimpleName(), e.toString());
                }
            }
        }
    }

    /** One of each class that there is. */
    static <S> void add(ServiceLoader.Provider<S> candidate, List<S> all) {
        if (all.stream().noneMatch(known -> known.getClass() == candidate.type())) {
            all.add(candidate.get());
        }
    }
}
