import { knownHosts } from '../domain/scan/classification';
import { hostOf } from '../net/target';
import { BANNER_SOURCE } from './banner-probe';

/** How much of a page is looked at. */
const MOST = 2 * 1024 * 1024;
const TAG = /<(script|iframe|img|link|embed|video|audio|source)\b([^>]{0,4000})>/gi;
const INLINE = /<script\b[^>]{0,4000}>([^<]{0,200000})/gi;
/** Blocked until consent: a type that is no script, as consent platforms use it. */
const BLOCKED = /\btype\s*=\s*["']?(text\/plain|application\/x-|text\/x-)/i;

/** Hosts that a page's source makes a browser speak to, and whether it has a banner; scripts are not run. */
export function readSource(html: string, base: string): { hosts: string[]; banner: boolean } {
  const text = html.slice(0, MOST).replace(/<!--[\s\S]{0,100000}?-->/g, '');
  const hosts = new Set<string>();
  for (const [, tag = '', attributes = ''] of text.matchAll(TAG)) {
    const address = attribute(attributes, tag.toLowerCase() === 'link' ? 'href' : 'src');
    if (
      address === undefined ||
      BLOCKED.test(attributes) ||
      (tag.toLowerCase() === 'link' && !loads(attributes))
    )
      continue;
    if (!URL.canParse(address, base)) continue;
    const url = new URL(address, base);
    if (/^https?:$/.test(url.protocol)) hosts.add(hostOf(url));
  }
  for (const host of inlineHosts(text)) hosts.add(host);
  return { hosts: [...hosts], banner: BANNER_SOURCE.test(text) };
}

/** Snippets load their script by script: known hosts are looked for in the code. */
function inlineHosts(text: string): string[] {
  const code = [...text.matchAll(INLINE)]
    .filter(([tag]) => !BLOCKED.test(tag.slice(0, 4_000).split('>', 1)[0] ?? ''))
    .map(([, body]) => body);
  const named = new Set(
    code
      .join('\n')
      .match(/(?<=\/\/)[a-z0-9.-]{4,253}(?=[/'"])/gi)
      ?.map((host) => host.toLowerCase()),
  );
  const known = [...knownHosts()];
  return [...named].filter((host) => known.some((suffix) => host === suffix || host.endsWith(`.${suffix}`)));
}

const loads = (attributes: string): boolean =>
  /\brel\s*=\s*["']?[^"'>]*(stylesheet|preload|icon)/i.test(attributes);

function attribute(attributes: string, name: string): string | undefined {
  const [, double, single, bare] =
    new RegExp(
      `(?:^|\\s)${name}\\s*=\\s*(?:"([^"]{1,2048})"|'([^']{1,2048})'|([^\\s"'>]{1,2048}))`,
      'i',
    ).exec(attributes) ?? [];
  return (double ?? single ?? bare)?.replaceAll('&amp;', '&');
}
