import { randomUUID } from 'node:crypto';
import { MailTroubles } from '../../server/src/mail/mail-troubles';
import { CONNECTIONS } from '../../server/src/mail/smtp';
import { CERTIFICATE, type MailServer, sendingTo, startMailServer } from '../helpers/mail/mail-server';
import { useServer } from '../helpers/server';
import { until } from '../helpers/until';

jest.setTimeout(120_000);

let mailServer: MailServer;
/** Addresses that were asked about, in their order. */
const asked: string[] = [];
const variables: Record<string, string> = { TRUST_PROXY: '1' };
beforeAll(async () => {
  mailServer = await startMailServer({
    onRcptTo({ address }, _session, done) {
      asked.push(address);
      const refused = mailServer.answers.recipient?.(address);
      // Silence: as a relay that asks the receiver's own mail server first.
      if (address.endsWith('@hangs.example')) return;
      done(
        refused === undefined
          ? undefined
          : Object.assign(new Error(refused[1]), { responseCode: refused[0] }),
      );
    },
  });
  // After four failures an hour: whoever rests that long is seen.
  Object.assign(variables, sendingTo(mailServer.url), { WEBHOOK_RETRY_SECONDS: '0,0,0,3600' });
});
afterAll(() => mailServer?.stop());
const server = useServer({ variables, mail: { ca: CERTIFICATE } });
afterEach(() => {
  mailServer.answers.recipient = undefined;
  asked.length = 0;
});

const submit = (token: string, email: string) =>
  server.visitor.submitDsar({ token, body: { request_type: 'access', email } });

const rowsOf = async (token: string): Promise<{ state: string; attempts: number }[]> => {
  const { db } = server.service.context;
  const { id } = await db('environments').where({ token }).first('id');
  return db('mails').where({ environment_id: id, audience: 'visitor' }).select('state', 'attempts');
};

test('addresses over which the mail server breaks off stop the mail of nobody else', async () => {
  const [site, other] = [await server.site(), await server.site()];
  mailServer.answers.recipient = (to) =>
    to.endsWith('@drop.example') ? [421, '4.4.2 try later'] : undefined;
  for (let n = 0; n < 10; n += 1) await submit(site.token, `${randomUUID()}@drop.example`);
  await until('they were tried', () => asked.length >= 10);
  const [same, elsewhere] = [`${randomUUID()}@person.example`, `${randomUUID()}@person.example`];
  await submit(site.token, same);
  await submit(other.token, elsewhere);
  await server.visitor.requestPasswordReset({ body: { email: other.email } });
  for (const to of [same, elsewhere, other.email]) await mailServer.until(1, to);
  await until('each has had its attempts, and waits longer', async () => {
    const waiting = (await rowsOf(site.token)).filter(({ state }) => state === 'pending');
    return waiting.length === 10 && waiting.every(({ attempts }) => attempts === 4);
  });
});

test('a mail server that breaks off over every mail costs them no attempts, and all go when it is well', async () => {
  const site = await server.site();
  mailServer.answers.recipient = () => [421, '4.3.2 shutting down'];
  const all = Array.from({ length: 12 }, (_, n) => `${randomUUID()}@${n}.example`);
  for (const email of all) await submit(site.token, email);
  await until('many tries', () => asked.length >= 40);
  const rows = await rowsOf(site.token);
  expect(rows.map(({ state }) => state)).toEqual(Array(12).fill('pending'));
  // Those of before it was clear.
  expect(rows.reduce((sum, { attempts }) => sum + attempts, 0)).toBeLessThan(CONNECTIONS * 2);
  mailServer.answers.recipient = undefined;
  for (const email of all) await mailServer.until(1, email);
});

test('hand-overs that fail together are one failure, and each rest is longer', () => {
  let now = 0;
  const troubles = new MailTroubles([10, 30, 300], () => now);
  const fail = (begunAt: number) =>
    troubles.note(
      { result: 'unreachable', status: undefined, error: 'ECONNREFUSED' },
      { slowBy: 'one', to: 'a@person.example', begunAt },
    );
  for (let n = 0; n < CONNECTIONS; n += 1) {
    now += 1;
    fail(0);
  }
  now = 10_001;
  expect([troubles.isAway, troubles.isResting]).toEqual([true, false]);
  fail(10_001);
  now += 29_999;
  expect(troubles.isResting).toBe(true);
  now += 1;
  expect(troubles.isResting).toBe(false);
});

test('a domain over whose mails it breaks off shares its places with all that are slow, for accounts as for sites', () => {
  const troubles = new MailTroubles([10, 30, 300]);
  const [slow, site] = ['to slow.example', 'a site'];
  const line = { holders: ['group 1', slow] as const, slowBy: slow };
  const end = troubles.begin(line);
  expect(troubles.placesOf(line)).toBe(CONNECTIONS - 2);
  for (const slowBy of [slow, site])
    troubles.note(
      { result: 'put off', status: undefined, error: 'It fell silent.', broke: true },
      { slowBy, to: 'a@slow.example', begunAt: 0 },
    );
  expect(troubles.placesOf({ holders: ['group 2', site], slowBy: site })).toBe(CONNECTIONS / 2 - 1);
  const well = { holders: ['group 1', 'to well.example'] as const, slowBy: 'to well.example' };
  troubles.see([line, well].map((one) => ({ ...one, isNobodys: false })));
  // Nobody else: of an account that was deleted.
  troubles.see([{ holders: ['group 0', 'to '], isNobodys: true }]);
  expect(troubles.placesOf(well)).toBe(CONNECTIONS - 1);
  // Another group, for which a place is kept from now on.
  troubles.see([{ holders: ['group 2', site], isNobodys: false }]);
  troubles.see([{ ...line, isNobodys: false }]);
  expect(troubles.placesOf(well)).toBe(CONNECTIONS - 2);
  end();
  troubles.note({ result: 'sent', status: 250 }, { slowBy: slow, to: 'a@slow.example', begunAt: 0 });
  expect(troubles.placesOf(line)).toBe(CONNECTIONS - 1);
});

// The last: they hang for longer than it.
test('addresses that never answer take no more than some of the places', async () => {
  const [site, other] = [await server.site(), await server.site()];
  for (let n = 0; n < 20; n += 1) await submit(site.token, `${randomUUID()}@hangs.example`);
  await until('they take places', () => asked.length > 1);
  const [same, elsewhere] = [`${randomUUID()}@person.example`, `${randomUUID()}@person.example`];
  await submit(other.token, elsewhere);
  await submit(site.token, same);
  await mailServer.until(1, elsewhere);
  // One place is left for others.
  expect(asked.indexOf(elsewhere)).toBeLessThan(CONNECTIONS);
});
