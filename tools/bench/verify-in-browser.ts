import { setTimeout as delay } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { findChromium } from '../../server/src/scan/find-chromium';
import { FIXED_SECRET, makeOwner } from './owner';
import type { Host, Stage } from './stage';

/** What the page /verify took for one pack. */
export interface Verified {
  /** Milliseconds from the drop of the file to the result in the page, of each time. */
  times: number[];
  /** Bytes of the pack. */
  bytes: number;
}

/** Runs in the page: drops the file, and waits until its result is there. */
const DROP = `async (base64, times) => {
  const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
  const result = document.getElementById('result');
  const found = [];
  for (let n = 0; n < times; n += 1) {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([bytes], 'evidence.zip'));
    const from = performance.now();
    const shown = new Promise((resolve) => {
      const observer = new MutationObserver(() => {
        if (result.hidden) return;
        observer.disconnect();
        resolve(performance.now());
      });
      observer.observe(result, { attributes: true });
    });
    document.dispatchEvent(new DragEvent('drop', { dataTransfer, cancelable: true }));
    found.push((await shown) - from);
    if (result.querySelector('h2').textContent !== 'Verified') throw new Error(result.textContent);
  }
  return found;
}`;

/** Verifies the pack of one consent in a real browser; undefined where there is none. */
export async function verifyInBrowser(stage: Stage, times: number): Promise<Verified | undefined> {
  const executablePath = findChromium(process.env.CHROMIUM_PATH);
  if (executablePath === undefined) return undefined;
  const host = await stage.host('avow_verify', { ...FIXED_SECRET, SEAL_SECONDS: '1' });
  const { pack, vkey } = await handedOut(host);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${host.avow.port}/verify`);
    await page.evaluate(`document.getElementById('keys').value = ${JSON.stringify(vkey)}`);
    const base64 = JSON.stringify(pack.toString('base64'));
    const found = await page.evaluate<number[]>(`(${DROP})(${base64}, ${times})`);
    return { times: found, bytes: pack.length };
  } finally {
    await browser.close();
    await host.avow.stop();
  }
}

/** The pack of one consent, when it is sealed, and the key of its log. */
async function handedOut({ avow, database }: Host): Promise<{ pack: Buffer; vkey: string }> {
  const url = `http://127.0.0.1:${avow.port}/api`;
  const [token] = database.tokens;
  const bearer = await makeOwner(database);
  const ask = async (path: string): Promise<Response> => {
    const answer = await fetch(`${url}${path}`, { headers: { Authorization: `Bearer ${bearer}` } });
    if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${await answer.text()}`);
    return answer;
  };
  for (let waits = 0; waits < 60; waits += 1) {
    const { data } = (await (await ask(`/public/evidence-log/${token}`)).json()) as Log;
    if (!data.behind && data.keys[0] !== undefined) {
      const list = await (await ask(`/cookies/${token}/consents?limit=1`)).json();
      const { consent_id } = (list as List).data.items[0] ?? {};
      const pack = await ask(`/cookies/${token}/evidence/export?consent_id=${consent_id}`);
      return { pack: Buffer.from(await pack.arrayBuffer()), vkey: data.keys[0].vkey };
    }
    await delay(1_000);
  }
  throw new Error('The evidence log was not sealed within a minute.');
}

interface Log {
  data: { behind: boolean; keys: { vkey: string }[] };
}

interface List {
  data: { items: { consent_id: string }[] };
}
