import type { Schemas } from '@avow/sdk';
import { api } from './api';

const KEY = 'avow.sign-on';

/** A log-in at a provider that this tab has begun. Its secret never leaves the tab before it comes back. */
export interface Begun {
  provider: string;
  secret: string;
  /** Where in the console it leads. */
  next: string;
  /** Whether it links the provider's account to that of the session. */
  links: boolean;
  /** The question of a page that waits, if the tab was opened beside it for that alone. */
  answers?: string;
  /** Whether the provider must ask who is there, for what a log-in of long ago does not permit. */
  reauthenticate: boolean;
  /** Whether the address of a page began it, which any other page can open: then its account is shown before it is used. */
  isByAddress?: boolean;
}

/** The page that a log-in at a provider begins at. */
export const beginning = ({
  provider,
  next,
  answers,
  reauthenticate,
}: Omit<Begun, 'secret' | 'links' | 'isByAddress'>): string =>
  `/console/sign-on/${provider}?${new URLSearchParams({
    ...(next !== '/' && { next }),
    ...(answers && { answers }),
    ...(reauthenticate && { reauthenticate: '' }),
  })}`;

/** Only a path of the console itself. */
export const inside = (next: string | null): string =>
  next !== null && /^\/(?!\/)[^\\]*$/.test(next) ? next : '/';

/** Goes to the provider; comes back to the page `/sign-on/:provider`. */
export async function goToProvider(
  begun: Omit<Begun, 'secret'>,
  methods: Schemas['LoginMethods'],
): Promise<void> {
  // It comes back to the public address, and another origin would not have the secret.
  const home = new URL(methods.public_url);
  if (home.origin !== location.origin) {
    location.assign(methods.public_url + beginning(begun));
    return;
  }
  const secret = inBase64(crypto.getRandomValues(new Uint8Array(32)));
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret));
  const challenge = inBase64(new Uint8Array(hash));
  const { provider, reauthenticate } = begun;
  const body = { provider, challenge, ...(reauthenticate && { reauthenticate }) };
  const { authorization_url } = await (begun.links ? api.beginLink({ body }) : api.beginSignOn({ body }));
  sessionStorage.setItem(KEY, JSON.stringify({ ...begun, secret }));
  location.assign(authorization_url);
}

/** What this tab has begun at the provider, once. */
export function takeBegun(provider: string): Begun | undefined {
  const text = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  if (text === null) return undefined;
  const begun = JSON.parse(text) as Begun;
  return begun.provider === provider ? begun : undefined;
}

const inBase64 = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
