import { fieldErrors, placeInWords } from '../../app/errors';
import { useSite } from '../../app/site';
import { Alert, Card, QueryState } from '../../ui';
import { PreviewFrame } from '../../ui/preview-frame';
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
        <Alert tone="warn" title="The preview cannot be made yet" live>
          <ul>
            {refused.map(({ path, message }) => (
              <li key={path}>
                {placeInWords(path)}: {message}
              </li>
            ))}
          </ul>
        </Alert>
      ) : (
        <QueryState query={preview} loading={<PreviewFrame script={undefined} {...frame} />}>
          {({ script }) => <PreviewFrame script={script} vendors={vendors} {...frame} />}
        </QueryState>
      )}
    </Card>
  );
}
