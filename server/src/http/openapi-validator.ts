import type { RequestHandler } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import traverse from 'json-schema-traverse';
import { ApiError, notFound, unsupportedMediaType, ValidationError } from '../errors';
import type { Contract } from './contract';
import { describeFindings } from './field-errors';

interface ContractError extends Error {
  status?: number;
  errors?: { path: string; message?: string; errorCode?: string }[];
}

// For each operation Ajv searched the whole contract for `$id` and `$anchor`, which it has none of: half of a first answer's time.
const { skipKeywords } = traverse as unknown as { skipKeywords: Record<string, boolean> };
Object.assign(skipKeywords, { paths: true, components: true });

/** The validator of everything that Express answers, made from the contract. */
export function validateContract(contract: Contract, validateResponses: boolean): RequestHandler[] {
  return OpenApiValidator.middleware({
    // It changes the document that it is given.
    apiSpec: structuredClone(contract.document),
    // The contract is linted when it is generated; a start need not do it again.
    validateApiSpec: false,
    validateRequests: { allErrors: true, allowUnknownQueryParameters: true, coerceTypes: false },
    validateResponses: validateResponses && { allErrors: true },
    validateSecurity: false,
    fileUploader: false,
    validateFormats: true,
    ajvFormats: { mode: 'full' },
  }) as RequestHandler[];
}

/** Puts what the validator throws into the words of the envelope; anything else stays as it is. */
export function describeContractError(thrown: unknown): unknown {
  if (thrown instanceof ApiError) return thrown;
  const { status, errors, message } = (thrown ?? {}) as ContractError;
  if (errors === undefined || status === undefined) return thrown;
  if (status === 404) return notFound('This path');
  if (status === 415) return unsupportedMediaType(['application/json']);
  if (status !== 400) return thrown;
  const findings = errors.map(({ path, message: text, errorCode }) => ({
    pointer: path,
    keyword: errorCode?.split('.', 1)[0] ?? 'invalid',
    message: text ?? 'is invalid',
  }));
  return new ValidationError(
    describeFindings(
      findings.length > 0
        ? findings
        : [{ pointer: '/body', keyword: 'invalid', message: message ?? 'is invalid' }],
    ),
  );
}
