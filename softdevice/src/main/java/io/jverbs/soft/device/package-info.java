/**
 * The software device: devices and contexts, and the control path that creates, modifies and destroys their objects.
 * {@code DeviceCore} is what the parts of a device share, {@code SoftDevice} what is made of them.
 */
package io.jverbs.soft.device;
