import type { components } from '../../../spec/generated/api.js';

declare global {
  /**
   * The parameters of the function that the build makes from these modules; the server appends their values.
   */
  const config: components['schemas']['BundleConfig'];
  /** The bundle's hash, `bundle_hash` in records: that of version B where a test shows it. */
  let hash: string;
  /** Whether this program repeats decisions in a cookie: the build makes one that does, and one that has no byte of it. */
  const shares: boolean;
  /** Whether this program has rules by region; likewise. */
  const regional: boolean;
  /** Whether it asks by IAB Europe's framework; that one has all the others, by its configuration. */
  const tcf: boolean;
  /** Whether visitors choose by vendor, too; that one has all others but the framework, likewise. */
  const byVendor: boolean;
  /** Whether it has the IAB's Global Privacy Platform; each program with rules by region is made with it and without it. */
  const gpp: boolean;
  /** Whether it has what only sites with a design need: of each of the others there is one that does. */
  const designed: boolean;
  /** Whether it has two versions of the banner and draws one; such a program has the others by its configuration. */
  const tested: boolean;
  /** Whether it holds what nobody has marked up; these have all others but the framework, choice by vendor and GPP by their configuration. */
  const holds: boolean;
  /** Whether it takes choices along between the site's domains; these have all others likewise, and know neither the framework nor GPP. */
  const linked: boolean;
  /** The parameter of the stub that holds: what, and for what. */
  const rules: import('./hold/rules.js').Rule[];
  /** The parameter of the stub: whether it signals Google's Consent Mode. */
  const denies: boolean;
}
