import { migrations } from './migrations';

/** The schema that this program was written for: the number of its last migration. */
export const SCHEMA_VERSION = (Object.keys(migrations).at(-1) as string).slice(0, 14);
