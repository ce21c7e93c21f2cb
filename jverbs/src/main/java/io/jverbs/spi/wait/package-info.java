/** How threads of a program wait for events of a device. Programs that only use verbs do not need this package. */
package io.jverbs.spi.wait;
