/** Protection domains, memory regions and memory windows with their keys, and the copying of registered memory. */
package io.jverbs.soft.memory;
