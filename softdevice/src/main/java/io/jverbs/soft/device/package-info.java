/**
 * The software device: devices and contexts, and the control path that creates, modifies and destroys their objects. A
 * {@code DeviceSource} creates the devices of one kind of fabric.
 */
package io.jverbs.soft.device;
