/**
 * What a connected queue pair keeps and checks in the same way whether its peer is in the same JVM or is reached over
 * the wire.
 */
package io.jverbs.soft.transport.connection;
