/** How requests travel: the network within a JVM, its ports and its clock. */
package io.jverbs.soft.fabric;
