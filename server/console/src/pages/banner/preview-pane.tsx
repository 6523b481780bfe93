import { fieldErrors } from '../../app/errors';
import { Card, QueryState } from '../../ui';
import { LanguageSelect } from '../../ui/language-select';
import { PreviewFrame } from '../../ui/preview-frame';
import { Segments } from '../../ui/segments';
import { useVendors } from '../vendors/list';
import style from './banner.module.css';
import type { PreviewState } from './preview-state';
import { RefusedPreview } from './refused-preview';
import type { Mode } from './use-preview';
import { OtherWarnings } from './warnings';

const MODES: readonly (readonly [Mode, string])[] = [
  ['system', 'Your system’s'],
  ['light', 'Light'],
  ['dark', 'Dark'],
];

/** Fields of the page that show their own warnings. */
const FIELDS = [
  'settings.banner.colours',
  'settings.banner.dark_colours',
  'settings.banner.design.logo',
  'settings.banner.first_layer_buttons',
  'settings.banner.texts',
  'settings.privacy_policy_url',
  'settings.imprint_url',
];

/** The preview of the banner with these settings. */
export function PreviewPane({ preview }: { preview: PreviewState }) {
  const { query, language, languages, setLanguage, mode, setMode, isAuto, bytes } = preview;
  const vendors = useVendors().data?.vendors ?? [];
  const refused = fieldErrors(query.error);
  return (
    <aside className={style.bannerPreview} aria-label="Preview">
      <Card title="Preview">
        {refused.length > 0 ? (
          <RefusedPreview errors={refused} />
        ) : (
          <QueryState
            query={query}
            loading={<PreviewFrame script={undefined} language={language} title="The banner" />}
          >
            {({ script }) => (
              <PreviewFrame script={script} language={language} vendors={vendors} title="The banner" />
            )}
          </QueryState>
        )}
        <LanguageSelect languages={languages} value={language} onChange={setLanguage} />
        {isAuto && <Segments label="The visitor’s system" options={MODES} value={mode} onChange={setMode} />}
        {refused.length === 0 && (
          <p className="hint">
            The script has {bytes === undefined ? '…' : (bytes / 1024).toFixed(1)} KiB, compressed, with the
            texts of the default language. The texts of other languages are loaded when a visitor needs them.
          </p>
        )}
      </Card>
      <OtherWarnings fields={FIELDS} />
    </aside>
  );
}
