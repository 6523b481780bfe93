import type { Schemas } from '../../app/data';
import { Alert, Time } from '../../ui';

type Bundle = Schemas['Bundle'];
type Part = Bundle['stub_parts'][number];

const NAMES: Record<Part, string> = {
  consent_mode: 'Google’s Consent Mode',
  tcf: 'IAB TCF',
  gpp: 'GPP',
  auto_blocking: 'auto-blocking',
};

const inWords = (words: readonly string[]): string => new Intl.ListFormat('en').format(words);

/** The one that was published before; version B of a test has the snippet of version A. */
export const before = (current: Bundle, rows: readonly Bundle[]): Bundle | undefined =>
  rows
    .filter(({ current: isShown, published_at }) => !isShown && published_at <= current.published_at)
    .sort((one, other) => other.published_at.localeCompare(one.published_at))[0];

/** Why a snippet is not the one of the banner before. */
function whyOther({ stub_parts: now }: Bundle, { stub_parts: was }: Bundle): string {
  const switched = (Object.keys(NAMES) as Part[]).filter((part) => now.includes(part) !== was.includes(part));
  if (switched.length > 0) return `${inWords(switched.map((part) => NAMES[part]))} was switched on or off`;
  return 'what auto-blocking holds is something else';
}

/** Told as long as pages may have the snippet of the banner before. */
export function NewSnippet({ bundle, before: other }: { bundle: Bundle; before: Bundle | undefined }) {
  if (other === undefined || other.snippet_csp_hash === bundle.snippet_csp_hash) return null;
  return (
    <Alert tone="warn" title="The snippet is a new one">
      It is not the one of the banner of <Time at={other.published_at} />, because {whyOther(bundle, other)}.
      Replace it in your pages, with its hash in a Content-Security-Policy, unless they have it already.
    </Alert>
  );
}

/** What the inline script does, and when it becomes another one. */
export function StubText({ bundle: { stub_parts: parts } }: { bundle: Bundle }) {
  const frameworks = (['tcf', 'gpp'] as const).filter((part) => parts.includes(part));
  const calls = ['of the banner', ...frameworks.map((part) => `of ${NAMES[part]}`)];
  const holds = parts.includes('auto_blocking');
  const does = [
    ...(parts.includes('consent_mode') ? ['denies everything in Google’s Consent Mode'] : []),
    ...(holds ? ['holds by the rules of this banner'] : []),
    `takes calls ${inWords(calls)}`,
  ];
  return (
    <p className="muted">
      The short script at its beginning {inWords(does)} until the banner’s script is there, for which your
      page does not wait. Replace the snippet when you switch Consent Mode, IAB TCF, GPP or auto-blocking
      {holds && ', and each time its rules, your vendors or scans change what it holds'}.
    </p>
  );
}
