import { describeBundle } from '../banner/config';
import type { BannerProgram, SeenSettings } from '../banner/sources';
import { gapsOf } from '../banner/warnings';
import { runToEnd } from '../run-to-end';
import type { BundleConfig, BundleTexts, BundleWarning, Settings, Vendor } from '../types';
import { type Check, type Finding, pass, type SeenBanner, unknown } from './evidence';

/** A banner as it was published. */
export const publishedBanner = (
  {
    config,
    texts,
    warnings,
  }: { config: BundleConfig; texts: Record<string, BundleTexts>; warnings: readonly BundleWarning[] },
  vendors: readonly Vendor[],
): SeenBanner => ({ config, silent: silentIn(texts), gaps: gapsOf(warnings), vendors });

/** The banner that settings would give. Its cookies, which no check examines, are left out. */
export function savedBanner(
  { settings, settingsVersion }: { settings: SeenSettings; settingsVersion: number },
  vendors: readonly Vendor[],
  program: BannerProgram,
): SeenBanner {
  const unseen = {
    token: '',
    server: '',
    vendors: [],
    scanned: [],
    remembered: {},
    domains: [],
    options: {},
  };
  const { config, texts, missing } = runToEnd(
    describeBundle({ ...unseen, settings, settingsVersion }, program),
  );
  return { config, silent: silentIn(texts), gaps: Object.keys(missing), vendors };
}

const silentIn = (texts: Record<string, BundleTexts>): string[] => [
  ...new Set(
    Object.values(texts)
      .flatMap(({ categories }) => Object.entries(categories))
      .filter(([, { description }]) => description.trim() === '')
      .map(([key]) => key),
  ),
];

const isSame = (one: Finding, other: Finding): boolean =>
  one.status === other.status && one.evidence === other.evidence;

const PUBLISH = 'Publish the banner: what is saved keeps this rule.';

/**
 * Examines what visitors see: the banner that is published. What was saved since changes nothing for them, so it
 * is told and does not count. Unknown without a banner: nobody sees what was saved.
 */
export const ofBanner =
  (judge: (banner: SeenBanner, settings: Settings) => Finding): Check['find'] =>
  ({ banner: { published, unpublished }, settings }) => {
    const found = published && judge(published, settings);
    const next = unpublished && judge(unpublished, settings);
    if (found !== undefined && (next === undefined || isSame(found, next))) return found;
    const was = found === undefined ? 'no banner is published' : `in the published banner: ${found.evidence}`;
    if (next === undefined) return unknown(was, 'Publish the banner.');
    const evidence = `${was}; saved, but not published yet: ${next.evidence}`;
    if (found?.status === 'pass') return pass(evidence);
    const remedy = next.status === 'pass' ? PUBLISH : `${next.remedy} Then publish the banner.`;
    return { status: found?.status ?? 'unknown', evidence, remedy };
  };
