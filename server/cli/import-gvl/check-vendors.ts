import { compileSchema } from '../../src/contract/validation';
import type { Vendor } from '../../src/domain/types';
import { vendorErrors } from '../../src/domain/vendor-rules';
import { fieldErrors } from '../../src/http/field-errors';

const MAX_ERRORS = 10;

/** Holds imported vendors to the rules of `replaceVendors`. Throws an error that names vendors and fields. */
export function checkImported(vendors: Vendor[], keys: readonly string[]): void {
  const isInput = compileSchema({ $ref: '#/components/schemas/ReplaceVendorsInput' });
  const found = isInput({ vendors }) ? [] : fieldErrors(isInput.errors, 'body');
  const errors = found.length > 0 ? found : vendorErrors(vendors, keys);
  if (errors.length === 0) return;
  const lines = errors
    .slice(0, MAX_ERRORS)
    .map(({ path, message }) => `  ${named(path, vendors)} ${message}`);
  const more = errors.length > MAX_ERRORS ? `\n  and ${errors.length - MAX_ERRORS} more` : '';
  throw new Error(
    `The list breaks the contract of vendors; nothing was imported:\n${lines.join('\n')}${more}`,
  );
}

/** `body.vendors.4.purposes.0` becomes `vendor 755, purposes.0`. */
function named(path: string, vendors: readonly Vendor[]): string {
  const [, index, field] = /^body\.vendors\.(\d+)\.(.*)$/.exec(path) ?? [];
  return index === undefined ? path.replace('body.', '') : `vendor ${vendors[Number(index)]?.id}, ${field}`;
}
