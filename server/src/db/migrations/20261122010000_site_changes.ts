import type { Knex } from 'knex';

// Every process finds what others changed by the number of the transaction that changed it, which no
// machine's clock has a part in. By triggers, so that whatever changes a site is found: older processes
// during an upgrade, tools, an operator's own statements.
export async function up(knex: Knex): Promise<void> {
  await knex.raw("ALTER TABLE environments ADD COLUMN changed_in xid8 NOT NULL DEFAULT '0'");
  await knex.raw('CREATE INDEX environments_changed_in ON environments (changed_in)');
  await knex.raw(`
    CREATE FUNCTION avow_note_site_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.changed_in := pg_current_xact_id();
      RETURN NEW;
    END $$`);
  await knex.raw(`
    CREATE TRIGGER environments_note_change BEFORE INSERT OR UPDATE ON environments
    FOR EACH ROW EXECUTE FUNCTION avow_note_site_change()`);
  await knex.raw(`
    CREATE FUNCTION avow_note_webhook_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE environments SET changed_in = pg_current_xact_id() WHERE id = coalesce(NEW.environment_id, OLD.environment_id);
      RETURN NULL;
    END $$`);
  // What is delivered changes a webhook all the time: only what it subscribes to concerns visitors.
  await knex.raw(`
    CREATE TRIGGER webhooks_note_change AFTER INSERT OR DELETE OR UPDATE OF events ON webhooks
    FOR EACH ROW EXECUTE FUNCTION avow_note_webhook_change()`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TRIGGER webhooks_note_change ON webhooks');
  await knex.raw('DROP FUNCTION avow_note_webhook_change()');
  await knex.raw('DROP TRIGGER environments_note_change ON environments');
  await knex.raw('DROP FUNCTION avow_note_site_change()');
  await knex.raw('ALTER TABLE environments DROP COLUMN changed_in');
}
