import Ajv2020 from 'ajv/dist/2020';
import { contractDocument } from '../../server/src/contract-document';
import type { Vendor } from '../../server/src/domain/types';
import { vendorErrors } from '../../server/src/domain/vendor-rules';
import { fieldErrors } from '../../server/src/http/field-errors';

const MOST = 10;

/** Holds imported vendors to the rules of `replaceVendors`. Throws an error that names vendors and fields. */
export function checkImported(vendors: Vendor[], keys: readonly string[]): void {
  const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false });
  ajv.addSchema(contractDocument(), 'contract');
  const isInput = ajv.compile({ $ref: 'contract#/components/schemas/ReplaceVendorsInput' });
  const found = isInput({ vendors }) ? [] : fieldErrors(isInput.errors, 'body');
  const errors = found.length > 0 ? found : vendorErrors(vendors, keys);
  if (errors.length === 0) return;
  const lines = errors.slice(0, MOST).map(({ path, message }) => `  ${named(path, vendors)} ${message}`);
  const more = errors.length > MOST ? `\n  and ${errors.length - MOST} more` : '';
  throw new Error(
    `The list breaks the contract of vendors; nothing was imported:\n${lines.join('\n')}${more}`,
  );
}

/** `body.vendors.4.purposes.0` becomes `vendor 755, purposes.0`. */
function named(path: string, vendors: readonly Vendor[]): string {
  const [, index, field] = /^body\.vendors\.(\d+)\.(.*)$/.exec(path) ?? [];
  return index === undefined ? path.replace('body.', '') : `vendor ${vendors[Number(index)]?.id}, ${field}`;
}
