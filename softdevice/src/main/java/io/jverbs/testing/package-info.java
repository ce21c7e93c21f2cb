/**
 * Support for tests of programs that use RDMA: a JUnit Jupiter extension that gives each test its own simulated
 * network. It requires the JUnit Jupiter API, which this module does not include; a project with JUnit tests has it.
 */
package io.jverbs.testing;
