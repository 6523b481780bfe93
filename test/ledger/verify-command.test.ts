import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hash, lineOf, type MadePack, makePack, ndjson, receiptOf, zipOf } from '../helpers/ledger/made-pack';
import { Signer } from '../helpers/ledger/signer';
import { writeZip } from '../helpers/ledger/zip';
import { runToEnd } from '../helpers/processes/child';

const folder = mkdtempSync(join(tmpdir(), 'avow-verify-'));
afterAll(() => rmSync(folder, { recursive: true }));

const verify = (...args: string[]) => runToEnd('server/cli/main.js', ['verify', ...args], {});

/** Writes a file of the test; returns its path. */
function write(name: string, content: Uint8Array | string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** The same pack, with a line for another file in the place of one, which it leaves out. */
function withOther(pack: MadePack, { path, content }: { path: string; content: Buffer }): MadePack {
  const sha256 = hash('sha256', content).toString('hex');
  const lines = pack.lines.map((line) => (line.path === path ? { ...line, sha256 } : line));
  return { ...pack, lines, files: pack.files.filter(({ name }) => name !== path) };
}

describe('npm run verify', () => {
  const pack = makePack();
  const file = write('pack.zip', zipOf(pack));

  test('prints each step in words, and ends with 0 when everything is proven by a given key', async () => {
    const witness = ['--witness', pack.keys.witness.vkey];
    const { code, output, errors } = await verify(file, '--key', pack.keys.old.vkey, ...witness);
    expect([code, errors]).toEqual([0, '']);
    expect(output).toMatch(/^ok +record +evidence.ndjson line 6: consent .* leaf 9 of the log$/m);
    expect(output).toMatch(/^ok +cosignature /m);
    expect(output).toContain('VERIFIED.');
    expect(output).toContain('Records: 4 proven, 0 not sealed yet, 0 failed.');
  });

  test('says without a key that nothing failed, and what is not known', async () => {
    const { code, output } = await verify(file, '--failures');
    expect(code).toBe(0);
    expect(output).toMatch(/^unknown +trust .*you named no key/m);
    expect(output).not.toMatch(/^ok/m);
    expect(output).toContain('INCOMPLETE.');
  });

  test('ends with 1 when a given witness has not seen every record, and says what to do', async () => {
    const witness = new Signer('other.example/w', 4).vkey;
    for (const key of [[], ['--key', pack.keys.old.vkey]]) {
      const { code, output } = await verify(file, ...key, '--witness', witness);
      expect([code, output]).toEqual([
        1,
        expect.stringMatching(/^unknown +trust .* 4 records lie beyond: wait for it, and get a new file$/m),
      ]);
    }
    const seen = await verify(file, '--witness', pack.keys.witness.vkey);
    // It ends with 0, and says why that is not everything.
    expect([seen.code, seen.output]).toEqual([
      0,
      expect.stringMatching(
        /^INCOMPLETE\. .* every record is in a log that the witness has cosigned\..* give --key/m,
      ),
    ]);
    const kept = await verify(file, '--checkpoint', file);
    expect([kept.code, kept.output]).toEqual([
      0,
      expect.stringMatching(/^INCOMPLETE\. .* Nothing is proven of what was sealed after that/m),
    ]);
    expect((await verify(file)).output).not.toContain('What you demanded');
  });

  test('says of the key of all logs of a server that it is for witnesses', async () => {
    const { vkey } = new Signer('consent.example.com/ledger/*');
    const { code, output } = await verify(file, '--key', vkey);
    expect([code, output]).toEqual([
      1,
      expect.stringContaining('names all logs of a server, as witnesses take it'),
    ]);
    expect((await verify(file, '--key', vkey, '--key', pack.keys.old.vkey)).code).toBe(0);
  });

  test('ends with 1 when the key is not the one that signed', async () => {
    const { code, output } = await verify(file, '--key', makePack().keys.old.vkey);
    expect(code).toBe(1);
    expect(output).toMatch(/^FAILED +trust /m);
  });

  test('ends with 1 when a given key proves some records only', async () => {
    const some = makePack();
    Object.assign(lineOf(some, 'record'), { leaf: null, proof: null, pending: true });
    const { code, output } = await verify(write('some.zip', zipOf(some)), '--key', some.keys.old.vkey);
    expect([code, output]).toEqual([1, expect.stringContaining('3 proven, 1 not sealed yet')]);
  });

  test('ends with 1 and names the record that was changed', async () => {
    const other = makePack();
    const record = lineOf(other, 'record');
    record.statement = record.statement.replace('accept_all', 'reject_all');
    const { code, output } = await verify(write('changed.zip', zipOf(other)));
    expect(code).toBe(1);
    expect(output).toMatch(/^FAILED +record +evidence.ndjson line 6: .*not in the log/m);
  });

  test('takes receipts, and writes JSON for programs', async () => {
    const { code, output } = await verify(write('receipt.json', JSON.stringify(receiptOf(pack))), '--json');
    const lines = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect([code, lines.at(-1)]).toMatchObject([0, { verdict: 'incomplete', kind: 'receipt' }]);
    expect(lines.slice(0, -1).every(({ step, what }) => step !== '' && what !== '')).toBe(true);
  });

  test('prints what a hostile file says without obeying it', async () => {
    const receipt = receiptOf(pack);
    receipt.evidence.origin = `\u001b[2J\nok      record  x/ledger/${receipt.evidence.site}`;
    const { output } = await verify(write('hostile.json', JSON.stringify(receipt)));
    expect(output).not.toContain('\u001b');
    expect(output).not.toMatch(/^ok +record/m);
  });

  test('knows a log that was rolled back or written anew by a pack, a receipt or a checkpoint of before', async () => {
    const key = ['--key', pack.keys.old.vkey];
    const [newest, older] = pack.lines.filter(({ type }) => type === 'checkpoint');
    const kept = {
      same: file,
      receipt: write('kept.json', JSON.stringify(receiptOf(pack))),
      older: write('older', String(older?.note)),
    };
    for (const one of Object.values(kept)) {
      const { code, output } = await verify(file, ...key, '--checkpoint', one);
      expect([code, output]).toEqual([0, expect.stringContaining('it continues the head of')]);
    }
    const [origin, size, root] = String(newest?.note).split('\n');
    const noteOf = (...lines: unknown[]) => `${lines.join('\n')}\n\n— x AAAAAAAA\n`;
    const against = async (name: string, note: string) =>
      verify(file, ...key, '--checkpoint', write(name, note));
    const other = Buffer.alloc(32, 1).toString('base64');
    // The tree of no leaves (RFC 6962 §2.1), with which every log begins.
    const EMPTY = createHash('sha256').digest('base64');
    const empty = await against('empty', noteOf(origin, 0, EMPTY));
    expect([empty.code, empty.output]).toEqual([
      1,
      expect.stringContaining('every log of that name continues the head of 0 leaves'),
    ]);
    for (const [name, note, said] of [
      ['longer', noteOf(origin, Number(size) + 1, root), 'the log was rolled back'],
      ['anew', noteOf(origin, size, other), 'the log was written anew'],
      ['foreign', noteOf('another.example/log', size, root), 'is of the log another.example/log'],
      ['foreign-empty', noteOf('another.example/log', 0, EMPTY), 'is of the log another.example/log'],
      ['unreal', noteOf(origin, 0, other), 'is of no log'],
    ] as const) {
      const { code, output } = await against(name, note);
      expect([code, output]).toEqual([1, expect.stringContaining(said)]);
      expect(output).toContain('FAILED.');
    }
    const unknown = await against('between', noteOf(origin, Number(size) - 1, other));
    expect([unknown.code, unknown.output]).toEqual([1, expect.stringContaining('doctor -- --ledger')]);
    expect((await against('no-checkpoint', 'x')).errors).toContain('holds no checkpoint');
  });

  test('a receipt by an older head than the kept one is no log that was rolled back', async () => {
    const key = ['--key', pack.keys.old.vkey];
    const [newest, older] = pack.lines.filter(({ type }) => type === 'checkpoint');
    const [origin, size, root] = String(newest?.note).split('\n');
    const other = Buffer.alloc(32, 1).toString('base64');
    const noteOf = (...lines: unknown[]) => `${lines.join('\n')}\n\n— x AAAAAAAA\n`;
    const receipt = write('older.json', JSON.stringify(receiptOf(pack)));
    const longer = write('longer-log', noteOf(origin, Number(size) + 1, other));
    const found = await verify(receipt, ...key, '--checkpoint', longer);
    expect(found.code).toBe(1);
    expect(found.output).toMatch(
      /^unknown +checkpoint .*proven by a head of 13 leaves, .* older than the one of 14 that you kept: it says nothing/m,
    );
    expect(found.output).toContain('INCOMPLETE.');
    // What else was kept is compared: one head is the receipt's, or has another root at its size.
    const keptPack = (...notes: unknown[]) => {
      const lines = [
        pack.lines[0],
        ...notes.map((note) => ({ type: 'checkpoint', note })),
        { type: 'end', records: 0 },
      ];
      const evidence = { name: 'evidence.ndjson', content: Buffer.from(ndjson(lines as typeof pack.lines)) };
      return write(`kept-${notes.length}-${String(notes.at(-1)).length}.zip`, writeZip([evidence]));
    };
    const more = noteOf(origin, Number(size) + 1, root);
    const same = await verify(receipt, ...key, '--checkpoint', keptPack(more, newest?.note));
    expect([same.code, same.output]).toEqual([0, expect.stringMatching(/^ok +checkpoint .*13 leaves/m)]);
    for (const one of [receipt, file]) {
      const anew = await verify(one, ...key, '--checkpoint', keptPack(more, noteOf(origin, size, other)));
      expect([anew.code, anew.output]).toEqual([1, expect.stringContaining('the log was written anew')]);
    }
    // A pack is of the newest head: one of less leaves was rolled back, whatever older heads say.
    const shorter = await verify(file, ...key, '--checkpoint', keptPack(more, older?.note));
    expect([shorter.code, shorter.output]).toEqual([1, expect.stringContaining('the log was rolled back')]);
  });

  test('ends with 1 for whoever gave a key, a witness or a checkpoint while a record is not proven', async () => {
    const { old, witness } = pack.keys;
    const pending = { leaf: null, proof: null, pending: true };
    const statement = lineOf(pack, 'record').statement.replace('accept_all', 'reject_all');
    const invented = receiptOf(pack);
    Object.assign(invented.evidence, { ...pending, statement });
    const replaced = structuredClone(pack.lines);
    Object.assign(lineOf({ ...pack, lines: replaced }, 'record'), { ...pending, statement });
    const empty = [...pack.lines.filter(({ type }) => !['record', 'end', 'file'].includes(type))];
    const names = ['README.txt', 'statement.html', 'timestamps/13-1.tsr'];
    const files = pack.files.filter(({ name }) => names.includes(name));
    empty.push(...pack.lines.filter(({ path }) => names.includes(path)), { type: 'end', records: 0 });
    const lacking = pack.lines.filter(({ kind }) => kind !== 'settings');
    lacking.splice(-1, 1, { type: 'end', records: 3 });
    for (const [name, one] of [
      ['invented', write('invented.json', JSON.stringify(invented))],
      ['replaced', write('replaced.zip', zipOf({ ...pack, lines: replaced }))],
      ['empty', write('empty.zip', zipOf({ lines: empty, files }))],
      ['lacking', write('lacking.zip', zipOf({ ...pack, lines: lacking }))],
    ])
      for (const given of [
        ['--key', old.vkey],
        ['--witness', witness.vkey],
        ['--checkpoint', file],
      ])
        expect([name, given[0], (await verify(one as string, ...given)).code]).toEqual([name, given[0], 1]);
    const [origin, size] = String(lineOf(pack, 'checkpoint').note).split('\n');
    const between = write(
      'between-2',
      `${origin}\n${Number(size) - 1}\n${'A'.repeat(43)}=\n\n— x AAAAAAAA\n`,
    );
    for (const given of [['--key', old.vkey], ['--witness', witness.vkey], []])
      expect((await verify(file, ...given, '--checkpoint', between)).code).toBe(1);
    for (const given of [
      ['--witness', witness.vkey],
      ['--checkpoint', file],
    ])
      expect((await verify(file, ...given)).code).toBe(0);
  });

  test('compares the heads that it verified, not those that another reader of the archive finds', async () => {
    const key = ['--key', pack.keys.old.vkey];
    const [newest] = pack.lines.filter(({ type }) => type === 'checkpoint');
    const [origin, size] = String(newest?.note).split('\n');
    const note = `${origin}\n${Number(size) + 1}\n${Buffer.alloc(32, 1).toString('base64')}\n\n— x AAAAAAAA\n`;
    const kept = write('kept-longer', note);
    const lines = `${JSON.stringify({ type: 'checkpoint', note })}\n{"type":"end"}\n`;
    const inner = writeZip([{ name: 'evidence.ndjson', content: Buffer.from(lines), method: 0 }]);
    // Without its directory: a header and content, to readers that stream.
    const content = inner.subarray(0, inner.readUInt32LE(inner.length - 6));
    const { lines: all, files } = withOther(pack, { path: 'README.txt', content });
    const evidence = { name: 'evidence.ndjson', content: Buffer.from(ndjson(all)) };
    for (const follows of [true, false]) {
      const manifest = { name: 'README.txt', content, method: 0 as const, follows };
      const hostile = write(`hostile-${follows}.zip`, writeZip([manifest, evidence, ...files]));
      const { code, output } = await verify(hostile, ...key, '--checkpoint', kept);
      const said = follows
        ? 'it is stored, and its size follows'
        : 'the log was rolled back: it has 13 leaves';
      expect([code, output]).toEqual([1, expect.stringContaining(said)]);
      expect(output).not.toContain('VERIFIED');
    }
  });

  test('takes what was kept also as the API answers it, and with a separator of lines in a text', async () => {
    const key = ['--key', pack.keys.old.vkey];
    const answer = { status: 200, data: receiptOf(pack), message: 'ok' };
    const about = structuredClone(pack.lines);
    about[0] = { ...about[0], subject: { note: 'a\u2028b' } };
    const evidence = { name: 'evidence.ndjson', content: Buffer.from(ndjson(about)) };
    for (const kept of [
      write('answer.json', JSON.stringify(answer)),
      write('separator.zip', writeZip([evidence, ...pack.files])),
    ]) {
      const { code, output } = await verify(file, ...key, '--checkpoint', kept);
      expect([code, output]).toEqual([0, expect.stringContaining('it continues the head of')]);
    }
  });

  test('reads a kept pack line by line, and no line without end', async () => {
    const bomb = { name: 'evidence.ndjson', content: Buffer.alloc(50_000_000, 32) };
    const { code, errors } = await verify(file, '--checkpoint', write('bomb.zip', writeZip([bomb])));
    expect([code, errors]).toEqual([1, expect.stringContaining('line is longer than 4 MiB')]);
  });

  test('refuses what it does not understand', async () => {
    expect((await verify()).code).toBe(2);
    expect(await verify(join(folder, 'none'))).toMatchObject({
      code: 1,
      errors: expect.stringContaining('is not there'),
    });
    expect(await verify(file, '--key', 'x')).toMatchObject({
      code: 1,
      errors: expect.stringContaining('name+id+base64'),
    });
  });
});
