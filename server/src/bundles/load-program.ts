import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../config/paths';
import { canonicalJson } from '../domain/banner/canonical';
import type { BannerProgram } from '../domain/banner/sources';

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
    runtime: read(folder, 'runtime.js'),
    sharing: read(folder, 'runtime-sharing.js'),
    stub: read(folder, 'stub.js'),
    texts: JSON.parse(read(folder, 'texts.json')),
  });

/**
 * A program of its parts; a build may end its files with an empty line. The stub is not in the digest: a newer
 * one outdates no bundle.
 */
export function makeProgram({ texts, ...parts }: Omit<BannerProgram, 'digest'>): BannerProgram {
  const runtime = expression(parts.runtime);
  const sharing = expression(parts.sharing);
  const digest = createHash('sha256')
    .update(runtime)
    .update('\0')
    .update(sharing)
    .update('\0')
    .update(canonicalJson(texts))
    .digest('base64url');
  return { runtime, sharing, texts, stub: expression(parts.stub), digest };
}

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
