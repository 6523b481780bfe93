import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Files } from './assets';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/**
 * Writes all files with their compressed forms, then removes those of earlier builds. A server may be serving
 * them at the same time.
 */
export async function writeFiles(folder: string, files: Files): Promise<void> {
  const written = await Promise.all(
    [...files].map(([path, content]) => writeForms(folder, path, Buffer.from(content))),
  );
  const kept = new Set(written.flat());
  const present = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of present.filter((one) => one.isFile())) {
    const file = join(entry.parentPath, entry.name);
    if (!kept.has(file)) await rm(file);
  }
}

async function writeForms(folder: string, path: string, content: Buffer): Promise<string[]> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  const options = {
    params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
  };
  const forms: [string, Buffer][] = [
    [file, content],
    [`${file}.gz`, await zip(content, { level: 9 })],
    [`${file}.br`, await brotli(content, options)],
  ];
  for (const [name, bytes] of forms) {
    // Renamed into place, so that no reader gets half a file.
    await writeFile(`${name}.new`, bytes);
    await rename(`${name}.new`, name);
  }
  return forms.map(([name]) => name);
}
