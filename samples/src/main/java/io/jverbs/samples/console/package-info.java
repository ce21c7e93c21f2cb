/** What all samples share: the option for help, the lines on the screen, and the failures that they print. */
package io.jverbs.samples.console;
