import { readFileSync } from 'node:fs';
import { compileSchema } from '../../src/contract/validation';
import type { VendorListV3 } from '../../src/domain/gvl';

const number = { type: 'integer' };
const numbers = { type: 'array', items: number };
const text = { type: 'string' };

/**
 * What of a vendor-list.json is used here, as the IAB Tech Lab specifies it (GVL v3); the rest may be
 * anything.
 */
const SCHEMA = {
  type: 'object',
  required: ['gvlSpecificationVersion', 'vendors'],
  properties: {
    gvlSpecificationVersion: { const: 3 },
    vendors: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        required: ['id', 'name', 'purposes', 'legIntPurposes'],
        properties: {
          id: number,
          name: text,
          purposes: numbers,
          legIntPurposes: numbers,
          deletedDate: text,
          dataRetention: { type: 'object', properties: { stdRetention: number } },
          urls: {
            type: 'array',
            items: {
              type: 'object',
              required: ['langId', 'privacy'],
              properties: { langId: text, privacy: text, legIntClaim: text },
            },
          },
        },
      },
    },
  },
};
const MAX_ERRORS = 10;
const isList = compileSchema<VendorListV3>(SCHEMA);

/** Reads a vendor-list.json. Throws an error that says what is wrong with the file and where. */
export function readList(file: string): VendorListV3 {
  const list = parse(file);
  const version = (list as { gvlSpecificationVersion?: unknown } | null)?.gvlSpecificationVersion;
  if (version !== 3) {
    const found = version === undefined ? '' : ` (it has the version ${JSON.stringify(version)})`;
    throw new Error(
      `${file} is no Global Vendor List of the specification version 3${found}: fetch vendor-list.json from IAB Europe.`,
    );
  }
  if (!isList(list)) {
    const wrong = (isList.errors ?? []).slice(0, MAX_ERRORS);
    const lines = wrong.map(
      ({ instancePath, message }) => `  ${instancePath.slice(1).replaceAll('/', '.')} ${message}`,
    );
    throw new Error(`${file} is damaged:\n${lines.join('\n')}`);
  }
  return list;
}

function parse(file: string): unknown {
  try {
    // An editor may have put a byte-order mark before it.
    return JSON.parse(readFileSync(file, 'utf8').replace(/^\ufeff/, ''));
  } catch (error) {
    throw new Error(`${file} cannot be read as JSON: ${(error as Error).message}`);
  }
}
