/** The messages of communication management, and the management datagrams that carry them. */
package io.jverbs.soft.management.message;
