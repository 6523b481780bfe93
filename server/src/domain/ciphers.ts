import { DEFAULT_CIPHERS } from 'node:tls';

/**
 * For connections to servers that strangers choose: Node's own, without Diffie-Hellman over finite fields (DHE), where
 * the server names the modulus. One of 10,000 bits takes half a second of this process, before any certificate is seen.
 */
export const CIPHERS = `${DEFAULT_CIPHERS}:!kDHE`;

/** The same in TLS 1.3, where the server chooses among groups that the client takes: the largest field takes 0.1 s. */
export const GROUPS = 'X25519:P-256:P-384:P-521';
