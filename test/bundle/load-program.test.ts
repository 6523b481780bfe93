import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadProgram, readProgram } from '../../server/src/bundles/load-program';
import { textsOf } from '../helpers/banner/program';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'avow-program-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (
  runtime: string,
  texts: object,
  sharing = 'function(){2}',
  regional = 'function(){4}',
  tcf = 'function(){7}',
  byVendor = 'function(){10}',
  gpp = 'function(){12}',
  designed = 'function(){18}',
  tested = 'function(){19}',
  holding = 'function(){21}',
  linked = 'function(){22}',
) => {
  for (const ending of ['', '-vendors', '-hold', '-hold-vendors'])
    writeFileSync(join(folder, `runtime${ending}-linked.js`), linked);
  for (const ending of ['', '-tcf', '-vendors', '-gpp', '-tcf-gpp', '-vendors-gpp'])
    writeFileSync(join(folder, `runtime${ending}-test.js`), tested);
  for (const ending of [
    '',
    '-sharing',
    '-regions',
    '-regions-sharing',
    '-tcf',
    '-vendors',
    '-gpp',
    '-tcf-gpp',
    '-vendors-gpp',
  ])
    writeFileSync(join(folder, `runtime${ending}-design.js`), designed);
  for (const ending of ['', '-tcf', '-vendors', '-gpp', '-tcf-gpp', '-vendors-gpp'])
    writeFileSync(join(folder, `runtime-hold${ending}.js`), holding);
  writeFileSync(join(folder, 'stub-hold.js'), 'function(rules){20}');
  writeFileSync(join(folder, 'runtime-tcf.js'), tcf);
  writeFileSync(join(folder, 'runtime-vendors.js'), byVendor);
  writeFileSync(join(folder, 'stub-tcf.js'), 'function(denies){8}');
  writeFileSync(join(folder, 'runtime-gpp.js'), gpp);
  writeFileSync(join(folder, 'runtime-tcf-gpp.js'), 'function(){13}');
  writeFileSync(join(folder, 'runtime-vendors-gpp.js'), 'function(){14}');
  writeFileSync(join(folder, 'stub-gpp.js'), 'function(denies){15}');
  writeFileSync(join(folder, 'stub-tcf-gpp.js'), 'function(denies){16}');
  writeFileSync(join(folder, 'runtime.js'), runtime);
  writeFileSync(join(folder, 'runtime-sharing.js'), sharing);
  writeFileSync(join(folder, 'runtime-regions.js'), regional);
  writeFileSync(join(folder, 'runtime-regions-sharing.js'), 'function(){5}');
  writeFileSync(join(folder, 'stub.js'), 'function(denies){};\n');
  writeFileSync(join(folder, 'texts.json'), JSON.stringify(texts));
  return readProgram(folder);
};

test('without a build the start says what to do', () => {
  expect(() => readProgram(folder)).toThrow(
    'The visitor script is not built (dist/banner/runtime.js): run npm run build.',
  );
  writeFileSync(join(folder, 'runtime.js'), 'function(){}');
  expect(() => readProgram(folder)).toThrow('dist/banner/runtime-sharing.js');
});

test('the digest tells programs and texts apart, and nothing else', () => {
  const program = write('function(){}', { en: textsOf('en'), de: textsOf('de') });
  expect(write('function(){};\n', { de: textsOf('de'), en: textsOf('en') })).toEqual(program);
  expect(write('function(){1}', { en: textsOf('en'), de: textsOf('de') }).digest).not.toBe(program.digest);
  const other = write('function(){}', { en: textsOf('en'), de: textsOf('de') }, 'function(){3}');
  expect(other.digest).not.toBe(program.digest);
  expect(write('function(){}', { en: textsOf('en') }).digest).not.toBe(program.digest);
});

test('what only sites with rules by region have outdates no bundle of others', () => {
  const en = textsOf('en');
  const program = write('function(){}', { en });
  const other = write('function(){}', { en: { ...en, ok: 'Fine' } }, 'function(){2}', 'function(){6}');
  expect(other.digest).toBe(program.digest);
  expect(other.regionalDigest).not.toBe(program.regionalDigest);
  expect(program.regionalDigest).not.toBe(program.digest);
});

test('what only sites with IAB Europe’s framework have outdates no bundle of others', () => {
  const en = textsOf('en');
  const program = write('function(){}', { en });
  const own = { en: { ...en, tcf_choice: 'Yours.' } };
  const other = write('function(){}', own, 'function(){2}', 'function(){4}', 'function(){9}');
  expect([other.digest, other.regionalDigest]).toEqual([program.digest, program.regionalDigest]);
  expect(other.tcfDigest).not.toBe(program.tcfDigest);
  expect(write('function(){}', own).tcfDigest).not.toBe(program.tcfDigest);
});

test('what only sites have whose visitors choose by vendor outdates no bundle of others', () => {
  const en = textsOf('en');
  const program = write('function(){}', { en });
  const own = { en: { ...en, load_once: 'This time' } };
  const others = ['function(){2}', 'function(){4}', 'function(){7}'] as const;
  const other = write('function(){}', own, ...others, 'function(){11}');
  expect([other.digest, other.regionalDigest, other.tcfDigest]).toEqual([
    ...[program.digest, program.regionalDigest, program.tcfDigest],
  ]);
  expect(other.vendorDigest).not.toBe(program.vendorDigest);
  expect(write('function(){}', own).vendorDigest).not.toBe(program.vendorDigest);
});

test('what only sites with the IAB’s GPP have outdates no bundle of others', () => {
  const en = textsOf('en');
  const program = write('function(){}', { en });
  const others = ['function(){2}', 'function(){4}', 'function(){7}', 'function(){10}'] as const;
  const other = write('function(){}', { en }, ...others, 'function(){17}');
  const { gppDigests, withGpp, ...same } = program;
  expect(other).toMatchObject(same);
  expect(other.gppDigests).toEqual({
    ...gppDigests,
    regional: expect.not.stringMatching(gppDigests.regional),
  });
  expect(withGpp.tcf).toBe('function(){13}');
  // And what others have outdates those that have it, too.
  expect(write('function(){}', { en: { ...en, ok: 'Fine' } }).gppDigests.byVendor).not.toBe(
    gppDigests.byVendor,
  );
});

test('what only sites with a design have outdates no bundle of others', () => {
  const en = textsOf('en');
  const program = write('function(){}', { en });
  const others = [
    'function(){2}',
    'function(){4}',
    'function(){7}',
    'function(){10}',
    'function(){12}',
  ] as const;
  const other = write('function(){}', { en }, ...others, 'function(){19}');
  const digests = ['digest', 'regionalDigest', 'tcfDigest', 'vendorDigest'] as const;
  for (const digest of digests) {
    expect(other[digest]).toBe(program[digest]);
    expect(other.designed[digest]).not.toBe(program.designed[digest]);
    expect(program.designed[digest]).not.toBe(program[digest]);
  }
});

test('what only sites with links between domains have outdates no bundle of others', () => {
  const en = textsOf('en');
  const program = write('function(){}', { en });
  const others = [
    ...['function(){2}', 'function(){4}', 'function(){7}', 'function(){10}', 'function(){12}'],
    ...['function(){18}', 'function(){19}', 'function(){21}'],
  ] as const;
  const { linked, ...other } = write('function(){}', { en }, ...others, 'function(){23}');
  expect(program).toMatchObject(other);
  for (const name of ['plain', 'byVendor', 'holding', 'holdingByVendor'] as const) {
    expect(linked[name].digest).not.toBe(program.linked[name].digest);
    expect(program.linked[name].digest).not.toBe(program.holding.plain.digest);
  }
  expect(write('function(){}', { en: { ...en, load_once: 'Now' } }).linked.plain.digest).not.toBe(
    program.linked.plain.digest,
  );
});

test('what is built is one expression each, whose texts are there in English', () => {
  const { runtime, sharing, regional, regionalSharing, tcf, stub, tcfStub, texts } = loadProgram();
  expect(typeof new Function(`return (${runtime})`)()).toBe('function');
  expect(typeof new Function(`return (${sharing})`)()).toBe('function');
  expect([runtime, sharing].map((one) => one.includes('samesite'))).toEqual([false, true]);
  expect([regional, regionalSharing].map((one) => one.includes('samesite'))).toEqual([false, true]);
  // Sites without rules by region load no byte of them.
  const all = [runtime, sharing, regional, regionalSharing];
  expect(all.map((one) => one.includes('/region'))).toEqual([false, false, true, true]);
  expect(all.map((one) => one.includes('opt_out'))).toEqual([false, false, true, true]);
  // Nor of the framework.
  expect([...all, stub, tcf, tcfStub].map((one) => one.includes('__tcfapi'))).toEqual([
    ...[false, false, false, false, false],
    ...[true, true],
  ]);
  const { withGpp, gppStub, tcfGppStub, byVendor } = loadProgram();
  const gpp = [withGpp.regional, withGpp.byVendor, withGpp.tcf, gppStub, tcfGppStub];
  expect(gpp.map((one) => one.includes('__gpp'))).toEqual([true, true, true, true, true]);
  expect(gpp.map((one) => one.includes('__tcfapi'))).toEqual([false, false, true, false, true]);
  // Nor of the IAB's GPP.
  const others = [...all, stub, tcf, tcfStub, byVendor];
  expect(others.filter((one) => /gpp|usnat/i.test(one))).toEqual([]);
  for (const one of [stub, tcf, tcfStub, ...gpp])
    expect(typeof new Function(`return (${one})`)()).toBe('function');
  expect(Object.keys(texts)).toContain('en');
  // Nor of designs, of which each has its own.
  const { designed } = loadProgram();
  const pairs = [...all, tcf, byVendor, withGpp.regional, withGpp.tcf, withGpp.byVendor].map((plain, at) => [
    plain,
    [
      designed.runtime,
      designed.sharing,
      designed.regional,
      designed.regionalSharing,
      designed.tcf,
      designed.byVendor,
      designed.withGpp.regional,
      designed.withGpp.tcf,
      designed.withGpp.byVendor,
    ][at] ?? '',
  ]);
  for (const pair of pairs) {
    expect(pair.map((one) => one.includes('createImageBitmap'))).toEqual([false, true]);
    expect(typeof new Function(`return (${pair[1]})`)()).toBe('function');
  }
  // Nor of tests.
  const { tested } = loadProgram();
  expect(pairs.flat().filter((one) => one.includes('ends_impression'))).toEqual([]);
  expect(new Set([tested.runtime, tested.sharing, tested.regional, tested.regionalSharing]).size).toBe(1);
  for (const one of [tested.runtime, tested.tcf, tested.byVendor, ...Object.values(tested.withGpp)]) {
    expect(one).toContain('ends_impression');
    expect(typeof new Function(`return (${one})`)()).toBe('function');
  }
  // Nor of links between domains.
  const { linked, holding } = loadProgram();
  const without = [...pairs.flat(), ...Object.values(holding).map(({ runtime: one }) => one)];
  expect(without.filter((one) => one.includes('avow='))).toEqual([]);
  const has = ({ runtime: one }: { runtime: string }) => [
    ...['avow=', 'data-avow-vendor', 'isVendorAllowed', '__tcfapi'].map((word) => one.includes(word)),
    typeof new Function(`return (${one})`)(),
  ];
  expect(has(linked.plain)).toEqual([true, false, false, false, 'function']);
  expect(has(linked.byVendor)).toEqual([true, false, true, false, 'function']);
  expect(has(linked.holding)).toEqual([true, true, false, false, 'function']);
  expect(has(linked.holdingByVendor)).toEqual([true, true, true, false, 'function']);
});
