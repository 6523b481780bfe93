import { doc } from '../document.js';
import { own } from '../own.js';

import { type Bundle, findScript, readBundle } from './bundle.js';
import { type Heard, readLayer } from './layer.js';
import { heldOf, loadsLeft, loadsOf, watchLoads } from './loads.js';
import type { Now, Report } from './report.js';
import { signalsNow } from './signals.js';
import { nothingYet, statesOf } from './states.js';
import { bare, MOST, member, text, tried } from './tidy.js';

const EVENTS = ['ready', 'show', 'hide', 'consent', 'change', 'rule', 'held'];

const heard: Heard[] = [];
const memory = nothingYet();
let bundle: Bundle | undefined;
let problem: string | null = null;
let script: ReturnType<typeof findScript>;
let rule: unknown;

/** Starts to look; `changed` is called when there is more to see. */
export function watch(changed: () => void): void {
  for (const name of EVENTS)
    doc.addEventListener(`avow:${name}`, (event) => {
      const { detail, timeStamp } = event as CustomEvent;
      if (heard.length < MOST) heard.push({ name, detail, ms: timeStamp });
      if (name === 'rule') rule = detail;
      changed();
    });
  watchLoads(changed);
  const banner = own<unknown>(window, 'Avow');
  // At once, where it is known already.
  tried(() =>
    (member(banner, 'on') as (...all: unknown[]) => unknown)('rule', (told: unknown) => {
      rule ??= told;
    }),
  );
  statesNow();
  findBundle(changed);
  if (doc.readyState !== 'complete') addEventListener('load', () => findBundle(changed));
}

function findBundle(changed: () => void): void {
  if (script) return;
  script = findScript();
  if (!script) return;
  void readBundle(script.url)
    .then((found) => {
      bundle = found;
    })
    .catch((error: unknown) => {
      problem = String(member(error, 'message') ?? error).slice(0, 200);
    })
    .then(changed);
}

/** Also takes note of them: what the page has now may be gone when somebody looks again. */
function statesNow(layer = readLayer()): Report['states'] {
  const banner = own<unknown>(window, 'Avow');
  const consent = tried(() => (member(banner, 'getConsent') as () => unknown)());
  const all = [...layer.heard, ...heard];
  return statesOf({ settings: bundle?.settings, heard: all, consent, rule }, memory);
}

/** All that is known now. */
export function collect(changed: () => void): Report {
  const layer = readLayer();
  const settings = bundle?.settings;
  const banner = own<unknown>(window, 'Avow');
  const states = statesNow(layer);
  const server = script?.url.split('/api/bundles/', 1)[0];
  return {
    kind: 'avow-diagnostics',
    version: 1,
    made_at: new Date().toISOString(),
    page: bare(location.href) ?? '',
    banner: {
      state:
        member(banner, 'getConsent') instanceof Function
          ? 'running'
          : Array.isArray(banner)
            ? 'waiting'
            : 'missing',
      site: script?.site ?? null,
      bundle: bundle?.hash ?? null,
      settings_version: settings?.settings_version ?? null,
      policy_version: settings?.policy_version ?? null,
      auto_blocking: settings ? settings.auto_blocking !== undefined : null,
      problem: script ? problem : 'The page has no script of Avow',
    },
    now: {
      gpc: (navigator as { globalPrivacyControl?: unknown }).globalPrivacyControl === true,
      region: text(member(rule, 'region'), 10),
      rule: text(member(rule, 'rule'), 20),
      kept: kept(settings),
    },
    states,
    loads: loadsOf(settings, states, server),
    held: heldOf(states.at(-1) as (typeof states)[0]),
    layer: layer.entries,
    signals: signalsNow(changed),
    cut: [...loadsLeft(), ...(layer.isCut ? [`Entries of the data layer after the first ${MOST}`] : [])],
  };
}

function kept(settings: Bundle['settings'] | undefined): Now['kept'] {
  const item = tried(() => localStorage.getItem(`avow:${script?.site}`));
  const name = settings?.cookie?.name;
  const cookies = tried(() => doc.cookie as string) ?? '';
  return [
    ...(item ? (['local_storage'] as const) : []),
    ...(name !== undefined && cookies.split('; ').some((pair) => pair.startsWith(`${name}=`))
      ? (['cookie'] as const)
      : []),
  ];
}
