import { randomBytes, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { Operation } from '../../server/src/contract/operations';
import { FairTurns } from '../../server/src/domain/fair-turns';
import { OF_STRANGERS_WITHOUT_TURN } from '../../server/src/http/turns';
import { HeldRefusals } from '../../server/src/security/held-refusals';
import { PublicTurns } from '../../server/src/security/public-turns';
import { contract, exampleRequest } from '../helpers/http/contract-requests';
import { post, raw } from '../helpers/http/raw';
import { startServer, useServer } from '../helpers/server';
import { until } from '../helpers/until';

const server = useServer({ variables: { DATABASE_POOL: '2', ROLE: 'api', TRUST_PROXY: '1' } });

test('a flood from the networks of one block keeps neither others nor other sites waiting', async () => {
  const [one, other] = [await server.site(), await server.site()];
  const database = new pg.Client(server.databaseUrl);
  await database.connect();
  const taken = jest.spyOn(PublicTurns.prototype, 'take');
  const answered: string[] = [];
  const submit = async (who: string, token: string, address: string) => {
    const body = { request_type: 'access', email: 'visitor@example.com' };
    const { status } = await post(server.url, `/api/dsar/${token}`, body, { 'X-Forwarded-For': address });
    answered.push(`${who} ${status}`);
  };
  // Nothing is stored until all of them wait.
  await database.query('BEGIN; LOCK TABLE dsar_requests IN ACCESS EXCLUSIVE MODE');
  const flood = Array.from({ length: 20 }, (_, i) => submit('flood', one.token, `2001:db8:1:${i}::1`));
  await until('the flood waits', () => taken.mock.calls.length === 20);
  const others = [
    submit('other person', one.token, '2001:db8:2::1'),
    submit('other site', other.token, '2001:db8:1:1::1'),
  ];
  await until('the others wait', () => taken.mock.calls.length === 22);
  await database.query('ROLLBACK');
  await Promise.all([...flood, ...others]);
  await database.end();
  taken.mockRestore();
  expect(answered.slice(0, 6)).toEqual(expect.arrayContaining(['other person 201', 'other site 201']));
});

/** Reads that need no login, each with a table that it reads. */
const READS: Record<string, readonly [table: string, ask: () => Promise<{ status: number }>]> = {
  getScan: ['cookie_scans', () => raw(server.url, { path: `/api/public/cookie-scan/${randomUUID()}` })],
  verifyDomain: ['domain_proofs', () => raw(server.url, { path: '/api/public/verify/shop.example.com' })],
  lookAtInvitation: [
    'site_invitations',
    () => post(server.url, '/api/auth/invitation', { code: randomBytes(32).toString('base64url') }),
  ],
};

/** Ten requests that wait for a lock on a table; what is done meanwhile. */
async function whileLocked(
  { prototype }: typeof FairTurns | typeof PublicTurns,
  [table, ask]: readonly [table: string, ask: () => Promise<unknown>],
  meanwhile: () => Promise<void>,
) {
  // Whatever it needs besides is known from now on.
  await ask();
  const database = new pg.Client(server.databaseUrl);
  await database.connect();
  const taken = jest.spyOn(prototype as FairTurns, 'take');
  await database.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
  const flood = Array.from({ length: 10 }, ask);
  try {
    await until('the flood waits', () => taken.mock.calls.length === 10, 10_000);
    await meanwhile();
  } finally {
    await database.query('ROLLBACK');
    await Promise.all(flood);
    await database.end();
    taken.mockRestore();
  }
}

test.each(Object.entries(READS))(
  '%s takes turns too: a flood of it holds one connection',
  async (_, read) => {
    const { client } = await server.site();
    const { pool } = server.service.context.db.client;
    await whileLocked(PublicTurns, read, async () => {
      await until('one of it has a connection', () => pool.numUsed() === 1, 10_000);
      expect((await client.getMe()).id).toBeGreaterThan(0);
    });
  },
);

test('so does getVendors, which leaves connections for the visitors of other sites', async () => {
  const [{ token }, other] = [await server.site(), await server.site()];
  const { pool } = server.service.context.visitorDb.client;
  const ask = () => raw(server.url, { path: `/api/public/vendors/${token}` });
  await whileLocked(FairTurns, ['vendor_lists', ask], async () => {
    await until('one of it has a connection', () => pool.numUsed() === 1, 10_000);
    expect((await raw(server.url, { path: `/api/bundles/${other.token}.js` })).status).toBe(404);
  });
});

const form = contract.operations.find(({ id }) => id === 'recordFormConsent') as Operation;
const JSON_BODY = { 'Content-Type': 'application/json' };

test('one address that sends forms to several sites holds half of the connections, and leaves the others', async () => {
  const wide = await startServer({ variables: { DATABASE_POOL: '8', ROLE: 'api', TRUST_PROXY: '1' } });
  const sites = [await wide.site(), await wide.site(), await wide.site(), await wide.site()];
  const submit = (token: string, address: string) =>
    raw(wide.url, {
      ...exampleRequest(form, { token }),
      headers: { ...JSON_BODY, 'X-Forwarded-For': address },
    });
  const { pool } = wide.service.context.db.client;
  const database = new pg.Client(wide.databaseUrl);
  await database.connect();
  const taken = jest.spyOn(PublicTurns.prototype, 'take');
  await database.query('BEGIN; LOCK TABLE form_consents IN ACCESS EXCLUSIVE MODE');
  const flood = sites.flatMap(({ token }) => [submit(token, '203.0.113.1'), submit(token, '203.0.113.1')]);
  // Four are for strangers at all.
  await until('the flood waits', () => taken.mock.calls.length === 8 && pool.numUsed() === 2);
  const other = submit(sites[0]?.token as string, '198.51.100.7');
  await until('another address has its turn', () => pool.numUsed() === 3);
  await database.query('ROLLBACK');
  await database.end();
  taken.mockRestore();
  for (const { status } of await Promise.all([...flood, other])) expect(status).toBe(201);
  await wide.stop();
});

test('answers that are kept back hold no turn that others need', async () => {
  const variables = {
    DATABASE_POOL: '2',
    ROLE: 'api',
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'a@b.example',
  };
  const mailing = await startServer({ variables });
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  const kept = jest.spyOn(HeldRefusals.prototype, 'wait').mockReturnValue(promise);
  try {
    const forgotten = { email: 'nobody@example.com' };
    const flood = Array.from({ length: 5 }, () =>
      post(mailing.url, '/api/auth/forgotten-password', forgotten),
    );
    await until('all are kept back', () => kept.mock.calls.length === 5);
    const code = randomBytes(32).toString('base64url');
    expect((await post(mailing.url, '/api/auth/invitation', { code })).status).toBe(404);
    resolve();
    expect((await Promise.all(flood)).map(({ status }) => status)).toEqual(Array(5).fill(202));
  } finally {
    resolve();
    kept.mockRestore();
    await mailing.stop();
  }
});

test('whatever anybody may ask for, and waits for something else than the database, takes turns of its own', () => {
  const folder = join(__dirname, '..', '..', 'server', 'src', 'api');
  const sources = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  const handlers = sources.flatMap((source) => source.split(/^export const (?=\w+: Handler<)/m).slice(1));
  const waiting = contract.operations
    .filter(({ bearer, visitor }) => !bearer && !visitor)
    .map(({ id }) => id)
    .filter((id) =>
      handlers.some(
        (text) =>
          text.startsWith(`${id}: `) && /\b(inTurn|\w+\.wait|hashPassword|checkPassword)\(/.test(text),
      ),
    );
  expect(waiting).toEqual(
    expect.arrayContaining(['requestPasswordReset', 'resetPassword', 'acceptInvitation']),
  );
  expect(waiting.filter((id) => !OF_STRANGERS_WITHOUT_TURN.has(id))).toEqual([]);
});
