import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ObjectIdentifier } from 'asn1js';
import { readConfig } from '../../server/src/config';
import { writeTimeStampQuery } from '../../server/src/domain/ledger/time-stamp';
import { Authority, hasOpenssl, POLICIES } from '../helpers/ledger/authority';
import { growLog, headOfSite } from '../helpers/ledger/grow';
import { DAY, vouchOnce } from '../helpers/ledger/vouch';
import { useServer } from '../helpers/server';
import { until } from '../helpers/until';

const server = useServer({ variables: { ROLE: 'api', PUBLIC_URL: 'https://consent.example.com' } });
const db = () => server.service.context.db;

const textOf = (note: string): string => note.slice(0, note.indexOf('\n\n') + 1);

(hasOpenssl ? describe : describe.skip)('an authority of openssl', () => {
  let authority: Authority;
  let url: string;
  beforeAll(async () => {
    authority = new Authority();
    url = await authority.listen();
  });
  afterAll(() => authority.close());
  beforeEach(() => {
    authority.misbehave = undefined;
  });

  const run = (more: { minutes?: number; totalMs?: number; url?: string } = {}): Promise<string> =>
    vouchOnce(server, { ...more, variables: { TIMESTAMP_URLS: more.url ?? url } });
  async function siteWith(leaves: number) {
    const site = await server.site();
    await growLog(server, site.token, leaves);
    return { ...site, id: (await headOfSite(server, site.token)).id };
  }
  const stampsOf = (environment_id: string) =>
    db()('ledger_timestamps').where({ environment_id }).orderBy('size');

  test('stamps a checkpoint every TIMESTAMP_HOURS if it has grown, and openssl verifies what is stored', async () => {
    const { id, token } = await siteWith(2);
    await run();
    await growLog(server, token, 5);
    await run({ minutes: 60 });
    expect(await stampsOf(id)).toHaveLength(1);
    await run({ minutes: 24 * 60 + 1 });
    await run({ minutes: 72 * 60 });
    const stored = await stampsOf(id);
    expect(stored.map(({ size, authority: name }) => [Number(size), name])).toEqual([
      [2, url],
      [7, url],
    ]);
    for (const { size, token: stamp, gen_time } of stored) {
      const { note } = await db()('ledger_checkpoints').where({ environment_id: id, size }).first('note');
      expect(authority.verifies(stamp, textOf(note))).toContain('Verification: OK');
      expect(Math.abs(gen_time.getTime() - Date.now())).toBeLessThan(DAY / 24);
    }
    expect(() => authority.verifies(stored[0]?.token, 'another text')).toThrow();
  });

  test('is in the state of the evidence log, with the token and the text that it is of', async () => {
    const { client, token } = await siteWith(3);
    await run();
    const { config } = server.service.context;
    config.timestampUrls = readConfig({ TIMESTAMP_URLS: url }).timestampUrls;
    try {
      const { timestamps, witnesses } = await server.visitor.getEvidenceLog({ token });
      expect([witnesses, timestamps]).toEqual([[], [expect.objectContaining({ authority: url, size: 3 })]]);
      const [stamp] = timestamps;
      const bytes = Buffer.from(stamp?.token ?? '', 'base64');
      expect(authority.verifies(bytes, textOf(stamp?.checkpoint ?? ''))).toContain('OK');
      // A log that is not published says nothing to strangers, and all to members.
      await client.updateEnvironment({ token, body: { settings: { publish_evidence_log: false } } });
      await until(
        'the site is not published',
        async () => (await server.visitor.getEvidenceLog({ token })).timestamps.length === 0,
      );
      expect((await client.getEvidenceLog({ token })).timestamps).toEqual(timestamps);
    } finally {
      config.timestampUrls = [];
    }
  });

  test('is asked for the policy that was named, and the secret in its URL stays ours', async () => {
    const { id } = await siteWith(1);
    await run({ url: `${url}?key=hidden#${POLICIES[1]}` });
    const [stamp] = await stampsOf(id);
    expect(stamp?.authority).toBe(url);
    const text = authority.openssl(
      'ts',
      '-reply',
      '-in',
      await fileOf(stamp?.token),
      '-token_in',
      '-text',
      '-token_out',
    );
    expect(text).toContain(POLICIES[1]);
  });

  const fileOf = async (token: Buffer): Promise<string> => {
    writeFileSync(join(authority.folder, 'stored.der'), token);
    return 'stored.der';
  };

  test('an answer of tens of thousands of numbers holds up nobody while it is read', async () => {
    const { id } = await siteWith(2);
    // One object identifier: the library makes an object of each of its bytes.
    const identifier = Buffer.concat([Buffer.of(0x06, 0x82, 0xff, 0x00), Buffer.alloc(0xff00, 1)]);
    const body = Buffer.concat([Buffer.of(0x30, 0x82, 0xff, 0x04), identifier]);
    const parsed = jest.spyOn(ObjectIdentifier.prototype, 'fromBER');
    authority.misbehave = (_, to) => void to.end(body);
    await run();
    expect(parsed).not.toHaveBeenCalled();
    parsed.mockRestore();
    const { problem } = await db()('ledger_vouchers').where({ environment_id: id, voucher: url }).first();
    expect(problem).toBe('bad_answer');
  });

  test.each<[string, NonNullable<Authority['misbehave']>, string]>([
    ['answers what it answered before', (_, to) => void to.end(earlier), 'bad_answer'],
    ['answers with a page', (_, to) => void to.end('<html>'), 'bad_answer'],
    ['answers with nothing', (_, to) => void to.end(), 'bad_answer'],
    ['refuses', (_, to) => void to.end(Buffer.from('30053003020102', 'hex')), 'bad_answer'],
    ['fails', (_, to) => void to.writeHead(500).end(), 'bad_answer'],
    ['answers too much', (_, to) => void to.end(Buffer.alloc(70_000)), 'unreachable'],
    ['never answers', () => undefined, 'unreachable'],
    ['breaks off', (_, to) => void to.destroy(), 'unreachable'],
  ])('that %s leaves no time-stamp, and is asked again', async (_, misbehave, problem) => {
    const { id } = await siteWith(1);
    authority.misbehave = misbehave;
    const metrics = await run({ totalMs: 1_500 });
    expect(metrics).toMatch(/avow_ledger_vouching_total\{kind="authority",result="failed"\} \d/);
    expect(await stampsOf(id)).toEqual([]);
    expect(await db()('ledger_checkpoints').where({ environment_id: id })).toEqual([]);
    expect((await db()('ledger_vouchers').where({ environment_id: id, voucher: url }).first()).problem).toBe(
      problem,
    );
    authority.misbehave = undefined;
    await run({ minutes: 30 });
    expect(await stampsOf(id)).toHaveLength(1);
  });

  let earlier: Buffer;
  beforeAll(async () => {
    const query = { text: 'x', nonce: Buffer.alloc(16, 1), policy: undefined, at: Date.now() };
    earlier = await authority.reply(writeTimeStampQuery(query));
  });
});
