/**
 * Contract tests of the device: attributes, ports, GIDs, protection domains and asynchronous events (parts A and J of
 * the catalogue).
 */
package io.jverbs.contract.device;
