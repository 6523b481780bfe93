import type { Knex } from 'knex';
import { changesOf } from '../domain/audit';
import { type List, listsOf, SHARED, saveViews } from '../services/dsar-views';
import type { Handler } from './handler';

export const listDsarViews: Handler<'listDsarViews'> = ({ db }, { environment, caller }) =>
  listsOf(db, environment.id, caller.userId);

type Save = 'saveOwnDsarViews' | 'saveSharedDsarViews';

/** Saves the views of an account, or the shared ones. */
const save =
  (ownerOf: (userId: number) => number, told: (list: List) => { views: unknown }): Handler<Save> =>
  async (_, { environment, body, caller, trx, audit }) => {
    const { before, after } = await saveViews(
      trx as Knex.Transaction,
      environment.id,
      ownerOf(caller.userId),
      body,
    );
    if (before.version === after.version) audit.nothingChanged();
    audit.note({ changes: changesOf(told(before), told(after)) });
    return after;
  };

export const saveOwnDsarViews: Handler<'saveOwnDsarViews'> = save(
  (userId) => userId,
  // What somebody looks for is their own matter.
  ({ views }) => ({ views: views.length }),
);

export const saveSharedDsarViews: Handler<'saveSharedDsarViews'> = save(
  () => SHARED,
  ({ views }) => ({ views }),
);
