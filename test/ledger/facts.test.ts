import { createHash, randomUUID } from 'node:crypto';
import { CONSENT_KEY } from '../../server/src/db/ledger/erased';
import { erasedDigest } from '../../server/src/db/ledger/erased-notes';
import { defaultSettings } from '../../server/src/domain/settings';
import { applyRetention } from '../../server/src/jobs/retention';
import { proveLeaf } from '../../server/src/ledger/proofs';
import { type FactRow, openConsents, openFact } from '../../server/src/ledger/statements';
import { dumpOf } from '../helpers/ledger/dump';
import { rootByInclusion } from '../helpers/ledger/verify';
import { useServer } from '../helpers/server';
import { submit } from '../helpers/site/data-subject-requests';
import { vendor } from '../helpers/site/vendors';
import { until } from '../helpers/until';

const server = useServer({ variables: { SEAL_SECONDS: '1' } });
const db = () => server.service.context.db;

const idOf = async (token: string): Promise<string> =>
  (await db()('environments').where({ token }).first('id')).id;
const factsOf = (id: string): Promise<FactRow[]> =>
  db()('ledger_facts').where({ environment_id: id }).orderBy('fact_id') as unknown as Promise<FactRow[]>;

const sealed = (token: string, size: number): Promise<unknown> =>
  until('all is sealed', async () => {
    const log = await server.visitor.getEvidenceLog({ token });
    return !log.behind && (log.size ?? 0) >= size;
  });

/** Every opened leaf has one place, whose proof leads to the root. */
async function expectProven(id: string, leaves: { commitment: string; at: Date }[]): Promise<void> {
  const places = new Set<number>();
  for (const { commitment, at } of leaves) {
    const found = await proveLeaf(db(), id, commitment, at);
    if (found === undefined) throw new Error('there is no leaf');
    const root = rootByInclusion(found.leaf, found.head.size, Buffer.from(commitment, 'hex'), found.proof);
    expect(root).toEqual(found.head.root);
    places.add(found.leaf);
  }
  expect(places.size).toBe(leaves.length);
}

const form = (token: string, email: string, session_id: string) =>
  server.visitor.recordFormConsent({
    token,
    body: {
      ...{ form_id: 'news', form_url: 'https://shop.example.com/', session_id, subject: { email } },
      statements: [{ key: 'b', text: 'Yes "ü".', accepted: true }],
    },
  });

test('whatever an owner changes is sealed, step by step, and proven from what is stored', async () => {
  const { client, token } = await server.site();
  const id = await idOf(token);
  await client.updateEnvironment({ token, body: { settings: { policy_version: '2' } } });
  await client.replaceVendors({ token, body: { vendors: [vendor(1, 'Maps')] } });
  await client.generateBundle({ token });
  await form(token, 'ada@example.com', randomUUID());
  const { request_id } = await submit(server, token, {
    email: 'ada@example.com',
    name: 'Ada',
    message: 'Please.',
  });
  await client.startDsar({ token, request_id });
  await client.extendDsar({ token, request_id, body: { reason: 'Many requests.' } });
  await client.resolveDsar({ token, request_id, body: { resolution: 'fulfilled' } });
  const { breach_id } = await client.createBreach({
    token,
    body: { title: 'Lost laptop', aware_at: new Date().toISOString() },
  });
  await client.updateBreach({ token, breach_id, body: { title: 'Lost laptops' } });
  await client.markBreachNotReportable({ token, breach_id, body: { reason: 'It was encrypted.' } });
  await client.reopenBreach({ token, breach_id, body: { reason: 'It was not.' } });
  const facts = await factsOf(id);
  const kinds = facts.map(({ kind, statement }) => {
    const record = statement === null ? undefined : JSON.parse(statement).record;
    return record?.step === undefined ? kind : `${kind} ${record.step}`;
  });
  expect(kinds).toEqual([
    ...[
      'settings',
      'settings',
      'vendors',
      'bundle',
      'form_consent',
      'dsar created',
      'dsar started',
      'dsar extended',
    ],
    ...[
      'dsar resolved: fulfilled',
      'breach created',
      'breach updated',
      'breach not_reportable',
      'breach reopened',
    ],
  ]);
  await sealed(token, facts.length);
  const leaves = await Promise.all(facts.map((fact) => openFact(db(), fact)));
  await expectProven(
    id,
    leaves.flatMap((leaf) => leaf ?? []),
  );
  expect(leaves).not.toContain(undefined);
  const [first] = leaves;
  expect(JSON.parse(String(first?.statement))).toMatchObject({
    kind: 'settings',
    site: token,
    record: { version: 1, settings: defaultSettings() },
  });
}, 60_000);

/** What somebody could compute who guesses a value. */
const hashesOf = (value: string): string[] =>
  ['md5', 'sha1', 'sha256', 'sha384', 'sha512'].flatMap((algorithm) => {
    const digest = createHash(algorithm).update(value).digest();
    return [digest.toString('hex'), digest.toString('base64'), digest.toString('base64url')];
  });

test('after an erasure nothing of the person is left, nor what opens a leaf, and the log still stands', async () => {
  const { client, token } = await server.site();
  const id = await idOf(token);
  const session_id = randomUUID();
  const email = `erased-${randomUUID()}@example.com`;
  for (const decision of ['accept_all', 'reject_all'] as const)
    await server.visitor.logConsent({ token, body: { session_id, decision } });
  await form(token, email, session_id);
  const { request_id } = await submit(server, token, { email, name: 'Erased Name', message: 'Erase me.' });
  await client.resolveDsar({ token, request_id, body: { resolution: 'fulfilled' } });
  await sealed(token, 6);
  const keys = await db()('consents')
    .where({ environment_id: id })
    .select([...CONSENT_KEY]);
  const opened = [
    ...(await openConsents(db(), id, keys)),
    ...(await Promise.all((await factsOf(id)).map((fact) => openFact(db(), fact)))).flatMap((leaf) =>
      leaf === undefined || !['form_consent', 'dsar'].includes(leaf.kind) ? [] : [leaf],
    ),
  ];
  expect(opened.map(({ kind }) => kind).sort()).toEqual([
    'consent',
    'consent',
    'dsar',
    'dsar',
    'form_consent',
  ]);
  await expectProven(id, opened);
  await client.eraseSubject({ token, body: { subject: { email }, sessions: [session_id] } });
  await sealed(token, 8);
  const left = await dumpOf(db());
  for (const { blinding, commitment } of opened) {
    expect([blinding, left.includes(blinding)]).toEqual([blinding, false]);
    expect(left.includes(blinding.replaceAll('-', ''))).toBe(false);
    // The leaf stays, and says nothing without them.
    expect(left.includes(commitment)).toBe(true);
  }
  const personal = [session_id, 'Erased Name', 'Erase me.'];
  // A session is random, so that nobody guesses it: its hash names the idempotency keys of the last 24 hours.
  const statements = opened.flatMap(({ statement }) => [statement, `${statement}\n`]);
  const guesses = [email, 'Erased Name', 'Erase me.', ...statements];
  for (const value of [...personal, ...guesses.flatMap(hashesOf)])
    expect([value, left.includes(value)]).toEqual([value, false]);
  // The answered request and what seals it keep the address alone, as proof of the answer, until their time is over.
  expect(left.split('\n').filter((row) => row.includes(email))).toHaveLength(2);
  const [erasure] = await db()('erasures').where({ environment_id: id });
  const erased = await db()('ledger_erased').where({ environment_id: id });
  const commitments = erased.flatMap(({ commitments: bytes }) => bytes.toString('hex').match(/.{64}/g));
  expect(commitments.sort()).toEqual(opened.map(({ commitment }) => commitment).sort());
  const facts = await factsOf(id);
  const last = facts.find(({ kind }) => kind === 'erasure');
  const digest = createHash('sha256')
    .update(Buffer.from(commitments.join(''), 'hex'))
    .digest('hex');
  expect(JSON.parse(String(last?.statement)).record).toMatchObject({
    ...{ erasure_id: erasure.erasure_id, consents: 2, form_consents: 1, requests: 1, leaves: digest },
  });
  expect(await db().transaction((trx) => erasedDigest(trx, id, erasure.erasure_id))).toBe(digest);
  // What is left of the request is sealed anew.
  expect(
    facts
      .filter(({ kind }) => kind === 'dsar')
      .map(({ statement }) => JSON.parse(String(statement)).record.step),
  ).toEqual(['erased']);
  const now = await Promise.all(facts.map((fact) => openFact(db(), fact)));
  await expectProven(
    id,
    now.flatMap((leaf) => leaf ?? []),
  );
  await applyRetention(db(), server.service.context.log, new Date(Date.now() + 1_100 * 86_400_000));
  const after = await dumpOf(db());
  for (const value of [
    email,
    ...[email, session_id].flatMap(hashesOf),
    ...now.flatMap((leaf) => (leaf?.kind === 'dsar' ? leaf.blinding : [])),
  ])
    expect([value, after.includes(value)]).toEqual([value, false]);
}, 60_000);
