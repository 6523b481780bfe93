import { AsyncLocalStorage } from 'node:async_hooks';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { readConfig } from '../../server/src/config';
import { gatherLog } from '../../server/src/db/ledger/gather';
import { verifyCosignature } from '../../server/src/domain/ledger/cosignature';
import {
  type OpenNote,
  openNote,
  readVkey,
  type VerifierKey,
} from '../../server/src/domain/ledger/open-note';
import { FalseWitness, textOf } from '../helpers/ledger/false-witness';
import { growLog, headOfSite, vkeyOfSite } from '../helpers/ledger/grow';
import { DAY, MINUTE, type Named, vouchOnce, witnessesOf } from '../helpers/ledger/vouch';
import { WitnessProcess } from '../helpers/ledger/witness';
import { endChildren } from '../helpers/processes/child';
import { useServer } from '../helpers/server';
import { until } from '../helpers/until';

const server = useServer({ variables: { ROLE: 'api', PUBLIC_URL: 'https://consent.example.com' } });
const db = () => server.service.context.db;
afterAll(endChildren);

/** One run of the job, so many minutes from now; its metrics. */
const run = (witnesses: readonly Named[], minutes = 0, totalMs = 15_000): Promise<string> =>
  vouchOnce(server, { variables: { WITNESSES: witnessesOf(...witnesses) }, minutes, totalMs });

const cosignaturesOf = async (token: string): Promise<{ size: number; witness: string; line: string }[]> => {
  const { id } = await headOfSite(server, token);
  const rows = await db()('ledger_cosignatures').where({ environment_id: id }).orderBy('size');
  return rows.map((row) => ({ ...row, size: Number(row.size) }));
};

const stateOf = async (token: string, { vkey }: { vkey: string }) => {
  const { id } = await headOfSite(server, token);
  return db()('ledger_vouchers').where({ environment_id: id, voucher: vkey }).first();
};

/** So many minutes from now, in seconds since 1970. */
const inSeconds = (minutes: number): number => Math.floor((Date.now() + minutes * MINUTE) / 1_000);

/** A site whose log has so many leaves. */
async function siteWith(leaves: number) {
  const site = await server.site();
  await growLog(server, site.token, leaves);
  return site;
}

describe('a real witness', () => {
  let witness: WitnessProcess;
  let token: string;
  beforeAll(async () => {
    ({ token } = await siteWith(3));
    witness = await WitnessProcess.start([await vkeyOfSite(server, token)]);
  });

  test('cosigns a log as it grows, at most once in WITNESS_MINUTES', async () => {
    await run([witness]);
    await growLog(server, token, 300);
    await run([witness], 30);
    expect((await cosignaturesOf(token)).map(({ size }) => size)).toEqual([3]);
    await run([witness], 61);
    await growLog(server, token, 70_000);
    await run([witness], 122);
    // It has not grown, so nobody is asked.
    await run([witness], 200);
    const stored = await cosignaturesOf(token);
    expect(stored.map(({ size }) => size)).toEqual([3, 303, 70_303]);
    for (const { size, witness: vkey, line } of stored) {
      const { id } = await headOfSite(server, token);
      const { note } = await db()('ledger_checkpoints').where({ environment_id: id, size }).first('note');
      const { text, signatures } = openNote(`${note}${line}\n`) as OpenNote;
      const signature = signatures.at(-1) as (typeof signatures)[number];
      expect(verifyCosignature(signature, readVkey(vkey) as VerifierKey, text)).toBeGreaterThan(0);
      expect(text.split('\n')[1]).toBe(String(size));
    }
  });

  test('that knows less than we believe is told all that it lacks', async () => {
    await witness.kill('SIGKILL');
    rmSync(join(witness.folder, 'checkpoints'), { recursive: true });
    witness = await WitnessProcess.start([await vkeyOfSite(server, token)], witness);
    await growLog(server, token, 1);
    await run([witness], 1_000);
    expect((await cosignaturesOf(token)).at(-1)?.size).toBe(70_304);
  });

  test('that does not know a log is asked again after growing waits, until it does', async () => {
    const other = await siteWith(5);
    const keys = [await vkeyOfSite(server, token), await vkeyOfSite(server, other.token)];
    const waits = [0, 0.5, 1, 2, 3, 4, 8];
    const failures: number[] = [];
    for (const minutes of waits) {
      await run([witness], minutes);
      failures.push((await stateOf(other.token, witness)).failures);
    }
    // After 1, 2 and 4 minutes.
    expect(failures).toEqual([1, 1, 2, 2, 3, 3, 4]);
    expect((await stateOf(other.token, witness)).problem).toBe('unknown_log');
    await witness.kill();
    witness = await WitnessProcess.start(keys, witness);
    await run([witness], 20);
    expect((await cosignaturesOf(other.token)).map(({ size }) => size)).toEqual([5]);
    expect(await stateOf(other.token, witness)).toMatchObject({
      failures: 0,
      failing_since: null,
      problem: null,
    });
  });
});

test.each([
  // The first one comes at 60: half of the time between two visits or more from now, so the other one comes with it.
  { later: 20, at: [61, 122], first: [1, 3, 4], second: [2, 3, 4] },
  // The other one comes at 100, and from 60 on the first one with it.
  { later: 40, at: [61, 101, 162], first: [1, 3, 4, 5], second: [2, 4, 5] },
])('a witness that was added $later minutes later comes by together with the first', async (visits) => {
  const { token } = await siteWith(1);
  const early = await new FalseWitness('early.example').listen();
  const late = await new FalseWitness('late.example').listen();
  try {
    await run([early]);
    for (const minutes of [visits.later, ...visits.at]) {
      await growLog(server, token, 1);
      await run([early, late], minutes);
    }
    const cosigned = await cosignaturesOf(token);
    const sizesOf = ({ vkey }: FalseWitness) =>
      cosigned.filter(({ witness }) => witness === vkey).map(({ size }) => size);
    expect([sizesOf(early), sizesOf(late)]).toEqual([visits.first, visits.second]);
  } finally {
    await Promise.all([early.close(), late.close()]);
  }
});

test('a run ends although a witness does not, and the others are asked again by the next one', async () => {
  const { token } = await siteWith(4);
  const quick = await new FalseWitness('quick.example').listen();
  const slow = await new FalseWitness('slow.example').listen();
  const { answer } = slow;
  slow.answer = () => undefined;
  try {
    const { id } = await headOfSite(server, token);
    const vouchers = () => db()('ledger_vouchers').where({ environment_id: id }).pluck('voucher');
    // A request alone may take a quarter of an hour; on a busy machine the quick one needs several runs.
    await until('the other one has vouched', async () => {
      const variables = { WITNESSES: witnessesOf(slow, quick) };
      await vouchOnce(server, { variables, totalMs: 900_000, runMs: 1_000 });
      return (await cosignaturesOf(token)).length > 0;
    });
    expect(slow.requests.length).toBeGreaterThan(0);
    // Nothing is held against a witness whose time was not over.
    expect(await vouchers()).toEqual([quick.vkey]);
    slow.answer = answer;
    await run([slow], 1);
    expect((await vouchers()).sort()).toEqual([quick.vkey, slow.vkey].sort());
  } finally {
    await Promise.all([quick.close(), slow.close()]);
  }
});

test('a run ends although a witness answers with an upgrade that nobody asked for', async () => {
  const { token } = await siteWith(4);
  const odd = await new FalseWitness('odd.example').listen();
  odd.answer = (_, { socket }) =>
    void socket?.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
  try {
    await run([odd]);
    expect(await stateOf(token, odd)).toMatchObject({ failures: 1, problem: expect.any(String) });
  } finally {
    await odd.close();
  }
});

test('a log that lacks what a proof of it needs keeps no other one from being vouched for', async () => {
  const broken = await siteWith(3);
  const whole = await siteWith(3);
  const witness = await new FalseWitness('whole.example').listen();
  try {
    await run([witness]);
    for (const { token } of [broken, whole]) await growLog(server, token, 300);
    const { id } = await headOfSite(server, broken.token);
    await db()('ledger_entries').where({ environment_id: id }).delete();
    await expect(run([witness], 61)).rejects.toThrow();
    expect((await cosignaturesOf(whole.token)).map(({ size }) => size)).toEqual([3, 303]);
    expect(await stateOf(broken.token, witness)).toMatchObject({
      size: 3,
      failures: 1,
      problem: 'unprovable',
    });
    expect(await stateOf(whole.token, witness)).toMatchObject({ failures: 0, problem: null });
    await db()('ledger_heads').where({ environment_id: id }).delete();
  } finally {
    await witness.close();
  }
});

test('of a witness that is away while a log cannot be proven, all others wait for it together', async () => {
  const broken = await siteWith(3);
  const others: string[] = [];
  for (let n = 0; n < 8; n += 1) others.push((await siteWith(1)).token);
  const witness = await new FalseWitness('away.example').listen();
  try {
    await run([witness]);
    await growLog(server, broken.token, 300);
    for (const token of others) await growLog(server, token, 1);
    const { id } = await headOfSite(server, broken.token);
    await db()('ledger_entries').where({ environment_id: id }).delete();
    witness.answer = (_, to) => to.destroy();
    await expect(run([witness], 61)).rejects.toThrow();
    expect((await stateOf(broken.token, witness)).problem).toBe('unprovable');
    for (const token of others)
      expect(await stateOf(token, witness)).toMatchObject({
        problem: 'unreachable',
        failing_since: expect.any(Date),
      });
    await db()('ledger_heads').where({ environment_id: id }).delete();
  } finally {
    await witness.close();
  }
});

describe('a witness that', () => {
  let witness: FalseWitness;
  let token: string;
  let client: Awaited<ReturnType<typeof siteWith>>['client'];
  const other = new FalseWitness('other.example');
  beforeEach(async () => {
    witness = await new FalseWitness().listen();
    ({ token, client } = await siteWith(4));
  });
  afterEach(() => witness.close());

  test.each<[string, FalseWitness['answer'], string]>([
    ['signs with another key', (request, to) => to.end(`${other.sign(textOf(request))}\n`), 'bad_answer'],
    ['signs something else', (_, to) => to.end(`${witness.sign('x\n1\nAA==\n')}\n`), 'bad_answer'],
    ['signs without a time', (request, to) => to.end(`${witness.sign(textOf(request), 0)}\n`), 'bad_answer'],
    [
      'signs with a time of the year 2200',
      (request, to) => to.end(`${witness.sign(textOf(request), 7_258_118_400)}\n`),
      'bad_answer',
    ],
    [
      'signs with the time of six minutes ago',
      (request, to) => to.end(`${witness.sign(textOf(request), inSeconds(-6))}\n`),
      'bad_answer',
    ],
    [
      'says the same twice',
      (request, to) => to.end(`${witness.sign(textOf(request), inSeconds(0))}\n`.repeat(2)),
      'bad_answer',
    ],
    ['answers with nothing', (_, to) => to.end(), 'bad_answer'],
    ['answers with anything', (_, to) => to.end('<html>— \n'), 'bad_answer'],
    ['answers without end', (_, to) => to.end('— false.example AAAAAAAA\n'.repeat(5_000)), 'unreachable'],
    ['never answers', () => undefined, 'unreachable'],
    ['answers drop by drop', (_, to) => void setInterval(() => to.write('—'), 50).unref(), 'unreachable'],
    ['breaks off', (_, to) => to.destroy(), 'unreachable'],
    ['fails', (_, to) => to.writeHead(503).end('later'), 'bad_answer'],
    ['sends elsewhere', (_, to) => to.writeHead(302, { Location: '/' }).end(), 'bad_answer'],
    ['names no size', (_, to) => to.writeHead(409).end('many\n'), 'bad_answer'],
    [
      'names another size each time',
      ({ oldSize }, to) => to.writeHead(409).end(`${(oldSize + 1) % 4}\n`),
      'bad_answer',
    ],
  ])('%s vouches for nothing, and harms nothing', async (_, answer, problem) => {
    witness.answer = answer;
    const metrics = await run([witness], 0, 700);
    expect(await cosignaturesOf(token)).toEqual([]);
    expect((await stateOf(token, witness)).problem).toBe(problem);
    // Logs of other tests are asked about too.
    const asked = witness.requests.filter(({ note }) => note.includes(token));
    expect(witness.requests.length).toBeGreaterThan(0);
    expect(asked.length).toBeLessThanOrEqual(3);
    expect(metrics).toMatch(/avow_ledger_vouching_total\{kind="witness",result="failed"\} \d/);
    expect(await db()('ledger_checkpoints').where({ note: (await headOfSite(server, token)).note })).toEqual(
      [],
    );
  });

  test('answers with lines of others besides its own is read all the same', async () => {
    witness.answer = (request, to) =>
      to.end(`${other.sign(textOf(request))}\n${witness.sign(textOf(request))}\n`);
    await run([witness]);
    expect((await cosignaturesOf(token)).map(({ line }) => line.split(' ')[1])).toEqual(['false.example']);
  });

  test.each([4, -4])('has a clock that is %s minutes off is believed, with its time', async (minutes) => {
    witness.answer = (request, to) => to.end(`${witness.sign(textOf(request), inSeconds(minutes))}\n`);
    await run([witness]);
    expect(await cosignaturesOf(token)).toHaveLength(1);
  });

  test('has a wrong clock is told by name, with how far it is off', async () => {
    witness.answer = (request, to) => to.end(`${witness.sign(textOf(request), inSeconds(60))}\n`);
    const lines: string[] = [];
    const log = pino({}, { write: (line: string) => void lines.push(line) });
    await vouchOnce(server, { variables: { WITNESSES: witnessesOf(witness) }, log });
    const told = lines.find((line) => line.includes('false.example'));
    expect(told).toMatch(/its time is 3[56]\d\d s off the time of this server/);
  });

  test.each<[string, FalseWitness['answer'] | undefined]>([
    ['is away', (_, to) => to.destroy()],
    ['fails', (_, to) => to.writeHead(500).end('later')],
    ['does not know the log', (_, to) => to.writeHead(404).end('which?')],
    ['is asked about a log that lacks something', undefined],
  ])('knows a larger log and then %s: the roll-back stays until it signs', async (_, answer) => {
    const { answer: sign, vkey, url } = witness;
    const { config } = server.service.context;
    const { id: environment_id } = await headOfSite(server, token);
    const isTold = async (): Promise<boolean[]> => {
      const { items } = await client.listWarnings({ token });
      const { isRolledBack } = await gatherLog(db(), environment_id, [vkey], new Date());
      return [items.some(({ code }) => code === 'evidence_log_rolled_back'), isRolledBack];
    };
    config.witnesses = readConfig({ WITNESSES: `${vkey} ${url}` }).witnesses;
    try {
      // Before anybody else came by, so that it is asked about the newest head of each log.
      await run([witness], -10);
      await growLog(server, token, 300);
      witness.answer = (_, to) => to.writeHead(409).end('100000\n');
      expect(await run([witness], 61)).toMatch(/^avow_ledger_rolled_back_logs [1-9]/m);
      expect(await isTold()).toEqual([true, true]);
      const entries = await db()('ledger_entries').where({ environment_id });
      if (answer === undefined) await db()('ledger_entries').where({ environment_id }).delete();
      else witness.answer = answer;
      const failed = run([witness], 70);
      const metrics = await (answer === undefined ? failed.catch(() => '') : failed);
      expect(await stateOf(token, witness)).toMatchObject({ problem: 'larger_tree', failures: 2 });
      if (answer !== undefined) expect(metrics).toMatch(/^avow_ledger_rolled_back_logs [1-9]/m);
      expect(await isTold()).toEqual([true, true]);
      // Another answer of that kind is newer.
      if (answer === undefined) await db().batchInsert('ledger_entries', entries);
      witness.answer = (_, to) => to.writeHead(422).end();
      await run([witness], 90);
      expect(await stateOf(token, witness)).toMatchObject({ problem: 'other_tree', failures: 3 });
      // Whoever names another witness is not told of this one for ever.
      config.witnesses = [];
      expect((await isTold())[0]).toBe(false);
      config.witnesses = readConfig({ WITNESSES: `${vkey} ${url}` }).witnesses;
      witness.answer = sign;
      await run([witness], 200);
      expect(await stateOf(token, witness)).toMatchObject({
        size: 304,
        problem: null,
        failing_since: null,
      });
      expect(await isTold()).toEqual([false, false]);
    } finally {
      config.witnesses = [];
    }
  });

  test('is away for a day is told to the owner, until it is back', async () => {
    const url = witness.url;
    await witness.close();
    await run([{ vkey: witness.vkey, url }]);
    const codes = async () => (await client.listWarnings({ token })).items.map(({ code }) => code);
    const { config } = server.service.context;
    config.witnesses = readConfig({ WITNESSES: `${witness.vkey} ${url}` }).witnesses;
    try {
      expect(await codes()).not.toContain('evidence_not_vouched');
      const { id: environment_id } = await headOfSite(server, token);
      const before = new Date(Date.now() - DAY - MINUTE);
      await db()('ledger_vouchers').where({ environment_id }).update({ failing_since: before });
      expect(await codes()).toContain('evidence_not_vouched');
      const metrics = await run([{ vkey: witness.vkey, url }], 2);
      expect(metrics).toMatch(/^avow_ledger_unvouched_logs [1-9]/m);
      const [warning] = (await client.listWarnings({ token })).items.filter(
        ({ code }) => code === 'evidence_not_vouched',
      );
      expect(warning).toMatchObject({ severity: 'warning', subject_id: null, since: before.toISOString() });
      expect(warning?.message).toContain('false.example');
      await witness.listen(Number(new URL(url).port));
      await run([witness], 60);
      expect(await codes()).not.toContain('evidence_not_vouched');
      expect(await cosignaturesOf(token)).toHaveLength(1);
    } finally {
      config.witnesses = [];
    }
  });

  test('is away costs a few requests and not one for each log', async () => {
    for (let n = 0; n < 12; n += 1) await siteWith(1);
    witness.answer = (_, to) => to.destroy();
    await run([witness]);
    expect(witness.requests.length).toBeLessThan(8);
    // All of them wait for it, and know since when.
    const rows = await db()('ledger_vouchers').where({ voucher: witness.vkey });
    expect(rows.length).toBeGreaterThanOrEqual(13);
    expect(
      rows.every(({ failing_since, problem }) => failing_since !== null && problem === 'unreachable'),
    ).toBe(true);
    witness.answer = (request, to) => to.end(`${witness.sign(textOf(request))}\n`);
    await run([witness], 2);
    expect((await db()('ledger_cosignatures').where({ witness: witness.vkey })).length).toBe(rows.length);
  });

  test('never answers keeps no other one waiting', async () => {
    const good = await new FalseWitness('good.example').listen();
    witness.answer = () => undefined;
    const running = run([witness, good], 0, 3_000);
    let done = false;
    void running.then(() => {
      done = true;
    });
    while ((await cosignaturesOf(token)).length === 0 && !done)
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect(done).toBe(false);
    await running;
    await good.close();
  });
});

describe('two servers of one database', () => {
  test('store one signature', async () => {
    const witness = await new FalseWitness('twice.example').listen();
    const { token } = await siteWith(2);
    await Promise.all([run([witness]), run([witness])]);
    expect((await cosignaturesOf(token)).filter(({ witness: of }) => of === witness.vkey)).toHaveLength(1);
    await witness.close();
  });
});

test('witnesses of a log that grows all the time sign the same heads, and none a smaller one than before', async () => {
  const { token } = await siteWith(3);
  const [ada, bob] = await Promise.all(['ada', 'bob'].map((name) => new FalseWitness(name).listen()));
  if (ada === undefined || bob === undefined) throw new Error('two witnesses listen');
  const outside = AsyncLocalStorage.snapshot();
  const adas: number[] = [];
  const bobs: number[] = [];
  for (const [witness, sizes] of [
    [ada, adas],
    [bob, bobs],
  ] as const)
    witness.answer = async (request, response) => {
      const [, size] = textOf(request).split('\n');
      if (request.note.includes(token)) sizes.push(Number(size));
      // Whoever is asked next finds a log that has grown: not by what asks, whose connection is its own.
      await outside(() => growLog(server, token, 10));
      response.end(`${witness.sign(textOf(request))}\n`);
    };
  try {
    // One comes by some minutes later, as after a failure, then both at once, then the other one first.
    for (const [minutes, ...due] of [
      [0, ada],
      [2, bob],
      [63, ada, bob],
      [125, bob],
      [127, ada],
    ] as const)
      await run(due, minutes);
    expect(adas).toEqual(bobs);
    expect(adas).toHaveLength(3);
    // Later than that each gets the newest head.
    await run([ada], 190);
    await run([bob], 197);
    expect(bobs.at(-1)).toBeGreaterThan(adas.at(-1) as number);
    for (const sizes of [adas, bobs]) expect(sizes).toEqual([...new Set(sizes)].sort((a, b) => a - b));
  } finally {
    await Promise.all([ada.close(), bob.close()]);
  }
});
