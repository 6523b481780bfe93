import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { findChromium } from '../../../server/src/scan/find-chromium';
import type { Bench, Figure } from '../figure';
import { consents } from '../kinds';
import { median, rounded } from '../numbers';
import { FIXED_SECRET, makeOwner } from '../owner';
import { AVOW, BLANK, headsOf, makeRivals, ON_PATH, type Snippets } from '../paint/contestants';
import { startHost } from '../paint/host';
import { Relay } from '../paint/relay';
import { type Network, SLOWER, type Visit, visit } from '../paint/visit';

/** What the developer tools call "Slow 4G": its latency of a request stands for set-up of connections, too. */
const SLOW_4G: Network = { latency: 562.5, download: 180_000, upload: 84_375 };
/** The same line with its real round trip of 150 ms, where a new host costs two (TCP, TLS 1.3) in addition. */
const BY_CONNECTION: Network = { latency: 150, download: 204_800, upload: 96_000 };
const HANDSHAKE = 300;

type Visits = Map<string, Visit[]>;
type Measure = keyof Visit;

/** What a banner costs the first visit of a page, on a slow line and a slow phone. */
export const paint: Figure = {
  name: 'paint',
  async run(bench) {
    const executablePath = findChromium(process.env.CHROMIUM_PATH);
    if (executablePath === undefined)
      return bench.report.warn('There is no Chromium (CHROMIUM_PATH): first paint was not measured.');
    const folder = mkdtempSync(join(tmpdir(), 'avow-rivals-'));
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
    try {
      await compare(bench, browser, folder);
    } finally {
      await browser.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function compare(bench: Bench, browser: Browser, folder: string): Promise<void> {
  const [server, page] = [await Relay.start(), await Relay.start()];
  const { snippets, port } = await publish(bench, `http://127.0.0.1:${server.port}`);
  server.target = port;
  const scripts = rivals(bench, folder);
  const heads = headsOf(snippets, scripts.size > 0);
  const host = await startHost(heads, scripts, port);
  page.target = host.port;
  const measure = async (network: Network, handshake: number): Promise<Visits> => {
    const visits: Visits = new Map([...heads.keys()].map((name) => [name, []]));
    server.handshake = handshake;
    page.handshake = handshake;
    for (let round = 0; round < (bench.quick ? 2 : 11); round += 1) {
      bench.report.say(`  round ${round + 1}`);
      const names = [...heads.keys()];
      for (const name of round % 2 === 0 ? names : names.reverse()) {
        server.forget();
        page.forget();
        const url = `http://localhost:${page.port}/${name}`;
        visits.get(name)?.push(await visit(browser, url, network, name !== BLANK));
      }
    }
    return visits;
  };
  try {
    tell(bench, `slow 4G, ${SLOWER}× CPU`, await measure(SLOW_4G, 0));
    tell(
      bench,
      `150 ms, ${HANDSHAKE} ms a new host, ${SLOWER}× CPU`,
      await measure(BY_CONNECTION, HANDSHAKE),
    );
  } finally {
    await Promise.all([host.stop(), server.stop(), page.stop()]);
  }
}

/** Generates the banner of a new server's first site. */
async function publish({ stage }: Bench, publicUrl: string): Promise<{ snippets: Snippets; port: number }> {
  const settings = { ...FIXED_SECRET, PUBLIC_URL: publicUrl };
  const { avow, database } = await stage.hostOf(await stage.database('avow_paint'), settings, consents, 64);
  const [token] = database.tokens;
  const answer = await fetch(`http://127.0.0.1:${avow.port}/api/cookies/${token}/generate-bundle`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${await makeOwner(database)}` },
  });
  if (!answer.ok) throw new Error(`generateBundle answers ${answer.status}: ${await answer.text()}`);
  const { data } = (await answer.json()) as { data: Snippets };
  return { snippets: data, port: avow.port };
}

function rivals({ report }: Bench, folder: string): Map<string, string> {
  try {
    return makeRivals(folder);
  } catch (error) {
    report.warn(`The other banners could not be installed, and were not measured: ${error}`);
    return new Map();
  }
}

function tell({ report }: Bench, line: string, visits: Visits): void {
  const of = (name: string, measure: Measure): number[] =>
    (visits.get(name) ?? []).map((one) => one[measure]);
  /** The median over the rounds of one page's figure ÷ another's in the same round. */
  const ratio = (name: string, measure: Measure, under = BLANK): number =>
    median(of(name, measure).map((value, round) => value / (of(under, measure)[round] as number)));
  const middle = (name: string, measure: Measure): number => rounded(median(of(name, measure)));
  const blank = median(of(BLANK, 'bytes'));
  report.table(
    `First visit, ${line}: medians of ${of(BLANK, 'fcp').length} interleaved rounds, ms`,
    ['page', 'FCP', '÷ blank', 'LCP', '÷ blank', 'banner', 'longest task', 'CLS', 'bytes more'],
    [...visits.keys()].map((name) => [
      ...[name, middle(name, 'fcp'), rounded(ratio(name, 'fcp'))],
      ...[middle(name, 'lcp'), rounded(ratio(name, 'lcp'))],
      name === BLANK ? '–' : middle(name, 'banner'),
      ...[middle(name, 'task'), Math.max(...of(name, 'cls'))],
      Math.round(median(of(name, 'bytes')) - blank),
    ]),
  );
  report.detail(`paint, ${line}`, Object.fromEntries(visits));
  for (const name of [AVOW, ON_PATH])
    for (const measure of ['fcp', 'lcp'] as const)
      report.outcome('paint', `${name}: ${measure.toUpperCase()} ÷ blank, ${line}`, ratio(name, measure), {
        most: 1.03,
      });
  if (!visits.has('cookieconsent')) return;
  const later = ratio(AVOW, 'banner', 'cookieconsent');
  report.outcome('paint', `${AVOW}: banner visible ÷ cookieconsent, ${line}`, later, { most: 1 });
}
