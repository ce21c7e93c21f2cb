/**
 * The contract of the socket channels, selectors and socket adaptors of {@code java.nio.channels}, as tests. The
 * Javadoc of the JDK specifies it; where the Javadoc says nothing, the JDK's own provider shows what programs expect.
 *
 * <p>
 * An abstract class {@code ...Contract} has the tests of one subject. The classes {@code Jdk...Test} run them on the
 * JDK's provider, one nested class for each contract. For another provider, add a constant to {@link ProviderUnderTest}
 * and classes like {@code Jdk...Test}. A nested class that overrides a test, without {@code @Test}, states a deviation
 * of that provider.
 */
package io.jverbs.soft.nio.contract;
