package io.jverbs.soft.planted;

import io.jverbs.injection.ProjectLoader;
import java.io.IOException;
import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;

/**
 * Defines the classes of the project, some of them changed. The contract suite finds one fixture in this loader,
 * whatever the class path declares.
 */
final class IsolatedLoader extends ProjectLoader {
    private static final String FIXTURES = "jverbs-contract.properties";
    private static final String FIXTURE_SERVICES = "META-INF/services/io.jverbs.contract.fixture.ContractFixture";

    static {
        registerAsParallelCapable();
    }

    /** @param changed the changed class files, by class name */
    IsolatedLoader(Map<String, byte[]> changed) {
        super(changed);
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
        if (name.equals(FIXTURES)) {
            return Collections.enumeration(List.of(IsolatedLoader.class.getResource("fixture.properties")));
        }
        return name.equals(FIXTURE_SERVICES) ? Collections.emptyEnumeration() : super.getResources(name);
    }
}
