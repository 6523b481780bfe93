import { SettingsVersionRow } from '../db/models';
import { readPage, SHAPE_INTEGER } from '../db/paging';
import { wholeSettings } from '../db/settings-versions';
import { notFound } from '../domain/errors';
import type { Handler } from './handler';

export const listSettingsVersions: Handler<'listSettingsVersions'> = async ({ db }, { environment, query }) =>
  readPage({
    // Without the settings, which may have half a mebibyte each.
    query: SettingsVersionRow.query(db)
      .where({ environment_id: environment.id })
      .select('environment_id', 'version', 'created_at'),
    order: ['version'],
    direction: 'desc',
    shapes: [SHAPE_INTEGER],
    ...{ limit: query.limit, cursor: query.cursor },
    toItem: (row) => view(row, environment.settings_version),
  });

export const getSettingsVersion: Handler<'getSettingsVersion'> = async ({ db }, { environment, params }) => {
  const row = await SettingsVersionRow.query(db).findById([environment.id, params.version]);
  if (row === undefined) throw notFound('This version of the settings');
  const settings = await wholeSettings(db, environment.id, row.settings);
  return { ...view(row, environment.settings_version), settings };
};

const view = ({ version, created_at }: SettingsVersionRow, current: number) => ({
  version,
  created_at: created_at.toISOString(),
  current: version === current,
});
