/**
 * The memory model and the races of the software device as jcstress outcomes: each test states what two threads may see, and
 * anything else fails {@code mvn verify}.
 *
 * <p>
 * The build runs every test for a second. For longer, or for some of them:
 *
 * <pre>
 * mvn -pl softdevice -am verify -Dmaven.test.skip.exec -Djcstress.mode=tough -Djcstress.tests=Notification
 * </pre>
 *
 * {@code -Dmaven.test.skip.exec} leaves out the JUnit tests; modes are quick (the default, a minute in all), default (3 minutes),
 * tough (45 minutes) and stress (9 hours). The report is {@code target/jcstress/report/index.html}.
 */
package io.jverbs.soft.jcstress;
