import { once } from 'node:events';
import * as net from 'node:net';
import * as tls from 'node:tls';
import { CIPHERS, GROUPS } from '../domain/ciphers';
import { follow } from './abortable';

import { Failure } from './failure';
import type { Policy } from './policy';
import { refuseAddress, refusePort, vettedAddresses } from './target';
import { Guarded, NO_SECOND_HANDSHAKE } from './tls/guarded';
import { runsOver } from './wire';

/**
 * How long one of several addresses may take before the next is tried, in milliseconds (RFC 8305 asks for 250
 * and parallel attempts).
 */
const NEXT_ADDRESS_MS = 1_000;

export interface Receiver {
  /** A name, or an address without brackets. */
  host: string;
  port: number;
  secure: boolean;
}

export interface ConnectorOptions {
  /** For name, TCP and TLS together, in milliseconds. */
  connectMs: number;
  /** Certificates trusted besides the system's, in PEM; for tests, operators use NODE_EXTRA_CA_CERTS. */
  ca: string | undefined;
  /** Ends connections that are being made. */
  closed: AbortSignal;
}

export type Connector = (receiver: Receiver) => Promise<net.Socket>;

/**
 * Connects only to receivers that the policy allows, and only to a checked address: the name is resolved once
 * for each connection, so a second answer (DNS rebinding) is never asked for. Throws `RefusedError`,
 * `Failure`, or the network's error.
 */
export function createConnector(policy: Policy, { connectMs, ca, closed }: ConnectorOptions): Connector {
  // One for all connections, because reading the trusted certificates takes long.
  const secureContext = tls.createSecureContext({
    ciphers: CIPHERS,
    ecdhCurve: GROUPS,
    secureOptions: NO_SECOND_HANDSHAKE,
    ...(ca === undefined ? {} : { ca: [...tls.rootCertificates, ca] }),
  });
  return async (receiver) => {
    const { controller, release } = follow(closed);
    const timer = setTimeout(() => controller.abort(new Failure('CONNECT_TIMEOUT')), connectMs);
    try {
      const plain = await connectPlain(receiver, policy, controller.signal);
      return receiver.secure ? await secure(plain, receiver.host, secureContext, controller.signal) : plain;
    } finally {
      clearTimeout(timer);
      release();
    }
  };
}

async function connectPlain(
  { host, port }: Receiver,
  policy: Policy,
  signal: AbortSignal,
): Promise<net.Socket> {
  const addresses = await vettedAddresses(host, policy, signal);
  for (const { address } of addresses) refusePort(port, address, policy);
  const socket = net.connect({
    host,
    port,
    // An address as host is connected to as it stands; a name only to what was vetted above.
    lookup: (_name, _options, done) => done(null, addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
    noDelay: true,
  });
  await ready(socket, 'connect', signal);
  try {
    // Check the connected address too: 0.0.0.0, for example, connects elsewhere.
    refuseAddress(socket.remoteAddress ?? '', policy);
    refusePort(port, socket.remoteAddress ?? '', policy);
  } catch (error) {
    socket.destroy();
    throw error;
  }
  return socket;
}

async function secure(
  plain: net.Socket,
  host: string,
  secureContext: tls.SecureContext,
  signal: AbortSignal,
): Promise<net.Socket> {
  const guarded = new Guarded(plain);
  const socket = tls.connect({
    socket: guarded,
    host,
    // No SNI for IP addresses, and no trailing dot (RFC 6066).
    servername: net.isIP(host) === 0 ? host.replace(/\.$/, '') : '',
    ALPNProtocols: ['http/1.1'],
    // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED=0 would turn it off.
    rejectUnauthorized: true,
    secureContext,
  });
  guarded.listenTo(socket);
  runsOver(socket, plain, () => guarded.restart());
  await ready(socket, 'secureConnect', signal);
  return socket;
}

/** Waits for the event; destroys the socket when an error or the signal comes first. */
async function ready(socket: net.Socket, event: string, signal: AbortSignal): Promise<void> {
  // A second error must not crash the process.
  socket.on('error', () => undefined);
  try {
    await once(socket, event, { signal });
  } catch (error) {
    socket.destroy();
    throw signal.aborted ? signal.reason : error;
  }
}
