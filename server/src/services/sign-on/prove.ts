import { jwtVerify } from 'jose';
import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  fetchUserInfo,
} from 'openid-client';
import type { Context } from '../../context';
import { clock } from '../../domain/clock';
import { notFound, unauthorized } from '../../domain/errors';
import { FairTurns } from '../../domain/fair-turns';
import { demandFresh, ID, lacksClaims, type Person, personOf } from './claims';
import { refusalOf } from './failures';
import { type ProviderClient, patience, TOLERANCE } from './provider-client';
import { beginFlow, openFlow } from './state';
import { TurnsByProvider } from './turns-by-provider';

/** Log-ins of one process that wait for a provider at once: strangers take turns, as at a hash. */
const ASKS = new TurnsByProvider(() => new FairTurns(16, { each: 50, all: 400, wait: 4_000 }));
/** Signatures that only who has a private key can make. */
export const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
/** Longer addresses are refused by many servers. */
const MOST_URL = 6_000;

/** Who somebody is, proved by a provider that answered a flow of this server. */
export interface Proof {
  client: ProviderClient;
  person: Person;
  /** By it the flow is used up. */
  state: { hash: Buffer; until: Date };
  /** Where a log-out goes on; undefined: nothing is ended at the provider. */
  logoutUrl: string | undefined;
}

export const redirectUri = ({ publicUrl }: Pick<Context, 'publicUrl'>, provider: string): string =>
  `${publicUrl()}/console/sign-on/${provider}`;

export const logoutUri = ({ publicUrl }: Pick<Context, 'publicUrl'>): string =>
  `${publicUrl()}/console/login`;

/** Throws 404. */
export function clientOf({ providers }: Context, id: string): ProviderClient {
  const client = providers.get(id);
  if (client === undefined) throw notFound('This provider');
  return client;
}

/** Where the browser goes to log in. Throws 404 and 503. */
export async function beginAt(context: Context, begun: Parameters<typeof beginFlow>[1]) {
  const client = clientOf(context, begun.provider);
  try {
    const configuration = await client.configuration(patience());
    const { flow, state } = beginFlow(context.vault, begun);
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri(context, begun.provider),
      scope: client.provider.scopes,
      ...{ state, nonce: flow.nonce },
      code_challenge: await calculatePKCECodeChallenge(flow.verifier),
      code_challenge_method: 'S256',
      ...(begun.reauthenticate && { prompt: 'login', max_age: '0' }),
    });
    return { authorization_url: url.href, expires_at: new Date(flow.until).toISOString() };
  } catch (error) {
    throw refusalOf(error, client.provider, context.log);
  }
}

interface Returned {
  provider: string;
  state: string;
  code: string;
  iss?: string;
  secret: string;
}

/** Asks the provider who has come back. Throws 401, 404, 429 and 503. */
export async function prove(
  context: Context,
  returned: Returned,
  address: string,
  userId?: number,
): Promise<Proof> {
  const client = clientOf(context, returned.provider);
  const { hash, until, ...flow } = openFlow(context.vault, returned, userId);
  if (await isUsed(context, hash, address)) throw usedUp();
  try {
    return await ASKS.take(returned.provider, address, async () => {
      const deadline = patience();
      const configuration = await client.configuration(deadline);
      const tokens = await authorizationCodeGrant(configuration, callbackOf(context, returned), {
        expectedState: returned.state,
        expectedNonce: flow.nonce,
        pkceCodeVerifier: flow.verifier,
        idTokenExpected: true,
      });
      const claims = await signedClaims(client, configuration, tokens.id_token as string);
      if (flow.reauthenticate) demandFresh(client.provider, claims, flow.begunAt);
      const more = lacksClaims(client.provider, claims)
        ? await userInfo(configuration, tokens.access_token, claims.sub)
        : {};
      return {
        client,
        person: personOf(client.provider, { ...more, ...claims }),
        state: { hash, until: new Date(until) },
        logoutUrl: logoutUrl(context, client, configuration, tokens.id_token as string),
      };
    });
  } catch (error) {
    throw refusalOf(error, client.provider, context.log);
  }
}

export const usedUp = () => unauthorized('This log-in is finished already: begin it again.');

/** A look in advance, so that a repeated address costs the provider nothing. */
const isUsed = ({ db, turns }: Context, hash: Buffer, address: string): Promise<boolean> =>
  turns.take(undefined, address, async () => (await db('used_states').where({ hash }).first()) !== undefined);

function callbackOf(context: Context, { provider, state, code, iss }: Returned): URL {
  const url = new URL(redirectUri(context, provider));
  url.search = new URLSearchParams({ state, code, ...(iss !== undefined && { iss }) }).toString();
  return url;
}

/** openid-client has checked issuer, audience, times and nonce, and trusts the connection; the signature is checked here. */
async function signedClaims(client: ProviderClient, configuration: Configuration, idToken: string) {
  const metadata = configuration.serverMetadata();
  const { payload } = await jwtVerify(idToken, client.keysOf(metadata), {
    issuer: metadata.issuer,
    audience: client.provider.clientId,
    algorithms: ALGORITHMS,
    clockTolerance: TOLERANCE,
    currentDate: clock.date(),
  });
  const { iss = '', sub = '' } = payload;
  if (!ID.test(sub)) throw new TypeError('the subject is none');
  return { ...payload, iss, sub };
}

const userInfo = async (configuration: Configuration, accessToken: string, subject: string) =>
  configuration.serverMetadata().userinfo_endpoint === undefined
    ? {}
    : fetchUserInfo(configuration, accessToken, subject);

/** OpenID Connect RP-Initiated Logout 1.0 § 2. A hint that is too long for an address is left out. */
function logoutUrl(
  context: Context,
  { provider }: ProviderClient,
  configuration: Configuration,
  idToken: string,
): string | undefined {
  if (!provider.logsOut || configuration.serverMetadata().end_session_endpoint === undefined)
    return undefined;
  const back = { post_logout_redirect_uri: logoutUri(context) };
  const hinted = buildEndSessionUrl(configuration, { ...back, id_token_hint: idToken }).href;
  return hinted.length <= MOST_URL ? hinted : buildEndSessionUrl(configuration, back).href;
}
