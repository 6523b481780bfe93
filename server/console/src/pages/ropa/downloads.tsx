import { useAction } from '../../app/data';
import { describe } from '../../app/errors';
import { jsonFile, saveFile } from '../../app/save-file';
import { useSite } from '../../app/site';
import { Alert, Button } from '../../ui';

const FORMATS = [
  ['json', 'JSON'],
  ['csv', 'CSV'],
  ['xlsx', 'Excel'],
  ['html', 'Printable page'],
] as const;
type Format = (typeof FORMATS)[number][0];

/**
 * Buttons that save the records as a file. The JSON answer has no file name, so it gets one like the others.
 */
export function Downloads() {
  const { token, domain } = useSite();
  const download = useAction(async (api, format: Format) => {
    const answer = await api.exportRopa({ token, format });
    return saveFile(Promise.resolve(format === 'json' ? await named(answer, domain) : answer));
  });
  const failure = download.error === null ? undefined : describe(download.error);
  return (
    <div className="stack">
      <div className="row">
        {FORMATS.map(([format, name]) => (
          <Button key={format} isDisabled={download.pending} onPress={() => download.run(format)}>
            {name}
          </Button>
        ))}
      </div>
      <p className="hint">
        The printable page is a file too: open it in a browser and print it, for example for the supervisory
        authority (GDPR Art. 30(4)).
      </p>
      {failure !== undefined && (
        <Alert tone="bad" title={failure.title} live>
          {failure.text}
        </Alert>
      )}
    </div>
  );
}

async function named(answer: Response, domain: string): Promise<Response> {
  const { data } = (await answer.json()) as { data: { generated_at: string } };
  return jsonFile(`ropa-${domain}-${data.generated_at.slice(0, 10)}.json`, data);
}
