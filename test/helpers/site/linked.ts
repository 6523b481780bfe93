import { randomUUID } from 'node:crypto';
import type { Schemas } from '@avow/sdk';
import { PROGRAM } from '../banner/program';
import { post, type RawAnswer } from '../http/raw';
import { type TestServer, useServer } from '../server';

/** Pages of the two domains. */
export const SHOP = 'https://shop.example.com';
export const OTHER = 'https://other.example.org';

/** What the browser of every request says, unless it says otherwise. */
const BROWSER = { 'X-Forwarded-For': '203.0.113.9', 'User-Agent': 'Example/1.0' };

/** Where all is allowed. */
export const ALL = { functional: true, analytics: true, marketing: true };

type Headers = Record<string, string>;
type Body = Record<string, unknown>;

/** A site on two domains between which choices are taken along, with a banner. Its server trusts `X-Forwarded-For`. */
export async function linkedSite(server: TestServer, settings: object = {}) {
  const { client } = await server.person();
  const linked_domains = ['shop.example.com', 'other.example.org'];
  const { token } = await client.createEnvironment({
    body: {
      ...{ name: 'Example shop', domain: 'shop.example.com', domains: ['other.example.org'] },
      settings: { linked_domains, ...settings },
    },
  });
  const { id } = await server.service.context.db('environments').where({ token }).first('id');
  const publish = async (): Promise<string> => (await client.generateBundle({ token })).hash;
  const bundle_hash = await publish();
  const send = (path: string, body: Body, headers: Headers): Promise<RawAnswer> =>
    post(server.url, path, body, { ...BROWSER, ...headers });
  const data = async (answer: Promise<RawAnswer>) => {
    const { status, json } = await answer;
    expect({ status, json }).toMatchObject({ status: 201 });
    return json.data;
  };
  const tryLink = (session_id: string, headers: Headers = {}, inForce: Body = { categories: ALL }) =>
    send(`/api/v/${token}/link`, { session_id, ...inForce }, { Origin: SHOP, ...headers });
  const tryTake = (body: Body, headers: Headers = {}) =>
    send(`/api/v/${token}/link/take`, { bundle_hash, ...body }, { Origin: OTHER, ...headers });
  return {
    ...{ server, client, token, id: id as string, bundle_hash, tryLink, tryTake },
    /** A decision of a page of the shop, of a new session unless it names one. */
    decide: (
      body: Body = {},
      session_id: string = randomUUID(),
      headers: Headers = {},
    ): Promise<Schemas['ConsentRecord']> =>
      data(
        send(
          `/api/consents/${token}/log`,
          { session_id, decision: 'accept_all', bundle_hash, ...body },
          { Origin: SHOP, ...headers },
        ),
      ),
    /** A link of the shop for a session, from a page on which all is in force, unless it says otherwise. */
    link: async (session_id: string, inForce?: Body): Promise<string> =>
      (await data(tryLink(session_id, {}, inForce))).link,
    take: (body: Body): Promise<Schemas['TakenConsent']> => data(tryTake(body)),
    /** Other settings, published; resolves with the bundle once visitors have it. */
    change: async (more: Schemas['SettingsPatch']): Promise<string> => {
      await client.updateEnvironment({ token, body: { settings: more } });
      const hash = await publish();
      server.service.context.sites.forget(token);
      return hash;
    },
  };
}

export type LinkedSite = Awaited<ReturnType<typeof linkedSite>>;

/** Of its servers. */
export const variables = {
  ...{ TRUST_PROXY: 'loopback', WEBHOOK_ALLOW_HTTP: 'on', WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8' },
};

/** A server, and a site of all tests of a suite that change none. */
export function useLinkedSite() {
  const server = useServer({ program: PROGRAM, variables });
  let shared: Promise<LinkedSite> | undefined;
  const site = (): Promise<LinkedSite> => {
    shared ??= linkedSite(server);
    return shared;
  };
  return { server, db: () => server.service.context.db, site };
}

/** What every refusal of a token says: it must not tell one reason from another. */
export const refused = {
  status: 404,
  json: {
    status: 'error',
    data: { code: 'not_found', errors: [] },
    message: 'This link brings no choice that can be taken here: ask the visitor.',
  },
};
export const expectRefused = async (answer: Promise<{ status: number; json: unknown }>) =>
  expect(await answer).toMatchObject(refused);
