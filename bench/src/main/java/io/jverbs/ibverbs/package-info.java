/** The native device on a stub of libibverbs; here, because the device's classes are open to their package alone. */
package io.jverbs.ibverbs;
