import type { Knex } from 'knex';
import { AnswerTemplateRow, DsarRow, EnvironmentRow } from '../db/models';
import { BUILTIN_TEMPLATES } from '../domain/answers/builtin';
import { chooseTemplate, serves } from '../domain/answers/choose';
import { fillAnswer, MOST_PLACEHOLDERS, PLACEHOLDERS, placeholdersIn } from '../domain/answers/placeholders';
import { changesOf } from '../domain/audit';
import { clock } from '../domain/clock';
import { conflict, notFound, ValidationError } from '../domain/errors';
import { newId, timeOfId } from '../domain/ids';
import type { AnswerTemplate, DsarType } from '../domain/types';
import { dsarKey } from '../services/dsar-view';
import type { Handler } from './handler';

/** The contract's limit for a site. */
const MOST = 100;

const view = ({ environment_id: _, created_at: __, ...row }: AnswerTemplateRow): AnswerTemplate => ({
  ...row,
  builtin: false,
  updated_at: row.updated_at.toISOString(),
});

/** The site's own, then the built-in ones. */
async function templatesOf(
  db: Knex,
  environment_id: string,
  request_type: DsarType | undefined,
): Promise<AnswerTemplate[]> {
  const own = await AnswerTemplateRow.query(db)
    .where({ environment_id, ...(request_type !== undefined && { request_type }) })
    .orderBy(['request_type', 'name', 'template_id']);
  const builtin = BUILTIN_TEMPLATES.filter(
    (one) => request_type === undefined || one.request_type === request_type,
  );
  return [...own.map(view), ...builtin];
}

export const listAnswerTemplates: Handler<'listAnswerTemplates'> = async (
  { db },
  { environment, query },
) => ({ items: await templatesOf(db, environment.id, query.request_type) });

export const createAnswerTemplate: Handler<'createAnswerTemplate'> = async (
  _,
  { environment, body, trx, audit },
) => {
  checkText(body.text);
  const environment_id = environment.id;
  // Locked, so that several at once keep the limit.
  await EnvironmentRow.query(trx).findById(environment_id).forNoKeyUpdate();
  if ((await AnswerTemplateRow.query(trx).where({ environment_id }).resultSize()) >= MOST)
    throw conflict(`A site has at most ${MOST} templates of answers: delete one that is not used any more.`);
  const template_id = newId();
  const at = timeOfId(template_id);
  const row = await AnswerTemplateRow.query(trx).insertAndFetch({
    ...{ environment_id, template_id, ...body, version: 1, created_at: at, updated_at: at },
  });
  audit.note({ changes: changesOf({}, body) });
  return view(row);
};

async function locked(trx: Knex, environment: EnvironmentRow, id: string): Promise<AnswerTemplateRow> {
  const row = await AnswerTemplateRow.query(trx).findById([environment.id, id.toLowerCase()]).forUpdate();
  if (row === undefined) throw notFound('This template');
  return row;
}

export const updateAnswerTemplate: Handler<'updateAnswerTemplate'> = async (
  _,
  { environment, params, body, trx, audit },
) => {
  const { expected_version: expected, ...patch } = body;
  if (patch.text !== undefined) checkText(patch.text);
  const row = await locked(trx, environment, params.template_id);
  const { name, request_type, language, text } = row;
  const before = { name, request_type, language, text };
  const changes = changesOf(before, { ...before, ...patch });
  // If the stored state already equals the requested one, a repeated request succeeds.
  if (changes.changes.length === 0) {
    audit.nothingChanged();
    return view(row);
  }
  if (expected !== undefined && expected !== row.version)
    throw conflict(
      `The template was changed by somebody else: its version is ${row.version} now, and your change was made from version ${expected}. Read the present one, then save your change again.`,
    );
  audit.note({ changes });
  return view(
    await row.$query(trx).patchAndFetch({ ...patch, version: row.version + 1, updated_at: clock.date() }),
  );
};

export const deleteAnswerTemplate: Handler<'deleteAnswerTemplate'> = async (
  _,
  { environment, params, trx, audit },
) => {
  const row = await locked(trx, environment, params.template_id);
  await row.$query(trx).delete();
  const { template_id, name, request_type, language, text } = row;
  audit.note({ changes: changesOf({ name, request_type, language, text }, {}) });
  return { template_id };
};

/** Checks what a schema cannot express. Throws `ValidationError`. */
function checkText(text: string): void {
  const used = placeholdersIn(text);
  const unknown = used.find((name) => !PLACEHOLDERS.includes(name));
  if (unknown !== undefined)
    throw ValidationError.of(
      'body.text',
      `has the unknown placeholder {${unknown}}: use ${PLACEHOLDERS.map((name) => `{${name}}`).join(', ')}`,
      'placeholder',
    );
  if (used.length > MOST_PLACEHOLDERS)
    throw ValidationError.of('body.text', `must have at most ${MOST_PLACEHOLDERS} placeholders`, 'maxItems');
}

export const getAnswerText: Handler<'getAnswerText'> = async ({ db }, { environment, params, query }) => {
  const row = await DsarRow.query(db).findOne(dsarKey(environment, params.request_id));
  if (row === undefined) throw notFound('This data-subject request');
  const id = query.template_id?.toLowerCase();
  const template =
    id === undefined
      ? chooseTemplate(await templatesOf(db, environment.id, row.request_type), row.language)
      : await findTemplate(db, environment.id, id);
  if (template === undefined) throw notFound('This template');
  const { template_id, name, language } = template;
  const { time_zone, controller } = environment.settings;
  const filled = fillAnswer(template.text, language, {
    request: { ...row, deadline: row.extended_until ?? row.due_at },
    site: { name: environment.name, controller: controller.name, time_zone },
    now: clock.date(),
  });
  return {
    ...{ template_id, name, language, wanted_language: row.language },
    ...{ other_language: !serves(row.language, language), ...filled },
  };
};

async function findTemplate(
  db: Knex,
  environment_id: string,
  id: string,
): Promise<AnswerTemplate | undefined> {
  if (id.startsWith('builtin-')) return BUILTIN_TEMPLATES.find(({ template_id }) => template_id === id);
  const row = await AnswerTemplateRow.query(db).findById([environment_id, id]);
  return row && view(row);
}
