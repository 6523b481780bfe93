import { useState } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { Alert, Button, NumberField, TextField } from '../../ui';
import type { Banner } from './draft';
import { readLogo } from './logo-file';
import { FieldWarnings } from './warnings';

type Logo = NonNullable<NonNullable<Banner['design']>['logo']>;

/** The logo: chosen as a file, which is made small enough here. */
export function LogoFields({
  path,
  logo,
  onChange,
}: {
  /** In the request body. */
  path: string;
  logo: Logo | undefined;
  onChange: (logo: Logo | undefined) => void;
}) {
  const [problem, setProblem] = useState<string>();
  const choose = async (file: File) => {
    setProblem(undefined);
    try {
      onChange({ ...(await readLogo(file)), alt: logo?.alt ?? '' });
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  // While a field is empty there is no number, and the server says so.
  const set = (part: { width?: number | undefined; height?: number | undefined; alt?: string }) =>
    onChange({ ...logo, ...part } as Logo);
  return (
    <fieldset className="entry-group">
      <legend>Logo</legend>
      <div className="row">
        <FileTrigger
          acceptedFileTypes={['image/png', 'image/webp', 'image/jpeg']}
          onSelect={(files) => files?.[0] && void choose(files[0])}
        >
          <Button small>{logo === undefined ? 'Choose a logo' : 'Choose another logo'}</Button>
        </FileTrigger>
        {logo === undefined ? (
          <span className="muted">PNG, WebP or JPEG. Every visitor loads it with the script.</span>
        ) : (
          <Button small onPress={() => onChange(undefined)}>
            Remove the logo
          </Button>
        )}
      </div>
      {problem !== undefined && (
        <Alert tone="bad" title="The file cannot be used" live>
          {problem}
        </Alert>
      )}
      <FieldWarnings of={path} />
      {logo !== undefined && (
        <>
          <TextField
            label="What screen readers say"
            description="Usually the name of the site."
            name={`${path}.alt`}
            isRequired
            maxLength={200}
            value={logo.alt}
            onChange={(alt) => set({ alt })}
          />
          <div className="two">
            <NumberField
              label="Width at most"
              description="16 to 320 pixels."
              name={`${path}.width`}
              isRequired
              value={logo.width}
              onChange={(width) => set({ width })}
            />
            <NumberField
              label="Height at most"
              description="16 to 96 pixels."
              name={`${path}.height`}
              isRequired
              value={logo.height}
              onChange={(height) => set({ height })}
            />
          </div>
        </>
      )}
    </fieldset>
  );
}
