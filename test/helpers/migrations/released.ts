import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Migration, migrations } from '../../../server/src/db/migrations';
import released from './released.json';

const FOLDER = join(__dirname, '..', '..', '..', 'server', 'src', 'db', 'migrations');

/** The migrations of the first released schema, oldest first. */
export const FIRST = Object.keys(Object.values(released)[0] as object);

/** Every released migration with the fingerprint of its file. */
export const RELEASED: Record<string, string> = Object.assign({}, ...Object.values(released));

/** The migrations after the first released schema. */
export const later = (): [string, Migration][] =>
  Object.entries(migrations).filter(([name]) => !FIRST.includes(name));

/** The fingerprint of a migration's file. */
export const fingerprint = (name: string): string =>
  createHash('sha256')
    .update(readFileSync(join(FOLDER, `${name}.ts`)))
    .digest('hex');

/** Does work while only some of the migrations are known. */
export async function knowing<Result>(
  isKnown: (name: string) => boolean,
  work: () => Promise<Result>,
): Promise<Result> {
  const all = Object.entries(migrations);
  for (const [name] of all) if (!isKnown(name)) delete migrations[name];
  try {
    return await work();
  } finally {
    for (const name of Object.keys(migrations)) delete migrations[name];
    for (const [name, migration] of all) migrations[name] = migration;
  }
}
