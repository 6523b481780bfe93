import { keys, type Schemas, type Site, useAction } from '../../app/data';
import { useSite } from '../../app/site';
import { useDraft, useVersion } from '../../ui';

/**
 * A part of the settings in a form of its own: its draft, and what the form is given. It sends this part alone, with the
 * version of the settings that it is based on.
 */
export function useSettingsForm<Draft extends object>({
  toDraft,
  toSettings,
  success,
}: {
  toDraft: (site: Site) => Draft;
  toSettings: (draft: Draft, site: Site) => Schemas['SettingsPatch'];
  success: string;
}) {
  const site = useSite();
  const { token } = site;
  const draft = useDraft<Draft>(toDraft(site));
  const { value, set, dirty, clashes } = draft;
  const action = useAction(
    (api, { settings, basedOn }: { settings: Schemas['SettingsPatch']; basedOn: number }) =>
      api.updateEnvironment({ token, body: { settings, expected_settings_version: basedOn } }),
    {
      success,
      changes: [keys.site(token), keys.sites],
      onDone: () => draft.saved(draft.value),
    },
  );
  const basedOn = useVersion(draft, toDraft(site), site.settings_version, action.error);
  const onSubmit = () => action.run({ settings: toSettings(value, site), basedOn });
  return { value, set, form: { action, dirty, clashes, submit: 'Save', onSubmit } };
}
