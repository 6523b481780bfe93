import { fieldErrors } from '../../app/errors';
import { useSite } from '../../app/site';
import { Card, QueryState } from '../../ui';
import { PreviewFrame } from '../../ui/preview-frame';
import { RefusedPreview } from '../banner/refused-preview';
import { useVendors } from '../vendors/list';
import style from './banner-test.module.css';
import type { usePreviewOf } from './use-preview-of';

type Preview = ReturnType<typeof usePreviewOf>;

/** Both versions side by side, as visitors would see them. */
export function Previews({ a, b }: { a: Preview; b: Preview }) {
  return (
    <section className={style.previews} aria-label="Preview">
      <VersionPreview version="A" preview={a} />
      <VersionPreview version="B" preview={b} />
    </section>
  );
}

function VersionPreview({ version, preview }: { version: string; preview: Preview }) {
  const { default_language: language } = useSite().settings;
  const vendors = useVendors().data?.vendors ?? [];
  const refused = fieldErrors(preview.error);
  const frame = { language, title: `The banner, version ${version}` };
  return (
    <Card title={`Version ${version}`}>
      {refused.length > 0 ? (
        <RefusedPreview errors={refused} />
      ) : (
        <QueryState query={preview} loading={<PreviewFrame script={undefined} {...frame} />}>
          {({ script }) => <PreviewFrame script={script} vendors={vendors} {...frame} />}
        </QueryState>
      )}
    </Card>
  );
}
