/** The few calls of Linux' C library that let one call move many packets; used where native access is granted only. */
package io.jverbs.soft.linux;
