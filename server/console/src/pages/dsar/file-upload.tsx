import { useRef, useState } from 'react';
import { useAction, type useApi } from '../../app/data';
import { fieldErrors } from '../../app/errors';
import { Alert, Button, Failed } from '../../ui';
import { PART_BYTES, partOf } from './upload';

type Api = ReturnType<typeof useApi>;

interface Target {
  /** What the file is for, for screen readers. */
  label: string;
  changed: readonly unknown[];
  /** Begins the file; resolves with what stores a part of it. */
  begin(api: Api, file: File): Promise<(part: number, content: string) => Promise<unknown>>;
}

/** What a field of a refused request is to whoever chose the file. */
const PLACES: Readonly<Record<string, string>> = { name: 'Its name', bytes: 'Its size', content: 'The file' };

/** There is no field whose problem could be shown beside it. */
function Refused({ error }: { error: Error | null }) {
  const problems = fieldErrors(error);
  if (problems.length === 0) return <Failed error={error} />;
  return (
    <Alert tone="bad" title="The file cannot be taken" live>
      {problems.map(({ path, message }) => `${PLACES[path] ?? 'It'} ${message}.`).join(' ')}
    </Alert>
  );
}

/** A button that sends a file part by part. */
export function FileUpload({ label, changed, begin }: Target) {
  const input = useRef<HTMLInputElement>(null);
  const [sent, setSent] = useState<string>();
  const upload = useAction(
    async (api, file: File) => {
      const put = await begin(api, file);
      for (let part = 0; part * PART_BYTES < file.size; part += 1) {
        setSent(`${Math.round((100 * part * PART_BYTES) / file.size)} %`);
        await put(part, await partOf(file, part));
      }
    },
    { success: 'The file is stored.', changes: [changed], onDone: () => setSent(undefined) },
  );
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          currentTarget.value = '';
          if (file !== undefined) upload.run(file);
        }}
      />
      <div className="row">
        <Button isDisabled={upload.pending} onPress={() => input.current?.click()}>
          Add a file
        </Button>
        {upload.pending && <span role="status">Sending, {sent ?? '0 %'}</span>}
      </div>
      <Refused error={upload.error} />
    </>
  );
}
