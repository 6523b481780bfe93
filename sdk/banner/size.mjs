// @ts-check
// Prints how many bytes a visitor loads, and fails above the budget: `node size.mjs [directory]`, default
// dist/banner.
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

/** The maximum size of a whole bundle with the texts of one language, compressed. */
const BUDGET = 12 * 1024;
/** The same for sites with rules by region, whose lists of regions take some 400. */
const REGIONAL_BUDGET = 14 * 1024;
const LISTS = 400;
/**
 * Room for a site's settings: token, addresses, colours, categories with their cookies. Four categories with
 * 14 cookies take 442.
 */
const SETTINGS = 443;
/**
 * What sites with a cookie of their own load besides, with what keeps the last decision of all hosts the last on the server
 * and tells which may be out of date or by a wrong clock, and sites with rules by region, before compression.
 */
const COOKIE = 3_800;
const REGIONS = 2_320;
/** What sites with a design load besides, before compression: names of parts, the rules' sheet, and the drawing of a logo. */
const DESIGN = 1_060;
/** The program of sites with IAB Europe's framework, compressed, without texts and settings. */
const FRAMEWORK_BUDGET = 17.5 * 1024;
/** That of sites whose visitors choose by vendor, likewise; it has the cookie and the rules by region. */
const VENDORS_BUDGET = 14.1 * 1024;
/** What each program with the IAB's GPP may take besides the one without it, compressed: the fields of 17 sections, and `__gpp`. */
const GPP = 2_560;
/** What each program of sites with an A/B test may take besides the same one for sites with a design, compressed. */
const TEST = 400;
/** What the stub that holds what nobody has marked up may take, compressed, without its rules; and its part of a program. */
const HOLD_STUB = 3_150;
const HOLD = 3_490;
/** What each program of sites with links between domains may take besides the one without them, compressed. */
const LINKS = 2_100;
/** The diagnostics view, which no visitor loads, compressed; a third is the list of known hosts. */
const DEBUG_BUDGET = 11.5 * 1024;
/** The texts of notices, which only sites with rules by region load. */
const NOTICES = ['notice_title', 'notice_description', 'notice_settings', 'do_not_sell', 'ok'];
/** Those that only sites with the framework load. */
const FRAMEWORK = [
  ...['tcf_description', 'tcf_choice', 'purposes', 'special_purposes', 'features', 'special_features'],
  ...['consent', 'legitimate_interest', 'data_categories', 'retention', 'examples', 'search', 'more'],
  ...['other_storage', 'renewed', 'storage_details'],
];
/** Those that only sites load whose visitors choose by vendor. */
const VENDORS = ['blocked_vendor', 'load_once', 'always_allow'];

const folder = resolve(process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), '../../dist/banner'));
const runtime = readFileSync(join(folder, 'runtime.js'), 'utf8');
const sharing = readFileSync(join(folder, 'runtime-sharing.js'), 'utf8');
const regional = readFileSync(join(folder, 'runtime-regions.js'), 'utf8');
const framework = gzipSync(readFileSync(join(folder, 'runtime-tcf.js')), { level: 9 }).length;
const byVendor = gzipSync(readFileSync(join(folder, 'runtime-vendors.js')), { level: 9 }).length;
const zippedFile = (/** @type {string} */ name) =>
  gzipSync(readFileSync(join(folder, name)), { level: 9 }).length;
const gpp = {
  regional: zippedFile('runtime-gpp.js') - zippedFile('runtime-regions-sharing.js'),
  framework: zippedFile('runtime-tcf-gpp.js') - framework,
  byVendor: zippedFile('runtime-vendors-gpp.js') - byVendor,
};
const hold = {
  stub: zippedFile('stub-hold.js'),
  byVendor: zippedFile('runtime-hold-vendors.js') - zippedFile('runtime-vendors-design.js'),
  framework: zippedFile('runtime-hold-tcf.js') - zippedFile('runtime-tcf-design.js'),
  plain: zippedFile('runtime-hold.js') - zippedFile('runtime-regions-sharing-design.js'),
};
const linked = {
  plain: zippedFile('runtime-linked.js') - zippedFile('runtime-test.js'),
  byVendor: zippedFile('runtime-vendors-linked.js') - zippedFile('runtime-vendors-test.js'),
  holding: zippedFile('runtime-hold-linked.js') - zippedFile('runtime-hold.js'),
  holdingByVendor: zippedFile('runtime-hold-vendors-linked.js') - zippedFile('runtime-hold-vendors.js'),
};
const texts = JSON.parse(readFileSync(join(folder, 'texts.json'), 'utf8'));

/** @param {string} program @param {string} language @param {object} text */
const zipped = (program, language, text) =>
  gzipSync(`(${program})(${JSON.stringify({ texts: { [language]: text } })},"")`, { level: 9 }).length;
/** @param {object} text */
const common = (text) => without(text, [...NOTICES, ...FRAMEWORK, ...VENDORS]);
/** @param {object} text @param {string[]} names */
const without = (text, names) =>
  Object.fromEntries(Object.entries(text).filter(([name]) => !names.includes(name)));

const sizes = Object.entries(texts).map(([language, text]) => ({
  language,
  gzip: zipped(runtime, language, common(text)),
  regions: zipped(regional, language, without(text, [...FRAMEWORK, ...VENDORS])),
}));
const largest = sizes.reduce((most, one) => (one.gzip > most.gzip ? one : most));
const english = sizes.find(({ language }) => language === 'en');
console.log(
  JSON.stringify({
    minified: runtime.length,
    gzip: gzipSync(runtime, { level: 9 }).length,
    sharing: gzipSync(sharing, { level: 9 }).length,
    framework,
    byVendor,
    gpp,
    hold,
    linked,
    debug: zippedFile('debug.js'),
    english: english?.gzip,
    largest,
    budget: BUDGET,
  }),
);
if (sharing.length - runtime.length > COOKIE) {
  console.error(`The cookie takes ${sharing.length - runtime.length} of ${COOKIE} bytes before compression.`);
  process.exitCode = 1;
}
if (regional.length - runtime.length > REGIONS) {
  console.error(
    `Rules by region take ${regional.length - runtime.length} of ${REGIONS} bytes before compression.`,
  );
  process.exitCode = 1;
}
for (const ending of ['', '-sharing', '-regions', '-regions-sharing', '-tcf', '-vendors']) {
  const [plain = 0, designed = 0] = ['', '-design'].map(
    (end) => readFileSync(join(folder, `runtime${ending}${end}.js`), 'utf8').length,
  );
  if (designed - plain > DESIGN) {
    console.error(`A design takes ${designed - plain} of ${DESIGN} bytes before compression.`);
    process.exitCode = 1;
  }
}
for (const [ending, like] of [
  ['', '-regions-sharing'],
  ...['-tcf', '-vendors', '-gpp', '-tcf-gpp', '-vendors-gpp'].map((one) => [one, one]),
]) {
  const more = zippedFile(`runtime${ending}-test.js`) - zippedFile(`runtime${like}-design.js`);
  if (more > TEST) {
    console.error(`A test takes ${more} of ${TEST} bytes in the program runtime${ending}-test.js.`);
    process.exitCode = 1;
  }
}
if (zippedFile('debug.js') > DEBUG_BUDGET) {
  console.error(`The diagnostics view takes ${zippedFile('debug.js')} of ${DEBUG_BUDGET} bytes.`);
  process.exitCode = 1;
}
const most = Math.max(...sizes.map(({ regions }) => regions));
if (most + SETTINGS + LISTS > REGIONAL_BUDGET) {
  console.error(
    `The banner with rules by region takes ${most} of ${REGIONAL_BUDGET} bytes without settings.`,
  );
  process.exitCode = 1;
}
if (largest.gzip + SETTINGS > BUDGET) {
  console.error(
    `The banner in ${largest.language} leaves less than ${SETTINGS} of ${BUDGET} bytes for settings.`,
  );
  process.exitCode = 1;
}
if (framework > FRAMEWORK_BUDGET) {
  console.error(`The program with the framework takes ${framework} of ${FRAMEWORK_BUDGET} bytes.`);
  process.exitCode = 1;
}
if (byVendor > VENDORS_BUDGET) {
  console.error(`The program with a choice by vendor takes ${byVendor} of ${VENDORS_BUDGET} bytes.`);
  process.exitCode = 1;
}
for (const [name, bytes] of Object.entries(gpp))
  if (bytes > GPP) {
    console.error(`GPP takes ${bytes} of ${GPP} bytes in the program ${name}.`);
    process.exitCode = 1;
  }
for (const [name, bytes] of Object.entries(hold)) {
  const most = name === 'stub' ? HOLD_STUB : HOLD;
  if (bytes > most) {
    console.error(`Auto-blocking takes ${bytes} of ${most} bytes (${name}).`);
    process.exitCode = 1;
  }
}
for (const [name, bytes] of Object.entries(linked))
  if (bytes > LINKS) {
    console.error(`Links between domains take ${bytes} of ${LINKS} bytes (${name}).`);
    process.exitCode = 1;
  }
