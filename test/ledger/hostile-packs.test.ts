import { verifyEvidence } from '../../sdk/src/verify';
import { judgeAttachments, type Named } from '../../sdk/src/verify/attachments';
import { Context } from '../../sdk/src/verify/context';
import { Report } from '../../sdk/src/verify/report';
import { readZip } from '../../sdk/src/verify/zip';
import { hash, lineOf, type MadePack, makePack, ndjson, receiptOf, zipOf } from '../helpers/ledger/made-pack';
import { checkpointText, Signer } from '../helpers/ledger/signer';
import { rootOf } from '../helpers/ledger/tree';
import { writeZip } from '../helpers/ledger/zip';

const verify = (pack: MadePack, trusted = pack.keys.old) =>
  verifyEvidence(zipOf(pack), { trustedKeys: [trusted.vkey] });
type Found = Awaited<ReturnType<typeof verify>>;
const told = ({ steps }: Found, outcome: Found['steps'][number]['ok']): string[] =>
  steps.filter(({ ok }) => ok === outcome).map(({ step, where, what }) => `${step}: ${where}: ${what}`);

describe('what a pack says is kept within bounds', () => {
  test.each<[string, string, (line: ReturnType<typeof lineOf>, long: string) => void]>([
    ['a path', 'file', (line, long) => Object.assign(line, { path: long })],
    ['a checksum', 'file', (line, long) => Object.assign(line, { sha256: long })],
    ['an authority', 'checkpoint', (line, long) => Object.assign(line.timestamps[0], { authority: long })],
    ['an endorsement', 'key', (line, long) => Object.assign(line, { successor_signature: long })],
  ])('%s that no archive can name is refused at once', async (_, type, change) => {
    const pack = makePack();
    change(lineOf(pack, type), 'a'.repeat(70_000));
    const found = await verify(pack);
    expect(told(found, false)).toEqual([expect.stringMatching(/^file: .*the line is longer than 64 KiB/)]);
    // Nothing behind it was read.
    expect(found.steps.at(-1)?.what).toMatch(/64 KiB/);
  });

  test('a checksum of another length is refused', async () => {
    const pack = makePack();
    lineOf(pack, 'file').sha256 += '0';
    expect(told(await verify(pack), false)).toEqual([expect.stringMatching(/its SHA-256 is none/)]);
  });

  test('records without end are refused', async () => {
    const pack = makePack();
    const records = '{"type":"record"}\n'.repeat(1_000_001);
    const content = Buffer.from(ndjson(pack.lines.slice(0, 5)) + records);
    let last: unknown;
    const onStep = (step: unknown): unknown => (last = step);
    const zip = writeZip([{ name: 'evidence.ndjson', content }]);
    expect((await verifyEvidence(zip, { onStep })).verdict).toBe('failed');
    expect(last).toMatchObject({ what: 'too many records', where: 'evidence.ndjson line 1000006' });
  }, 180_000);

  test('names that records give are kept as far as there is room; without it nothing is called verified', () => {
    const context = new Context();
    const report = new Report(undefined);
    for (let n = 0; n < 500_000; n += 1) {
      const record = { bundle_hash: `h${n}`, banner_version: 1 };
      context.note(report, { kind: 'consent', record } as never, `line ${n}`, n);
    }
    for (let n = 0; n < 410_000; n += 1) {
      const record = { hash: `h${n}`, files: { 'texts.json': 'a' } };
      context.note(report, { kind: 'bundle', record } as never, 'line', 500_000 + n);
    }
    expect(context.sealed.size).toBe(400_000);
    context.judge(report);
    expect(report.found.verdict).toBe('incomplete');
    expect(report.found.steps[0]).toMatchObject({ what: 'records name too much', ok: 'unknown' });
    expect(report.found.steps.filter(({ ok }) => ok === false)).toEqual([]);
  });

  test('of what a bundle says, texts of some length are kept, whatever stands there', () => {
    const context = new Context();
    const files = {
      'texts.json': 'x'.repeat(2 ** 20),
      'vendors.json': [[[]]],
      'settings.json': 5,
      other: 'y',
    };
    const record = { hash: 'h', integrity: [['i'.repeat(1000)]], bytes: {}, files };
    context.note(new Report(undefined), { kind: 'bundle', record } as never, 'line 1', 1);
    const said = [...context.sealed].map(([path, sealed]) => [path, sealed.said]);
    expect(Object.fromEntries(said)).toEqual({
      'bundles/h.js': 'i'.repeat(100),
      'bundles/h.texts.json': 'x'.repeat(100),
      'bundles/h.vendors.json': '',
      'bundles/h.settings.json': '5',
    });
    // A text is not taken apart, nor a list.
    for (const taken of ['x'.repeat(4_000_000), Array(100_000).fill('y')]) {
      const other = new Context();
      const hostile = { kind: 'bundle', record: { ...record, files: taken } } as never;
      other.note(new Report(undefined), hostile, 'line 1', 1);
      expect([...other.sealed.keys()]).toEqual(['bundles/h.js']);
    }
  });

  test.each([
    ['lists', `[${'[],'.repeat(600_000)}0]`],
    ['numbers', `[${'0,'.repeat(1_100_000)}0]`],
  ])('a line of too many values is refused before it is read: %s', async (_, files) => {
    const pack = makePack();
    const { blinding } = lineOf(pack, 'record');
    const statement = `{"avow":1,"kind":"bundle","record":{"files":${files}},"site":"s"}`;
    const line = {
      type: 'record',
      kind: 'bundle',
      statement,
      blinding,
      leaf: null,
      proof: null,
      pending: true,
    };
    pack.lines.splice(5, 0, line);
    expect(told(await verify(pack), false)).toEqual(['file: evidence.ndjson line 6: it has too many values']);
  });

  test('a receipt that lists a key twice is refused', async () => {
    const pack = makePack();
    const receipt = receiptOf(pack);
    receipt.evidence.keys.push(receipt.evidence.keys[0]);
    const found = await verifyEvidence(JSON.stringify(receipt), { trustedKeys: [pack.keys.old.vkey] });
    expect(told(found, false)).toEqual([
      expect.stringMatching(/^keys: evidence.keys\[2\]: the key is listed twice/),
    ]);
  });

  test('a time-stamp that is larger than any is read as none, whatever it holds', async () => {
    const pack = makePack();
    const file = pack.files.find(({ name }) => name.endsWith('.tsr')) as (typeof pack.files)[number];
    file.content = Buffer.concat([file.content, Buffer.alloc(70_000)]);
    const sha256 = hash('sha256', file.content).toString('hex');
    for (const line of pack.lines) if (line.path === file.name) Object.assign(line, { sha256 });
    expect(told(await verify(pack), false)).toEqual([
      'time-stamp: timestamps/13-1.tsr: it is no time-stamp of RFC 3161 over SHA-256',
    ]);
  });

  test('a receipt whose record has a text for an object is read without taking it apart', async () => {
    const pack = makePack([['consent', { consent_id: 'c', categories: 'x'.repeat(3_000_000) }]]);
    const receipt = { ...receiptOf(pack), purposes: [] };
    const found = await verifyEvidence(JSON.stringify(receipt), { trustedKeys: [pack.keys.old.vkey] });
    expect(found.verdict).toBe('failed');
    expect(found.steps.length).toBeLessThan(30);
  });

  test.each<[string, object]>([
    ['a text among the recipients', { recipients: ['Acme Ltd: consent given'] }],
    ['a list in the list', { recipients: [[{ id: 99, name: 'Acme', consent: 'given' }]] }],
    ['a text as a purpose', { purposes: ['x'] }],
  ])('a receipt with %s is not verified', async (_, change) => {
    const pack = makePack();
    const receipt = receiptOf(pack);
    for (const [name, more] of Object.entries(change))
      receipt[name] = [...[receipt[name] ?? []].flat(), ...more];
    const found = await verifyEvidence(JSON.stringify(receipt), { trustedKeys: [pack.keys.old.vkey] });
    expect(found.verdict).not.toBe('verified');
  });

  test('a signal ends what takes too long', async () => {
    const pack = makePack();
    const gone = AbortSignal.abort(new Error('too long'));
    await expect(verifyEvidence(zipOf(pack), { signal: gone })).rejects.toThrow('too long');
    const controller = new AbortController();
    const records: string[] = [];
    const onStep = ({ step, where }: { step: string; where: string }): void => {
      if (step === 'record') records.push(where);
      if (records.length === 1) controller.abort(new Error('enough'));
    };
    const late = verifyEvidence(zipOf(pack), { signal: controller.signal, onStep });
    await expect(late).rejects.toThrow('enough');
  });

  test('files are hashed up to a sum of their sizes; the others are told as unknown', async () => {
    const files = ['a', 'b', 'c'].map((name) => ({ name, content: Buffer.alloc(600) }));
    const file = new Blob([new Uint8Array(writeZip(files))]);
    const named: Named = { files: new Map(), timeStamps: new Map(), context: new Context() };
    const report = new Report(undefined);
    const job = { report, trusted: [], witnesses: [], seen: new Map(), canVerify: true, signal: undefined };
    await judgeAttachments(job, file, await readZip(file), named, 1_500);
    expect(report.found.steps.map(({ where, ok, what }) => [where, ok, what])).toEqual([
      ['a', false, expect.stringMatching(/names it/)],
      ['b', false, expect.stringMatching(/names it/)],
      ['c', 'unknown', 'it is too large'],
    ]);
  });
});

describe('an older head', () => {
  const change = (
    pack: MadePack,
    signer: Signer,
    size: number,
    root = rootOf(pack.entries.slice(0, size)),
  ) => {
    const text = checkpointText(signer.name, size, root);
    const line = lineOf(pack, 'checkpoint', 1);
    line.note = `${text}\n${signer.line(text)}`;
    if (size === 0) line.consistency = [];
  };

  test('by a key that nobody trusts fails, though its tree is a part of the log', async () => {
    const pack = makePack();
    const stranger = new Signer(pack.keys.old.name);
    const key = { ...lineOf(pack, 'key', 1), vkey: stranger.vkey };
    pack.lines.splice(3, 0, key);
    change(pack, stranger, 5);
    const found = await verify(pack);
    expect(found.verdict).toBe('failed');
    expect(told(found, false)).toEqual([
      expect.stringMatching(/^trust: evidence.ndjson line 6: it is signed by .* none of the keys/),
    ]);
  });

  test('by a key of before the trusted one is the log’s own, and only said to be by that key', async () => {
    const pack = makePack();
    const found = await verify(pack, pack.keys.present);
    expect([found.verdict, told(found, false)]).toEqual(['verified', []]);
    expect(told(found, 'unproven')).toContainEqual(expect.stringMatching(/^trust: evidence.ndjson line 5: /));
    expect(found.heads.map(({ size }) => size)).toEqual([13, 5]);
  });

  test('of no leaves has the root of the empty tree', async () => {
    const pack = makePack();
    change(pack, pack.keys.old, 0, Buffer.alloc(32, 7));
    expect(told(await verify(pack), false)).toEqual([
      expect.stringMatching(/^consistency: .*not proven to continue that of 0/),
    ]);
    const empty = Buffer.from('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', 'hex');
    change(pack, pack.keys.old, 0, empty);
    expect((await verify(pack)).verdict).toBe('verified');
  });
});
