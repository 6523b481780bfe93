import { gzipSync } from 'node:zlib';
import { makeProgram } from '../../../server/src/bundles/load-program';
import { assembleBundle, type Weighed, weigh } from '../../../server/src/domain/banner/assemble';
import type { BannerProgram, BundleSources } from '../../../server/src/domain/banner/sources';
import { runToEnd } from '../../../server/src/domain/run-to-end';
import type { BundleTexts } from '../../../server/src/domain/types';

const KEYS = [
  ...['title', 'description', 'accept_all', 'reject_all', 'settings', 'save', 'close', 'settings_title'],
  ...['settings_description', 'always_active', 'vendors', 'cookies', 'lifetime', 'session'],
  ...['privacy_policy', 'imprint', 'reopen', 'gpc_notice', 'blocked', 'allow', 'saved', 'receipt'],
];
const CATEGORIES = ['necessary', 'functional', 'analytics', 'marketing'];

/** Texts whose every entry says which language and which text it is: `de title`. */
export const textsOf = (language: string): BundleTexts =>
  ({
    ...Object.fromEntries(KEYS.map((key) => [key, `${language} ${key}`])),
    categories: Object.fromEntries(
      CATEGORIES.map((key) => [key, { name: `${language} ${key}`, description: `${language} about ${key}` }]),
    ),
  }) as BundleTexts;

const seen = (more: string): string =>
  `function(config,hash){globalThis.seen={config:config,hash:hash${more}}}`;
function runtimes(more: string) {
  return {
    runtime: seen(more),
    sharing: seen(`,shares:true${more}`),
    regional: seen(`,regional:true${more}`),
    regionalSharing: seen(`,regional:true,shares:true${more}`),
    tcf: seen(`,tcf:true${more}`),
    byVendor: seen(`,byVendor:true${more}`),
    withGpp: {
      regional: seen(`,gpp:true${more}`),
      tcf: seen(`,gpp:true,tcf:true${more}`),
      byVendor: seen(`,gpp:true,byVendor:true${more}`),
    },
  };
}

/** A program that hands what it is called with to the page, for tests of what reaches a script. */
export const PROGRAM = makeProgram({
  ...runtimes(''),
  designed: runtimes(',designed:true'),
  tested: runtimes(',tested:true'),
  stub: 'function(denies){globalThis.denies=denies}',
  tcfStub: 'function(denies){globalThis.denies=denies;globalThis.calls=[]}',
  gppStub: 'function(denies){globalThis.denies=denies;globalThis.queue=[]}',
  tcfGppStub: 'function(denies){globalThis.denies=denies;globalThis.calls=globalThis.queue=[]}',
  holdStub: 'function(rules){globalThis.rules=rules}',
  holding: {
    plain: seen(',holds:true'),
    tcf: seen(',holds:true,tcf:true'),
    byVendor: seen(',holds:true,byVendor:true'),
    gpp: seen(',holds:true,gpp:true'),
    tcfGpp: seen(',holds:true,tcf:true,gpp:true'),
    byVendorGpp: seen(',holds:true,byVendor:true,gpp:true'),
  },
  linked: {
    plain: seen(',linked:true'),
    byVendor: seen(',linked:true,byVendor:true'),
    holding: seen(',linked:true,holds:true'),
    holdingByVendor: seen(',linked:true,holds:true,byVendor:true'),
  },
  texts: Object.fromEntries(['en', 'de', 'fr', 'nb', 'ar'].map((language) => [language, textsOf(language)])),
});

/** A whole bundle, made without a break. */
export function makeBundle(sources: BundleSources, program: BannerProgram): Weighed {
  const made = runToEnd(assembleBundle(sources, program));
  return weigh(made, gzipSync(made.script, { level: 9 }).length);
}
