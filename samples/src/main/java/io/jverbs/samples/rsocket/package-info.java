/** Programs of rdmacm-utils that use streams of bytes; they interoperate with the C programs. */
package io.jverbs.samples.rsocket;
