import { type Verification, verifyEvidence } from '../../sdk/src/verify';
import { addRecord, inNote, setFile } from '../helpers/ledger/changes/change';
import { FILE_CHANGES } from '../helpers/ledger/changes/files';
import { HEAD_CHANGES } from '../helpers/ledger/changes/heads';
import { RECORD_CHANGES } from '../helpers/ledger/changes/records';
import {
  BUNDLE,
  canonical,
  hash,
  lineOf,
  type MadePack,
  makePack,
  ndjson,
  ORIGIN,
  RECORDS,
  SITE,
  zipOf,
} from '../helpers/ledger/made-pack';
import { Signer } from '../helpers/ledger/signer';
import { writeZip } from '../helpers/ledger/zip';

/** What a verifier tells of a pack, when its reader trusts its first key and its witness. */
const verify = (pack: MadePack, file: Uint8Array = zipOf(pack)): Promise<Verification> =>
  verifyEvidence(file, {
    trustedKeys: [pack.keys.old.vkey],
    witnesses: [pack.keys.witness.vkey],
  });

/** Steps that do not hold, as `step: where: what`. */
const failing = ({ steps }: Verification): string[] =>
  steps.filter(({ ok }) => ok === false).map(({ step, where, what }) => `${step}: ${where}: ${what}`);
const unknown = ({ steps }: Verification): string[] =>
  steps.filter(({ ok }) => ok === 'unknown').map(({ step, where, what }) => `${step}: ${where}: ${what}`);

describe('a pack that holds', () => {
  test('is verified, step by step, from a key that its reader trusts', async () => {
    const found = await verify(makePack());
    expect(failing(found)).toEqual([]);
    expect(found).toMatchObject({ verdict: 'verified', kind: 'pack', site: SITE, size: 13, leftOut: 0 });
    expect(found.records).toEqual({ proven: 4, pending: 0, failed: 0 });
    // Whether an authority has signed its time-stamp is for openssl to say, and the step says so.
    expect(unknown(found)).toEqual([
      expect.stringMatching(/^time-stamp: .*openssl ts -verify -digest [0-9a-f]{64}/),
    ]);
    expect(new Set(found.steps.map(({ step }) => step))).toEqual(
      new Set(
        'file keys checkpoint trust cosignature consistency record context attachment time-stamp'.split(' '),
      ),
    );
  });

  test('is incomplete for a reader who trusts no key: anybody could have made it', async () => {
    const pack = makePack();
    const found = await verifyEvidence(zipOf(pack));
    expect([found.verdict, failing(found)]).toEqual(['incomplete', []]);
    expect(unknown(found)).toContainEqual(expect.stringContaining(pack.keys.present.vkey));
    // A witness that only the file names vouches for nothing.
    expect(unknown(found)).toContainEqual(expect.stringMatching(/^cosignature: .*known from this file only/));
  });

  test.each([1, 2, 3, 4, 7, 8, 9, 64, 65, 300])('with %i leaves', async (leaves) => {
    const records = RECORDS.filter(([kind]) => kind === 'settings');
    const found = await verify(makePack(records, leaves - 1 < 5 ? 5 : leaves - 1));
    expect([found.verdict, failing(found)]).toEqual(['verified', []]);
  });

  test('is read from a Blob, a stream, an ArrayBuffer and from parts alike', async () => {
    const pack = makePack();
    const zip = new Uint8Array(zipOf(pack));
    let most = 0;
    const parts = {
      size: zip.length,
      slice: (start: number, end: number) => {
        most = Math.max(most, end - start);
        return new Blob([zip.slice(start, end)]);
      },
    };
    const forms = [new Blob([zip]), new Blob([zip]).stream(), zip.buffer, zip, parts];
    for (const form of forms) {
      const { verdict, records } = await verifyEvidence(form, { trustedKeys: [pack.keys.present.vkey] });
      expect([verdict, records.proven]).toEqual(['verified', 4]);
    }
    // No part is the whole file.
    expect(most).toBeLessThan(zip.length);
  });

  test('of a log whose first key was lost is verified by the key that signs now, and by the first one alone not', async () => {
    const pack = makePack();
    // It endorsed nothing; its head is a part of what the present key has signed.
    lineOf(pack, 'key').successor_signature = null;
    const { present, old } = pack.keys;
    const by = (...trusted: { vkey: string }[]) =>
      verifyEvidence(zipOf(pack), { trustedKeys: trusted.map(({ vkey }) => vkey) });
    const found = await by(present);
    expect([found.verdict, failing(found)]).toEqual(['verified', []]);
    const told = found.steps.filter(({ ok }) => ok === 'unproven').map(({ step }) => step);
    expect(told).toEqual(expect.arrayContaining(['keys', 'trust']));
    expect((await by(present, old)).verdict).toBe('verified');
    expect(failing(await by(old))).toEqual([
      expect.stringMatching(/^trust: .*none of the keys that you trust/),
    ]);
  });

  test('of a log with a lost key between two that its reader names is verified', async () => {
    const pack = makePack();
    const [first, { present, old }] = [new Signer(ORIGIN), pack.keys];
    const lost = lineOf(pack, 'key');
    lost.successor_signature = null;
    const until = { ...lost, vkey: first.vkey };
    pack.lines.splice(pack.lines.indexOf(lost), 0, until);
    const by = async (...trusted: { vkey: string }[]) => {
      const found = await verifyEvidence(zipOf(pack), { trustedKeys: trusted.map(({ vkey }) => vkey) });
      return [found.verdict, failing(found)];
    };
    expect(await by(first, present)).toEqual(['verified', []]);
    // The lost one alone, or with what came before it, is not the key that signs now.
    for (const trusted of [[first, old], [old], [first]]) expect((await by(...trusted))[0]).toBe('failed');
  });

  test('of a record that is not sealed yet proves nothing of it', async () => {
    const pack = makePack();
    const record = lineOf(pack, 'record');
    Object.assign(record, { leaf: null, proof: null, pending: true });
    const found = await verify(pack);
    expect([found.verdict, failing(found), found.records]).toEqual([
      'incomplete',
      [],
      { proven: 3, pending: 1, failed: 0 },
    ]);
    expect(unknown(found)).toContainEqual(expect.stringContaining('not sealed yet'));
  });

  test('says of an imported record that the time before is not proven', async () => {
    const pack = makePack([]);
    const statement = canonical({
      ...{ avow: 1, imported_on: '2026-01-01T00:00:00.000Z', kind: 'consent' },
      ...{ record: { consent_id: 'x' }, site: SITE },
    });
    addRecord(pack, 'consent', statement);
    lineOf(pack, 'pack').imported_on = '2026-01-01T00:00:00.000Z';
    const found = await verify(pack);
    expect([found.verdict, failing(found)]).toEqual(['verified', []]);
    expect(found.steps).toContainEqual(
      expect.objectContaining({
        step: 'record',
        what: expect.stringContaining('; the operator says imported on 2026-01-01T00:00:00.000Z: nothing is'),
      }),
    );
  });
});

describe('a pack that was changed', () => {
  test.each([...RECORD_CHANGES, ...HEAD_CHANGES, ...FILE_CHANGES])(
    '%s: is found and named',
    async (_, change, said) => {
      const pack = makePack();
      change(pack);
      const found = await verify(pack);
      expect(failing(found)).toContainEqual(expect.stringMatching(said));
      expect(found.verdict).toBe('failed');
    },
  );

  test('a bundle that only the visitor’s page has named is not proven, and nothing is wrong', async () => {
    const pack = makePack(RECORDS.filter(([kind]) => kind !== 'bundle'));
    const found = await verify(pack);
    // Anybody can send a decision that names one.
    expect([found.verdict, failing(found)]).toEqual(['verified', []]);
    expect(found.steps).toContainEqual(
      expect.objectContaining({
        ...{ step: 'context', ok: 'unproven' },
        what: expect.stringContaining('which a page names, is missing'),
      }),
    );
  });

  /** Puts a file into a pack, with the line that names it. */
  const addFile = (pack: MadePack, path: string, content: Buffer): void => {
    pack.files.push({ name: path, content });
    pack.lines.splice(-1, 0, { type: 'file', path, sha256: hash('sha256', content).toString('hex') });
  };
  const script = Buffer.from('alert(1)');

  test.each(['bundles', 'Bundles', 'bundle', 'timestamps'])(
    'a banner whose record was taken out, with another script in %s, fails',
    async (folder) => {
      const pack = makePack(RECORDS.filter(([kind]) => kind !== 'bundle'));
      const path = `${folder}/${BUNDLE}.js`;
      addFile(pack, path, script);
      expect(failing(await verify(pack))).toEqual([`attachment: ${path}: nothing sealed names it`]);
    },
  );

  test.each([true, false])(
    'a record that says to wait seals no script (beside the proven one: %s)',
    async (isBeside) => {
      const pack = makePack(RECORDS.filter(([kind]) => isBeside || kind !== 'bundle'));
      const path = `bundles/${BUNDLE}.js`;
      const integrity = `sha384-${hash('sha384', script).toString('base64')}`;
      const record = {
        hash: BUNDLE,
        integrity,
        bytes: script.length,
        files: {},
        settings_version: 3,
        vendor_list_version: 2,
      };
      const statement = canonical({ avow: 1, kind: 'bundle', record, site: SITE });
      const at = pack.lines.findIndex(({ type }) => type === 'record');
      const waiting = { blinding: null, leaf: null, proof: null, pending: true };
      pack.lines.splice(at, 0, { type: 'record', kind: 'bundle', statement, ...waiting });
      lineOf(pack, 'end').records += 1;
      if (isBeside) setFile(pack, path, script);
      else addFile(pack, path, script);
      const found = await verify(pack);
      const about = found.steps.filter(({ step, where }) => step === 'attachment' && where === path);
      expect(about.map(({ ok }) => ok)).toEqual([isBeside ? false : 'unknown']);
      expect(found.verdict).toBe(isBeside ? 'failed' : 'incomplete');
    },
  );

  test.each(['js', 'texts.json'])('a file of a sealed bundle that is missing is named: %s', async (end) => {
    const pack = makePack();
    const name = `bundles/${BUNDLE}.${end}`;
    pack.files = pack.files.filter((file) => file.name !== name);
    pack.lines = pack.lines.filter(({ path }) => path !== name);
    const found = await verify(pack);
    expect(failing(found)).toEqual([`attachment: evidence.ndjson line 8: ${name} is missing`]);
  });

  test('a bundle from before the first list of vendors names none', async () => {
    const records = RECORDS.filter(([kind]) => kind !== 'vendors');
    const found = await verify(
      makePack(
        records.map(([kind, record]) => [
          kind,
          kind === 'bundle' ? { ...record, vendor_list_version: 0 } : record,
        ]),
      ),
    );
    expect([found.verdict, failing(found)]).toEqual(['verified', []]);
  });

  test.each<[string, (pack: MadePack) => void, RegExp]>([
    [
      'a member more',
      (p) => {
        lineOf(p, 'record').certain = true;
      },
      /^file: .* line 6: this program does not know "certain"/,
    ],
    [
      'a signature by somebody unknown',
      (p) =>
        inNote(p, (lines) => {
          lines.splice(5, 0, new Signer('stranger').line('x').trim());
        }),
      /^cosignature: .*a signature by stranger/,
    ],
  ])('%s: is reported as unknown', async (_, change, said) => {
    const pack = makePack();
    change(pack);
    const found = await verify(pack);
    expect(failing(found)).toEqual([]);
    expect(unknown(found)).toContainEqual(expect.stringMatching(said));
  });

  test('a record of a kind that is new is reported as unknown', async () => {
    const found = await verify(makePack([...RECORDS, ['poll', { answer: 42 }]]));
    expect([found.verdict, failing(found)]).toEqual(['incomplete', []]);
    expect(unknown(found)).toContainEqual(
      expect.stringMatching(/^record: .*this program knows no such kind/),
    );
  });

  test.each<[string, (text: string) => string, RegExp]>([
    [
      'a member twice',
      (text) => text.replace('"version":1', '"version":1,"version":1'),
      /line 1: .*a member twice/,
    ],
    [
      'a blank',
      (text) => text.replace('"version":1', '"version": 1'),
      /line 1: .*not as JSON.stringify writes/,
    ],
    [
      'an escape',
      (text) => text.replace('"version"', '"versi\\u006fn"'),
      /line 1: .*not as JSON.stringify writes/,
    ],
    [
      'a number beyond precision',
      (text) => text.replace('"version":1', '"version":1.0'),
      /line 1: .*not as JSON.stringify writes/,
    ],
    ['no newline at the end', (text) => text.slice(0, -1), /line 15: the line has no end/],
    ['an empty line', (text) => text.replace('\n', '\n\n'), /line 2: .*no JSON object/],
    ['a list in place of an object', (text) => `[]\n${text}`, /line 1: .*no JSON object/],
    ['nothing', () => '', /the last line is missing/],
    ['a mark of the byte order', (text) => `\ufeff${text}`, /line 1: .*no JSON object/],
  ])('%s in evidence.ndjson: is found and named', async (_, change, said) => {
    const pack = makePack();
    const content = Buffer.from(change(ndjson(pack.lines)));
    const found = await verify(pack, writeZip([{ name: 'evidence.ndjson', content }, ...pack.files]));
    expect(failing(found)).toContainEqual(expect.stringMatching(said));
  });

  test('what is no UTF-8 is found and named', async () => {
    const pack = makePack();
    const content = Buffer.concat([
      Buffer.from(ndjson(pack.lines.slice(0, 3))),
      Buffer.of(0x22, 0xff, 0x22, 10),
    ]);
    const found = await verify(pack, writeZip([{ name: 'evidence.ndjson', content }, ...pack.files]));
    expect(failing(found)).toContainEqual(expect.stringMatching(/line 4: it is no JSON object in UTF-8/));
  });
});
