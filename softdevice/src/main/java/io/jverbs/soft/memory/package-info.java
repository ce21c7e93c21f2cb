/** Protection domains, regions, windows, and copies between them. */
package io.jverbs.soft.memory;
