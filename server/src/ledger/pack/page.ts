import { escapeHtml } from '../../domain/html';
import { filled, type PackWords } from '../../domain/ledger/pack-words';
import type { Settings } from '../../domain/types';
import type { Shown, ShownRecord } from './shown';
import type { VouchedCheckpoint } from './vouched';

/** What the page of a pack tells. */
export interface PackFacts {
  site: string;
  domain: string;
  controller: Settings['controller'];
  language: string;
  origin: string | null;
  size: number;
  root: string;
  madeAt: Date;
  sealedAt: Date | undefined;
  importedOn: Date | undefined;
  asked: Record<string, string>;
  /** Records by kind. */
  counts: Map<string, number>;
  waiting: number;
  /** Changed or added outside of the log. */
  unproven: number;
  checkpoints: readonly VouchedCheckpoint[];
  shown: Shown;
}

const STYLE = `
  :root { color-scheme: light dark; }
  body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 50rem; padding: 0 1rem; overflow-wrap: anywhere; }
  dl { display: grid; grid-template-columns: minmax(8rem, 1fr) 3fr; gap: .25rem 1rem; }
  dt { font-weight: 600; } dd { margin: 0; }
  table { border-collapse: collapse; width: 100%; } th, td { border-bottom: 1px solid; padding-block: .25rem; padding-inline-end: .5rem; text-align: start; vertical-align: top; }
  section { break-inside: avoid; border-top: 1px solid; margin-top: 1rem; } h2 { break-after: avoid; }
  bdi[dir] { white-space: nowrap; }
  @media (max-width: 40rem) { dl { grid-template-columns: 1fr; } dd { margin-bottom: .5rem; } }
  @media print { body { margin: 0; max-width: none; } }`;

/** @param page where files are verified */
export const readMe = (page: string): string => `This archive holds records of a site, and what proves them.

statement.html     what is proven and what is not, to read and print
evidence.ndjson    the records with their proofs, one JSON object on each line
bundles/           the banners that visitors saw: the script, its texts, its vendors and its settings
timestamps/        time-stamps of authorities (RFC 3161)

To check it, open ${page} in a browser and drop this archive there. Nothing is
uploaded. Save that page (one HTML file) to check files without a network and without this server.
Or run "npm run verify -- FILE" in a copy of Avow, or use @avow/sdk/verify. Both need the file only.
`;

/** A moment as it is read everywhere: without the zone of whoever reads. */
const moment = (at: Date): string => `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** The statement of a pack, to read, print and hand to an authority. */
export function packPage(facts: PackFacts, words: PackWords): string {
  const { site, domain, madeAt } = facts;
  return `<!doctype html>
<html lang="${words.lang}"${words.rtl ? ' dir="rtl"' : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(`${words.title}: ${site}`)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(words.title)}</h1>
${list([
  [words.site, joined([site, domain])],
  [words.controller, controllerOf(facts.controller)],
  ...Object.entries(facts.asked).map(([name, value]): Pair => [words.asked, apart(`${name} ${value}`)]),
  [words.made, apart(moment(madeAt))],
  [words.log, apart(facts.origin ?? '')],
  [words.state, facts.size === 0 ? '' : stateOf(facts, words)],
])}
<h2>${escapeHtml(words.contents)}</h2>
${contents(facts, words)}
<h2>${escapeHtml(words.proven)}</h2>
${paragraphs(proven(facts, words))}
<h2>${escapeHtml(words.not_proven)}</h2>
${paragraphs(notProven(facts, words))}
<h2>${escapeHtml(words.check)}</h2>
${paragraphs([check(words)])}
<h2>${escapeHtml(words.records)}</h2>
${facts.shown.records.map((one) => section(one, words)).join('\n')}
${facts.shown.records.length < total(facts) ? paragraphs([escapeHtml(words.more)]) : ''}
</main>
</body>
</html>
`;
}

/** A name, and its value in HTML. */
type Pair = [name: string, html: string];

const list = (pairs: readonly Pair[]): string =>
  `<dl>${pairs
    .filter(([, html]) => html !== '')
    .map(([name, html]) => `<dt>${apart(name)}</dt><dd>${html}</dd>`)
    .join('')}</dl>`;

/** @param sentences in HTML */
const paragraphs = (sentences: readonly string[]): string =>
  sentences.map((sentence) => `<p>${sentence}</p>`).join('\n');

/** A value in a direction of its own: a hash stays from left to right in an Arabic sentence. */
const apart = (value: string): string => (value === '' ? '' : `<bdi>${escapeHtml(value)}</bdi>`);

const joined = (values: readonly (string | undefined)[]): string =>
  values
    .map((value = '') => apart(value))
    .filter((html) => html !== '')
    .join(', ');

/** A sentence in HTML with its gaps filled. */
const told = (sentence: string, values: Record<string, string>): string =>
  filled(
    escapeHtml(sentence),
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, apart(value)])),
  );

/** What a reader types: its signs would change places in a sentence from right to left. */
const TYPED = /@avow\/sdk\/verify|npm run verify -- \p{L}+|\/verify/gu;

const check = ({ check_text }: PackWords): string =>
  escapeHtml(check_text).replace(TYPED, (typed) => `<bdi dir="ltr">${typed}</bdi>`);

const total = ({ counts }: PackFacts): number => [...counts.values()].reduce((sum, n) => sum + n, 0);

const controllerOf = ({ name, address, email }: Settings['controller']): string =>
  joined([name, address, email]);

const stateOf = ({ size, root, sealedAt }: PackFacts, words: PackWords): string =>
  [
    told(words.leaves, { n: String(size), root }),
    ...(sealedAt === undefined ? [] : [apart(moment(sealedAt))]),
  ].join(', ');

const kindOf = (kind: string, words: PackWords): string => words[kind as 'consent'] ?? kind;

function contents({ counts }: PackFacts, words: PackWords): string {
  const rows = [...counts].map(
    ([kind, n]) => `<tr><td>${escapeHtml(kindOf(kind, words))}</td><td>${n}</td></tr>`,
  );
  return `<table><thead><tr><th scope="col">${escapeHtml(words.kind)}</th><th scope="col">${escapeHtml(words.count)}</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function proven(facts: PackFacts, words: PackWords): string[] {
  if (total(facts) === facts.waiting + facts.unproven) return [];
  const stamps = facts.checkpoints.flatMap(({ timestamps }) => timestamps);
  const witnesses = new Set(facts.checkpoints.flatMap((one) => one.witnesses.map(({ name }) => name)));
  return [
    escapeHtml(words.proven_whole),
    escapeHtml(words.proven_order),
    ...stamps.map(({ authority, genTime }) =>
      told(words.proven_time, { authority, time: moment(new Date(genTime)) }),
    ),
    ...[...witnesses].map((name) => told(words.proven_witness, { name })),
  ];
}

function notProven(facts: PackFacts, words: PackWords): string[] {
  const isVouched = facts.checkpoints.some(
    ({ timestamps, witnesses }) => timestamps.length + witnesses.length > 0,
  );
  return [
    ...(facts.unproven === 0 ? [] : [told(words.unproven, { n: String(facts.unproven) })]),
    ...(isVouched ? [] : [escapeHtml(words.nobody)]),
    ...[words.not_person, words.not_before, words.not_dated, words.not_true, words.not_all].map(escapeHtml),
    ...(facts.importedOn === undefined ? [] : [told(words.imported, { time: moment(facts.importedOn) })]),
    ...(facts.waiting === 0 ? [] : [told(words.waiting, { n: String(facts.waiting) })]),
  ];
}

const stateOfRecord = ({ status }: ShownRecord, words: PackWords): string =>
  ({ sealed: words.sealed, waiting: words.not_sealed, unproven: words.unproven_record })[status];

const section = (one: ShownRecord, words: PackWords): string =>
  `<section><h3>${escapeHtml(kindOf(one.kind, words))} (${escapeHtml(stateOfRecord(one, words))})</h3>${list(one.values.map(([name, value]): Pair => [name, apart(value)]))}</section>`;
