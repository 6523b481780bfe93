import { type fieldErrors, placeInWords } from '../../app/errors';
import { Alert } from '../../ui';

/** Why a banner cannot be previewed as it stands. */
export function RefusedPreview({ errors }: { errors: ReturnType<typeof fieldErrors> }) {
  return (
    <Alert tone="warn" title="The preview cannot be made yet" live>
      <ul>
        {errors.map(({ path, message }) => (
          <li key={path}>
            {placeInWords(path)}: {message}
          </li>
        ))}
      </ul>
    </Alert>
  );
}
