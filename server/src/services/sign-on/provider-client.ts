import { createRemoteJWKSet, type JWTVerifyGetKey, customFetch as josesFetch } from 'jose';
import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  clockSkew,
  clockTolerance,
  customFetch,
  discovery,
  type ServerMetadata,
} from 'openid-client';
import type { Provider } from '../../config';
import { clock } from '../../domain/clock';
import { boundedFetch, Unanswered } from '../../net/bounded-fetch';

/** How long the provider has for all requests of one step of a log-in, in milliseconds: a program gives up after ten seconds. */
const PATIENCE = 8_000;
/** How long its metadata are kept, and how long a failure: strangers must not make it be asked all the time. */
const KEPT = 3_600_000;
const AWAY = 5_000;
/** How long its keys are kept; an unknown one is asked for at once. */
const KEYS_KEPT = 600_000;
/** By how many seconds the provider's clock may differ. */
export const TOLERANCE = 60;

/** The end of one step of a log-in. */
export const patience = (): AbortSignal => AbortSignal.timeout(PATIENCE);

/** The client of one provider: its metadata and keys, kept for a while, and what is configured for it. */
export class ProviderClient {
  private metadata: { read: Promise<ServerMetadata>; until: number } | undefined;
  private readonly keys = new Map<string, JWTVerifyGetKey>();

  constructor(readonly provider: Provider) {}

  /** For one step of a log-in. Throws `Unanswered` and the errors of openid-client. */
  async configuration(deadline: AbortSignal): Promise<Configuration> {
    const metadata = await this.serverMetadata();
    const { clientId, issuer } = this.provider;
    const configuration = new Configuration(
      metadata,
      clientId,
      { [clockSkew]: Math.round(-clock.difference() / 1000), [clockTolerance]: TOLERANCE },
      this.authentication(metadata),
    );
    configuration[customFetch] = boundedFetch(deadline);
    if (issuer.startsWith('http:')) allowInsecureRequests(configuration);
    return configuration;
  }

  /**
   * Finds the key of a signature. Of what the provider itself has answered it is asked again at once for a key that is
   * new; strangers, who could make up such keys, do not make it be asked more than every 30 seconds, or 5 while it fails.
   */
  keysOf({ jwks_uri }: ServerMetadata, from: 'provider' | 'strangers' = 'provider'): JWTVerifyGetKey {
    if (jwks_uri === undefined) throw new TypeError('the metadata name no keys');
    const name = `${from} ${jwks_uri}`;
    const present = this.keys.get(name);
    if (present !== undefined) return present;
    let asked = Number.NEGATIVE_INFINITY;
    const keys = createRemoteJWKSet(new URL(jwks_uri), {
      cooldownDuration: from === 'provider' ? 0 : 30_000,
      cacheMaxAge: KEYS_KEPT,
      [josesFetch]: async (url, options) => {
        const now = performance.now();
        // The library's own pause begins with an answer that it could use.
        if (from === 'strangers' && now - asked < AWAY) throw new Unanswered('it was asked just now');
        asked = now;
        return boundedFetch(patience())(url, options);
      },
    });
    // The metadata are read again now and then, and may name another address.
    if (this.keys.size >= 4) this.keys.clear();
    this.keys.set(name, keys);
    return keys;
  }

  /** All who ask at once wait for the same answer, and for a while those who come later get it too. */
  private serverMetadata(): Promise<ServerMetadata> {
    const now = performance.now();
    if (this.metadata !== undefined && now < this.metadata.until) return this.metadata.read;
    const entry = { read: this.discover(), until: Number.POSITIVE_INFINITY };
    this.metadata = entry;
    const keep = (milliseconds: number) => (): void => {
      entry.until = performance.now() + milliseconds;
    };
    entry.read.then(keep(KEPT), keep(AWAY));
    return entry.read;
  }

  private async discover(): Promise<ServerMetadata> {
    const { issuer, clientId } = this.provider;
    const found = await discovery(new URL(issuer), clientId, undefined, undefined, {
      [customFetch]: boundedFetch(patience()),
      execute: issuer.startsWith('http:') ? [allowInsecureRequests] : [],
      timeout: PATIENCE / 1000,
    });
    const metadata = { ...found.serverMetadata() };
    // A template for many tenants, whose groups and addresses nobody here has agreed to, is none.
    if (metadata.issuer.replace(/\/$/, '') !== issuer.replace(/\/$/, ''))
      throw new TypeError('the metadata name another issuer');
    if (issuer.startsWith('https:')) demandHttps(metadata);
    return JSON.parse(JSON.stringify(metadata));
  }

  /** RFC 8414: without a word about it, a provider takes `client_secret_basic`. */
  private authentication({ token_endpoint_auth_methods_supported: methods }: ServerMetadata): ClientAuth {
    const { clientAuth, clientSecret } = this.provider;
    const basic =
      clientAuth === undefined ? (methods?.includes('client_secret_basic') ?? true) : clientAuth === 'basic';
    return basic ? ClientSecretBasic(clientSecret) : ClientSecretPost(clientSecret);
  }
}

/** What this server asks of a provider, besides its metadata. */
const ASKED = ['jwks_uri', 'token_endpoint', 'userinfo_endpoint'] as const;

/**
 * Whoever runs a provider names these, and not the operator: by http they could be of any machine behind the firewall, which
 * would be asked and need no certificate.
 */
function demandHttps(metadata: ServerMetadata): void {
  for (const name of ASKED) {
    const address = metadata[name];
    if (address !== undefined && !/^https:\/\//i.test(address))
      throw new TypeError(`the metadata name a ${name} that is no https URL`);
  }
}
