/** {@code samples/run devinfo}: prints devices in the format of {@code ibv_devinfo}. */
package io.jverbs.samples.devinfo;
