/** Unreliable connections over the wire. */
package io.jverbs.soft.transport.uc;
