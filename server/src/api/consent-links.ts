import { notFound } from '../domain/errors';
import type { Handler } from './handler';

export const createConsentLink: Handler<'createConsentLink'> = async () => {
  throw notFound('A choice that can be taken along');
};

export const takeConsentLink: Handler<'takeConsentLink'> = async () => {
  throw notFound('A choice to take');
};
