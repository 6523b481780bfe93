import { createHash } from 'node:crypto';
import type { BannerTestSettings, BundleOptions, Settings } from '../types';
import { canonicalJson } from './canonical';
import { SEEN_SETTINGS, type SeenSettings } from './sources';

/** A test of a site, as its row keeps it: the newest first, of which one may run. Times are ISO 8601 strings. */
export interface KeptTest extends Omit<BannerTestSettings, 'banner'> {
  number: number;
  /** Tells this test from one of anything else; see `testDigest`. */
  digest: string;
  /** The rate that the plan expects of version A. */
  expected_rate: number;
  settings_version: number;
  /** The last bundle of each version. */
  a: string;
  b: string;
  started_at: string;
  ended_at: string | null;
}

/** Tests that ended and are kept. */
const ENDED = 10;

/** What publishing would do to the test that runs. */
export type TestChange = 'nothing' | 'starts' | 'ends' | 'starts_anew';

export const runningTest = ([newest]: readonly KeptTest[]): KeptTest | undefined =>
  newest?.ended_at === null ? newest : undefined;

/**
 * Identifies a test: two versions are compared only while nothing that either shows, and no part of the plan, has changed.
 * A plan that follows the figures finds what it looks for.
 */
export function testDigest(settings: SeenSettings, options: BundleOptions): string {
  const { banner, languages, default_language } = settings;
  const seen = Object.fromEntries(SEEN_SETTINGS.map((name) => [name, settings[name] ?? null]));
  // As they are where they are left out.
  const resolved = {
    layout: options.layout ?? banner.layout,
    position: options.position ?? banner.position,
    theme: options.theme ?? banner.theme,
    control: options.control ?? banner.control ?? 'floating',
    languages: options.languages ?? [...new Set([default_language, ...languages])],
  };
  return createHash('sha256').update(canonicalJson({ seen, resolved })).digest('base64url').slice(0, 24);
}

/** What publishing these settings would do; `digest` is undefined where they have no test. */
export function testChange(tests: readonly KeptTest[], digest: string | undefined): TestChange {
  const running = runningTest(tests);
  if (running === undefined) return digest === undefined ? 'nothing' : 'starts';
  if (digest === undefined) return 'ends';
  return digest === running.digest ? 'nothing' : 'starts_anew';
}

/** The number of the test that publishing would run. */
export const testNumber = (tests: readonly KeptTest[], digest: string): number =>
  runningTest(tests)?.digest === digest ? (tests[0]?.number as number) : (tests[0]?.number ?? 0) + 1;

/** The tests after a publication; `published` is undefined where it has none. */
export function testsAfter(
  tests: readonly KeptTest[],
  published: Omit<KeptTest, 'started_at' | 'ended_at'> | undefined,
  now: Date,
): KeptTest[] {
  const at = now.toISOString();
  const [newest, ...before] = tests;
  if (newest !== undefined && published?.number === newest.number)
    // What was expected when it started stays the plan.
    return [{ ...newest, a: published.a, b: published.b }, ...before];
  const ended = tests.map((test) => ({ ...test, ended_at: test.ended_at ?? at })).slice(0, ENDED);
  return published === undefined ? ended : [{ ...published, started_at: at, ended_at: null }, ...ended];
}

/** The warning of what publishing these settings would take away. */
export const changeWarnings = (change: TestChange, test: Settings['banner_test'] | undefined) =>
  change === 'ends' || change === 'starts_anew'
    ? [
        {
          path: 'settings.banner_test',
          message:
            test == null
              ? 'An A/B test is running: publishing this ends it. Its figures stay readable.'
              : 'An A/B test is running, and something that visitors see or that was planned is another: publishing this ends it and starts a new one, which counts from zero.',
          code: 'test_ends',
        },
      ]
    : [];
