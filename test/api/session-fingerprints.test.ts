import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAvow } from '@avow/sdk';
import { ROOT } from '../../server/src/config/paths';
import type { Operation } from '../../server/src/contract/operations';
import type { Scope } from '../../server/src/domain/types';
import { checkedFetch } from '../helpers/contract';
import { bearerOf, contract, exampleRequest, idsOf } from '../helpers/http/contract-requests';
import { refusal } from '../helpers/http/refusal';
import { type Client, startServer, useServer } from '../helpers/server';
import { submit } from '../helpers/site/data-subject-requests';
import { member } from '../helpers/site/people';
import { INWARD, startReceiver } from '../helpers/webhooks/receiver';
import { unzip } from '../reports/read-xlsx';

const server = useServer({ variables: INWARD });

/** Where it is written who is shown ids. */
const WRITTEN = [
  'spec/shared/scalars.tsp',
  'server/docs/guides/07-api-conventions.md',
  'server/docs/decisions/022-sessions-and-erasures.md',
];
const FINGERPRINT = /^fp_[0-9A-Za-z_-]{22}$/;
const SCOPES: readonly Scope[] = contract.document.components.schemas.Scope.enum;

const by = (apiKey: string, url = server.url): Client =>
  createAvow({ baseUrl: url, apiKey, fetch: checkedFetch, retries: 0 });

const form = (session_id: string) => ({
  form_id: 'news',
  form_url: 'https://shop.example.com/',
  subject: { email: 'ada@example.com' },
  statements: [{ key: 'a', text: 'Yes.', accepted: true }],
  session_id,
});

/** A site where everything that can name a session does, with what its operations' paths ask for. */
async function seeded() {
  const receiver = await startReceiver();
  receiver.answer = ({ body }, response) => void response.writeHead(200).end(`Taken: ${body}`);
  const site = await server.site();
  const { client, token } = site;
  const session = randomUUID();
  const { webhook_id } = await client.createWebhook({ token, body: { url: receiver.url, events: '*' } });
  const body = { session_id: session, decision: 'accept_all' as const };
  const { consent_id } = await server.visitor.logConsent({ token, body });
  const visitor = { address: '203.0.113.9' };
  await client.logConsentForVisitor({ token, body: { ...body, decision: 'reject_all', visitor } });
  const { form_consent_id } = await server.visitor.recordFormConsent({ token, body: form(session) });
  const { request_id } = await submit(server, token, { session_id: session });
  const { hash } = await client.generateBundle({ token });
  await receiver.until(3);
  await receiver.stop();
  const { items } = await client.listDeliveries({ token, webhook_id });
  const ids = {
    token,
    consent_id,
    form_consent_id,
    request_id,
    webhook_id,
    hash,
    delivery_id: items[0]?.delivery_id as string,
  };
  return { ...site, session, ids };
}

/** What a caller may ask for without changing anything, in every format. */
const reading = contract.operations.filter(
  ({ bearer, role, scope, method }) =>
    bearer && (role === 'viewer' || scope?.endsWith(':read') || (method === 'GET' && role === undefined)),
);
const formatsOf = ({ parameters }: Operation): (string | undefined)[] => {
  const format = parameters.find(({ name, in: place }) => place === 'query' && name === 'format');
  return [undefined, ...((format?.schema.enum as string[] | undefined) ?? [])];
};

/** Every answer of those operations, as text. */
async function answersTo(bearer: string, ids: Record<string, string>) {
  const answers: { id: string; status: number; text: string }[] = [];
  for (const operation of reading) {
    if (idsOf(operation).some((name) => ids[name] === undefined)) continue;
    for (const format of formatsOf(operation)) {
      const { method, path, headers, body } = exampleRequest(operation, ids, bearer);
      const query = format === undefined ? '' : `${path.includes('?') ? '&' : '?'}format=${format}`;
      const answer = await checkedFetch(`${server.url}${path}${query}`, {
        method: method as string,
        headers: headers as Record<string, string>,
        ...(body === undefined ? {} : { body: String(body) }),
      });
      const bytes = Buffer.from(await answer.arrayBuffer());
      const isZip = bytes.subarray(0, 2).toString('latin1') === 'PK';
      const text = isZip ? [...unzip(bytes).values()].join('\n') : bytes.toString('utf8');
      answers.push({ id: operation.id, status: answer.status, text });
    }
  }
  return answers;
}

/** Operations with an answer that holds a session's id in any of its forms. */
const telling = (answers: Awaited<ReturnType<typeof answersTo>>, session: string): string[] => {
  const forms = [session, session.replaceAll('-', ''), Buffer.from(session).toString('base64').slice(0, 40)];
  const found = answers.filter(({ text }) =>
    forms.some((one) => text.toLowerCase().includes(one.toLowerCase())),
  );
  return [...new Set(found.map(({ id }) => id))].sort();
};

// It proves a record with its session's own id: neither viewers nor other keys get one.
const PACK = 'exportEvidence';

test('no answer to a viewer or to a key that only reads holds the id of a session; an owner’s do', async () => {
  const { client, token, userId, session, ids } = await seeded();
  const viewer = await member(server, { client, token }, 'viewer');
  const scopes = SCOPES.filter((scope) => scope.endsWith(':read') && scope !== 'evidence:read');
  const { key } = await client.createKey({ body: { name: 'reads', scopes } });

  const owners = await answersTo(await bearerOf(server, userId), ids);
  expect(telling(owners, session)).toEqual([
    ...[
      'exportConsents',
      'exportDsar',
      'exportDsarCase',
      'exportEvents',
      PACK,
      'exportFormConsents',
      'getConsent',
    ],
    ...['getDsar', 'getDsarCase'],
    ...['getFormConsent', 'listConsents', 'listDeliveries', 'listDsar', 'listEvents', 'listFormConsents'],
  ]);
  for (const bearer of [await bearerOf(server, viewer.userId), key]) {
    const answers = await answersTo(bearer, ids);
    expect(answers.filter(({ status }) => status < 300).length).toBeGreaterThan(40);
    expect(telling(answers, session)).toEqual([]);
    // A viewer gets no whole case, and no pack.
    for (const id of telling(owners, session).filter((one) => one !== PACK && !one.endsWith('DsarCase')))
      expect([id, answers.some((one) => one.id === id && one.text.includes('fp_'))]).toEqual([id, true]);
  }
});

test('a key for requests is shown fingerprints by what it changes, too; ids are shown to four scopes alone', async () => {
  const { client, token } = await server.site();
  const session_id = randomUUID();
  const keyed = async (scopes: Scope[]) => by((await client.createKey({ body: { name: 'k', scopes } })).key);
  const desk = await keyed(['dsar:read', 'dsar:write']);
  const { request_id } = await submit(server, token, { session_id });
  const recorded = await desk.recordDsar({
    token,
    body: {
      request_type: 'access',
      channel: 'letter',
      received_on: '2026-01-02',
      contact: 'Hamburg',
      session_id,
    },
  });
  const shown = [
    recorded,
    await desk.startDsar({ token, request_id, body: {} }),
    await desk.extendDsar({ token, request_id, body: { reason: 'Many systems.' } }),
    await desk.resolveDsar({ token, request_id, body: { resolution: 'fulfilled' } }),
  ].map((one) => one.session_id);
  expect(new Set(shown).size).toBe(1);
  expect(shown[0]).toMatch(FINGERPRINT);
  const seeing: Scope[] = [];
  for (const scope of SCOPES) {
    const shownTo = await keyed([...new Set<Scope>(['dsar:read', scope])]);
    const { session_id: ref } = await shownTo.getDsar({ token, request_id });
    if (ref === session_id) seeing.push(scope);
    else expect(ref).toBe(shown[0]);
  }
  expect(seeing.sort()).toEqual(['consents:write', 'erasures:write', 'evidence:read', 'webhooks:write']);
  // What people read about it names each of them.
  for (const path of WRITTEN) {
    const paragraph = readFileSync(join(ROOT, path), 'utf8')
      .split(/\n(?:\n|- )/)
      .find((text) => text.includes('API') && text.includes('`fp_` and 22 characters'));
    const named = [...(paragraph ?? '').matchAll(/`(\w+:\w+)`/g)].map(([, scope]) => scope);
    expect([path, named.sort()]).toEqual([path, seeing]);
  }
  const operator = await member(server, { client, token }, 'operator');
  expect((await operator.client.getDsar({ token, request_id })).session_id).toBe(session_id);
});

describe('a fingerprint', () => {
  const decided = (token: string, session_id: string) =>
    server.visitor.logConsent({ token, body: { session_id, decision: 'accept_all' } });

  /** A site with two sessions, and what a viewer is shown of the first. */
  async function watched() {
    const site = await server.site();
    const { client, token } = site;
    const [own, other] = [randomUUID(), randomUUID()];
    const { consent_id } = await decided(token, own);
    await decided(token, other);
    await server.visitor.recordFormConsent({ token, body: form(own) });
    const viewer = (await member(server, { client, token }, 'viewer')).client;
    const fingerprint = (await viewer.getConsent({ token, consent_id })).session_id;
    return { ...site, own, other, consent_id, viewer, fingerprint };
  }

  test('is the same in every answer of a site and on every server, and another one on another site', async () => {
    const { token, own, viewer, fingerprint, userId } = await watched();
    expect(fingerprint).toMatch(FINGERPRINT);
    const { items } = await viewer.listFormConsents({ token });
    expect(items.map(({ session_id }) => session_id)).toEqual([fingerprint]);
    const second = await startServer({ variables: INWARD, databaseUrl: server.databaseUrl });
    try {
      const { key } = await (
        await createAvow({ baseUrl: second.url, token: await bearerOf(second, userId), fetch: checkedFetch })
      ).createKey({ body: { name: 'reads', scopes: ['consents:read'] } });
      const list = await by(key, second.url).listConsents({ token });
      expect(list.items.map(({ session_id }) => session_id)).toContain(fingerprint);
    } finally {
      await second.stop();
    }
    const elsewhere = await server.site();
    await decided(elsewhere.token, own);
    const there = (await member(server, elsewhere, 'viewer')).client;
    const [record] = (await there.listConsents({ token: elsewhere.token })).items;
    expect(record?.session_id).toMatch(FINGERPRINT);
    expect(record?.session_id).not.toBe(fingerprint);
  });

  test('filters like the id, which a data subject tells, for everybody', async () => {
    const { client, token, own, consent_id, viewer, fingerprint } = await watched();
    for (const one of [client, viewer]) {
      for (const session_id of [own, own.toUpperCase(), fingerprint]) {
        const { items } = await one.listConsents({ token, session_id });
        expect(items.map((item) => item.consent_id)).toEqual([consent_id]);
        expect((await one.listConsents({ token, id: session_id })).items).toEqual(items);
        expect((await one.listFormConsents({ token, session_id })).items).toHaveLength(1);
        for (const ask of [one.exportConsents, one.exportFormConsents])
          expect((await (await ask({ token, session_id })).text()).trimEnd().split('\n')).toHaveLength(1);
      }
    }
    const unknown = `fp_${'A'.repeat(22)}`;
    expect((await viewer.listConsents({ token, session_id: unknown })).items).toEqual([]);
    expect(await refusal(viewer.listConsents({ token, session_id: 'fp_short' }))).toMatchObject({
      status: 400,
    });
  });

  test('cannot be turned into the id by asking for how the id begins', async () => {
    const { client, token, own, consent_id, viewer } = await watched();
    const found = async (one: Client, id: string) =>
      (await one.listConsents({ token, id })).items.map((item) => item.consent_id);
    for (const length of [8, 13, 35]) {
      expect(await found(client, own.slice(0, length))).toEqual([consent_id]);
      expect(await found(viewer, own.slice(0, length))).toEqual([]);
      expect(await (await viewer.exportConsents({ token, id: own.slice(0, length) })).text()).toBe('');
    }
    expect(await found(viewer, consent_id.slice(0, 13))).toContain(consent_id);
  });

  test('is no session: nobody can write with it', async () => {
    const { token, fingerprint } = await watched();
    expect(await refusal(decided(token, fingerprint))).toMatchObject({ status: 400 });
    expect(await refusal(server.visitor.getPreferences({ token, session_id: fingerprint }))).toMatchObject({
      status: 400,
    });
  });
});
