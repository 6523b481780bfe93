import type { Avow } from '@avow/sdk';
import type { Schemas } from '../../app/data';
import { ConfirmDialog } from '../../ui';

/** What publishing the saved settings with these changes would do to the A/B test that runs, in words; undefined where it goes on. */
export async function endingOf(
  api: Avow,
  token: string,
  settings: Schemas['SettingsPatch'] = {},
): Promise<string | undefined> {
  const { current } = await api.getBannerTest({ token });
  if (current === null) return undefined;
  // It knows the changes that are not saved yet, too.
  const { warnings } = await api.previewBundle({ token, body: { settings } });
  return warnings.find(({ code }) => code === 'test_ends')?.message;
}

/** Asks before that is done; open while there is something to say. */
export function EndsTest({
  ending,
  onConfirm,
  onCancel,
}: {
  ending: string | undefined;
  onConfirm: () => void;
  onCancel: () => void;
}) {
  return (
    <ConfirmDialog
      isOpen={ending !== undefined}
      title="End the A/B test that runs?"
      confirm="Publish anyway"
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      <p>{ending}</p>
    </ConfirmDialog>
  );
}
