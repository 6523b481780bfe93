import type { Avow } from '@avow/sdk';
import { keys, type Schemas, useAction } from '../../app/data';
import { useSite } from '../../app/site';
import { useDraft, useVersion } from '../../ui';
import { type TestDraft, toBanner, toDraft, toTest } from './version-b';

type Change = { settings: Schemas['SettingsPatch']; basedOn: number };

/** The draft of a test, and what starts and ends one: a change of the settings that is published at once. */
export function useTest() {
  const site = useSite();
  const { token, settings, settings_version } = site;
  const draft = useDraft<TestDraft>(toDraft(site));
  const changes = [keys.site(token), keys.sites];
  const change = async (api: Avow, { settings: changed, basedOn: version }: Change) => {
    await api.updateEnvironment({ token, body: { settings: changed, expected_settings_version: version } });
    await api.generateBundle({ token });
  };
  const publish = (success: string) => ({ success, changes, onDone: () => draft.saved(draft.value) });
  const action = useAction(change, publish('Test started'));
  const end = useAction(change, publish('Test ended'));
  const basedOn = useVersion(draft, toDraft(site), settings_version, action.error);
  return {
    draft,
    action,
    end,
    start: () => action.run({ settings: { banner_test: toTest(draft.value) }, basedOn }),
    keepA: () => end.run({ settings: { banner_test: null }, basedOn: settings_version }),
    /** What is saved, which is what was tested. */
    keepB: () =>
      end.run({
        settings: { banner: toBanner(toDraft({ settings })), banner_test: null },
        basedOn: settings_version,
      }),
  };
}
