import { execFile, spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Authority, hasOpenssl } from '../helpers/ledger/authority';
import { FalseWitness } from '../helpers/ledger/false-witness';
import { GO_ENVIRONMENT, hasGo } from '../helpers/ledger/foreign';
import { base64, lineOf, makePack, ndjson, RECORDS } from '../helpers/ledger/made-pack';
import { Signer } from '../helpers/ledger/signer';
import { vouchOnce, witnessesOf } from '../helpers/ledger/vouch';
import { writeZip } from '../helpers/ledger/zip';
import { startServer, type TestServer } from '../helpers/server';
import { until } from '../helpers/until';
import { guides } from './guide-files';

// The commands of the guide are run as they stand there, one after the other, on what a real server hands out.
jest.setTimeout(120_000);

const TOOLS = ['bash', 'unzip', 'jq', 'sha256sum', 'xxd', 'curl', 'python3'];
const missing = TOOLS.filter((tool) => spawnSync(tool, ['--version']).error !== undefined);
if (missing.length > 0)
  process.stderr.write(
    `SKIPPED: ${missing.join(', ')} missing, so the commands of the guide for other tools are not run.\n`,
  );

const guide = guides.find(({ file }) => file.includes('verify-with-other-tools'));
const samples = guide?.samples ?? [];
const commands = samples
  .filter(({ language }) => language === 'sh')
  .map(({ code, line }) => ({ code, line, isGo: code.includes('go run') }));

test('the guide has commands for each tool', () => {
  for (const tool of ['jq', 'sha256sum', 'openssl ts', 'openssl pkeyutl', 'python3 verify.py', 'go run'])
    expect([tool, commands.some(({ code }) => code.includes(tool))]).toEqual([tool, true]);
});

(missing.length === 0 && hasOpenssl ? describe : describe.skip)('the commands of the guide', () => {
  const folder = mkdtempSync(join(tmpdir(), 'avow-guide-'));
  let server: TestServer;
  let token: string;
  let witness: FalseWitness;
  let authority: Authority;

  beforeAll(async () => {
    server = await startServer({ variables: { SEAL_SECONDS: '1' } });
    witness = await new FalseWitness('witness.example').listen();
    authority = new Authority();
    const variables = { WITNESSES: witnessesOf(witness), TIMESTAMP_URLS: await authority.listen() };
    const site = await server.site();
    token = site.token;
    const { hash } = await site.client.generateBundle({ token });
    const session_id = randomUUID();
    const body = { session_id, decision: 'accept_all' as const, bundle_hash: hash };
    const page_url = 'https://shop.example.com/größe';
    const { consent_id } = await server.visitor.logConsent({ token, body: { ...body, page_url } });
    // More than one bundle of entries, the last of which is not full.
    for (let sent = 0; sent < 280; sent += 40)
      await Promise.all(
        Array.from({ length: 40 }, () =>
          server.visitor.logConsent({ token, body: { ...body, session_id: randomUUID() } }),
        ),
      );
    await until('all is sealed', async () => {
      const { behind, size } = await server.visitor.getEvidenceLog({ token });
      return !behind && (size ?? 0) > 280;
    });
    await vouchOnce(server, { variables });
    const pack = await site.client.exportEvidence({ token, session_id });
    writeFileSync(join(folder, 'pack.zip'), Buffer.from(await pack.arrayBuffer()));
    const receipt = await server.visitor.getConsentReceipt({ token, consent_id, session_id });
    writeFileSync(join(folder, 'receipt.json'), JSON.stringify(receipt));
    copyFileSync(join(authority.folder, 'ca.pem'), join(folder, 'authority.pem'));
    for (const { language, code } of samples)
      if (language !== 'sh')
        writeFileSync(join(folder, /^(?:"""|\/\/ )([\w.]+):/.exec(code)?.[1] ?? 'unnamed'), code);
  });
  afterAll(async () => {
    await server?.stop();
    await witness?.close();
    authority?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** As one shell has them after the step that defines them. */
  const functions = commands.flatMap(({ code }) => code.match(/^\w+\(\) \{[\s\S]*?^\}$/gm) ?? []).join('\n');

  const run = async (command: string): Promise<string> => {
    const code = `${functions}\n${command}`;
    const env = { ...GO_ENVIRONMENT, URL: server.url, SITE: token };
    const args = ['--norc', '-euo', 'pipefail', '-c', code];
    const { stdout, stderr } = await promisify(execFile)('bash', args, { env, cwd: folder });
    return stdout + stderr;
  };

  /** What says that a command has verified something. */
  const GOOD: [command: RegExp, says: RegExp][] = [
    [/unzip -q/, /^statement\.html: OK$/m],
    [/signed note$/m, /Signature Verified Successfully/],
    [/tile\/entries/, /^one record is in the log$/m],
    [/verify\.py/, /^\d+ records are in the log of \d+ leaves that was signed$/m],
    [/go run/, /^\d+ records are in the log of \d+ leaves/m],
    [/ts -verify/, /Verification: OK/],
    [/sealed-records/, /^the records are in their order$/m],
    [/-sha384/, /^one record of a banner is genuine: [\s\S]*^\.\/bundles\/\S+\.texts\.json: OK$/m],
  ];

  // In their order: later ones read what earlier ones wrote.
  test.each(commands)('line $line verifies', async ({ code, isGo }) => {
    if (isGo && !hasGo) return;
    const output = await run(code);
    for (const [command, says] of GOOD) if (command.test(code)) expect(output).toMatch(says);
  });

  const among = (part: string): string => {
    const found = commands.filter(({ code }) => code.includes(part));
    return found.map(({ code }) => code).join('\n');
  };

  test('a statement that was changed is found by Python and by Go', async () => {
    const file = join(folder, 'pack', 'evidence.ndjson');
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('accept_all');
    writeFileSync(file, text.replace('accept_all', 'reject_all'));
    const python = commands.find(({ code }) => code.startsWith('python3 verify.py pack'))?.code ?? '';
    await expect(run(python)).rejects.toThrow('is not in the log');
    if (hasGo) await expect(run(among('go run'))).rejects.toThrow('invalid transparency proof');
    writeFileSync(file, text);
  });

  /** As they are pasted: a shell of people goes on after an error. */
  const paste = async (code: string): Promise<string> => run(`set +e +u +o pipefail\n${code}\ntrue`);

  const python = (file: string): Promise<string> => run(`python3 verify.py ${file} text`);
  const go = (file: string): Promise<string> => run(among('go run').replace('pack/evidence.ndjson', file));

  test('a script that was swapped and a record of another place are not called genuine', async () => {
    const [script = ''] = readdirSync(join(folder, 'pack', 'bundles')).filter((name) => name.endsWith('.js'));
    const file = join(folder, 'pack', 'bundles', script);
    const genuine = readFileSync(file);
    writeFileSync(file, 'alert(1)');
    const [banner, place] = [
      await paste(among('-sha384')),
      await paste(`echo 00 > entry\n${among('tile/entries')}`),
    ];
    writeFileSync(file, genuine);
    for (const said of [banner, place]) expect(said).toContain('NOT GENUINE');
    expect(`${banner}${place}`).not.toMatch(/is genuine|is in the log/);
  });

  test('a file among the time-stamps that no checkpoint names, and another file for a time-stamp are found', async () => {
    const added = ['timestamps/proof.tsr', 'timestamps/1-1.tsr'];
    mkdirSync(join(folder, 'pack', 'timestamps'), { recursive: true });
    for (const name of added) writeFileSync(join(folder, 'pack', name), 'shown');
    const said = await withEvidence(
      (text) => text.replace(/"file":"timestamps\/[^"]+"/, '"file":"timestamps/1-1.tsr"'),
      () => paste([among('-sha384'), among('ts -verify')].join('\n')),
    );
    for (const name of added) rmSync(join(folder, 'pack', name));
    for (const name of added) expect(said).toContain(`./${name}`);
    expect(said).toContain('NOT GENUINE: another file stands for a time-stamp');
    expect(said).not.toContain('Verification: OK');
    expect(await paste(among('-sha384'))).not.toContain('NOT PROVEN');
  });

  test('a record under a name in capitals, one that stands twice and one that was taken out are found', async () => {
    const text = readFileSync(join(folder, 'pack', 'evidence.ndjson'), 'utf8');
    const lines = text.trimEnd().split('\n');
    const isRecord = (line: string): boolean => line.includes('"type":"record"');
    const record = lines.find((line) => line.includes('accept_all')) ?? '';
    const { statement, ...rest } = JSON.parse(record);
    const said = { statement: statement.replace('accept_all', 'reject_all'), Statement: statement };
    const count = lines.filter(isRecord).length;
    const end = (records: number): string => JSON.stringify({ type: 'end', records });
    const before = lines.slice(0, -1);
    const forged = {
      'capitals.ndjson': [
        ...before.map((line) => (line === record ? JSON.stringify({ ...rest, ...said }) : line)),
        end(count),
      ],
      'twice.ndjson': [...before, record, end(count + 1)],
      'less.ndjson': [...before.filter((line) => line !== record), end(count)],
      'cut.ndjson': before,
    };
    for (const [name, content] of Object.entries(forged)) {
      writeFileSync(join(folder, name), `${content.join('\n')}\n`);
      await expect(python(name)).rejects.toThrow(/is not in the log|same leaf|its end/);
      if (hasGo) await expect(go(name)).rejects.toThrow(/invalid transparency proof|two records of one leaf/);
    }
    writeFileSync(join(folder, 'same.ndjson'), `${[...before, end(count)].join('\n')}\n`);
    expect(await python('same.ndjson')).toMatch(/records are in the log of/);
    if (hasGo) expect(await go('same.ndjson')).toMatch(/are in the log of/);
  });

  test('of a receipt the record is printed, whatever stands around it; one of another log is none', async () => {
    const receipt = JSON.parse(readFileSync(join(folder, 'receipt.json'), 'utf8'));
    writeFileSync(join(folder, 'around.json'), JSON.stringify({ ...receipt, decision: 'reject_all' }));
    const said = await python('around.json');
    expect(said).toContain('"decision": "accept_all"');
    expect(said).not.toContain('reject_all');
    const { evidence } = receipt;
    const checkpoint = evidence.checkpoint.replace(/^(.*\/ledger\/)\w+/, '$1env_ofAnotherSite');
    for (const [name, change] of Object.entries({
      checkpoint: { checkpoint },
      leaf: { leaf: evidence.leaf + 0.5 },
    })) {
      writeFileSync(join(folder, 'forged.json'), JSON.stringify({ evidence: { ...evidence, ...change } }));
      await expect(python('forged.json')).rejects.toThrow(
        name === 'leaf' ? 'a leaf is a whole number' : 'is that of another checkpoint',
      );
    }
    const whole = join(folder, 'receipt.json');
    const genuine = readFileSync(whole);
    const check = (content: object): Promise<string> => {
      writeFileSync(whole, JSON.stringify(content));
      return paste(among('receipt-note'));
    };
    const answer = { status: 'success', message: 'Receipt.', data: receipt };
    expect(await check(answer)).toMatch(
      /Verified Successfully[\s\S]*"accept_all"[\s\S]*1 records are in the log/,
    );
    expect(await check({ evidence: { pending: true, checkpoint: null, keys: [] } })).toContain(
      'has no proof yet',
    );
    // Of two receipts in one file both steps see the same one.
    const two = { ...receipt, data: { evidence: { ...evidence, statement: '{}' } } };
    expect(await check(two)).not.toContain('are in the log');
    writeFileSync(whole, genuine);
    await run(['keys pack/evidence.ndjson > keys', among('cat key'), among('signed note')].join('\n'));
    writeFileSync(join(folder, 'pending.json'), JSON.stringify({ evidence: { pending: true } }));
    await expect(python('pending.json')).rejects.toThrow('has no proof yet');
  });

  /** Runs something while the pack has another text of evidence. */
  const withEvidence = async <T>(change: (text: string) => string, work: () => Promise<T>): Promise<T> => {
    const file = join(folder, 'pack', 'evidence.ndjson');
    const genuine = readFileSync(file, 'utf8');
    const forged = change(genuine);
    expect(forged).not.toBe(genuine);
    writeFileSync(file, forged);
    try {
      return await work();
    } finally {
      writeFileSync(file, genuine);
    }
  };

  test('no command of a pack is run', async () => {
    const bad = join(folder, 'ran');
    const said = await withEvidence(
      (text) =>
        text
          .replace(/\\n\d+\\n/, `\\na[$(touch ${bad})]\\n`)
          .replaceAll(/"leaf":\d+/g, `"leaf":"a[$(touch ${bad})]"`),
      () => paste([among('signed note'), among('> entry'), among('tile/entries')].join('\n')),
    );
    expect(said).toContain('NOT GENUINE: the text is not of the log of your key');
    expect([said.includes('Verified Successfully'), existsSync(bad)]).toEqual([false, false]);
    await run([among('signed note'), among('> entry'), among('tile/entries')].join('\n'));
  });

  test('a checkpoint of another site of the same server, under the name of this one, is found', async () => {
    const other = await server.site();
    await other.client.generateBundle({ token: other.token });
    await until('the other site is sealed', async () => {
      const { behind, size } = await server.visitor.getEvidenceLog({ token: other.token });
      return !behind && (size ?? 0) > 0;
    });
    const pack = await other.client.exportEvidence({ token: other.token });
    writeFileSync(join(folder, 'other.zip'), Buffer.from(await pack.arrayBuffer()));
    const lines = await run('unzip -p other.zip evidence.ndjson');
    const [name, id] = readFileSync(join(folder, 'vkey'), 'utf8').split('+');
    // One key signs all logs of a server: what differs is the name of the line, and four bytes of its signature.
    const relabelled = lines.replace(/— \S+ (\S+?)\\n/, (_, signature) => {
      const bytes = Buffer.from(signature, 'base64');
      Buffer.from(id ?? '', 'hex').copy(bytes);
      return `— ${name} ${bytes.toString('base64')}\\n`;
    });
    const said = await withEvidence(
      () => relabelled,
      async () => {
        if (hasGo) await expect(run(among('go run'))).rejects.toThrow('of another log than the key');
        return paste(among('signed note'));
      },
    );
    expect(said).toContain('NOT GENUINE: the text is not of the log of your key');
    await run(among('signed note'));
  });

  test('a pack that holds a link is not taken, nor one into a folder of before', async () => {
    const own = mkdtempSync(join(folder, 'links-'));
    const at = (command: string): Promise<string> => paste(`cd ${own}\n${command}`);
    await at(
      `python3 -c 'import zipfile; i = zipfile.ZipInfo("d"); i.create_system = 3; i.external_attr = 0o120777 << 16; zipfile.ZipFile("pack.zip", "w").writestr(i, "..")'`,
    );
    expect(existsSync(join(own, 'pack.zip'))).toBe(true);
    expect(await at(among('unzip -q'))).toContain('NOT GENUINE');
    writeFileSync(join(own, 'pack.zip'), readFileSync(join(folder, 'pack.zip')));
    expect(await at(among('unzip -q'))).toMatch(/NOT GENUINE: .* the folder was not new/);
    expect(await at(`rm -r pack\n${among('unzip -q')}`)).toMatch(/^statement\.html: OK$/m);
  });

  test('after a rotation the older key leads to the one that has signed', async () => {
    const own = mkdtempSync(join(folder, 'rotated-'));
    const pack = makePack();
    const { old, present } = pack.keys;
    mkdirSync(join(own, 'pack'));
    writeFileSync(join(own, 'pack', 'evidence.ndjson'), ndjson(pack.lines));
    writeFileSync(join(own, 'vkey'), `${old.vkey}\n`);
    const at = (command: string): Promise<string> => paste(`cd ${own}\n${command}`);
    const steps = ['keys pack/evidence.ndjson > keys', among('cat key'), among('signed note')].join('\n');
    expect(await at(steps)).toContain('Verified Successfully');
    expect(readFileSync(join(own, 'key'), 'utf8')).toBe(`${present.vkey}\n`);
    // Whoever has the newer key needs no older one.
    writeFileSync(join(own, 'vkey'), `${present.vkey}\n`);
    expect(await at(steps)).toContain('Verified Successfully');
    // A key that is not endorsed is not taken.
    lineOf(pack, 'key').successor_signature = base64(Buffer.alloc(64, 1));
    writeFileSync(join(own, 'pack', 'evidence.ndjson'), ndjson(pack.lines));
    writeFileSync(join(own, 'vkey'), `${old.vkey}\n`);
    expect(await at(steps)).not.toContain('Verified Successfully');
    expect(readFileSync(join(own, 'key'), 'utf8')).toBe(`${old.vkey}\n`);
    // Of a lost key the next one has no signature.
    lineOf(pack, 'key').successor_signature = null;
    writeFileSync(join(own, 'pack', 'evidence.ndjson'), ndjson(pack.lines));
    expect(await at(steps)).toContain('or of a log whose key was lost');
    writeFileSync(join(own, 'vkey'), `${present.vkey}\n`);
    expect(await at(steps)).toContain('Verified Successfully');
  });

  test('the key of a site is taken where the pack lists it, and a stranger’s pack has none', async () => {
    const own = mkdtempSync(join(folder, 'keys-'));
    const at = (command: string): Promise<string> => paste(`cd ${own}\n${command}`);
    mkdirSync(join(own, 'pack'));
    writeFileSync(join(own, 'pack', 'evidence.ndjson'), ndjson(makePack().lines));
    expect(await at(among('> published'))).toContain('NOT GENUINE, or of another site');
    copyFileSync(join(folder, 'pack', 'evidence.ndjson'), join(own, 'pack', 'evidence.ndjson'));
    // What was asked in vain is asked again.
    expect(await at(among('> published'))).toBe('');
    expect(readFileSync(join(own, 'vkey'), 'utf8')).toBe(readFileSync(join(folder, 'vkey'), 'utf8'));
  });

  test('a pack without a banner, witness or time-stamp, and one that waits, are told as what they are', async () => {
    const own = mkdtempSync(join(folder, 'bare-'));
    const at = (command: string): Promise<string> => paste(`cd ${own}\n${command}`);
    const bare = makePack(RECORDS.filter(([kind]) => kind === 'settings'));
    Object.assign(lineOf(bare, 'checkpoint'), { witnesses: [], timestamps: [] });
    Object.assign(lineOf(bare, 'record'), { leaf: null, proof: null, pending: true });
    mkdirSync(join(own, 'pack'));
    writeFileSync(join(own, 'pack', 'evidence.ndjson'), ndjson(bare.lines));
    const said = await at(
      [
        among('-sha384'),
        among('cosigned'),
        among('ts -verify'),
        among('> entry'),
        among('tile/entries'),
      ].join('\n'),
    );
    for (const words of [
      'no record of the pack is about a banner',
      'no witness has signed',
      'has no time-stamp',
    ])
      expect(said).toContain(words);
    expect(said).toContain('no record of the pack has a place in the log');
    expect(said).not.toMatch(/NOT GENUINE|1970/);
  });

  test('texts of a banner that were swapped, with the line that names them, are found', async () => {
    const texts =
      readdirSync(join(folder, 'pack', 'bundles')).find((name) => name.endsWith('.texts.json')) ?? '';
    const file = join(folder, 'pack', 'bundles', texts);
    const genuine = readFileSync(file);
    writeFileSync(file, '{}');
    const said = await paste(among('-sha384'));
    writeFileSync(file, genuine);
    expect(said).toContain(`bundles/${texts}: FAILED`);
  });

  test('a banner whose record has no proof, or another kind, is not called genuine', async () => {
    const script = 'alert(2)';
    writeFileSync(join(folder, 'pack', 'bundles', 'mine.js'), script);
    const integrity = `sha384-${createHash('sha384').update(script).digest('base64')}`;
    const statement = JSON.stringify({
      avow: 1,
      kind: 'bundle',
      record: { hash: 'mine', integrity },
      site: token,
    });
    const line = {
      type: 'record',
      kind: 'bundle',
      statement,
      blinding: null,
      leaf: null,
      proof: null,
      pending: true,
    };
    const added = (text: string): string =>
      text.replace('{"type":"file"', () => `${JSON.stringify(line)}\n{"type":"file"`);
    expect(await withEvidence(added, () => paste(among('-sha384')))).toMatch(
      /^(?![\s\S]*genuine: mine)(?=[\s\S]*NOT PROVEN)[\s\S]*bundles\/mine\.js$/m,
    );
    const renamed = (text: string): string => text.replace('"kind":"bundle"', '"kind":"vendors"');
    await withEvidence(renamed, async () => {
      await expect(python('pack/evidence.ndjson')).rejects.toThrow('of another kind than its line says');
      if (hasGo) await expect(run(among('go run'))).rejects.toThrow('another site or kind');
    });
  });

  test('what was sealed after the record that names it, and a step with an earlier time, are told', async () => {
    const own = mkdtempSync(join(folder, 'order-'));
    mkdirSync(join(own, 'pack'));
    const order = (records: typeof RECORDS): Promise<string> => {
      writeFileSync(join(own, 'pack', 'evidence.ndjson'), ndjson(makePack(records, 9, true).lines));
      return paste(`cd ${own}\n${among('sealed-records')}`);
    };
    const [consent, settings, bundle, vendors] = RECORDS as [Named, Named, Named, Named];
    type Named = (typeof RECORDS)[number];
    const good = 'the records are in their order';
    expect(await order([vendors, settings, bundle, consent])).toContain(good);
    expect(await order([vendors, bundle, consent, settings])).toContain(
      'NOT PROVEN: settings 3 was sealed after leaf 3, which names it',
    );
    expect(await order([vendors, settings, consent, bundle])).toContain(
      `NOT PROVEN: bundle ${consent[1].bundle_hash} was sealed after leaf 6, which names it`,
    );
    expect(await order([vendors, bundle, consent])).toContain('settings 3, which leaf 3 names, is not there');
    for (const one of [settings, bundle]) {
      const twice = await order([vendors, settings, bundle, consent, [one[0], { ...one[1], more: 1 }]]);
      expect(twice).toMatch(/NOT GENUINE: (settings 3|bundle \w+) is in the log twice/);
      expect(twice).not.toContain(good);
    }
    const id = randomUUID();
    const step = (at: unknown, breach: unknown = { breach_id: id }): Named => [
      'breach',
      { step: 'updated', at, breach },
    ];
    const [created, reported] = ['2026-01-01T00:00:00.000Z', '2026-01-03T00:00:00.000Z'].map((at) =>
      step(at),
    );
    const steps = [created as Named, reported as Named];
    expect(await order([...steps, step('2026-01-02T23:56:00.000Z')])).toContain(good);
    expect(await order([...steps, step('2026-01-02T23:54:59.999Z')])).toContain('NOT GENUINE: leaf 6 says');
    const late = await order([...steps, step('2026-01-02T00:00:00.000Z')]);
    expect(late).toContain(
      'NOT GENUINE: leaf 6 says that it was before a step that was sealed earlier: 2026-01-02',
    );
    for (const odd of [
      ...[step('soon'), step(5), step([created?.[1].at]), step(created?.[1].at, 'b')],
      ...[step('2026-02-30T00:00:00.000Z'), step('2026-02-03T00:00:00.000Z\n')],
      ...[step('2026-02-03T00:00:00Z'), step('2026-02-03T00:00:00.000Z', { breach_id: 'abc' })],
    ]) {
      const said = await order([...steps, odd]);
      expect(said).toContain('NOT GENUINE: leaf 6 is no step');
      expect(said).not.toContain(good);
    }
    // What stops jq is no good news.
    const deep = JSON.parse(`${'['.repeat(1_000)}${']'.repeat(1_000)}`);
    const unread = await order([...steps, step('2026-01-04T00:00:00.000Z', { breach_id: id, deep })]);
    expect(unread).toContain('NOT GENUINE: a record could not be read');
    expect(unread).not.toContain(good);
  });

  test('what an imported record names was imported with it, or sealed before it', async () => {
    const own = mkdtempSync(join(folder, 'imported-'));
    mkdirSync(join(own, 'pack'));
    type Sealed = [...(typeof RECORDS)[number], more?: Record<string, unknown>];
    const order = (records: Sealed[], day?: unknown): Promise<string> => {
      const pack = makePack(records, 9, true);
      if (day !== undefined) lineOf(pack, 'pack').imported_on = day;
      writeFileSync(join(own, 'pack', 'evidence.ndjson'), ndjson(pack.lines));
      return paste(`cd ${own}\n${among('sealed-records')}`);
    };
    const on = { imported_on: '2026-02-01T00:00:00.000Z' };
    const [consent, settings, bundle, vendors] = RECORDS as unknown as [Sealed, Sealed, Sealed, Sealed];
    const imported = ([kind, record]: Sealed): Sealed => [kind, record, on];
    const all = [consent, settings, bundle, vendors].map(imported);
    const end: Sealed = ['import', { ...on, records: 4 }];
    const good = 'the records are in their order';
    expect(await order([...all, end])).toContain(good);
    expect(await order([settings, vendors, bundle, imported(consent)])).toContain(good);
    const [, , , last] = all as [Sealed, Sealed, Sealed, Sealed];
    const forged = await order([imported(consent), imported(bundle), last, settings]);
    expect(forged).toContain('NOT PROVEN: settings 3 was sealed after leaf 0, which names it');
    expect(forged).toContain('NOT PROVEN: settings 3 was sealed after leaf 3, which names it');
    expect(await order([settings, vendors, bundle, end, imported(consent)])).toMatch(
      /NOT GENUINE: leaf \d+ says that it was imported, and was sealed after the import/,
    );
    const twice = await order([settings, vendors, bundle, end, imported(consent), end]);
    expect(twice).toMatch(/NOT GENUINE: leaf \d+ is a second record of the import/);
    expect(twice).toContain('was sealed after the import');
    expect(twice).not.toContain(good);
    for (const day of [null, '2025-02-01T00:00:00.000Z'])
      expect(await order([...all, end], day)).toContain(
        'NOT GENUINE: leaf 0 says another day of the import than the first line',
      );
  });

  test('the line of a witness is found by its key, also behind one of an earlier key of that name', async () => {
    const own = mkdtempSync(join(folder, 'witness-'));
    mkdirSync(join(own, 'pack'));
    const pack = makePack();
    const head = lineOf(pack, 'checkpoint');
    const [text = '', lines = ''] = (head.note as string).split('\n\n');
    const [log, ...others] = lines.split('\n');
    const earlier = new Signer(pack.keys.witness.name, 4).cosignature(`${text}\n`, 1_700_000_000);
    head.note = `${text}\n\n${log}\n${earlier}${others.join('\n')}`;
    for (const [name, content] of [
      ['pack/evidence.ndjson', ndjson(pack.lines)],
      ['note', head.note],
      ['text', `${text}\n`],
    ])
      writeFileSync(join(own, name as string), content as string);
    const said = await paste(`cd ${own}\n${among('cosigned')}`);
    expect(said).toContain('Signature Verified Successfully');
    expect(said).toContain('2026');
  });

  test('a banner whose hash has a line of its own for another one is not called genuine', async () => {
    const own = mkdtempSync(join(folder, 'lines-'));
    const [, , bundle] = RECORDS as [unknown, unknown, (typeof RECORDS)[number]];
    const script = 'forged()';
    const integrity = `sha384-${createHash('sha384').update(script).digest('base64')}`;
    const pack = makePack([['bundle', { ...bundle[1], hash: 'x\nmine', integrity, files: {} }]]);
    mkdirSync(join(own, 'pack', 'bundles'), { recursive: true });
    writeFileSync(join(own, 'pack', 'bundles', 'mine.js'), script);
    for (const name of ['evidence.ndjson', 'statement.html', 'README.txt'])
      writeFileSync(join(own, 'pack', name), name.startsWith('e') ? ndjson(pack.lines) : '');
    const said = await paste(`cd ${own}\n${among('-sha384')}`);
    expect(said).toContain('NOT PROVEN');
    expect(said).not.toContain('is genuine');
  });

  test('texts with the line ends of Unicode do not cut a line', async () => {
    const [[kind, record] = ['consent', {}], ...others] = RECORDS;
    const strange = makePack([[kind, { ...record, page_url: 'a\u2028b\u2029c\u0085d' }], ...others]);
    writeFileSync(join(folder, 'strange.ndjson'), ndjson(strange.lines));
    const [text = ''] = (lineOf(strange, 'checkpoint').note as string).split('\n\n');
    writeFileSync(join(folder, 'strange-text'), `${text}\n`);
    expect(await run('python3 verify.py strange.ndjson strange-text')).toMatch(
      /^4 records are in the log of 13 leaves/,
    );
  });

  test('a checkpoint, a time-stamp and a file that were changed are found', async () => {
    const file = join(folder, 'pack', 'evidence.ndjson');
    const text = readFileSync(file, 'utf8');
    const size = /\\n(\d+)\\n/.exec(text)?.[1] ?? '';
    const entries = { 'evidence.ndjson': text.replaceAll(`\\n${size}\\n`, `\\n${Number(size) + 1}\\n`) };
    const page = 'changed';
    writeFileSync(
      join(folder, 'pack.zip'),
      writeZip([
        { name: 'evidence.ndjson', content: Buffer.from(entries['evidence.ndjson']) },
        { name: 'statement.html', content: Buffer.from(page) },
      ]),
    );
    rmSync(join(folder, 'pack'), { recursive: true });
    await expect(run(among('unzip -q'))).rejects.toThrow('did NOT match');
    await expect(run(among('signed note'))).rejects.toThrow();
    await expect(run(among('ts -verify'))).rejects.toThrow();
    await expect(run(among('cosigned'))).rejects.toThrow();
  });
});
