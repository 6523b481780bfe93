import { randomUUID } from 'node:crypto';
import { post as postJson } from '../helpers/http/raw';
import { useMailServer } from '../helpers/mail/use-mail-server';
import { useServer } from '../helpers/server';
import { eventually } from '../helpers/until';

jest.setTimeout(60_000);

const { mails: mailServer, options } = useMailServer();
// The same object, which gets the mail server's address.
Object.assign(options.variables ?? {}, { TRUST_PROXY: '1' });
const server = useServer(options);

const someone = (): string => `${randomUUID()}@visitor.example`;

/** A request that names an address, from a network. */
async function ask(token: string, email: string, from = '198.51.100.7'): Promise<string> {
  const headers = { 'X-Forwarded-For': from };
  const sent = await postJson(server.url, `/api/dsar/${token}`, { request_type: 'access', email }, headers);
  expect(sent.status).toBe(201);
  return sent.json.data.request_id;
}

/** Whoever has the mail wants no more of them, by the header. */
async function unsubscribe(email: string): Promise<void> {
  const [mail] = await mailServer.until(1, email);
  const raw = (mail?.raw ?? '').replace(/\r\n[ \t]+/g, ' ');
  const { pathname } = new URL(/^List-Unsubscribe:\s*<([^>]+)>/m.exec(raw)?.[1] ?? '');
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
  expect((await fetch(server.url + pathname, { method: 'POST', body })).status).toBe(200);
}

test('a network that names somebody all day leaves them the confirmation of their own request', async () => {
  const { client, token } = await server.site({ verify_requesters: true });
  const email = someone();
  const forged: string[] = [];
  // Addresses of one network cost little.
  for (let n = 0; n < 6; n += 1) forged.push(await ask(token, email, `203.0.113.${n}`));
  const own = await ask(token, email);
  const { items } = await client.listMails({ token });
  const kept = items.filter(({ state }) => state === 'withheld').map(({ request_id }) => request_id);
  expect(kept.sort()).toEqual(forged.slice(2).sort());
  const mails = await mailServer.until(3, email);
  const link = new RegExp(`/mail/verify/${token}/${own}/[^\\s>]+`);
  const found = mails.map(({ parsed }) => link.exec(parsed.text ?? '')?.[0]).find(Boolean);
  expect((await fetch(`${server.url}${found}`, { method: 'POST' })).status).toBe(200);
  expect(await client.getDsar({ token, request_id: own })).toMatchObject({
    ...{ identification: 'verified', undelivered: [] },
  });
});

test('a confirmation that its receiver did without is on their request and a warning, until it is answered', async () => {
  const { client, token } = await server.site({ verify_requesters: true });
  const email = someone();
  await ask(token, email, '203.0.113.9');
  await unsubscribe(email);
  const warned = async () =>
    (await client.listWarnings({ token })).items.filter(({ code }) => code === 'confirmation_not_delivered');
  expect(await warned()).toEqual([]);
  const at = { token, request_id: await ask(token, email) };
  // The answer is mailed to them all the same.
  expect(await client.getDsar(at)).toMatchObject({
    ...{ mailing: 'mailed', identification: 'pending' },
    undelivered: [
      {
        ...{ duty: 'confirmation', state: 'withheld' },
        error: expect.stringMatching(/^Its receiver wants no mails about requests to this site/),
      },
    ],
  });
  expect((await client.getDsarCase(at)).request.undelivered).toHaveLength(1);
  expect(await warned()).toMatchObject([
    {
      subject_id: at.request_id,
      message: expect.stringMatching(/wants no mails.*identify them in another way/),
    },
  ]);
  // One warning for all that strangers cause.
  await ask(token, email);
  expect(await warned()).toMatchObject([
    { subject_id: null, message: expect.stringContaining('people of 2 ') },
  ]);
  // Where nobody is asked to confirm anything, nothing is missing.
  await client.updateEnvironment({ token, body: { settings: { verify_requesters: false } } });
  expect([(await client.getDsar(at)).undelivered, await warned()]).toEqual([[], []]);
  await client.updateEnvironment({ token, body: { settings: { verify_requesters: true } } });
  await client.resolveDsar({ ...at, body: { resolution: 'fulfilled', answer: 'By telephone.' } });
  expect([(await client.getDsar(at)).undelivered, (await warned()).length]).toEqual([[], 1]);
});

test('a confirmation that the mail server refuses is on the request, too', async () => {
  const { client, token } = await server.site({ verify_requesters: true });
  mailServer.answers.recipient = () => [550, '5.1.1 unknown user'];
  const request_id = await ask(token, someone());
  const { undelivered } = await eventually(
    () => client.getDsar({ token, request_id }),
    (read) => read.undelivered.length > 0,
  );
  mailServer.answers.recipient = undefined;
  expect(undelivered).toMatchObject([
    { duty: 'confirmation', state: 'failed', error: expect.stringContaining('unknown user') },
  ]);
});
