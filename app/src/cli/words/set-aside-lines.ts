import { join } from "node:path";
import type { SetAsideFile } from "../../api/ui-api.ts";
import { oneLine } from "../../text/printable.ts";

/** Lists where the user's own versions are kept that a run's files replaced, one line per file. */
export function setAsideLines(files: readonly SetAsideFile[], folder: string): readonly string[] {
	return files.map(
		({ relativePath, keptAs }) => `Your own version of ${oneLine(relativePath, 300)} was kept as ${oneLine(join(folder, keptAs), 1_000)}`,
	);
}
