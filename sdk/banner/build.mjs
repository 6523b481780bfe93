// @ts-check
// Builds the parts from which the server makes bundles: `node build.mjs [directory]`, default dist/banner.
// The same source gives the same bytes.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from 'lightningcss';
import { rolldown } from 'rolldown';
import { minify } from 'terser';
import { readTexts } from './read-texts.mjs';

const banner = dirname(fileURLToPath(import.meta.url));
const target = resolve(process.argv[2] ?? join(banner, '../../dist/banner'));

const runtime = await program();
const sharing = await program({ shares: 'true' });
const regional = await program({ regional: 'true' });
const regionalSharing = await program({ shares: 'true', regional: 'true' });
// By what its configuration holds: sites with the framework, or with a choice by vendor, load all of it.
const framework = await program({ shares: 'config.cookie', regional: 'config.regions', tcf: 'true' });
const byVendor = await program({ shares: 'config.cookie', regional: 'config.regions', byVendor: 'true' });
// Each of the three with the IAB's GPP, which needs rules by region: a site loads no more of the others for it.
const gpp = { shares: 'config.cookie', regional: 'true', gpp: 'true' };
const regionalGpp = await program(gpp);
const frameworkGpp = await program({ ...gpp, tcf: 'true' });
const byVendorGpp = await program({ ...gpp, byVendor: 'true' });
const stub = await minified(await bundled('stub.ts'), 'denies');
const tcfStub = await stubs('stub-tcf.ts');
const gppStub = await stubs('stub-gpp.ts');
const tcfGppStub = await stubs('stub-tcf.ts', 'stub-gpp.ts');
const holdStub = await minified(await bundled('stub-hold.ts'), 'rules');
mkdirSync(target, { recursive: true });
writeFileSync(join(target, 'debug.js'), await debug());
writeFileSync(join(target, 'texts.json'), `${JSON.stringify(readTexts(join(banner, 'texts')))}\n`);
writeFileSync(join(target, 'runtime.js'), runtime);
writeFileSync(join(target, 'runtime-sharing.js'), sharing);
writeFileSync(join(target, 'runtime-regions.js'), regional);
writeFileSync(join(target, 'runtime-regions-sharing.js'), regionalSharing);
writeFileSync(join(target, 'runtime-tcf.js'), framework);
writeFileSync(join(target, 'runtime-vendors.js'), byVendor);
writeFileSync(join(target, 'runtime-gpp.js'), regionalGpp);
writeFileSync(join(target, 'runtime-tcf-gpp.js'), frameworkGpp);
writeFileSync(join(target, 'runtime-vendors-gpp.js'), byVendorGpp);
// Each of them for sites with a design or a logo.
for (const [ending, define] of Object.entries({
  '': {},
  '-sharing': { shares: 'true' },
  '-regions': { regional: 'true' },
  '-regions-sharing': { shares: 'true', regional: 'true' },
  '-tcf': { shares: 'config.cookie', regional: 'config.regions', tcf: 'true' },
  '-vendors': { shares: 'config.cookie', regional: 'config.regions', byVendor: 'true' },
  '-gpp': gpp,
  '-tcf-gpp': { ...gpp, tcf: 'true' },
  '-vendors-gpp': { ...gpp, byVendor: 'true' },
}))
  writeFileSync(join(target, `runtime${ending}-design.js`), await program({ ...define, designed: 'true' }));
// For sites with an A/B test, whose two versions have one program, and for those that hold what nobody has marked up: each
// has the others by its configuration, so that they are not all made twice.
const byConfig = { shares: 'config.cookie', regional: 'config.regions' };
for (const [ending, define] of Object.entries({
  '': byConfig,
  '-tcf': { ...byConfig, tcf: 'true' },
  '-vendors': { ...byConfig, byVendor: 'true' },
  '-gpp': gpp,
  '-tcf-gpp': { ...gpp, tcf: 'true' },
  '-vendors-gpp': { ...gpp, byVendor: 'true' },
})) {
  const test = await program({ ...define, designed: 'config.design', tested: 'true' });
  writeFileSync(join(target, `runtime${ending}-test.js`), test);
  const hold = await program({ ...define, designed: 'config.design', tested: 'config.test', holds: 'true' });
  writeFileSync(join(target, `runtime-hold${ending}.js`), hold);
}
// For sites with links between domains, which have neither the framework nor GPP: each of the others by its configuration.
for (const [ending, define] of Object.entries({
  '': byConfig,
  '-vendors': { ...byConfig, byVendor: 'true' },
  '-hold': { ...byConfig, holds: 'true' },
  '-hold-vendors': { ...byConfig, byVendor: 'true', holds: 'true' },
})) {
  const all = { ...define, designed: 'config.design', tested: 'config.test', linked: 'true' };
  writeFileSync(join(target, `runtime${ending}-linked.js`), await program(all));
}
writeFileSync(join(target, 'stub-hold.js'), holdStub);
writeFileSync(join(target, 'stub.js'), stub);
writeFileSync(join(target, 'stub-tcf.js'), tcfStub);
writeFileSync(join(target, 'stub-gpp.js'), gppStub);
writeFileSync(join(target, 'stub-tcf-gpp.js'), tcfGppStub);

/**
 * The stub with those of frameworks.
 * @param {string[]} more
 */
async function stubs(...more) {
  const others = [];
  for (const one of more) others.push(`{${await bundled(one)}}`);
  return minified((await bundled('stub.ts')) + others.join(''), 'denies');
}

/**
 * The banner with or without what only some sites need, so that others load no byte of it.
 * @param {Record<string, string>} more
 */
async function program(more = {}) {
  return minified(
    await bundled('main.ts', {
      shares: 'false',
      regional: 'false',
      tcf: 'false',
      byVendor: 'false',
      gpp: 'false',
      designed: 'false',
      tested: 'false',
      holds: 'false',
      linked: 'false',
      ...more,
    }),
    'config,hash',
  );
}

/** The diagnostics view: a file of its own that works as a script, as a module, and pasted into a browser's console. */
async function debug() {
  const data = join(banner, '../../server/src/domain/cookies/classification.data.json');
  /** @type {{ vendors: { vendor: string, hosts: Record<string, string> }[] }} */
  const { vendors } = JSON.parse(readFileSync(data, 'utf8'));
  const libraries = join(banner, '../../server/src/domain/auto-blocking/libraries.data.json');
  /** @type {string[]} */
  const passing = JSON.parse(readFileSync(libraries, 'utf8'));
  const hosts = vendors.flatMap(({ vendor, hosts: own }) => {
    // Without a class where auto-blocking lets it pass, too.
    const classOf = (/** @type {string} */ host) =>
      own[host] !== 'necessary' && passing.includes(host) ? '' : own[host];
    return [...new Set(Object.keys(own).map(classOf))].map((category) => [
      vendor,
      category,
      Object.keys(own).filter((host) => classOf(host) === category),
    ]);
  });
  const none = { designed: 'false', tcf: 'false', byVendor: 'false' };
  const code = await bundled('debug/main.ts', { ...none, KNOWN_HOSTS: JSON.stringify(hosts) });
  const { code: text = '' } = await minify(`(function(){"use strict";${code}\n})()`, {
    ecma: 2020,
    format: { ascii_only: true, comments: false },
  });
  return `/*! Avow diagnostics */\n${text}\n`;
}

/**
 * All modules of a program as one list of statements, styles as strings.
 * @param {string} program
 * @param {Record<string, string>} define
 */
async function bundled(program, define = {}) {
  const styles = {
    name: 'styles',
    load: (/** @type {string} */ id) =>
      id.endsWith('.css')
        ? { code: `export default ${JSON.stringify(style(id))};`, moduleType: /** @type {const} */ ('js') }
        : null,
  };
  const build = await rolldown({
    input: join(banner, 'src', program),
    platform: 'browser',
    plugins: [styles],
    // The stub runs in any browser; what the banner itself calls is newer than this.
    transform: { target: program.startsWith('stub') ? 'es2020' : 'es2021', define },
    // Without debug information, which would contain local paths.
    experimental: { attachDebugInfo: 'none' },
  });
  const { output } = await build.generate({
    format: 'esm',
    minify: { compress: true, mangle: false, codegen: false },
  });
  await build.close();
  return output[0].code;
}

/**
 * A style sheet with those that it imports, minified.
 * @param {string} file
 */
function style(file) {
  return Buffer.from(bundle({ filename: file, minify: true }).code).toString();
}

/**
 * One function expression such as `function(config,hash){…}`, so that the server can append the values without
 * changing the program.
 * @param {string} code
 * @param {string} parameters
 */
async function minified(code, parameters) {
  const { code: text = '' } = await minify(`avow=function(${parameters}){"use strict";${code}\n}`, {
    ecma: 2020,
    module: true,
    // Functions first, none inlined twice, objects whole: similar code that is close together compresses better.
    // `unsafe` makes sums of template literals, which are the same for texts and numbers.
    compress: {
      passes: 3,
      keep_fargs: true,
      hoist_funs: true,
      inline: 1,
      unsafe_methods: true,
      unsafe: true,
      hoist_props: false,
    },
    format: { ascii_only: true, comments: false },
  });
  const found = /^avow=(function\(\w+(?:,\w+)?\)\{.*\});?$/s.exec(text);
  if (!found?.[1])
    throw new Error(`The minified banner is not one function: ${text.slice(0, 80)} … ${text.slice(-80)}`);
  // One word for all declarations compresses better; no text of the banner has this one.
  return found[1].replace(/\bconst\b(?=[ {[])/g, 'let');
}
