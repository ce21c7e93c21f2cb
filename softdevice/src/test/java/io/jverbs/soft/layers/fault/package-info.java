/** Tests of fault injection before the software device. */
package io.jverbs.soft.layers.fault;
