/** Programs of rdmacm-utils: they connect by address and port, and interoperate with the C programs. */
package io.jverbs.samples.rdmacm;
