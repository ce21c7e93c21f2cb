/**
 * Queue pairs as state machines without sockets and clocks. A {@code Requester} executes send requests; a
 * {@code Responder} processes requests of the peer and receive requests. A {@code RequesterProtocol} and a
 * {@code ResponderProtocol}, which a {@code ServiceType} creates, contain what differs between RC, UC and UD.
 */
package io.jverbs.soft.transport;
