import { DEFAULT_CIPHERS } from 'node:tls';

/**
 * For connections to servers that strangers choose: Node's own, without Diffie-Hellman over finite fields (DHE), where
 * the server names the modulus. One of 10,000 bits takes half a second of this process, before any certificate is seen.
 */
export const CIPHERS = `${DEFAULT_CIPHERS}:!kDHE`;
