/**
 * The memory model and the races of the software device as jcstress outcomes: each test states what two threads may see, and
 * anything else fails {@code mvn verify}.
 *
 * <p>
 * The build runs every test once, for a second. For longer runs build once and start jcstress by hand, for instance
 * {@code mvn -pl softdevice -am verify -DskipTests}, then
 * {@code mvn -pl softdevice -am verify -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false -Djcstress.mode=tough} or with
 * {@code -Djcstress.tests=Notification} for some tests only.
 */
package io.jverbs.soft.jcstress;
