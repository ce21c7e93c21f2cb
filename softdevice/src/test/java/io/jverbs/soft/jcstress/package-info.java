/**
 * jcstress tests of the memory model and of races of the software device, and of the buffers of streams. Each test
 * states the results that two threads may observe. Any other result fails a build with the profile {@code full} or
 * {@code nightly}, which runs each test for a second.
 *
 * <p>
 * To run some of the tests, or to run them longer:
 *
 * <pre>
 * mvn -pl softdevice -am verify -Dmaven.test.skip.exec -Djcstress.skip=false -Djcstress.mode=tough \
 *     -Djcstress.tests=Notification
 * </pre>
 *
 * {@code -Dmaven.test.skip.exec} skips the JUnit tests. The modes are quick (the default, a minute in all), default (3
 * minutes), tough (45 minutes) and stress (9 hours). The report is {@code target/jcstress/report/index.html}.
 */
package io.jverbs.soft.jcstress;
