/** The TCF purposes by their numbers, from the file that the server reads. */
import PURPOSES from '../../../../src/domain/purposes.data.json';

export { PURPOSES };

/** The default category of each TCF purpose. */
export const CATEGORY_OF_PURPOSE = new Map(PURPOSES.map(({ id, category }) => [id, category]));
