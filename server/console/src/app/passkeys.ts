import type { Schemas } from '@avow/sdk';
import { startAuthentication, startRegistration } from '@simplewebauthn/browser';

type Request = Schemas['PasskeyRequest'];
type Creation = Schemas['PasskeyCreation'];
export type Assertion = Schemas['PasskeyAssertion'];
type Made = Omit<Schemas['AddPasskeyInput'], 'challenge' | 'name'>;

const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;
type Transport = (typeof TRANSPORTS)[number];

const isTransport = (text: string): text is Transport => TRANSPORTS.includes(text as Transport);

const references = (all: Request['allowed']) =>
  all.map(({ credential_id, transports }) => ({
    ...{ id: credential_id, type: 'public-key' as const, transports: transports.filter(isTransport) },
  }));

/** Lets the person choose a passkey; rejects when they do not, or the browser has none. */
export async function askForPasskey({
  nonce,
  rp_id,
  allowed,
  user_verification,
}: Request): Promise<Assertion> {
  const { id, response } = await startAuthentication({
    optionsJSON: {
      ...{ challenge: nonce, rpId: rp_id, allowCredentials: references(allowed) },
      userVerification: user_verification,
    },
  });
  return {
    ...{ credential_id: id, client_data_json: response.clientDataJSON, signature: response.signature },
    authenticator_data: response.authenticatorData,
  };
}

/** Lets the browser make a passkey; rejects when the person does not want it. */
export async function makePasskey(creation: Creation): Promise<Made> {
  const { id, response } = await startRegistration({
    optionsJSON: {
      ...{ challenge: creation.nonce, rp: { id: creation.rp_id, name: creation.rp_name } },
      user: { id: creation.user_handle, name: creation.user_name, displayName: creation.user_name },
      pubKeyCredParams: creation.algorithms.map((alg) => ({ type: 'public-key' as const, alg })),
      excludeCredentials: references(creation.excluded),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      attestation: 'none',
    },
  });
  return {
    ...{ credential_id: id, client_data_json: response.clientDataJSON },
    attestation_object: response.attestationObject,
    transports: (response.transports ?? []).filter(isTransport),
  };
}
