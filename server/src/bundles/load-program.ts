import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../config/paths';
import { canonicalJson } from '../domain/banner/canonical';
import {
  type BannerProgram,
  type HoldingName,
  type HoldingPrograms,
  type LinkedName,
  type Programs,
  REGION_TEXTS,
  type Stubs,
  TCF_TEXTS,
  VENDOR_TEXTS,
} from '../domain/banner/sources';
import { LAWS } from '../domain/regions/laws';
import type { BundleTexts } from '../domain/types';

/** Where the build puts them. */
const BUILT = join(ROOT, 'dist', 'banner');
let loaded: BannerProgram | undefined;

/** The built visitor script and its texts, read once. Throws, naming what to do, when they were not built. */
export function loadProgram(): BannerProgram {
  loaded ??= readProgram(BUILT);
  return loaded;
}

/** The same from any folder, each time anew. */
export const readProgram = (folder: string): BannerProgram =>
  makeProgram({
    ...readRuntimes(folder, ''),
    designed: readRuntimes(folder, '-design'),
    tested: readTested(folder),
    stub: read(folder, 'stub.js'),
    tcfStub: read(folder, 'stub-tcf.js'),
    gppStub: read(folder, 'stub-gpp.js'),
    tcfGppStub: read(folder, 'stub-tcf-gpp.js'),
    holdStub: read(folder, 'stub-hold.js'),
    holding: {
      plain: read(folder, 'runtime-hold.js'),
      tcf: read(folder, 'runtime-hold-tcf.js'),
      byVendor: read(folder, 'runtime-hold-vendors.js'),
      gpp: read(folder, 'runtime-hold-gpp.js'),
      tcfGpp: read(folder, 'runtime-hold-tcf-gpp.js'),
      byVendorGpp: read(folder, 'runtime-hold-vendors-gpp.js'),
    },
    linked: {
      plain: read(folder, 'runtime-linked.js'),
      byVendor: read(folder, 'runtime-vendors-linked.js'),
      holding: read(folder, 'runtime-hold-linked.js'),
      holdingByVendor: read(folder, 'runtime-hold-vendors-linked.js'),
    },
    texts: JSON.parse(read(folder, 'texts.json')),
  });

const readRuntimes = (folder: string, ending: string): Runtimes => ({
  runtime: read(folder, `runtime${ending}.js`),
  sharing: read(folder, `runtime-sharing${ending}.js`),
  regional: read(folder, `runtime-regions${ending}.js`),
  regionalSharing: read(folder, `runtime-regions-sharing${ending}.js`),
  tcf: read(folder, `runtime-tcf${ending}.js`),
  byVendor: read(folder, `runtime-vendors${ending}.js`),
  withGpp: {
    regional: read(folder, `runtime-gpp${ending}.js`),
    tcf: read(folder, `runtime-tcf-gpp${ending}.js`),
    byVendor: read(folder, `runtime-vendors-gpp${ending}.js`),
  },
});

/** Of two versions one may have a design, so that there is one program for both; likewise of what the others tell apart. */
function readTested(folder: string): Runtimes {
  const runtime = read(folder, 'runtime-test.js');
  return {
    runtime,
    sharing: runtime,
    regional: runtime,
    regionalSharing: runtime,
    tcf: read(folder, 'runtime-tcf-test.js'),
    byVendor: read(folder, 'runtime-vendors-test.js'),
    withGpp: {
      regional: read(folder, 'runtime-gpp-test.js'),
      tcf: read(folder, 'runtime-tcf-gpp-test.js'),
      byVendor: read(folder, 'runtime-vendors-gpp-test.js'),
    },
  };
}

type Runtimes = Omit<Programs, 'digest' | 'regionalDigest' | 'tcfDigest' | 'vendorDigest' | 'gppDigests'>;
type Texts = BannerProgram['texts'];
type Parts = Runtimes & {
  designed: Runtimes;
  tested: Runtimes;
  holding: Record<HoldingName, string>;
  linked: Record<LinkedName, string>;
} & Stubs &
  Pick<BannerProgram, 'texts'>;

/**
 * A program of its parts; a build may end its files with an empty line. The stub is in no digest: a newer one outdates
 * no bundle. What only some sites have outdates no bundle of others.
 */
export const makeProgram = ({
  texts,
  stub,
  tcfStub,
  gppStub,
  tcfGppStub,
  holdStub,
  designed,
  tested,
  holding,
  linked,
  ...runtimes
}: Parts): BannerProgram => ({
  ...programsOf(runtimes, texts),
  designed: programsOf(designed, texts),
  tested: programsOf(tested, texts),
  holding: wholeOf(holding, texts),
  linked: wholeOf(linked, texts),
  stub: expression(stub),
  tcfStub: expression(tcfStub),
  gppStub: expression(gppStub),
  tcfGppStub: expression(tcfGppStub),
  holdStub: expression(holdStub),
  texts,
});

function programsOf(parts: Runtimes, texts: Texts): Programs {
  const program = {
    runtime: expression(parts.runtime),
    sharing: expression(parts.sharing),
    regional: expression(parts.regional),
    regionalSharing: expression(parts.regionalSharing),
    tcf: expression(parts.tcf),
    byVendor: expression(parts.byVendor),
    withGpp: {
      regional: expression(parts.withGpp.regional),
      tcf: expression(parts.withGpp.tcf),
      byVendor: expression(parts.withGpp.byVendor),
    },
  };
  const without = (names: readonly (keyof BundleTexts)[]) =>
    Object.fromEntries(Object.entries(texts).map(([language, all]) => [language, textsWithout(all, names)]));
  const regional = { texts: without([...TCF_TEXTS, ...VENDOR_TEXTS]), laws: LAWS };
  const byTcf = { texts: without(VENDOR_TEXTS), laws: LAWS };
  const byVendor = { texts: without(TCF_TEXTS), laws: LAWS };
  return {
    ...program,
    digest: digestOf(
      program.runtime,
      program.sharing,
      without([...REGION_TEXTS, ...TCF_TEXTS, ...VENDOR_TEXTS]),
    ),
    regionalDigest: digestOf(program.regional, program.regionalSharing, regional),
    tcfDigest: digestOf(program.tcf, '', byTcf),
    vendorDigest: digestOf(program.byVendor, '', byVendor),
    gppDigests: {
      regional: digestOf(program.withGpp.regional, '', regional),
      tcf: digestOf(program.withGpp.tcf, '', byTcf),
      byVendor: digestOf(program.withGpp.byVendor, '', byVendor),
    },
  };
}

/** All texts: which of them a bundle holds hangs on its settings. */
const wholeOf = <Name extends HoldingName | LinkedName>(
  runtimes: Record<Name, string>,
  texts: Texts,
): Record<Name, HoldingPrograms[HoldingName]> =>
  Object.fromEntries(
    Object.entries<string>(runtimes).map(([name, text]) => {
      const runtime = expression(text);
      return [name, { runtime, digest: digestOf(runtime, '', { texts, laws: LAWS }) }];
    }),
  ) as Record<Name, HoldingPrograms[HoldingName]>;

function textsWithout(texts: BundleTexts, names: readonly (keyof BundleTexts)[]): Partial<BundleTexts> {
  const common: Partial<BundleTexts> = { ...texts };
  for (const name of names) delete common[name];
  return common;
}

const digestOf = (runtime: string, sharing: string, rest: object): string =>
  createHash('sha256')
    .update(runtime)
    .update('\0')
    .update(sharing)
    .update('\0')
    .update(canonicalJson(rest))
    .digest('base64url');

const expression = (text: string): string => text.trim().replace(/;$/, '');

function read(folder: string, name: string): string {
  try {
    return readFileSync(join(folder, name), 'utf8');
  } catch (error) {
    throw new Error(`The visitor script is not built (dist/banner/${name}): run npm run build.`, {
      cause: error,
    });
  }
}
