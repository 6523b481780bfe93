import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { BundleConfig, BundleTexts, BundleWarning, Vendor } from '../types';
import { canonicalJson, scriptJson } from './canonical';
import { type BundleSources, describeBundle } from './config';
import type { BannerProgram } from './program';
import { warningsOf } from './warnings';

/** A bundle, complete and independent of any store. */
export interface Assembled {
  hash: string;
  script: string;
  /** Subresource Integrity: `sha384-` and base64. */
  integrity: string;
  bytes: number;
  gzipBytes: number;
  config: BundleConfig;
  /** Of all languages. */
  texts: Record<string, BundleTexts>;
  vendors: readonly Vendor[];
  warnings: BundleWarning[];
}

/** Makes a bundle: the same sources and program give the same bytes, always and everywhere. Throws `ValidationError` for bad options. */
export function assembleBundle(sources: BundleSources, program: BannerProgram): Assembled {
  const { vendors } = sources;
  const { config, texts, missing } = describeBundle(sources, program);
  const hash = hashOf(program.runtime, { config, texts, vendors });
  const script = `/*! Avow ${hash} */\n(${program.runtime})(${scriptJson(config)},"${hash}");\n`;
  const gzipBytes = gzipSync(script, { level: 9 }).length;
  return {
    hash,
    script,
    integrity: `sha384-${createHash('sha384').update(script).digest('base64')}`,
    bytes: Buffer.byteLength(script),
    gzipBytes,
    config,
    texts,
    vendors,
    warnings: warningsOf({ config, missing, gzipBytes }),
  };
}

/** Names everything that decides what a visitor sees: 144 bits of SHA-256 over the program and the canonical JSON of the rest. */
const hashOf = (runtime: string, seen: object): string =>
  createHash('sha256')
    .update(runtime)
    .update('\0')
    .update(canonicalJson(seen))
    .digest('base64url')
    .slice(0, 24);
