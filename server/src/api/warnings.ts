import { warningsOf } from '../services/warnings';
import type { Handler } from './handler';

export const listWarnings: Handler<'listWarnings'> = async (context, { environment }) => ({
  items: await warningsOf(context, context.db, environment),
});
