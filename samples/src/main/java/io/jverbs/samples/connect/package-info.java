/** How programs of which two play together find their device, their own address and each other. */
package io.jverbs.samples.connect;
