import { isIP } from 'node:net';
import {
  type VerifiedRegistrationResponse,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';

/** EdDSA, ES256 and RS256, as COSE numbers. */
export const ALGORITHMS = [-8, -7, -257];

/** For which host passkeys are made, and which pages may ask for them. */
export interface RelyingParty {
  id: string;
  origins: string[];
}

/**
 * Undefined where browsers allow no passkeys: for an IP address, and without TLS except on localhost.
 * @param others origins of consoles elsewhere; a browser lets only those below the same host ask
 */
export function relyingPartyOf(publicUrl: string, others: readonly string[]): RelyingParty | undefined {
  const { hostname, protocol, origin } = new URL(publicUrl);
  const isSecure = protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost');
  if (!isSecure || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return undefined;
  return { id: hostname, origins: [origin, ...others] };
}

/** What an authenticator answers, in base64url. */
export interface Assertion {
  credential_id: string;
  client_data_json: string;
  authenticator_data: string;
  signature: string;
}

export interface StoredPasskey {
  credential_id: string;
  public_key: Buffer;
  counter: string;
}

/**
 * The new count of signatures of a passkey whose assertion is right; undefined for a wrong one.
 * @param verified whether the authenticator must have checked the person
 */
export async function checkAssertion(
  party: RelyingParty,
  { credential_id, public_key, counter }: StoredPasskey,
  { client_data_json, authenticator_data, signature }: Assertion,
  { nonce, verified }: { nonce: string; verified: boolean },
): Promise<number | undefined> {
  try {
    const answer = await verifyAuthenticationResponse({
      response: {
        ...{ id: credential_id, rawId: credential_id, type: 'public-key', clientExtensionResults: {} },
        response: { clientDataJSON: client_data_json, authenticatorData: authenticator_data, signature },
      },
      ...{ expectedChallenge: nonce, expectedOrigin: party.origins, expectedRPID: party.id },
      credential: { id: credential_id, publicKey: new Uint8Array(public_key), counter: Number(counter) },
      requireUserVerification: verified,
    });
    return answer.verified ? answer.authenticationInfo.newCounter : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a right assertion says that its authenticator has checked the person (WebAuthn Level 3 § 6.1, the flag UV). */
export const hasCheckedPerson = ({ authenticator_data }: Assertion): boolean =>
  ((Buffer.from(authenticator_data, 'base64url')[FLAGS_AT] ?? 0) & USER_VERIFIED) !== 0;

const FLAGS_AT = 32;
const USER_VERIFIED = 0x04;

export type MadePasskey = NonNullable<VerifiedRegistrationResponse['registrationInfo']>;

/** What a browser has made; undefined when it does not fit the challenge. */
export async function checkCreation(
  party: RelyingParty,
  made: { credential_id: string; client_data_json: string; attestation_object: string },
  nonce: string,
): Promise<MadePasskey | undefined> {
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        ...{
          id: made.credential_id,
          rawId: made.credential_id,
          type: 'public-key',
          clientExtensionResults: {},
        },
        response: { clientDataJSON: made.client_data_json, attestationObject: made.attestation_object },
      },
      ...{ expectedChallenge: nonce, expectedOrigin: party.origins, expectedRPID: party.id },
      ...{ requireUserVerification: false, supportedAlgorithmIDs: ALGORITHMS },
    });
    return verified ? registrationInfo : undefined;
  } catch {
    return undefined;
  }
}
