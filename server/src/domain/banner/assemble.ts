import { createHash } from 'node:crypto';
import type { BundleConfig, BundleTest, BundleTexts, BundleVendor, BundleWarning } from '../types';
import { canonicalPieces, inScript } from './canonical';
import { describeBundle } from './config';
import { type BannerProgram, type BundleSources, holdingNameFor, linkedNameFor } from './sources';
import { refuseMuchText } from './text-size';
import { type Crowded, warningsOf } from './warnings';

/** A complete bundle, independent of storage, whose size is not known yet. */
export interface Assembled {
  hash: string;
  script: string;
  /** Subresource Integrity: `sha384-` and base64. */
  integrity: string;
  bytes: number;
  config: BundleConfig;
  /** Of all languages. */
  texts: Record<string, BundleTexts>;
  vendors: readonly BundleVendor[];
  missing: Record<string, string[]>;
  /** Chosen vendors that the Global Vendor List does not have. */
  unknown: readonly number[];
}

/** What a bundle says of the A/B test that it is a version of, by what it shows. */
export type TestOf = (config: BundleConfig) => BundleTest;

/** A bundle with its warnings for the owner. */
export interface Weighed extends Omit<Assembled, 'missing' | 'unknown'> {
  gzipBytes: number;
  warnings: BundleWarning[];
}

/**
 * Makes a bundle: the same sources and program give the same bytes, always and everywhere. Yields between
 * steps, because sixty languages and two thousand vendors take a while. Throws `ValidationError` for bad
 * options, and for much more text than any real banner has.
 */
export function* assembleBundle(
  sources: BundleSources,
  program: BannerProgram,
  testOf?: TestOf,
): Generator<void, Assembled> {
  const vendors = [...sources.vendors, ...(sources.tcf?.vendors ?? [])];
  const { config: shown, texts, missing } = yield* describeBundle(sources, program);
  const config = testOf === undefined ? shown : { ...shown, test: testOf(shown) };
  yield* refuseMuchText(texts);
  const runtime = runtimeOf(program, config);
  const hash = yield* hashOf(runtime, { config, texts, vendors });
  const json: string[] = [];
  for (const piece of canonicalPieces(config)) {
    json.push(inScript(piece));
    yield;
  }
  const script = `/*! Avow ${hash} */\n(${runtime})(${json.join('')},"${hash}");\n`;
  return {
    hash,
    script,
    integrity: `sha384-${createHash('sha384').update(script).digest('base64')}`,
    bytes: Buffer.byteLength(script),
    config,
    texts,
    vendors,
    missing,
    unknown: sources.tcf?.unknown ?? [],
  };
}

/** Each site loads only what it needs. */
function runtimeOf(
  all: BannerProgram,
  { design, cookie, regions, tcf, asked_vendors, gpp, test, auto_blocking, links }: BundleConfig,
): string {
  // These have an A/B test by their configuration.
  if (links !== undefined) {
    const has = { byVendor: asked_vendors !== undefined, holding: auto_blocking !== undefined };
    return all.linked[linkedNameFor(has)].runtime;
  }
  if (auto_blocking !== undefined) {
    const has = { tcf: tcf !== undefined, byVendor: asked_vendors !== undefined, gpp: gpp !== undefined };
    return all.holding[holdingNameFor(has)].runtime;
  }
  const program = test !== undefined ? all.tested : design === undefined ? all : all.designed;
  if (gpp !== undefined)
    return program.withGpp[tcf !== undefined ? 'tcf' : asked_vendors !== undefined ? 'byVendor' : 'regional'];
  if (tcf !== undefined) return program.tcf;
  if (asked_vendors !== undefined) return program.byVendor;
  if (regions === undefined) return cookie === undefined ? program.runtime : program.sharing;
  return cookie === undefined ? program.regional : program.regionalSharing;
}

/** Completes a bundle with the size of its script, compressed; `added` are vendors that nobody was asked about, `crowded` places without room. */
export function weigh(
  { missing, unknown, ...made }: Assembled,
  gzipBytes: number,
  added: readonly string[] = [],
  crowded: Crowded = { all: 0, known: 0 },
): Weighed {
  const warnings = warningsOf({ config: made.config, missing, gzipBytes, added, unknown, crowded });
  return { ...made, gzipBytes, warnings };
}

/**
 * Identifies everything that decides what a visitor sees: 144 bits of SHA-256 over the program and the
 * canonical JSON of the rest.
 */
function* hashOf(runtime: string, seen: object): Generator<void, string> {
  const hash = createHash('sha256').update(runtime).update('\0');
  for (const piece of canonicalPieces(seen)) {
    hash.update(piece);
    yield;
  }
  return hash.digest('base64url').slice(0, 24);
}

type Kept = Pick<Assembled, 'hash' | 'script' | 'integrity' | 'bytes' | 'config' | 'texts' | 'vendors'>;

/** Whether a stored bundle is the one that its hash names: script, texts and vendors. */
export function isWhole({ hash, script, integrity, bytes, config, texts, vendors }: Kept): boolean {
  const head = `/*! Avow ${hash} */\n(`;
  const tail = `)(${[...canonicalPieces(config)].map(inScript).join('')},"${hash}");\n`;
  if (!script.startsWith(head) || !script.endsWith(tail)) return false;
  const runtime = script.slice(head.length, -tail.length);
  const named = createHash('sha256').update(runtime).update('\0');
  for (const piece of canonicalPieces({ config, texts, vendors })) named.update(piece);
  const digest = createHash('sha384').update(script).digest('base64');
  return (
    named.digest('base64url').slice(0, 24) === hash &&
    integrity === `sha384-${digest}` &&
    bytes === Buffer.byteLength(script)
  );
}
