/** The native device on a stub of libibverbs, in this package because the classes of the device are package-private. */
package io.jverbs.ibverbs;
