// Migrations of a version to come, for tests of upgrades. CommonJS, because compiled programs load it too.
/**
 * @param {{ backfill: Function, buildIndex: Function, setNotNull: Function }} tools those of the server
 */
module.exports = ({ backfill, buildIndex, setNotNull }) => {
  const outside = { transaction: false };
  const nothing = async () => undefined;
  return {
    '99991231000100_channels': {
      step: 'expand',
      up: async (knex) => {
        await knex.raw(
          "ALTER TABLE form_consents ADD COLUMN channel text DEFAULT 'page', ADD COLUMN note text",
        );
        await knex.raw('ALTER TABLE idempotency_keys ADD COLUMN lives_until timestamptz');
        await knex.raw('CREATE TABLE channels (name text PRIMARY KEY)');
      },
      down: nothing,
    },
    '99991231000200_lives_until': {
      step: 'expand',
      config: outside,
      background: true,
      up: (knex) =>
        backfill(knex, {
          table: 'idempotency_keys',
          key: ['environment_id', 'scope', 'key'],
          set: { lives_until: "expires_at + interval '1 day'" },
          where: 'lives_until IS NULL',
        }),
      down: nothing,
    },
    '99991231000300_consents_bundle': {
      step: 'expand',
      config: outside,
      background: true,
      up: (knex) =>
        buildIndex(knex, 'consents_bundle', 'consents (environment_id, bundle_hash, recorded_at)'),
      down: nothing,
    },
    '99991231000400_key_lives': {
      step: 'expand',
      config: outside,
      up: async (knex) => {
        await knex.raw('ALTER TABLE idempotency_keys DROP CONSTRAINT IF EXISTS key_lives');
        await knex.raw(
          'ALTER TABLE idempotency_keys ADD CONSTRAINT key_lives CHECK (lives_until > expires_at) NOT VALID',
        );
        await knex.raw('ALTER TABLE idempotency_keys VALIDATE CONSTRAINT key_lives');
      },
      down: nothing,
    },
    '99991231000500_channel_is_set': {
      step: 'contract',
      config: outside,
      up: (knex) => setNotNull(knex, 'form_consents', 'channel'),
      down: nothing,
    },
    '99991231000600_drop_note': {
      step: 'contract',
      up: (knex) => knex.raw('ALTER TABLE form_consents DROP COLUMN note'),
      down: nothing,
    },
  };
};
